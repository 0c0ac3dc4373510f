"""Beyond the paper: the broker's clock differs from the KDC's."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int MAX = 8;                    // how far the clocks may be apart
const int WINDOW = 5;                 // by how much an Authenticator's Time may differ from the broker's clock
const int DELAY = 2;                  // how long a message may travel
const int LIFETIME = 10;              // of the Ticket
int[-MAX,MAX] skew;                   // the broker's clock minus the KDC's

clock age;                            // since the Authenticator was made, by a client whose clock is the KDC's
clock life;                           // since the Ticket was issued
chan issue, arrive, forged;
"""

CLIENT = Template(
    "Client",
    "",
    "",
    (
        Location("Init", (0, 0)),
        Location("Travelling", (2, 0), invariant="age <= DELAY"),
        Location("Arrived", (4, 0)),
    ),
    (
        Edge("Init -> Travelling", "issue!", update="age = 0, life = 0", shift=(-0.3, -0.3)),
        Edge("Travelling -> Arrived", "arrive!", shift=(-0.3, -0.2)),
    ),
)

THIEF = Template(
    "Thief",
    "",
    "",
    (Location("Init", (0, 0)), Location("HasTicket", (2, 0)), Location("Done", (4, 0))),
    (
        Edge(
            "Init -> HasTicket", "issue?", shift=(-0.3, -0.2), comment="With the session key: any Time can be forged."
        ),
        Edge("HasTicket -> Done", "forged!", shift=(-0.3, -0.2)),
    ),
)

BROKER = Template(
    "Broker",
    "",
    "",
    (
        Location("Setting", (0, 1), "committed", comment="Its clock is set, well or badly."),
        Location("Ready", (1.8, 1)),
        Location("Check", (4, 1), "urgent"),
        Location("Accepted", (7, 0), "urgent"),
        Location("Refused", (7, 2), "urgent"),
        Location("CheckForged", (1.8, 2.7), "urgent"),
        Location("Fooled", (3.6, 2.7), "urgent"),
    ),
    (
        Edge("Setting -> Ready", update="skew = s", select="s : int[-MAX,MAX]", shift=(-0.4, -0.35)),
        Edge("Ready -> Check", "arrive?", shift=(-0.3, -0.2)),
        Edge(
            "Check -> Accepted",
            guard="age <= WINDOW - skew && age >= -WINDOW - skew && life <= LIFETIME - skew",
            nails=((4, 0),),
            shift=(0.1, -0.2),
        ),
        Edge("Check -> Refused", guard="age > WINDOW - skew", shift=(-0.6, -0.2), comment="from the past"),
        Edge(
            "Check -> Refused",
            guard="age < -WINDOW - skew",
            nails=((4, 2),),
            shift=(0.3, 0.02),
            comment="from the future",
        ),
        Edge(
            "Check -> Refused", guard="life > LIFETIME - skew", nails=((7, 1),), shift=(-0.8, -0.3), comment="expired"
        ),
        Edge("Accepted -> Ready", nails=((7, -0.5), (1.8, -0.5))),
        Edge("Refused -> Ready", nails=((7, 3.4), (1, 3.4), (1, 2))),
        Edge("Ready -> CheckForged", "forged?", shift=(0, -0.1)),
        Edge("CheckForged -> Fooled", guard="life <= LIFETIME - skew", shift=(-0.5, -0.2)),
        Edge("CheckForged -> Ready", guard="life > LIFETIME - skew", nails=((1.3, 1.8),), shift=(-0.9, 0)),
        Edge("Fooled -> Ready", nails=((3, 1.9),)),
    ),
)

WITHIN = "A[] Broker.Refused imply skew < -WINDOW || skew > WINDOW - DELAY"
OUTSIDE = "A[] Broker.Accepted imply -WINDOW - DELAY <= skew && skew <= WINDOW"
BOUNDED = "A[] (Broker.Fooled && skew >= -WINDOW) imply life <= LIFETIME + WINDOW"
BROKEN = "A[] Broker.Fooled imply life <= LIFETIME"
SKEW = Model(
    """
The broker's clock is not the KDC's: which skew still works, which breaks the protocol, and for how long a stolen Ticket
is good at a broker whose clock is slow. Kerberos allows five minutes; here it is 5. Written by models/rabbitmq/_source;
change it there.
""",
    DECLARATION,
    (CLIENT, THIEF, BROKER),
    "system Client, Thief, Broker;",
    (
        Query(WITHIN, "With a skew from -5 to 3 a client is never refused,"),
        Query("inf{Broker.Refused && skew >= 0}: skew", "from 4 on it may be,"),
        Query("sup{Broker.Refused && skew <= 0}: skew", "and from -6 on."),
        Query(OUTSIDE, "Beyond -7 and 5 it always is;"),
        Query("sup{Broker.Accepted}: skew", "5 may be right yet,"),
        Query("inf{Broker.Accepted}: skew", "and so may -7, when the message takes long."),
        Query(BROKEN, "A stolen Ticket outlives its lifetime where the broker's clock is slow,"),
        Query(BOUNDED, "by what the clocks are apart,"),
        Query("sup{Broker.Fooled}: life", "here by as much as 8."),
    ),
)
FAULTS = {
    "skew_no_window.xml": SKEW.labelling("Broker", "Check -> Accepted", guard="life <= LIFETIME - skew").asking(
        OUTSIDE
    ),
    # Asks for less than it should: a message may travel for 2.
    "skew_slow_network.xml": SKEW.locating("Client", "Travelling", invariant="age <= DELAY + 1").asking(WITHIN),
    "skew_lifetime_not_checked.xml": SKEW.labelling("Broker", "CheckForged -> Fooled", guard="").asking(BOUNDED),
}
