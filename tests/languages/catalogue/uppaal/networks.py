"""Channels between processes in locations of all kinds, priorities, and how processes come from templates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.languages.catalogue.case import Case
from tests.languages.catalogue.uppaal.construct import FILE
from tests.languages.uppaal.support import Source, Template

QUERIES = ("E<> Q.B && R.B", "sup{P.B}: v", "A<> P.B")


@dataclass(frozen=True)
class Channel:
    """A channel; `sends` and `hears` are how P, and Q and R, name it."""

    declare: str
    sends: str = "h!"
    hears: str = "h?"
    local: str = ""
    parameters: str = ""
    arguments: str = ""


CHANNELS = {
    "chan": Channel("chan h;"),
    "urgent chan": Channel("urgent chan h;"),
    "broadcast chan": Channel("broadcast chan h;"),
    "urgent broadcast chan": Channel("urgent broadcast chan h;"),
    "an array of channels": Channel("chan h[2];", "h[1]!", "h[1]?"),
    "an array of channels by a variable": Channel("chan h[2]; int n = 1;", "h[n]!", "h[1 - (n - 1)]?"),
    "an array of arrays of channels": Channel("broadcast chan h[2][3];", "h[1][2]!", "h[1][2]?"),
    "an array of channels by a named type": Channel("typedef int[1,2] id; chan h[id];", "h[2]!", "h[2]?"),
    "channels that differ": Channel("chan h[2];", "h[0]!", "h[1]?"),
    "a named type of channels": Channel("typedef chan C; broadcast C h;"),
    "a channel by reference": Channel("chan h;", "c!", parameters="chan &c", arguments="h"),
    "a broadcast channel by reference": Channel("broadcast chan h;", "c!", "h?", "", "broadcast chan &c", "h"),
    "an array of channels by reference": Channel("chan h[2];", "c[1]!", "h[1]?", "", "chan &c[2]", "h"),
    "a channel by ?:": Channel("chan h[2]; bool b = true;", "h[b ? 1 : 0]!", "h[1]?"),
}


@dataclass(frozen=True)
class Scene:
    """What stands around the channel: kinds of locations, guards, updates, the system line."""

    sender: str = "A"
    receiver: str = "A"
    guards: tuple[str, str] = ("", "")
    updates: tuple[str, str, str] = ("v = v * 2 + 1", "v = v * 3 + 1", "v = v * 5 + 2")
    target: str = "B"
    priorities: str = ""
    order: str = "P, Q, R"
    silent: bool = False
    """P may go without the channel, too."""


SCENES = {
    "plain locations": Scene(),
    "a committed sender": Scene(sender="A!"),
    "a committed receiver": Scene(receiver="A!"),
    "an urgent sender": Scene(sender="A?"),
    "an urgent receiver": Scene(receiver="A?"),
    "a sender that must leave": Scene(sender="A: x <= 2"),
    "a receiver that must leave": Scene(receiver="A: x < 2"),
    "a guard of the sender": Scene(guards=("v == 0", "")),
    "a guard of the receiver": Scene(guards=("", "v == 0 && w == 1")),
    "a guard that a receiver's update would change": Scene(guards=("", "v == 0")),
    "an invariant after the step": Scene(target="B: v <= 4"),
    "an invariant on clocks after the step": Scene(target="B: x <= 1"),
    "receivers before the sender": Scene(order="R, Q, P"),
    "a process with priority": Scene(order="P < Q, R", silent=True),
    "a sender with priority": Scene(order="Q, R < P", silent=True),
    "three priorities of processes": Scene(order="Q < P < R", silent=True),
    "a channel with priority": Scene(priorities="chan priority default < h;", silent=True),
    "a channel without priority": Scene(priorities="chan priority h < default;", silent=True),
    "channels and processes with priorities": Scene(
        priorities="chan priority h < default;", order="Q < R < P", silent=True
    ),
}


def _networks(name: str, channel: Channel) -> Iterator[Case]:
    for context, scene in SCENES.items():
        updates = scene.updates
        sender = _edge(channel.sends, scene.guards[0], updates[0])
        source = scene.sender.partition(":")[0].rstrip("!?")
        edges = [(source, "B", sender)]
        if scene.silent:
            edges.append((source, "C", {"guard": "x >= 1", "update": "v = 7"}))
        process = Template("T", [scene.sender, scene.target, "C"], edges, channel.local, channel.parameters)
        others = [
            Template(each, [scene.receiver, "B"], [("A", "B", _edge(channel.hears, scene.guards[1], update))])
            for each, update in zip("QR", updates[1:])
        ]
        declare = f"clock x; int v, w = 1; {channel.declare} {scene.priorities}"
        system = f"P = T({channel.arguments}); system {scene.order};"
        text = Source([process, *others], declare, system, QUERIES).xml()
        yield Case("Channels", name, context, channel.declare, {FILE: text})


def _edge(sync: str, guard: str, update: str) -> dict[str, str]:
    return {kind: text for kind, text in (("guard", guard), ("sync", sync), ("update", update)) if text}


@dataclass(frozen=True)
class Instances:
    """How processes come from the template T, which counts v up by `value`; `named` is one of them."""

    system: str
    parameters: str
    value: str
    named: str
    declare: str = ""


INSTANCES = {
    "a template": Instances("system T;", "", "1", "T"),
    "an instance": Instances("P = T(); system P;", "", "1", "P"),
    "a constant by value": Instances("P = T(3); system P;", "const int p", "p", "P"),
    "a number by value": Instances("P = T(1 + 2); system P;", "int p", "p", "P"),
    "a truth value": Instances("P = T(true); system P;", "const bool p", "(p ? 2 : 4)", "P"),
    "two instances": Instances("P = T(3); Q = T(2); system P, Q;", "const int p", "p", "Q"),
    "a variable by reference": Instances("P = T(w); system P;", "int &p", "(p++)", "P", "int w = 2;"),
    "a bounded variable by reference": Instances(
        "P = T(w); system P;", "int[0,5] &p", "(p += 2)", "P", "int[0,5] w = 1;"
    ),
    "an element by reference": Instances("P = T(w[1]); system P;", "int &p", "(p++)", "P", "int w[2] = {1, 4};"),
    "an array by reference": Instances("P = T(w); system P;", "int &p[2]", "(p[0] += p[1])", "P", "int w[2] = {1, 4};"),
    "an array by value": Instances("P = T(w); system P;", "const int p[2]", "p[1]", "P", "const int w[2] = {1, 4};"),
    "a structure by reference": Instances(
        "P = T(w); system P;", "S &p", "(p.f++)", "P", "typedef struct { int f; int g; } S; S w = {2, 3};"
    ),
    "a constant by reference": Instances("P = T(w); system P;", "const int &p", "p", "P", "const int w = 5;"),
    "a clock by reference": Instances("P = T(y); system P;", "clock &p", "3, p = 0", "P", "clock y;"),
    "all of a range": Instances("system T;", "const int[1,3] p", "p", "T(2)"),
    "all of a named type": Instances("system T;", "const id_t p", "p + 1", "T(0)", "typedef int[0,1] id_t;"),
    "all of two ranges": Instances("system T;", "const int[0,1] p, const int[1,2] q", "p + q", "T(1,2)"),
    "all scalars": Instances("system T;", "const sc p", "1", "T(1)", "typedef scalar[2] sc;"),
    "a part of an instance": Instances(
        "P(const int[0,1] k) = T(k, 4); system P;", "const int p, const int q", "p + q", "P(1)"
    ),
    "a part of a part": Instances(
        "P(int[0,1] k, int l) = T(k, l); Q(int[0,1] k) = P(k, 3); system Q;", "int p, int q", "2 * p + q", "Q(0)"
    ),
    "a part with a reference": Instances(
        "P(const int[0,1] k) = T(w, k); system P;", "int &p, const int q", "(p++) + q", "P(0)", "int w = 1;"
    ),
    "a part with calculated arguments": Instances(
        "P(const int[1,2] k) = T(2 * k - 1); system P;", "const int p", "p", "P(2)"
    ),
    "arguments declared in the system section": Instances(
        "const int w = 4; P = T(w); system P;", "const int p", "p", "P"
    ),
    "a variable of the system section by reference": Instances(
        "int w = 4; P = T(w); system P;", "int &p", "(p++)", "P"
    ),
}
ASKED = {
    "E<>": ("E<> §.B && v > 2",),
    "A[]": ("A[] §.B imply v >= 1", "A[] not §.A or §.u == 0"),
    "a variable of a process": ("sup: §.u", "inf{§.B}: §.u"),
    "a function of a process": ("sup: §.f()", "E<> §.f() > 8"),
    "a parameter-dependent sum": ("sup: v", "inf{§.B}: v"),
    "E[] and A<>": ("E[] §.A", "A<> §.B"),
    "-->": ("§.A --> v > 0",),
    "deadlock": ("E<> deadlock and §.B", "A[] deadlock imply §.B"),
    "a clock of a process": ("inf{§.B}: §.z", "E<> §.B && §.z < 1"),
}


def _instances(name: str, given: Instances) -> Iterator[Case]:
    pure = "1" if "=" in given.value or "+" in given.value else given.value
    local = f"clock z; int u; int f() {{ return 2 * u + {pure}; }}"
    edges = [("A", "B", {"guard": "z >= 1", "update": f"v += {given.value}, u = v"})]
    for context, asked in ASKED.items():
        queries = [each.replace("§", given.named) for each in asked]
        template = Template("T", ["A: z <= 2", "B"], edges, local, given.parameters)
        text = Source([template], f"int v; {given.declare}", given.system, queries).xml()
        yield Case("Processes", name, context, f"{given.parameters} … {given.system}".removeprefix(" … "), {FILE: text})


def cases() -> Iterator[Case]:
    for name, channel in CHANNELS.items():
        yield from _networks(name, channel)
    for name, given in INSTANCES.items():
        yield from _instances(name, given)
