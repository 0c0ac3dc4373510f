"""Which file holds what."""

from __future__ import annotations

from models.rabbitmq._source import (
    acknowledgement,
    exchanges,
    faults,
    heartbeats,
    replay,
    skew,
    system,
    ticket,
)
from tools.uppaal_xml import Model


def noted(name: str, model: Model) -> Model:
    """A model with a planted fault says so; the fault is what its file is named for."""
    return model.noting(f"With a planted fault: {name.removesuffix('.xml').replace('_', ' ')}.")


PLANTED = (faults, acknowledgement, exchanges, heartbeats, replay, skew, ticket)
FILES: dict[str, Model] = {
    "kerberos.xml": system.SCENARIO_1,
    "kerberos_valid_ids.xml": system.SCENARIO_2,
    "kerberos_all_valid.xml": system.ALL_VALID,
    "one_pair.xml": system.ONE_PAIR,
    "authenticated.xml": system.AUTHENTICATED,
    "one_at_a_time.xml": system.ONE_AT_A_TIME,
    "acknowledgement.xml": acknowledgement.ACKNOWLEDGEMENT,
    "replay_cache.xml": replay.CACHE,
    "replay_no_cache.xml": replay.NO_CACHE,
    "ticket.xml": ticket.TICKET,
    "ticket_closing.xml": ticket.CLOSING,
    "skew.xml": skew.SKEW,
    "heartbeats.xml": heartbeats.HEARTBEATS,
    "exchanges.xml": exchanges.EXCHANGES,
    **{f"faults/{name}": noted(name, model) for module in PLANTED for name, model in module.FAULTS.items()},
}
