"""The channel that loses, with times."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int N = 2;                      // messages
const int LOSSES = 2;                 // so many may be lost in all
const int TIMEOUT = 5;                // after this long the sender repeats
const int SLOW = 2;                   // the longest that anything is on its way
typedef int[0,1] bit;
typedef int[0,1] channel;
const channel DATA = 0, ACKS = 1;

chan put[channel], get[channel];      // into a channel, and out of it
bit carried[channel];                 // what is on its way
int[0,2] sent;                        // messages that the sender knows to have arrived
int[0,8] delivered;                   // messages that the receiver has handed on
int[0,2] lost;
clock time;

bool is_mine() { return carried[ACKS] == sent % 2; }
bool is_new() { return carried[DATA] == delivered % 2; }
"""

SENDER = Template(
    "Sender",
    "",
    "clock x;",
    (
        Location("Ready", (0, 0), "urgent"),
        Location("Waiting", (2.5, 0), invariant="x <= TIMEOUT"),
        Location("Done", (0, 1.5)),
    ),
    (
        Edge("Ready -> Waiting", "put[DATA]!", "sent < N", "carried[DATA] = sent % 2, x = 0", shift=(-0.7, -0.45)),
        Edge("Waiting -> Ready", "get[ACKS]?", "is_mine()", "sent++", nails=((1.25, 0.6),), shift=(0, 0.02)),
        Edge("Waiting -> Waiting", "get[ACKS]?", "!is_mine()", nails=((3.2, -0.4), (3.2, 0.1)), shift=(0.05, 0)),
        Edge("Waiting -> Waiting", "put[DATA]!", "x == TIMEOUT", "x = 0", nails=((3.2, 0.4), (2.6, 0.7))),
        Edge("Ready -> Done", guard="sent == N"),
        Edge("Done -> Done", "get[ACKS]?", nails=((-0.5, 1.9), (0.3, 2.1)), shift=(0.1, 0.1)),
    ),
)

RECEIVER = Template(
    "Receiver",
    "",
    "",
    (Location("Ready", (0, 0)), Location("Got", (2.5, 0), "committed")),
    (
        Edge("Ready -> Got", "get[DATA]?", update="delivered += is_new()", shift=(-0.6, -0.35)),
        Edge("Got -> Ready", "put[ACKS]!", update="carried[ACKS] = carried[DATA]", nails=((1.25, 0.6),)),
    ),
)

CHANNEL = Template(
    "Channel",
    "const channel way",
    "clock x;",
    (Location("Empty", (0, 0)), Location("Full", (2.5, 0), invariant="x <= SLOW")),
    (
        Edge("Empty -> Full", "put[way]?", update="x = 0", shift=(-0.3, -0.35)),
        Edge("Full -> Empty", "get[way]!", "x >= 1", nails=((1.25, 0.5),)),
        Edge("Full -> Empty", guard="lost < LOSSES", update="lost++", nails=((1.25, 1.3),)),
    ),
)

ONCE = "A[] delivered <= sent + 1"
ARRIVED = "A[] sent <= delivered"
FINISHES = "A<> sent == N"
LONGEST = "sup{!Sender.Done}: time"
CHANNELS = Model(
    """
Two messages over a channel that loses: each is repeated when its acknowledgement is late, and a bit that alternates
tells a repeated message from a new one. docs/tutorial/uppaal.md explains it; the other files here say the same.
Written by models/tutorial/_source; change it there.
""",
    DECLARATION,
    (SENDER, RECEIVER, CHANNEL),
    "Data = Channel(DATA);\nAcks = Channel(ACKS);\nsystem Sender, Receiver, Data, Acks;",
    (
        Query(ONCE, "No message is delivered twice."),
        Query(ARRIVED, "What the sender takes for arrived has been delivered."),
        Query(FINISHES, "In the end all messages have arrived."),
        Query(LONGEST, "How long that takes at most."),
    ),
)


def faulty(name: str, what: str, model: Model) -> Model:
    """The same, saying that it has a fault."""
    return model.noting(f"With a planted fault, {name}: {what}.")


FAULTS = {
    "takes_all": (
        "the receiver takes every message for a new one; caught by the first query",
        CHANNELS.declaring("return carried[DATA] == delivered % 2;", "return true;"),
    ),
    "takes_any_ack": (
        "the sender repeats too early, and takes every acknowledgement for its own; caught by what is asked",
        CHANNELS.declaring("return carried[ACKS] == sent % 2;", "return true;")
        .declaring("TIMEOUT = 5", "TIMEOUT = 2")
        .asking(ARRIVED),
    ),
    "loses_all": (
        "the channel may lose everything; caught by the third query",
        CHANNELS.labelling("Channel", "Full -> Empty ", guard="", update="").asking(ONCE, ARRIVED, FINISHES),
    ),
    "repeats_late": (
        "the sender is slow; the last query gives another time",
        CHANNELS.declaring("TIMEOUT = 5", "TIMEOUT = 8"),
    ),
}
FILES: dict[str, Model] = {
    "channel.xml": CHANNELS,
    **{f"faults/channel_{name}.xml": faulty(name, what, model) for name, (what, model) in FAULTS.items()},
}
