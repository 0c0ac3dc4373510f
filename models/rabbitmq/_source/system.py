"""The paper's system, its scenarios, and what is asked of each, as printed and as meant."""

from __future__ import annotations

from dataclasses import replace

from models.rabbitmq._source import brokers, clients
from models.rabbitmq._source.kerberos import AS, DECLARATION, TGS
from tools.uppaal_xml import Edge, Location, Model, Query

SYSTEM = """
// 17 processes, in the order of the columns of figure 13
system Producer, AS, TGS, BrokerP, Queue, Consumer, BrokerC;
"""
SOURCE = """
RabbitMQ with Kerberos, after
  R. Li, J. Yin, H. Zhu, P. C. Vinh: Verification of RabbitMQ with Kerberos Using Timed Automata.
  Mobile Networks and Applications, 2022.
The paper's figures of automata are pictures; this is rebuilt from its text, tables and traces. docs/models/rabbitmq.md
says what had to be invented, and how verdicts compare. Written by models/rabbitmq/_source; change it there.
"""
ALL, HALF = "{true, true, true, true}", "{true, false, true, false}"

SECURITY = (
    Query("E<> Producer(1).Error", "Secure communication, as printed: the fake producer is refused."),
    Query("E<> Consumer(3).Error", "Secure communication, as printed: the fake consumer is refused."),
    Query(
        "A[] !(Producer(1).Publish || Consumer(3).Deliver)",
        "Secure communication, as printed: neither ever produces or consumes.",
    ),
    Query(
        "A[] !(Producer(1).InitP || Consumer(3).InitC)",
        "Not in the paper: neither is ever authenticated.",
    ),
    Query(
        "A[] BrokerP(1).Init && BrokerC(3).Init",
        "Not in the paper: neither gets as far as a broker.",
    ),
    Query("E<> Producer(0).Publish", "Not in the paper: the producer with the key gets through,"),
    Query("E<> Consumer(2).Deliver", "and so does the consumer."),
)

IN_ORDER = "forall(i : id_q) forall(j : id_q) i < j && Queue.list[j] != 0 imply Queue.list[i] < Queue.list[j]"
RECEIVED_IN_ORDER = (
    "forall(c : consumer) forall(i : {0}) forall(j : {0}) "
    "cmsg[c][i] != 0 && cmsg[c][j] != 0 && i < j imply cmsg[c][i] < cmsg[c][j]"
)
ASKED_P = "forall(p : producer) BrokerP(p).bpt > 5 imply BrokerP(p).flag == 1"
ASKED_C = "forall(c : consumer) BrokerC(c).bct > 5 imply BrokerC(c).flag == 1"
PUBLISHED = "forall(p : producer) Producer(p).Publish imply cnt != 0"
RECEIVED = "forall(c : consumer) Consumer(c).Deliver imply cmsg[c][0] != 0"
AUTHENTICATION = "E<> Producer(0).InitP"
PRODUCTION = "E<> BrokerP(0).Close && cnt == 2"
CONSUMPTION = "E<> BrokerC(2).Close && cnt == 0"
CONCURRENCY = "E<> cmsg[2][0] != 0 && cmsg[3][0] != 0"

PRINTED = (
    Query(f"E<> {PUBLISHED}", "Reachability of data, as printed: true in the first state, where nobody publishes."),
    Query(f"E<> {RECEIVED}", "Reachability of data, as printed: true in the first state."),
    Query(f"A<> {IN_ORDER}", "Sequence consistency, as printed: some day, and the first state will do."),
    Query(f"A<> {RECEIVED_IN_ORDER.format('id_q')}", "Sequence consistency, as printed: some day."),
    Query(f"A<> {ASKED_P}", "Heartbeat mechanism, as printed: some day."),
    Query(f"A<> {ASKED_C}", "Heartbeat mechanism, as printed: some day."),
    Query(f"A[] {ASKED_P}", "Heartbeat mechanism, always: no, for the clock runs before there is a connection."),
    Query(f"A[] {ASKED_C}", "Heartbeat mechanism, always: no, as before."),
)

