"""Beyond the paper: a client that stops answering, and what the broker then frees."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int HEARTBEAT = 5;
const int ANSWER = 2;                 // how long a client that is there takes to answer

bool connection = true;               // what the broker holds for the client:
int[0,1] unacked = 1;                 // a message it delivered that is not acknowledged,
int[0,1] ready = 0;                   // the same message, back in the queue,
bool exclusive = true;                // and a queue that only this client may use
clock since;                          // since the client was lost
broadcast chan check;                 // a broadcast, so that nobody has to be there to hear it
chan ack;
"""

CLIENT = Template(
    "Client",
    "",
    "clock y;\n",
    (
        Location("Alive", (0, 0)),
        Location("Asked", (2, 0), invariant="y <= ANSWER"),
        Location("Lost", (1, 1.5), comment="The process died, or the network failed."),
    ),
    (
        Edge("Alive -> Asked", "check?", update="y = 0", shift=(-0.3, -0.35)),
        Edge("Asked -> Alive", "ack!", nails=((1, 0.5),), shift=(-0.2, 0.02)),
        Edge("Alive -> Lost", update="since = 0", shift=(-0.6, 0.1)),
        Edge("Asked -> Lost", update="since = 0", shift=(0, 0.1)),
    ),
)

BROKER = Template(
    "Broker",
    "",
    """
clock x;                              // since the client was last heard of

void free() {
    connection = false;
    exclusive = false;
    ready = unacked;
    unacked = 0;
}
""",
    (
        Location("Open", (0, 0), invariant="x <= HEARTBEAT"),
        Location("Waiting", (2, 0), invariant="x <= 2*HEARTBEAT"),
        Location("Closed", (4, 0)),
    ),
    (
        Edge("Open -> Waiting", "check!", "x >= HEARTBEAT", shift=(-0.3, -0.35)),
        Edge("Waiting -> Open", "ack?", update="x = 0", nails=((1, 0.6),), shift=(-0.2, 0.02)),
        Edge("Waiting -> Closed", guard="x >= 2*HEARTBEAT", update="free()", shift=(-0.3, -0.35)),
    ),
)

SOON = "A[] (Client.Lost && since > 2*HEARTBEAT) imply Broker.Closed"
FREED = "A[] Broker.Closed imply !connection && !exclusive && unacked == 0"
ALIVE = "A[] Broker.Closed imply Client.Lost"
AGAIN = "Client.Lost --> Broker.Closed && ready == 1"
LIVES = "E[] Client.Alive || Client.Asked"
HEARTBEATS = Model(
    """
A client that stops answering heartbeats: its connection is closed within two intervals, what it held is freed, and a
message that it had not acknowledged goes back to the queue. Written by models/rabbitmq/_source; change it there.
""",
    DECLARATION,
    (CLIENT, BROKER),
    "system Client, Broker;",
    (
        Query(SOON, "Two intervals after a client was lost, at the latest, its connection is closed."),
        Query("sup{Client.Lost && !Broker.Closed}: since", "It may take as long as that."),
        Query(FREED, "With the connection goes all that the client held."),
        Query(ALIVE, "Nobody who is there is closed."),
        Query(AGAIN, "The message that was not acknowledged is back in the queue."),
        Query(LIVES, "A client that answers may stay for ever."),
    ),
)
FAULTS = {
    "heartbeats_patient.xml": HEARTBEATS.locating("Broker", "Waiting", invariant="x <= 3*HEARTBEAT").asking(SOON),
    "heartbeats_keeps_the_queue.xml": HEARTBEATS.declaring("exclusive = false;", "").asking(FREED),
    "heartbeats_slow_client.xml": HEARTBEATS.declaring("ANSWER = 2", "ANSWER = 6").asking(ALIVE),
    "heartbeats_drops_the_message.xml": HEARTBEATS.declaring("ready = unacked;", "").asking(AGAIN),
    "heartbeats_no_answer.xml": HEARTBEATS.without("Broker", "Waiting -> Open").asking(LIVES),
}
