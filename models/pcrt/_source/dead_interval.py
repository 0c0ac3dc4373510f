"""When does a broker notice that a link has failed, and when does it believe so wrongly? Heartbeats with times."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
const int HEARTBEAT = 10;             // between two heartbeats
const int DEAD = 4*HEARTBEAT;         // the dead interval
const int FAST = 1;                   // the least time that a message takes,
const int SLOW = 3;                   // and the most; the difference is the jitter
const int LOST = 0;                   // how many heartbeats in a row may be lost on a link that works

typedef int[0,1] end;                 // of the link
clock since;                          // since the link failed
clock again;                          // since it is back
clock first;                          // since one end noticed
int[0,2] started = 0;                 // ends that have heard something
int[0,2] noticed = 0;                 // ends in the state failure
bool works = true;
broadcast chan beat[end];             // a heartbeat is sent by this end,
broadcast chan hear[end];             // and is heard by this end
broadcast chan fail;
"""

LINK = Template(
    "Link",
    "",
    "",
    (
        Location("Up", (0, 0)),
        Location("Down", (2, 0)),
        Location("Back", (4, 0), comment="It fails once."),
    ),
    (
        Edge("Up -> Down", "fail!", "started == 2", "works = false, since = 0", shift=(-0.4, -0.35)),
        Edge("Down -> Back", update="works = true, again = 0", shift=(-0.4, -0.35)),
    ),
)

SENDER = Template(
    "Sender",
    "const end e",
    "clock s;\n",
    (
        Location("Begin", (0, 0), invariant="s <= HEARTBEAT", comment="Ends begin when they like."),
        Location("Beats", (2, 0), invariant="s <= HEARTBEAT"),
    ),
    (
        Edge("Begin -> Beats", "beat[e]!", update="s = 0", shift=(-0.3, -0.35)),
        Edge("Beats -> Beats", "beat[e]!", "s >= HEARTBEAT", "s = 0", nails=((1.7, 0.7), (2.3, 0.7)), shift=(-0.2, 0)),
    ),
)

WIRE = Template(
    "Wire",
    "const end e",
    """
clock w;
int[0,LOST] lost;                     // in a row
""",
    (
        Location("Idle", (0, 0)),
        Location("Carries", (2.4, 0), invariant="w <= SLOW"),
    ),
    (
        Edge("Idle -> Carries", "beat[e]?", "works", "w = 0", shift=(-0.3, -0.4)),
        Edge("Idle -> Idle", "beat[e]?", "works && lost < LOST", "lost++", nails=((-0.3, 0.8), (0.3, 0.8))),
        Edge("Carries -> Idle", "hear[1 - e]!", "w >= FAST", "lost = 0", nails=((1.2, 0.5),), shift=(-0.2, 0.02)),
        Edge("Carries -> Idle", "fail?", nails=((1.2, 1.2),), shift=(-0.2, 0.02)),
    ),
)

RECEIVER = Template(
    "Receiver",
    "const end e",
    "clock x;                              // since anything was heard; since the test was sent\n",
    (
        Location("Begin", (-2, 0)),
        Location("Normal", (0, 0), invariant="x <= DEAD"),
        Location("Alarm", (2, 0), "committed"),
        Location("Failed", (4, 0)),
        Location("Tests", (2, 1.6), invariant="x <= 2*SLOW", comment="The ACK is on its way."),
    ),
    (
        Edge("Begin -> Normal", "hear[e]?", update="x = 0, started++", shift=(-0.4, -0.35)),
        Edge("Normal -> Normal", "hear[e]?", update="x = 0", nails=((-0.3, 0.8), (0.3, 0.8))),
        Edge("Normal -> Alarm", guard="x >= DEAD", shift=(-0.2, -0.35)),
        Edge("Alarm -> Failed", guard="noticed == 0", update="noticed++, first = 0", shift=(-0.5, -0.45)),
        Edge("Alarm -> Failed", guard="noticed == 1", update="noticed++", nails=((3, 0.4),), shift=(-0.3, 0.02)),
        Edge("Failed -> Tests", "hear[e]?", update="x = 0", shift=(0.1, 0.1)),
        Edge("Tests -> Normal", guard="works && x >= 2*FAST", update="x = 0, noticed--", shift=(-0.5, 0.1)),
        Edge("Tests -> Failed", "fail?", nails=((3.2, 1.6),), shift=(0.1, 0.1)),
    ),
)