NOT_ALWAYS = f"A[] {PUBLISHED}"
ADDED = "BrokerP(0).Publish && addop[0] == 0 --> addop[0] == 1"
DELIVERED = f"A[] {RECEIVED}"
DIFFERENT = f"{CONCURRENCY} && cmsg[2][0] != cmsg[3][0]"
SHIFTED = f"A[] {IN_ORDER}"
QUEUED = f"A[] !Queue.Shiftdown imply ({IN_ORDER})"
ASCENDING = f"A[] {RECEIVED_IN_ORDER.format('id_m')}"
OPEN = "(Broker{0}({1}).Open || Broker{0}({1}).{2} || Broker{0}({1}).{3}) imply Broker{0}({1}).b{1}t <= 5"
BEATS_P = f"A[] forall(p : producer) {OPEN.format('P', 'p', 'QueueOK', 'Publish')}"
BEATS_C = f"A[] forall(c : consumer) {OPEN.format('C', 'c', 'Consume', 'Dequeue')}"
NOT_TWICE = "A[] forall(i : id_m) forall(j : id_m) cmsg[2][i] != 0 imply cmsg[2][i] != cmsg[3][j]"
NOT_LOST = (
    "A[] forall(m : int[1,MESSAGES]) m < body imply (exists(p : producer) pmsg[p] == m) || "
    "(exists(i : id_q) Queue.list[i] == m) || (exists(c : consumer) exists(i : id_m) cmsg[c][i] == m)"
)
ORDERED = (
    Query(QUEUED, "Sequence consistency, always: the queue ascends. (While it shifts, a message may be there twice.)"),
    Query(ASCENDING, "Sequence consistency, always: each consumer's messages ascend."),
)
KEPT = Query(NOT_LOST, "Not in the paper: a message is with a producer's broker, in the queue or with a consumer.")
CLIENTS = (
    Query(PRODUCTION, "Figure 10 (b): a producer publishes two messages."),
    Query(CONSUMPTION, "Figure 10 (c): a consumer takes one."),
    Query(CONCURRENCY, "Concurrency, as printed."),
    Query(DIFFERENT, "Concurrency, as meant: two consumers have different messages."),
    *ORDERED,
    Query(NOT_TWICE, "Not in the paper: no message goes to two consumers."),
    KEPT,
)
NOT_STUCK = "A[] deadlock imply Consumer(2).Error && (Producer(0).Error || Producer(0).Close)"
PAIR = (
    Query(AUTHENTICATION, "Figure 10 (a): a producer is authenticated."),
    Query(NOT_ALWAYS, "Reachability of data, always: no, the broker has yet to add it, or the consumer may have it."),
    Query(ADDED, "Reachability of data, as meant: a message that is published is added to the queue."),
    Query(DELIVERED, "Reachability of data, as meant: who is delivered a message has one."),
    Query(SHIFTED, "Sequence consistency, always: no, while the queue shifts, a message may be there twice."),
    *ORDERED,
    Query(BEATS_P, "Heartbeat mechanism, as meant: while connected, nobody is left unasked for more than 5 seconds."),
    Query(BEATS_C, "Heartbeat mechanism, as meant."),
    KEPT,
    Query(NOT_STUCK, "Not in the paper: nobody gets stuck but who was refused, or has published all there is."),
)


def scenario(title: str, registered: str, owner: str, queries: tuple[Query, ...]) -> Model:
    """The seven templates, and who is registered and who has a key."""
    return Model(
        SOURCE + "\n" + title,
        DECLARATION.replace("REGISTERED", registered).replace("OWNER", owner),
        (AS, TGS, clients.producer(), clients.consumer(), brokers.broker_p(), brokers.broker_c(), brokers.QUEUE),
        SYSTEM,
        queries,
    )


