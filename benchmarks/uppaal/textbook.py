"""Textbook timed automata, written from their descriptions; `python -m benchmarks.uppaal.textbook` writes the files.

Each takes its size, which is also a constant of the file: `fischer(11)` is `fischer.xml` with `const int N = 11;`.
"""

from __future__ import annotations

from pathlib import Path

from tools.uppaal_xml import Edge, Location, Model, Query, Template, write

WRITTEN = "Written by benchmarks/uppaal/textbook.py; change it there."
EXCLUSION = "A[] forall(i : pid) forall(j : pid) P(i).cs && P(j).cs imply i == j"
DETECTION = (
    "A[] forall(i : id_t) forall(j : id_t) i != j && Sender(i).Transm && Sender(j).Transm imply Sender(i).x < LATEST"
)
CROSSING = "A[] forall(i : id_t) forall(j : id_t) Train(i).Cross && Train(j).Cross imply i == j"


def fischer(processes: int = 6, wait: int = 2) -> Model:
    """Fischer's protocol: who still finds its own number in `id` after more than `wait` may go in."""
    process = Template(
        "P",
        "const pid i",
        "clock x;\n",
        (
            Location("idle", (0, 0)),
            Location("req", (2, 0), invariant="x <= D"),
            Location("wait", (2, 2)),
            Location("cs", (0, 2)),
        ),
        (
            Edge("idle -> req", guard="id == 0", update="x = 0", shift=(-0.3, -0.35)),
            Edge("req -> wait", guard="x <= D", update="x = 0, id = i", nails=((1.8, 1),), shift=(-0.6, 0.2)),
            Edge("wait -> req", guard="id == 0", update="x = 0", nails=((2.2, 1),), shift=(0, 0.2)),
            Edge("wait -> cs", guard="x > K && id == i", shift=(-0.3, -0.2)),
            Edge("cs -> idle", update="id = 0", shift=(0, -0.1)),
        ),
    )
    return Model(
        f"Fischer's protocol: mutual exclusion by timing, which needs K >= D. {WRITTEN}",
        f"""
const int N = {processes};
const int D = 2;                      // a process writes its number within D
const int K = {wait};                      // and waits for more than K before it looks again
typedef int[1,N] pid;
int[0,N] id;
""",
        (process,),
        "system P;",
        (
            Query(EXCLUSION, "Mutual exclusion."),
            Query("A[] not deadlock", "No deadlock."),
            Query("E<> P(1).cs", "A process can get in."),
            Query("P(1).req --> P(1).wait", "Who asks comes to wait."),
        ),
    )