NO_FALSE_ALARM = "A[] Link.Up imply noticed == 0"
NOTICED = "A[] Link.Down && since > DEAD imply Receiver(0).Failed && Receiver(1).Failed"
LATEST = "sup{Link.Down && Receiver(0).Normal}: since"
EARLIEST = "inf{Link.Down && Receiver(0).Alarm}: since"
APART = "sup{Link.Down && Receiver(0).Failed && Receiver(1).Normal}: first"
LATE = "sup{Link.Back && Receiver(0).Alarm}: again"
UNUSED = "sup{Link.Back && !Receiver(0).Normal}: again"
RECOVERS = "Link.Back --> Receiver(0).Normal && Receiver(1).Normal"
TITLE = """
Heartbeats between the two ends of a link (PCRT, sections 6.1.3 and 6.2 of the thesis): one every HEARTBEAT, on the way
for FAST to SLOW, and a dead interval of four. A heartbeat that is on its way when the link fails is lost. An end in the
state failure that hears one sends a link test; its ACK takes the time of two messages. Written by models/pcrt/_source;
change it there.
"""
DEAD_INTERVAL = Model(
    TITLE,
    DECLARATION,
    (LINK, SENDER, WIRE, RECEIVER),
    "system Link, Sender, Wire, Receiver;",
    (
        Query(NO_FALSE_ALARM, "No end is alarmed while the link has never failed."),
        Query(NOTICED, "A dead interval after the failure, at the latest, both ends have noticed."),
        Query(LATEST, "It may take as long as that,"),
        Query(EARLIEST, "and not less than three heartbeats, but for the jitter."),
        Query(APART, "One end may notice later than the other by a heartbeat and the jitter."),
        Query(LATE, "A link that is back is still declared failed, until the first heartbeat is there."),
        Query(UNUSED, "The healed link is used again after a heartbeat and a link test, at the latest."),
        Query(RECOVERS, "And it is, at both ends."),
    ),
)


def losing(model: Model, count: int) -> Model:
    """The same where so many heartbeats in a row may be lost."""
    return model.declaring("LOST = 0", f"LOST = {count}")


def waiting(model: Model, interval: str) -> Model:
    """The same with another dead interval."""
    return model.declaring("DEAD = 4*HEARTBEAT", f"DEAD = {interval}")


EVEN = DEAD_INTERVAL.declaring("FAST = 1", "FAST = 3")
THREE = losing(DEAD_INTERVAL, 3).asking(NO_FALSE_ALARM)
FILES = {
    "dead_interval.xml": DEAD_INTERVAL,
    "dead_interval_two_losses.xml": losing(DEAD_INTERVAL, 2)
    .asking(NO_FALSE_ALARM, NOTICED, EARLIEST)
    .noting("Two heartbeats in a row may be lost: no false alarm."),
    "dead_interval_three_losses.xml": losing(EVEN, 3)
    .asking(NO_FALSE_ALARM)
    .noting("Three may be, and there is no jitter: the dead interval ends at the moment when the fourth is heard."),
    "dead_interval_longer.xml": waiting(THREE, "4*HEARTBEAT + 3").noting(
        "Three may be: the dead interval must be longer than four heartbeats and the jitter."
    ),
    "faults/dead_interval_equal.xml": waiting(THREE, "4*HEARTBEAT + 2").noting(
        "With a planted fault: a dead interval of four heartbeats and the jitter is not longer than that."
    ),
    "faults/dead_interval_patient.xml": DEAD_INTERVAL.locating("Receiver", "Normal", invariant="x <= 5*HEARTBEAT")
    .asking(NOTICED)
    .noting("With a planted fault: an end takes its time when the dead interval is over."),
    "faults/dead_interval_no_test.xml": DEAD_INTERVAL.without("Receiver", "Failed -> Tests")
    .asking(RECOVERS)
    .noting("With a planted fault: an interface in the state failure does not listen."),
}