def authenticated(model: Model) -> Model:
    """The same after Kerberos, without the KDC, and without heartbeats, which are nothing to messages and their order.

    Four connections have four clocks; with them there would be too many zones.
    """
    starts = {"Producer": "InitP", "Consumer": "InitC", "BrokerP": "InitBP", "BrokerC": "InitBC"}
    parts = tuple(
        replace(
            part,
            initial=starts.get(part.name, ""),
            locations=tuple(replace(place, invariant="") for place in part.locations if "ReceiveHB" not in place.name),
            edges=tuple(edge for edge in part.edges if "ReceiveHB" not in edge.path),
        )
        for part in model.templates
        if part.name not in ("AS", "TGS")
    )
    return replace(model, templates=parts, system="system Producer, BrokerP, Queue, Consumer, BrokerC;")


def one_pair(model: Model) -> Model:
    """The same with client 0 as the only producer and client 2 as the only consumer."""
    fewer = model.declaring("typedef int[0,1] producer;", "typedef int[0,0] producer;")
    fewer = fewer.declaring("typedef int[2,3] consumer;", "typedef int[2,2] consumer;")
    return fewer.declaring("addop[producer] = {1, 1};", "addop[producer] = {1};")


def serial(model: Model) -> Model:
    """The same where a message is added as it is published, and one consumer's broker at a time reads the queue."""
    broker, queue = model.template("BrokerP"), model.template("Queue")
    adding = Location("Adding", (2, 3), "committed", comment="Nothing comes between.")
    kept = tuple(edge for edge in broker.edges if edge.sync not in ("add!", "publish[id]?"))
    broker = replace(
        broker,
        locations=(*broker.locations, adding),
        edges=(
            *kept,
            Edge("QueueOK -> Adding", "publish[id]?", shift=(0, 0)),
            Edge("Publish -> Adding", "publish[id]?", nails=((1.4, 3.5),), shift=(-0.1, -0.4)),
            Edge("Adding -> Publish", "add!", update=brokers.ADDING),
        ),
    )
    reading = Location("Reading", (3, 2), comment="What was handed over is to be removed.")
    kept = tuple(edge for edge in queue.edges if edge.sync not in ("hd!", "rem?"))
    queue = replace(
        queue,
        locations=(*queue.locations, reading),
        edges=(
            *kept,
            Edge("Init -> Reading", "hd!", "cnt > 0", "head = list[0]", shift=(0, -0.4)),
            Edge("Reading -> Shiftdown", "rem?", shift=(0, 0.1)),
            Edge("Reading -> Reading", "new?", "declared", "created = true", nails=((3.5, 1.3), (4, 1.6))),
            Edge("Reading -> Reading", "add?", "cnt < N", brokers.APPENDING, nails=((4, 2.4), (3.5, 2.7))),
        ),
    )
    return model.having(broker).having(queue)


SCENARIO_1 = scenario("Scenario 1: the fake clients 1 and 3 come with ids that AS does not know.", HALF, ALL, SECURITY)
SCENARIO_2 = scenario(
    "Scenario 2: the fake clients 1 and 3 come with ids that AS knows, but without the key.", ALL, HALF, SECURITY
)
ALL_VALID = scenario("All four clients are valid: the basic properties, as printed.", ALL, ALL, PRINTED)
ONE_PAIR = one_pair(
    scenario("One producer and one consumer, both valid: the basic properties as they are meant.", ALL, ALL, PAIR)
)
AUTHENTICATED = authenticated(
    scenario(
        "All four clients are valid, authenticated already and never lost, so heartbeats are left out:\n"
        "what two producers and two consumers do to each other's messages.",
        ALL,
        ALL,
        CLIENTS,
    )
)
ONE_AT_A_TIME = serial(AUTHENTICATED).noting(
    "Here a message is added to the queue as it is published, and the broker of one consumer at a time reads the queue."
)