def train_gate(trains: int = 6) -> Model:
    """Trains share a bridge; a controller stops those that come while it is taken, and lets them go in their order."""
    train = Template(
        "Train",
        "const id_t id",
        "clock x;\n",
        (
            Location("Safe", (0, 0)),
            Location("Appr", (0, 2), invariant="x <= 20"),
            Location("Stop", (2, 2)),
            Location("Start", (2, 0.8), invariant="x <= 15"),
            Location("Cross", (1, 0), invariant="x <= 5"),
        ),
        (
            Edge("Safe -> Appr", "appr[id]!", update="x = 0", shift=(0, -0.15)),
            Edge("Appr -> Cross", guard="x >= 10", update="x = 0", shift=(-0.2, 0)),
            Edge("Appr -> Stop", "stop[id]?", "x <= 10", shift=(-0.3, 0.02)),
            Edge("Stop -> Start", "go[id]?", update="x = 0", shift=(0, -0.1)),
            Edge("Start -> Cross", guard="x >= 7", update="x = 0", shift=(0, -0.2)),
            Edge("Cross -> Safe", "leave[id]!", "x >= 3", shift=(-0.3, -0.35)),
        ),
    )
    gate = Template(
        "Gate",
        "",
        """
id_t list[N+1];
int[0,N] len;

void enqueue(id_t e) { list[len++] = e; }
void dequeue() {
    len--;
    for (i : id_t) if (i < len) list[i] = list[i + 1];
    list[len] = 0;
}
id_t front() { return list[0]; }
id_t tail() { return list[len - 1]; }
""",
        (Location("Free", (1, 0)), Location("Occ", (1, 2)), Location("Stopping", (2.5, 2), "committed")),
        (
            Edge("Free -> Occ", "appr[e]?", "len == 0", "enqueue(e)", "e : id_t", nails=((1.3, 1),), shift=(0, -0.2)),
            Edge("Free -> Occ", "go[front()]!", "len > 0", nails=((2, 1),), shift=(0, -0.1)),
            Edge(
                "Occ -> Free",
                "leave[e]?",
                "e == front()",
                "dequeue()",
                "e : id_t",
                nails=((0.3, 1),),
                shift=(-0.7, -0.2),
            ),
            Edge("Occ -> Stopping", "appr[e]?", update="enqueue(e)", select="e : id_t", shift=(-0.3, -0.5)),
            Edge("Stopping -> Occ", "stop[tail()]!", nails=((1.75, 2.5),), shift=(-0.2, 0.02)),
        ),
    )
    return Model(
        f"The train gate of UPPAAL's tutorials. {WRITTEN}",
        f"""
const int N = {trains};
typedef int[0,N-1] id_t;
chan appr[id_t], stop[id_t], leave[id_t];
urgent chan go[id_t];
""",
        (train, gate),
        "system Train, Gate;",
        (
            Query("E<> Gate.Occ", "The gate can be taken."),
            Query("E<> Train(0).Cross && Train(1).Stop", "One crosses while another waits."),
            Query(
                "E<> Train(0).Cross && (forall(i : id_t) i != 0 imply Train(i).Stop)",
                "One crosses while all others wait.",
            ),
            Query(CROSSING, "Never two on the bridge."),
            Query("A[] Gate.list[N] == 0", "The queue has room for all."),
            Query("Train(0).Appr --> Train(0).Cross", "Who comes gets across."),
            Query("A[] not deadlock", "No deadlock."),
        ),
    )


def csma_cd(senders: int = 4, delay: int = 26) -> Model:
    """CSMA/CD: senders on a bus with a propagation delay of 26 microseconds; a frame takes 808."""
    sender = Template(
        "Sender",
        "const id_t id",
        "clock x;\n",
        (
            Location("Wait", (0, 1)),
            Location("Transm", (2.5, 0), invariant="x <= LAMBDA"),
            Location("Retry", (2.5, 2), invariant="x < 2*SIGMA"),
        ),
        (
            Edge("Wait -> Transm", "begin!", update="x = 0", shift=(-0.3, -0.3)),
            Edge("Wait -> Retry", "busy?", update="x = 0", shift=(-0.3, 0)),
            Edge("Wait -> Retry", "cd?", update="x = 0", nails=((0.5, 2),), shift=(0, 0.02)),
            Edge("Transm -> Wait", "end!", "x == LAMBDA", "x = 0", nails=((0.8, 0),), shift=(-0.3, -0.5)),
            Edge("Transm -> Retry", "cd?", update="x = 0", nails=((2.3, 1),), shift=(-0.4, -0.2)),
            Edge("Retry -> Transm", "begin!", "x < 2*SIGMA", "x = 0", nails=((2.7, 1),), shift=(0, 0)),
            Edge("Retry -> Retry", "busy?", update="x = 0", nails=((2.3, 2.6), (2.7, 2.6)), shift=(-0.2, 0.02)),
            Edge("Retry -> Retry", "cd?", update="x = 0", nails=((3.2, 1.8), (3.2, 2.2)), shift=(0, 0)),
        ),
    )
    bus = Template(
        "Bus",
        "",
        "clock y;\n",
        (
            Location("Idle", (0, 0)),
            Location("Active", (2.5, 0)),
            Location("Collision", (1.25, 2), invariant="y < SIGMA"),
        ),
        (
            Edge("Idle -> Active", "begin?", update="y = 0", shift=(-0.2, -0.35)),
            Edge("Active -> Idle", "end?", update="y = 0", nails=((1.25, 0.5),), shift=(-0.2, 0.02)),
            Edge("Active -> Active", "busy!", "y >= SIGMA", nails=((3.2, -0.2), (3.2, 0.2)), shift=(0, -0.1)),
            Edge("Active -> Collision", "begin?", "y < SIGMA", "y = 0", shift=(0, 0)),
            Edge("Collision -> Idle", "cd!", "y < SIGMA", "y = 0", shift=(-0.5, 0)),
        ),
    )
    return Model(
        f"CSMA/CD: carrier sense, multiple access, collision detection. {WRITTEN}",
        f"""
const int N = {senders};
const int LAMBDA = 808;               // how long a frame takes
const int SIGMA = {delay};                 // how long a signal takes along the bus
const int LATEST = 52;                // twice that: until when a collision is noticed
typedef int[0,N-1] id_t;
chan begin, end, busy;
broadcast chan cd;
""",
        (sender, bus),
        "system Sender, Bus;",
        (
            Query(DETECTION, "Who has been sending for 52 microseconds is alone."),
            Query("E<> Bus.Collision", "There are collisions."),
            Query("E<> Sender(0).Transm && Sender(0).x == LAMBDA", "A whole frame can be sent."),
            Query("A[] not deadlock", "No deadlock."),
        ),
    )


