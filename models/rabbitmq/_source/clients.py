"""Producer (figure 7) and Consumer (figure 8): both go through Kerberos in the same way."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Template

KEYS = """
secret ckey = owner[id] ? CKey : NoKey;
secret ctssessionkey, cssessionkey;
bool demsga, demsgf, heart;

void request() { ServerID[id] = Broker; }
void deMsgA() { demsga = MsgA[id].key == ckey; }
void sendMsgBD() {
    ctssessionkey = MsgA[id].sessionkey;
    MsgD[id].key = ctssessionkey;
    MsgD[id].client_id = id;
}
void deMsgF() { demsgf = MsgF[id].key == ctssessionkey; }
void sendMsgEG() {
    cssessionkey = MsgF[id].sessionkey;
    MsgG[id].key = cssessionkey;
    MsgG[id].client_id = id;
}
void checkHB(int[0,1] alive) { heart = alive == 1; }
"""


def authenticating(ready: str) -> tuple[tuple[Location, ...], tuple[Edge, ...]]:
    """Kerberos from the client's side, down the left; `ready` is where it leads."""
    locations = (
        Location("Init", (0, 0)),
        Location("ClientReq", (0, 1)),
        Location("ReceiveAB", (0, 2)),
        Location("ClientSendBD", (0, 3)),
        Location("ReceiveEF", (0, 4)),
        Location("ClientReqB", (0, 5)),
        Location("Error", (-2, 3), comment="Refused, or not able to decrypt."),
        Location(ready, (0, 6)),
    )
    edges = (
        Edge("Init -> ClientReq", "clientReqAs[id]!", update="request()", shift=(0, -0.15)),
        Edge("ClientReq -> ReceiveAB", "asSendMsg[id]?", update="deMsgA()", shift=(0, -0.15)),
        Edge("ClientReq -> Error", "sendError[id]?", nails=((-2, 1),), shift=(0.7, -0.15)),
        Edge("ReceiveAB -> ClientSendBD", "clientReqTgs[id]!", "demsga", "sendMsgBD()", shift=(0, -0.15)),
        Edge("ReceiveAB -> Error", guard="!demsga", shift=(-0.1, -0.15)),
        Edge("ClientSendBD -> ReceiveEF", "tgsSendMsg[id]?", update="deMsgF()", shift=(0, -0.15)),
        Edge("ClientSendBD -> Error", "sendError[id]?", shift=(-0.1, -0.15)),
        Edge("ReceiveEF -> ClientReqB", "clientReqServer[id]!", "demsgf", "sendMsgEG()", shift=(0, -0.15)),
        Edge("ReceiveEF -> Error", guard="!demsgf", shift=(-0.1, 0)),
        Edge(f"ClientReqB -> {ready}", "serverSendMsg[id]?", shift=(0, -0.1)),
        Edge("ClientReqB -> Error", "sendError[id]?", nails=((-2, 5),), shift=(0.7, 0.02)),
    )
    return locations, edges


def answering(number: int, back: str, waiting: str, end: str, ended: str) -> tuple[Location, tuple[Edge, ...]]:
    """A heartbeat that is asked for in `back`, or in `waiting` in its place, and answered or not."""
    row = {1: 1.0, 2: 3.0, 3: 5.0}[number]
    name = f"ReceiveHB{number}"
    asked = [back] + ([waiting] if waiting else [])
    edges = tuple(
        Edge(
            f"{place} -> {name}", "check[id]?", update="checkHB(alive)", select="alive : int[0,1]", shift=(-0.2, -0.42)
        )
        if place == back
        else Edge(
            f"{place} -> {name}",
            "check[id]?",
            update="checkHB(alive)",
            select="alive : int[0,1]",
            nails=((4.4, row),),
            shift=(-0.3, 0.05),
        )
        for place in asked
    )
    lost = "Too late: the broker has given up."
    return Location(name, (4.7, row)), (
        *edges,
        Edge(f"{name} -> {back}", "ack[id]!", "heart", nails=((3.2, row + 0.28),), shift=(-0.1, 0.05)),
        Edge(f"{name} -> Close", guard="!heart", update=f"{end}[id] = true", shift=(-0.2, -0.35)),
        Edge(f"{name} -> Close", guard=f"{ended}[id]", nails=((5.9, row - 0.25),), shift=(0, -0.35), comment=lost),
    )


