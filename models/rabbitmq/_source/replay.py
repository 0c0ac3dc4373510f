"""Beyond the paper: an Authenticator that is overheard and sent again, with and without a replay cache."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int WINDOW = 5;                 // up to which age the broker takes an Authenticator
const bool CACHE = true;              // whether it remembers those it took
typedef int[0,1] authenticator;       // the client makes two, one after the other

clock age[authenticator];             // since it was made
clock kept[authenticator];            // since it was put in the cache
bool cached[authenticator];
int[0,3] accepted[authenticator];     // how often the broker took it
bool overheard[authenticator];
broadcast chan request[authenticator];// with the Ticket; the intruder listens
chan replay[authenticator], service, refusal;
"""

CLIENT = Template(
    "Client",
    "",
    "authenticator next;\n",
    (
        Location("Idle", (0, 0)),
        Location("Asking", (2, 0)),
        Location("Done", (4, 0)),
    ),
    (
        Edge("Idle -> Asking", "request[next]!", update="age[next] = 0", shift=(-0.3, -0.35)),
        Edge("Asking -> Idle", "service?", "next == 0", "next = 1", nails=((1, 0.6),), shift=(-0.2, 0.05)),
        Edge("Asking -> Done", "service?", "next == 1", shift=(-0.3, -0.3)),
        Edge("Asking -> Done", "refusal?", nails=((3, 0.6),), shift=(-0.2, 0.05)),
    ),
)

INTRUDER = Template(
    "Intruder",
    "",
    "",
    (Location("Listening", (0, 0)), Location("Waiting", (2, 0))),
    (
        Edge(
            "Listening -> Listening",
            "request[a]?",
            update="overheard[a] = true",
            select="a : authenticator",
            nails=((-0.3, -0.6), (0.3, -0.6)),
            shift=(-0.3, -0.5),
        ),
        Edge("Listening -> Waiting", "replay[a]!", "overheard[a]", select="a : authenticator", shift=(-0.3, -0.5)),
        Edge("Waiting -> Listening", "service?", nails=((1, 0.5),), shift=(-0.2, -0.2)),
        Edge("Waiting -> Listening", "refusal?", nails=((1, 1),), shift=(-0.2, 0.05)),
    ),
)

BROKER = Template(
    "Broker",
    "",
    """
authenticator now;

void accept() {
    accepted[now]++;
    if (CACHE) cached[now] = true;
}
""",
    (
        Location("Ready", (0, 1)),
        Location("Check", (2, 1), "urgent", comment="Looking at it takes no time."),
    ),
    (
        Edge("Ready -> Check", "request[a]?", update="now = a", select="a : authenticator", shift=(-0.3, -0.45)),
        Edge(
            "Ready -> Check",
            "replay[a]?",
            update="now = a",
            select="a : authenticator",
            nails=((1, 0.2),),
            shift=(-0.3, -0.45),
        ),
        Edge(
            "Check -> Ready",
            "service!",
            "age[now] <= WINDOW && !cached[now] && accepted[now] < 3",
            "accept(), kept[now] = 0",
            nails=((1, 1.6),),
            shift=(-0.3, 0.05),
        ),
        Edge("Check -> Ready", "refusal!", "age[now] > WINDOW", nails=((1, 2.4),), shift=(-0.2, 0.05)),
        Edge("Check -> Ready", "refusal!", "cached[now]", nails=((1, 3),), shift=(-0.2, 0.05)),
        Edge(
            "Ready -> Ready",
            guard="cached[a] && kept[a] > WINDOW",
            update="cached[a] = false",
            select="a : authenticator",
            nails=((-1, 0.7), (-1, 1.3)),
            shift=(-1, -0.2),
            comment="Too old by now, so it need not be kept.",
        ),
    ),
)

ONCE = "A[] forall(a : authenticator) accepted[a] <= 1"
TWICE = "E<> accepted[0] == 1 && accepted[1] == 1"
CACHE = Model(
    """
An Authenticator that an intruder overhears and sends again. Nobody without the session key can make one, but it can be
repeated: the broker must remember what it took for as long as it would take it again. The paper's broker has no such
replay cache. Written by models/rabbitmq/_source; change it there.
""",
    DECLARATION,
    (CLIENT, INTRUDER, BROKER),
    "system Client, Intruder, Broker;",
    (
        Query(ONCE, "No Authenticator gets a second service."),
        Query(TWICE, "A client that makes two is served twice: the cache is not in its way."),
    ),
)
NO_CACHE = CACHE.declaring("CACHE = true", "CACHE = false")
FORGETTING = "Ready -> Ready"
FAULTS = {
    # At age 5 it is still taken, and forgotten already.
    "replay_forgets_early.xml": CACHE.labelling("Broker", FORGETTING, guard="cached[a] && kept[a] >= WINDOW").asking(
        ONCE
    ),
    "replay_cache_by_client.xml": CACHE.declaring(
        "if (CACHE) cached[now] = true;", "for (a : authenticator) cached[a] = true;"
    )
    .without("Broker", FORGETTING)
    .asking(TWICE),
}
