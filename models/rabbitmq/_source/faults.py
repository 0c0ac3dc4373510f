"""Planted faults in the paper's system: each is caught by what is asked of it."""

from __future__ import annotations

from models.rabbitmq._source.brokers import QUEUE
from models.rabbitmq._source.system import (
    ADDED,
    ASCENDING,
    AUTHENTICATION,
    BEATS_C,
    BEATS_P,
    CONCURRENCY,
    CONSUMPTION,
    DELIVERED,
    DIFFERENT,
    NOT_LOST,
    NOT_STUCK,
    NOT_TWICE,
    ONE_AT_A_TIME,
    ONE_PAIR,
    PRODUCTION,
    QUEUED,
    SCENARIO_1,
    SCENARIO_2,
    SECURITY,
)

REFUSED = [query.formula for query in SECURITY[:2]]
SECURE = [query.formula for query in SECURITY[2:5]]
SERVED = [query.formula for query in SECURITY[5:]]

FAULTS = {
    "as_never_refuses.xml": SCENARIO_1.without("AS", "ReceiveReq -> Error").asking(*REFUSED),
    "as_takes_any_id.xml": SCENARIO_1.declaring("clientvalid = registered[id];", "clientvalid = true;").asking(*SECURE),
    "as_sends_in_the_clear.xml": SCENARIO_2.declaring("MsgA[id].key = CKey;", "MsgA[id].key = NoKey;").asking(*SECURE),
    "as_issues_for_another.xml": ONE_PAIR.declaring(
        "MsgB[id].client_id = id;", "MsgB[id].client_id = (id + 1) % 4;"
    ).asking(AUTHENTICATION),
    "tgs_encrypts_for_itself.xml": SCENARIO_1.declaring("MsgE[id].key = SKey;", "MsgE[id].key = TKey;").asking(*SERVED),
    "broker_never_adds.xml": ONE_PAIR.locating("BrokerP", "Publish", invariant="").asking(ADDED, BEATS_P),
    "broker_never_asks.xml": ONE_PAIR.locating("BrokerC", "Dequeue", invariant="").asking(BEATS_C),
    "broker_delivers_nothing.xml": ONE_PAIR.labelling("BrokerC", "Consume -> GetMsg", update="head = 0").asking(
        DELIVERED
    ),
    "broker_never_restarts.xml": ONE_PAIR.without("BrokerC", "Close -> InitBC").asking(NOT_STUCK),
    "broker_never_ends.xml": ONE_AT_A_TIME.without("BrokerP", "QueueOK -> Close")
    .without("BrokerP", "Publish -> Close")
    .without("BrokerC", "Dequeue -> Close")
    .asking(PRODUCTION, CONSUMPTION),
    "queue_last_in_first_out.xml": ONE_PAIR.labelling(
        "Queue", "Init -> Init hd!", update="head = list[cnt - 1]"
    ).asking(ASCENDING),
    "queue_for_one.xml": ONE_AT_A_TIME.labelling(
        "BrokerC", "Consume -> GetMsg", guard="forall(c : consumer) c == id || cmsg[c][0] == 0"
    ).asking(CONCURRENCY, DIFFERENT),
    "queue_at_the_front.xml": ONE_AT_A_TIME.labelling(
        "Queue", "Init -> Init add?", update="list[1] = list[0], list[0] = tail, cnt++, tail = 0"
    ).asking(QUEUED),
    "queue_for_all.xml": ONE_AT_A_TIME.having(QUEUE).asking(NOT_TWICE),
    "queue_overwrites.xml": ONE_AT_A_TIME.labelling(
        "Queue", "Init -> Init add?", update="list[0] = tail, cnt = 1, tail = 0"
    ).asking(NOT_LOST),
}