def producer() -> Template:
    """Producing, down the right: Open, QueueOK, Publish and back to QueueOK."""
    locations, edges = authenticating("InitP")
    beats = [
        answering(*beat, "pend", "bpend") for beat in ((1, "Open", ""), (2, "QueueOK", "Wait"), (3, "Publish", ""))
    ]
    return Template(
        "Producer",
        "const producer id",
        KEYS
        + """
void declareQueue() { declared = true; }
void publishMsg() { pmsg[id] = body; body++; addop[id] = 0; }
void reset() { pend[id] = false; bpend[id] = false; heart = false; }
""",
        (
            *locations,
            Location("Open", (2.5, 1)),
            Location("QueueOK", (2.5, 3)),
            Location("Publish", (2.5, 5)),
            Location("Wait", (3.6, 3.8), comment="The queue is full."),
            Location("Close", (7, 3)),
            *(beat[0] for beat in beats),
        ),
        (
            *edges,
            Edge("InitP -> Open", "open[id]!", nails=((1.6, 6), (1.6, 1)), shift=(0, 0.3)),
            Edge("Open -> QueueOK", "dequeue[id]!", update="declareQueue()", shift=(0, -0.15)),
            Edge(
                "QueueOK -> Publish",
                "publish[id]!",
                "room() && body <= MESSAGES",
                "publishMsg()",
                nails=((2.2, 4),),
                shift=(-0.55, 0.2),
            ),
            Edge("Publish -> QueueOK", guard="addop[id] == 1", nails=((2.8, 4),), shift=(0, 0.3)),
            Edge("QueueOK -> Wait", guard="!room()", nails=((3.2, 3.3),), shift=(0, -0.15)),
            Edge("Wait -> QueueOK", guard="room()", nails=((2.9, 3.7),), shift=(-0.3, 0.02)),
            Edge(
                "QueueOK -> Close",
                guard="body > MESSAGES",
                update="pend[id] = true",
                nails=((3.5, 2), (6.2, 2)),
                shift=(-0.5, -0.3),
            ),
            Edge(
                "Publish -> Close",
                guard="addop[id] == 1",
                update="pend[id] = true",
                nails=((3, 6), (7, 6)),
                shift=(0, 0.02),
            ),
            Edge(
                "Close -> InitP",
                "restart[id]!",
                "bpend[id] && body <= MESSAGES",
                "reset()",
                nails=((8, 3), (8, 6.8), (0, 6.8)),
                shift=(-1, -0.5),
            ),
            *(edge for beat in beats for edge in beat[1]),
        ),
    )


def consumer() -> Template:
    """Consuming, down the right: Open, Consume, Deliver and back to Consume."""
    locations, edges = authenticating("InitC")
    beats = [
        answering(*beat, "cend", "bcend") for beat in ((1, "Open", ""), (2, "Consume", "Wait"), (3, "Deliver", ""))
    ]
    return Template(
        "Consumer",
        "const consumer id",
        KEYS
        + """
bool wanted;                          // a message has been asked for
void consumeMsg() { wanted = true; }
void reset() { cend[id] = false; bcend[id] = false; heart = false; }
""",
        (
            *locations,
            Location("Open", (2.5, 1)),
            Location("Consume", (2.5, 3)),
            Location("Deliver", (2.5, 5)),
            Location("Wait", (3.6, 3.8), comment="The queue is empty."),
            Location("Close", (7, 3)),
            *(beat[0] for beat in beats),
        ),
        (
            *edges,
            Edge("InitC -> Open", "open[id]!", nails=((1.6, 6), (1.6, 1)), shift=(0, 0.3)),
            Edge("Open -> Consume", "consume[id]!", update="consumeMsg()", shift=(0, -0.15)),
            Edge("Consume -> Deliver", "deliver[id]?", update="wanted = false", nails=((2.2, 4),), shift=(-0.55, 0.2)),
            Edge("Deliver -> Consume", "consume[id]!", update="consumeMsg()", nails=((2.8, 4),), shift=(0, 0.3)),
            Edge("Consume -> Wait", guard="cnt == 0", nails=((3.2, 3.3),), shift=(0, -0.15)),
            Edge("Wait -> Deliver", "deliver[id]?", update="wanted = false", nails=((3.4, 4.5),), shift=(0, 0.1)),
            Edge("Deliver -> Close", update="cend[id] = true", nails=((3, 6), (7, 6)), shift=(0, 0.02)),
            Edge(
                "Close -> InitC",
                "restart[id]!",
                "bcend[id]",
                "reset()",
                nails=((8, 3), (8, 6.8), (0, 6.8)),
                shift=(-1, -0.5),
            ),
            *(edge for beat in beats for edge in beat[1]),
        ),
    )
