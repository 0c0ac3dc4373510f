"""Beyond the paper, whose exchanges are all direct: topic and fanout exchanges beside them."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Model, Query, Template

DECLARATION = """
typedef int[0,2] queue;
const int DIRECT = 0, TOPIC = 1, FANOUT = 2;
typedef int[0,2] exchange;
typedef int[1,3] word;                // a routing key has two words
const int ANY = 0;                    // * in a binding key: any one word
const int REST = 9;                   // # in a binding key: any words, also none

typedef struct { exchange from; queue to; int first; int second; } binding;
const int BINDINGS = 9;
typedef int[0,BINDINGS-1] number;
const binding BOUND[number] = {
    {DIRECT, 0, 1, 1},                // 1.1
    {DIRECT, 1, 1, 1},                // 1.1, too
    {DIRECT, 2, 1, 2},                // 1.2
    {TOPIC, 0, 1, ANY},               // 1.*
    {TOPIC, 0, ANY, 2},               // *.2: with the one above, 1.2 fits twice
    {TOPIC, 1, 2, REST},              // 2.#
    {TOPIC, 2, REST, REST},           // #
    {FANOUT, 0, 1, 1},                // the key does not matter
    {FANOUT, 2, 2, 2}
};

exchange to;                          // the message
word first = 1, second = 1;
int[0,2] copies[queue];               // how many of it each queue has
chan publish, published;
"""

PUBLISHER = Template(
    "Publisher",
    "",
    "",
    (Location("Idle", (0, 0)), Location("Waiting", (3, 0))),
    (
        Edge(
            "Idle -> Waiting",
            "publish!",
            update="to = e, first = a, second = b",
            select="e : exchange, a : word, b : word",
            shift=(-0.7, -0.5),
        ),
        Edge("Waiting -> Idle", "published?", nails=((1.5, 0.6),), shift=(-0.2, 0.02)),
    ),
)

EXCHANGE = Template(
    "Exchange",
    "",
    """
int[0,BINDINGS] i;

bool same(int pattern, word w) { return pattern == w; }
bool fits(int pattern, word w) { return pattern == ANY || pattern == REST || pattern == w; }

bool matches(binding b) {
    if (b.from != to) return false;
    if (to == FANOUT) return true;
    if (to == DIRECT) return same(b.first, first) && same(b.second, second);
    return fits(b.first, first) && fits(b.second, second);
}

void route() {
    if (matches(BOUND[i]) && copies[BOUND[i].to] == 0)
        copies[BOUND[i].to]++;
    i++;
}

void forget() {
    i = 0;
    for (q : queue) copies[q] = 0;
}
""",
    (
        Location("Idle", (0, 0)),
        Location("Routing", (2, 0), "committed", comment="One binding after the other."),
        Location("Done", (4, 0)),
    ),
    (
        Edge("Idle -> Routing", "publish?", shift=(-0.3, -0.2)),
        Edge(
            "Routing -> Routing",
            guard="i < BINDINGS",
            update="route()",
            nails=((1.7, -0.7), (2.3, -0.7)),
            shift=(-0.3, -0.3),
        ),
        Edge("Routing -> Done", guard="i == BINDINGS", shift=(-0.3, -0.2)),
        Edge("Done -> Idle", "published!", update="forget()", nails=((4, 1), (0, 1)), shift=(-0.2, 0.02)),
    ),
)

BOUND_TO = "exists(n : number) BOUND[n].from == to && BOUND[n].to == q"
KEY = "BOUND[n].first == first && BOUND[n].second == second"
FITS = " && ".join(
    f"(BOUND[n].{word} == {word} || BOUND[n].{word} == ANY || BOUND[n].{word} == REST)" for word in ("first", "second")
)
ROUTED = "A[] (Exchange.Done && to == {}) imply forall(q : queue) (copies[q] == 1) == ({})"
DIRECT = ROUTED.format("DIRECT", f"{BOUND_TO} && {KEY}")
TOPIC = ROUTED.format("TOPIC", f"{BOUND_TO} && {FITS}")
FANOUT = ROUTED.format("FANOUT", BOUND_TO)
ONCE = "A[] forall(q : queue) copies[q] <= 1"
NOWHERE = "E<> Exchange.Done && forall(q : queue) copies[q] == 0"
EVERYWHERE = "E<> Exchange.Done && to == TOPIC && forall(q : queue) copies[q] == 1"
EXCHANGES = Model(
    """
A direct, a topic and a fanout exchange with bindings to three queues: every queue that is bound gets a message, and
nobody else. Written by models/rabbitmq/_source; change it there.
""",
    DECLARATION,
    (PUBLISHER, EXCHANGE),
    "system Publisher, Exchange;",
    (
        Query(DIRECT, "Direct: the queues whose binding key is the routing key, and no others."),
        Query(TOPIC, "Topic: the queues with a binding key that fits, word by word."),
        Query(FANOUT, "Fanout: all queues that are bound, whatever the key."),
        Query(ONCE, "A queue that is bound twice gets one copy."),
        Query(NOWHERE, "A message that fits no binding is dropped."),
        Query(EVERYWHERE, "Some message goes to all."),
    ),
)
FAULTS = {
    "exchanges_direct_first_word.xml": EXCHANGES.declaring(" && same(b.second, second)", "").asking(DIRECT),
    "exchanges_topic_as_direct.xml": EXCHANGES.declaring("pattern == ANY || pattern == REST || ", "").asking(
        TOPIC, EVERYWHERE
    ),
    "exchanges_fanout_by_key.xml": EXCHANGES.declaring("if (to == FANOUT) return true;", "").asking(FANOUT),
    "exchanges_two_copies.xml": EXCHANGES.declaring(" && copies[BOUND[i].to] == 0", "").asking(ONCE),
    "exchanges_unroutable_to_first.xml": EXCHANGES.declaring(
        "    i++;", "    i++;\n    if (i == BINDINGS && (forall(q : queue) copies[q] == 0)) copies[0]++;"
    ).asking(NOWHERE),
}
