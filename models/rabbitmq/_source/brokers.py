"""The broker: BrokerP and BrokerC (figure 9), one of each client, and the Queue (figure 4)."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Template

KEYS = """
secret skey = SKey;
secret cssessionkey;
bool demsge, demsgg, serverack;
int[0,1] flag;                        // 1 while a heartbeat has been asked for and not come

void deMsgE() { demsge = MsgE[id].key == SKey && skey == SKey; }
void deMsgG() {
    cssessionkey = MsgE[id].sessionkey;
    demsgg = MsgG[id].key == cssessionkey;
}
void authen() { serverack = MsgG[id].client_id == MsgE[id].client_id; }
"""

ADDING = "tail = pmsg[id], pmsg[id] = 0, addop[id] = 1"
APPENDING = "list[cnt] = tail, cnt++, tail = 0"


def authenticating(ready: str) -> tuple[tuple[Location, ...], tuple[Edge, ...]]:
    """Kerberos from the broker's side, down the left; `ready` is where it leads."""
    locations = (
        Location("Init", (0, 0)),
        Location("ReceiveEF", (0, 1), comment="MsgE and MsgG; the name is the paper's."),
        Location("GetSessionKey", (0, 2)),
        Location("Authen", (0, 3)),
        Location("Error", (-2, 2)),
        Location(ready, (0, 4)),
    )
    edges = (
        Edge("Init -> ReceiveEF", "clientReqServer[id]?", update="deMsgE()", shift=(0, -0.15)),
        Edge("ReceiveEF -> GetSessionKey", guard="demsge", update="deMsgG()", shift=(0, -0.05)),
        Edge("ReceiveEF -> Error", "sendError[id]!", "!demsge", nails=((-2, 1),), shift=(0.5, -0.3)),
        Edge("GetSessionKey -> Authen", guard="demsgg && t <= MsgE[id].life", update="authen()", shift=(0, -0.15)),
        Edge("GetSessionKey -> Error", "sendError[id]!", "!demsgg", shift=(-0.3, -0.3)),
        Edge("GetSessionKey -> Error", "sendError[id]!", "t > MsgE[id].life", nails=((-1, 2.4),), shift=(-0.3, 0.05)),
        Edge(f"Authen -> {ready}", "serverSendMsg[id]!", "serverack", shift=(0, -0.15)),
        Edge("Authen -> Error", "sendError[id]!", "!serverack", nails=((-2, 3),), shift=(0.5, 0.02)),
    )
    return locations, edges


def beating(number: int, back: str, clock: str, ended: str, guard: str = "") -> tuple[Location, tuple[Edge, ...]]:
    """A heartbeat that is asked for in `back`: in time the connection goes on, else it ends."""
    row = {1: 0.0, 2: 2.0, 3: 4.0}[number]
    name = f"ReceiveHB{number}"
    due = f"{clock} >= HEARTBEAT" + (f" && {guard}" if guard else "")
    return Location(name, (4.2, row), invariant=f"{clock} <= 2*HEARTBEAT"), (
        Edge(f"{back} -> {name}", "check[id]!", due, "flag = 1", shift=(-0.3, -0.4)),
        Edge(
            f"{name} -> {back}",
            "ack[id]?",
            update=f"flag = 0, {clock} = 0",
            nails=((3.4, row + 0.3),),
            shift=(-0.3, 0.05),
        ),
        Edge(
            f"{name} -> Close",
            guard=f"{clock} >= 2*HEARTBEAT",
            update=f"flag = 0, {ended}[id] = true",
            shift=(-0.3, -0.4),
        ),
    )


def broker_p() -> Template:
    """The producer's side of the broker."""
    locations, edges = authenticating("InitBP")
    beats = [beating(1, "Open", "bpt", "bpend"), beating(2, "QueueOK", "bpt", "bpend")]
    beats.append(beating(3, "Publish", "bpt", "bpend", "addop[id] == 1"))
    ending = {"guard": "pend[id]", "update": "bpend[id] = true"}
    return Template(
        "BrokerP",
        "const producer id",
        KEYS + "clock bpt;                            // since the connection was opened, or the last heartbeat came\n",
        (
            *locations,
            Location("Open", (2, 0), invariant="bpt <= HEARTBEAT"),
            Location("QDeclare", (2, 1), "urgent", comment="Declaring takes no time."),
            Location("QueueOK", (2, 2), invariant="bpt <= HEARTBEAT"),
            Location("Publish", (2, 4), invariant="bpt <= HEARTBEAT"),
            Location("Close", (6.5, 2)),
            *(beat[0] for beat in beats),
        ),
        (
            *edges,
            Edge("InitBP -> Open", "open[id]?", update="bpt = 0", nails=((1.2, 4), (1.2, 0)), shift=(0, 0.5)),
            Edge("Open -> QDeclare", "dequeue[id]?", shift=(0, 0.1)),
            Edge("QDeclare -> QueueOK", "new!", shift=(0, -0.1)),
            Edge("QueueOK -> Publish", "publish[id]?", shift=(0, -0.2)),
            Edge(
                "Publish -> Publish",
                "add!",
                "addop[id] == 0",
                ADDING,
                nails=((1.8, 4.6), (2.2, 4.6)),
                shift=(-0.3, 0.05),
            ),
            Edge(
                "Publish -> Publish",
                "publish[id]?",
                "addop[id] == 1",
                nails=((1.5, 4.2), (1.5, 3.8)),
                shift=(-0.2, -0.3),
            ),
            Edge("QueueOK -> Close", nails=((3, 1.2), (5.6, 1.2)), shift=(-0.7, -0.3), **ending),
            Edge(
                "Publish -> Close",
                nails=((3, 5), (6.5, 5)),
                shift=(-0.7, 0.02),
                guard="pend[id] && addop[id] == 1",
                update="bpend[id] = true",
            ),
            Edge("Close -> InitBP", "restart[id]?", nails=((7.2, 2), (7.2, 5.5), (0, 5.5)), shift=(-1, -0.15)),
            *(edge for beat in beats for edge in beat[1]),
        ),
    )


