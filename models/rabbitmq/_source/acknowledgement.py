"""Message acknowledgement, the property of the authors' earlier paper that this one leaves out."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int MESSAGES = 2;
const int LOSSES = 2;                 // how often a consumer may lose its connection, in all
const int WORK = 3;                   // how long a consumer works on a message
const int STORE = 1;                  // how long the broker takes to store one
typedef int[0,MESSAGES-1] message;
typedef int[0,1] consumer;

const int NEW = 0, SENT = 1, READY = 2, UNACKED = 3, REMOVED = 4;
int[0,4] state[message];              // as the broker has it
bool confirmed[message];              // the producer has the broker's acknowledgement
bool acked[message];                  // a consumer has acknowledged it
int[0,LOSSES+1] received[message];    // how often it was delivered
consumer holder[message];             // to whom, while UNACKED
int[0,LOSSES] losses;
urgent chan publish, deliver[consumer];
chan confirm, ack[consumer], lost[consumer];
message sent, next;

// Whether m is the oldest that is ready.
bool first(message m) { return state[m] == READY && forall(k : message) (k < m imply state[k] != READY); }
"""

PRODUCER = Template(
    "Producer",
    "",
    "",
    (Location("Ready", (0, 0)), Location("Waiting", (2.5, 0)), Location("Done", (5, 0))),
    (
        Edge("Ready -> Waiting", "publish!", update="sent = next, state[next] = SENT", shift=(-0.6, -0.35)),
        Edge(
            "Waiting -> Ready",
            "confirm?",
            "next < MESSAGES - 1",
            "confirmed[next] = true, next++",
            nails=((1.25, 0.6),),
            shift=(-0.3, 0.02),
        ),
        Edge("Waiting -> Done", "confirm?", "next == MESSAGES - 1", "confirmed[next] = true", shift=(-0.6, -0.45)),
    ),
)

BROKER = Template(
    "Broker",
    "",
    "clock x;\n",
    (
        Location("Ready", (0, 0)),
        Location("Storing", (2.5, 0), invariant="x <= STORE"),
        Location("Stored", (2.5, 1.2), "urgent"),
    ),
    (
        Edge("Ready -> Storing", "publish?", update="x = 0", shift=(-0.3, -0.35)),
        Edge("Storing -> Stored", update="state[sent] = READY", shift=(0, -0.05)),
        Edge("Stored -> Ready", "confirm!", nails=((0, 1.2),), shift=(0.9, -0.2)),
    ),
)

QUEUE = Template(
    "Queue",
    "",
    """
void give(consumer c) {
    for (m : message)
        if (first(m) && state[m] == READY) {
            state[m] = UNACKED;
            holder[m] = c;
            received[m]++;
            return;
        }
}

void remove(consumer c) {
    for (m : message)
        if (state[m] == UNACKED && holder[m] == c) {
            state[m] = REMOVED;
            holder[m] = 0;
        }
}

void requeue(consumer c) {
    for (m : message)
        if (state[m] == UNACKED && holder[m] == c) {
            state[m] = READY;
            holder[m] = 0;
        }
}
""",
    (Location("Ready", (0, 0)),),
    (
        Edge(
            "Ready -> Ready",
            "deliver[c]!",
            "exists(m : message) state[m] == READY",
            "give(c)",
            "c : consumer",
            nails=((-0.3, -0.8), (0.3, -0.8)),
            shift=(-0.5, -0.6),
        ),
        Edge(
            "Ready -> Ready",
            "ack[c]?",
            "",
            "remove(c)",
            "c : consumer",
            nails=((1.2, -0.3), (1.2, 0.3)),
            shift=(0, -0.2),
        ),
        Edge(
            "Ready -> Ready",
            "lost[c]?",
            "",
            "requeue(c)",
            "c : consumer",
            nails=((-1.2, -0.3), (-1.2, 0.3)),
            shift=(-0.6, -0.2),
        ),
    ),
)

CONSUMER = Template(
    "Consumer",
    "const consumer id",
    """
clock y;

void acknowledge() {
    for (m : message)
        if (state[m] == UNACKED && holder[m] == id) acked[m] = true;
}
""",
    (
        Location("Idle", (0, 0)),
        Location("Working", (2.5, 0), invariant="y <= WORK"),
        Location("Down", (2.5, 1.5), invariant="y <= 1"),
    ),
    (
        Edge("Idle -> Working", "deliver[id]?", update="y = 0", shift=(-0.3, -0.35)),
        Edge("Working -> Idle", "ack[id]!", update="acknowledge()", nails=((1.25, 0.5),), shift=(-0.3, 0.02)),
        Edge("Working -> Down", "lost[id]!", "losses < LOSSES", "losses++, y = 0", shift=(0, -0.15)),
        Edge("Down -> Idle", guard="y >= 1", nails=((0, 1.5),), shift=(0.5, 0.02)),
    ),
)

STORED = "A[] forall(m : message) confirmed[m] imply state[m] >= READY"
KEPT = "A[] forall(m : message) state[m] == REMOVED imply acked[m]"
GONE = "A[] forall(m : message) acked[m] imply state[m] == REMOVED"
CONFIRMED = "state[0] == SENT --> confirmed[0]"
REMOVED = "state[0] == READY --> state[0] == REMOVED"
ALL = "A<> forall(m : message) acked[m]"
TWICE = "E<> received[0] == 2"
ACKNOWLEDGEMENT = Model(
    """
Message acknowledgement, which
  R. Li, J. Yin, H. Zhu: Modeling and Analysis of RabbitMQ Using UPPAAL. TrustCom 2020
checks and the later paper leaves out. Rebuilt from RabbitMQ's documentation: the broker confirms a message when it is
stored, removes it when a consumer has acknowledged it, and gives it to another when the connection is lost before.
Written by models/rabbitmq/_source; change it there.
""",
    DECLARATION,
    (PRODUCER, BROKER, QUEUE, CONSUMER),
    "system Producer, Broker, Queue, Consumer;",
    (
        Query(CONFIRMED, "Every message that is published is acknowledged by the broker."),
        Query(STORED, "What was acknowledged to the producer is stored."),
        Query(KEPT, "Nothing is removed that no consumer has acknowledged."),
        Query(GONE, "What a consumer has acknowledged is removed at once."),
        Query(REMOVED, "Every message is acknowledged by a consumer in the end, and removed,"),
        Query(ALL, "all of them."),
        Query(TWICE, "After a loss a message is delivered again: at least once, not exactly once."),
    ),
)
FAULTS = {
    "acknowledgement_confirms_early.xml": ACKNOWLEDGEMENT.locating("Broker", "Stored", kind="")
    .labelling("Broker", "Storing -> Stored", update="", sync="confirm!")
    .labelling("Broker", "Stored -> Ready", sync="", update="state[sent] = READY")
    .asking(STORED),
    "acknowledgement_not_in_time.xml": ACKNOWLEDGEMENT.locating("Broker", "Storing", invariant="").asking(CONFIRMED),
    "acknowledgement_automatic.xml": ACKNOWLEDGEMENT.declaring(
        "            state[m] = UNACKED;\n", "            state[m] = REMOVED;\n"
    ).asking(KEPT, TWICE),
    "acknowledgement_ignored.xml": ACKNOWLEDGEMENT.declaring(
        "            state[m] = REMOVED;\n", "            state[m] = UNACKED;\n"
    ).asking(GONE, REMOVED),
    "acknowledgement_no_redelivery.xml": ACKNOWLEDGEMENT.declaring(
        "            state[m] = READY;\n            holder[m] = 0;\n", ""
    ).asking(REMOVED, ALL, TWICE),
}