def bridge() -> Model:
    """Four Vikings, a torch, and a bridge that bears two: the paper's example of UPPAAL."""
    soldier = Template(
        "Soldier",
        "const int delay",
        "clock y;\n",
        (
            Location("unsafe", (0, 0)),
            Location("go", (2, 0)),
            Location("safe", (2, 2)),
            Location("back", (0, 2)),
        ),
        (
            Edge("unsafe -> go", "take!", "L == 0", "y = 0", shift=(-0.3, -0.5)),
            Edge("go -> safe", "release!", "y >= delay", shift=(0, -0.15)),
            Edge("safe -> back", "take!", "L == 1", "y = 0", shift=(-0.3, 0.02)),
            Edge("back -> unsafe", "release!", "y >= delay", shift=(-0.6, -0.15)),
        ),
    )
    torch = Template(
        "Torch",
        "",
        "",
        (Location("free", (0, 0)), Location("urg", (2, 0), "urgent"), Location("one", (0, 2)), Location("two", (2, 2))),
        (
            Edge("free -> urg", "take?", shift=(-0.2, -0.2)),
            Edge("urg -> two", "take?", shift=(0, -0.1)),
            Edge("urg -> one", shift=(0, 0)),
            Edge("two -> one", "release?", shift=(-0.3, 0.02)),
            Edge("one -> free", "release?", update="L = 1 - L", shift=(-0.5, -0.1)),
        ),
    )
    safe = "Viking1.safe && Viking2.safe && Viking3.safe && Viking4.safe"
    return Model(
        f"Vikings cross a bridge, UPPAAL's demo as the paper has it. {WRITTEN}",
        "chan take, release;\nint[0,1] L;                           // the side on which the torch is\nclock time;\n",
        (soldier, torch),
        """
const int fastest = 5, fast = 10, slow = 20, slowest = 25;
Viking1 = Soldier(fastest);
Viking2 = Soldier(fast);
Viking3 = Soldier(slow);
Viking4 = Soldier(slowest);
system Viking1, Viking2, Viking3, Viking4, Torch;
""",
        (
            Query(f"E<> {safe} && time <= 60", "As the paper asks: all can be safe within 60 minutes."),
            Query(f"E<> {safe} && time < 60", "But not in less."),
            Query(f"inf{{{safe}}}: time", "60 is the least."),
            Query("A[] not deadlock", "Nobody is ever stuck."),
        ),
    )


FILES = {
    "fischer.xml": fischer(),
    "train_gate.xml": train_gate(),
    "csma_cd.xml": csma_cd(),
    "bridge.xml": bridge(),
    "faults/fischer_too_early.xml": fischer(wait=1).asking(EXCLUSION),
    "faults/csma_cd_long_bus.xml": csma_cd(delay=27).asking(DETECTION),
    "faults/train_gate_no_stop.xml": train_gate(3).labelling("Gate", "Stopping -> Occ", sync="").asking(CROSSING),
    "faults/train_gate_deaf.xml": train_gate(3)
    .labelling("Train", "Appr -> Stop", guard="x <= 10 && id != 0")
    .asking("A[] not deadlock"),
    "faults/train_gate_no_start.xml": train_gate(3)
    .locating("Train", "Start", invariant="")
    .asking("Train(0).Appr --> Train(0).Cross"),
}

if __name__ == "__main__":
    for name, model in FILES.items():
        path = Path(__file__).parent / name
        path.parent.mkdir(exist_ok=True)
        write(path, model)