def broker_c() -> Template:
    """The consumer's side of the broker."""
    locations, edges = authenticating("InitBC")
    beats = [
        beating(1, "Open", "bct", "bcend"),
        beating(2, "Consume", "bct", "bcend"),
        beating(3, "Dequeue", "bct", "bcend"),
    ]
    return Template(
        "BrokerC",
        "const consumer id",
        KEYS
        + """clock bct;                            // since the connection was opened, or the last heartbeat came
message msg;                          // the front of the queue
int[0,MESSAGES] got;                  // how many the consumer has received

void deliverMsg() { cmsg[id][got] = msg; got++; msg = 0; }
""",
        (
            *locations,
            Location("Open", (2, 0), invariant="bct <= HEARTBEAT"),
            Location("Consume", (2, 2), invariant="bct <= HEARTBEAT"),
            Location("GetMsg", (1.6, 2.8), "urgent", comment="It takes no time to hand it over,"),
            Location("Deliver", (1.6, 3.4), "urgent", comment="nor to have it removed."),
            Location("Dequeue", (2, 4), invariant="bct <= HEARTBEAT"),
            Location("Close", (6.5, 2)),
            *(beat[0] for beat in beats),
        ),
        (
            *edges,
            Edge("InitBC -> Open", "open[id]?", update="bct = 0", nails=((1.2, 4), (1.2, 0)), shift=(0, 0.5)),
            Edge("Open -> Consume", "consume[id]?", shift=(0, -0.1)),
            Edge("Consume -> GetMsg", "hd?", update="msg = head, head = 0", shift=(-0.4, -0.15)),
            Edge("GetMsg -> Deliver", "deliver[id]!", update="deliverMsg()", shift=(-0.4, -0.15)),
            Edge("Deliver -> Dequeue", "rem!", shift=(-0.2, 0)),
            Edge("Dequeue -> Consume", "consume[id]?", nails=((2.5, 3.4), (2.5, 2.6)), shift=(0, 0)),
            Edge(
                "Dequeue -> Close",
                guard="cend[id]",
                update="bcend[id] = true",
                nails=((3, 5), (6.5, 5)),
                shift=(-0.7, 0.02),
            ),
            Edge("Close -> InitBC", "restart[id]?", nails=((7.2, 2), (7.2, 5.5), (0, 5.5)), shift=(-1, -0.15)),
            *(edge for beat in beats for edge in beat[1]),
        ),
    )


QUEUE = Template(
    "Queue",
    "",
    """
message list[N];
id_q i;                               // how far a shift has come
bool created;
""",
    (
        Location("Init", (1, 1)),
        Location("Shiftdown", (1, 3), "committed", comment="What is left moves up."),
    ),
    (
        Edge("Init -> Init", "new?", "declared", "created = true", nails=((0.2, 0.6), (0.2, 1)), shift=(-0.6, 0)),
        Edge(
            "Init -> Init",
            "add?",
            "cnt < N",
            APPENDING,
            nails=((0.8, 0.3), (1.2, 0.3)),
            shift=(-0.3, -0.4),
        ),
        Edge("Init -> Init", "hd!", "cnt > 0", "head = list[0]", nails=((1.9, 0.6), (1.9, 1)), shift=(0, -0.1)),
        Edge("Init -> Shiftdown", "rem?", "cnt > 0", shift=(0, -0.2)),
        Edge(
            "Init -> Init",
            "rem?",
            "cnt == 0",
            nails=((1.8, 1.2), (1.8, 1.5)),
            comment="Another consumer's broker took it, too.",
        ),
        Edge(
            "Shiftdown -> Shiftdown",
            guard="i < cnt - 1",
            update="list[i] = list[i + 1], i++",
            nails=((0.8, 3.7), (1.2, 3.7)),
            shift=(-0.3, 0.05),
        ),
        Edge(
            "Shiftdown -> Init",
            guard="i == cnt - 1",
            update="list[i] = 0, cnt--, i = 0",
            nails=((0.2, 2.4), (0.2, 1.6)),
            shift=(-0.9, 0),
        ),
    ),
)
