"""Beyond the paper: a stolen Ticket, used past its lifetime."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int LIFETIME = 8;
typedef int[0,1] user;
const user OWNER = 0, THIEF = 1;

clock life;                           // since the KDC issued the Ticket
bool issued, stolen;
user by;                              // whose connection it is
chan connect[user], done[user];
"""

OWNER = Template(
    "Owner",
    "",
    "",
    (Location("Init", (0, 0)), Location("HasTicket", (2, 0)), Location("Connected", (4, 0))),
    (
        Edge("Init -> HasTicket", update="life = 0, issued = true", shift=(-0.4, -0.2)),
        Edge("HasTicket -> Connected", "connect[OWNER]!", shift=(-0.3, -0.2)),
        Edge("Connected -> HasTicket", "done[OWNER]?", nails=((3, 0.5),), shift=(-0.3, 0.05)),
    ),
)

THIEF = Template(
    "Thief",
    "",
    "",
    (Location("Init", (0, 0)), Location("HasTicket", (2, 0)), Location("Connected", (4, 0))),
    (
        Edge(
            "Init -> HasTicket",
            guard="issued",
            update="stolen = true",
            shift=(-0.4, -0.35),
            comment="and the session key",
        ),
        Edge("HasTicket -> Connected", "connect[THIEF]!", shift=(-0.3, -0.2)),
        Edge("Connected -> HasTicket", "done[THIEF]?", nails=((3, 0.5),), shift=(-0.3, 0.05)),
    ),
)

BROKER = Template(
    "Broker",
    "",
    "",
    (
        Location("Ready", (0, 0)),
        Location("Check", (2, 0), "urgent"),
        Location("Granted", (4, 0), "urgent", comment="The Ticket was taken in this moment."),
        Location("Session", (4, 1.5), comment="A connection of AMQP."),
    ),
    (
        Edge("Ready -> Check", "connect[u]?", update="by = u", select="u : user", shift=(-0.3, -0.5)),
        Edge("Check -> Granted", guard="life <= LIFETIME", shift=(-0.3, -0.2)),
        Edge("Check -> Ready", "done[by]!", "life > LIFETIME", nails=((1, 0.5),), shift=(-0.3, 0.05)),
        Edge("Granted -> Session"),
        Edge("Session -> Ready", "done[by]!", nails=((0, 1.5),), shift=(0.8, 0.02)),
    ),
)

IN_TIME = "A[] Broker.Granted imply life <= LIFETIME"
WORKS = "E<> Broker.Session && by == THIEF"
ENDS = "A[] Broker.Session imply life <= LIFETIME"
TICKET = Model(
    """
A Ticket and its session key are stolen. Kerberos cannot tell the thief from the owner; all it has is the lifetime.
Written by models/rabbitmq/_source; change it there.
""",
    DECLARATION,
    (OWNER, THIEF, BROKER),
    "system Owner, Thief, Broker;",
    (
        Query(IN_TIME, "Nobody connects with a Ticket past its lifetime."),
        Query(WORKS, "But within its lifetime the thief does."),
        Query(ENDS, "And a connection once made outlives the Ticket: AMQP does not ask again."),
    ),
)


# A broker that ends a connection when its Ticket ends.
CLOSING = TICKET.locating("Broker", "Session", invariant="life <= LIFETIME", comment="Ends when the Ticket does.")
FAULTS = {
    "ticket_not_checked.xml": TICKET.labelling("Broker", "Check -> Granted", guard="").asking(IN_TIME),
    "ticket_of_another_host.xml": TICKET.labelling(
        "Broker", "Check -> Granted", guard="life <= LIFETIME && by == OWNER"
    ).asking(WORKS),
    "ticket_closing_late.xml": CLOSING.locating("Broker", "Session", invariant="life <= LIFETIME + 1").asking(ENDS),
}
