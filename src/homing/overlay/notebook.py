"""Networks, verifications and tables in a notebook."""

from __future__ import annotations

from homing.core.verdict import Verdict
from homing.overlay.colours import element_name
from homing.overlay.drawing import STYLE, Marks, draw, place
from homing.overlay.network import Network
from homing.overlay.reinforcement import WeakPoint, cheapest_link, weak_points
from homing.overlay.tables import SuperTable, Tables
from homing.overlay.verification import Verification
from homing.report.notebook import muted, table, verdict
from homing.report.wording import escape

ROWS = 20
COLOURS = 12
MOST = 400  # brokers: to place more takes longer than anybody waits for a cell
WIDTH = 680  # pixels


def network(shown: Network, marks: Marks | None = None) -> str:
    """The network drawn."""
    size = f"{len(shown.brokers)} brokers, {len(shown.links)} links, {len(shown.topics)} topics"
    if len(shown.brokers) > MOST:
        return f"<p><b>{escape(shown.name)}</b>: {size}</p>"
    picture = f'<div style="max-width: {WIDTH}px">{draw(shown, place(shown), marks)}</div>'
    return f"<p><b>{escape(shown.name)}</b>: {size}</p><style>{STYLE}</style>{picture}"


def verification(shown: Verification) -> str:
    """What was asked and answered, and the network with its single points of failure."""
    named = shown.scenarios.network
    weak = weak_points(shown.state)
    rows = []
    for finding in shown.findings:
        mark = " (tolerated)" if finding.tolerated and finding.verdict is Verdict.VIOLATED else ""
        rows.append((verdict(finding.verdict) + mark, escape(finding.name), escape(finding.text)))
    answer = f"{named.name}: {shown.verdict} {_extent(shown)}"
    return "".join(
        [
            f"<p>{verdict(shown.verdict, answer)}</p>",
            table(("verdict", "question", "answer"), rows),
            _weak(shown, weak),
            network(named, Marks(weak={point.element for point in weak})),
            muted("Orange: single points of failure." if weak else "No single link or broker cuts a pair off."),
        ]
    )


def _extent(shown: Verification) -> str:
    """Under how many colours the verdict holds."""
    total = len(shown.scenarios)
    if shown.verdict is Verdict.VIOLATED:
        return f"under {len(shown.violated)} of {total} colours"
    if shown.verdict is Verdict.HOLDS:
        return f"under all {total} colours"
    return f"after {len(shown.counts)} of {total} colours"


def _weak(shown: Verification, points: list[WeakPoint]) -> str:
    named = shown.scenarios.network
    rows = []
    for point in points[:ROWS]:
        link = cheapest_link(shown.state, point)
        ends = "" if link is None else f"{named.brokers[link.source].name} – {named.brokers[link.target].name}"
        rows.append((escape(element_name(named, point.element)), str(point.pairs), escape(ends or "none is enough")))
    more = muted(f"and {len(points) - ROWS} more") if len(points) > ROWS else ""
    return table(("single point of failure", "pairs cut off", "link that would help"), rows) + more if rows else ""


def super_table(shown: SuperTable) -> str:
    """The entries, and which colours each is for."""
    rows = []
    for entry in shown.entries:
        more = ", …" if len(entry.colours) > COLOURS else ""
        colours = ", ".join(map(str, entry.colours[:COLOURS])) + more
        rows.append((str(entry.address), escape(entry.destination), escape(entry.next_hop), colours))
    name = escape(shown.network.brokers[shown.broker].name)
    head = ("address", "destination", "next hop", "colours")
    return f"<p>super routing table of broker <b>{name}</b></p>" + table(head, rows)


def tables(shown: Tables) -> str:
    """How large each of the three forms is."""
    sizes = shown.sizes()
    rows = (
        ("plain tables", f"{sizes.plain_entries:,}", f"{sizes.plain_bytes:,}"),
        ("super tables + lookup", f"{sizes.super_entries:,} + {sizes.lookup_entries:,}", f"{sizes.super_bytes:,}"),
        ("normal table + changes", f"{sizes.normal_entries:,} + {sizes.change_entries:,}", f"{sizes.change_bytes:,}"),
    )
    colours = f"tables of {len(shown.network.brokers)} brokers for {len(shown.scenarios)} colours"
    return f"<p><b>{escape(shown.network.name)}</b>: {colours}</p>" + table(("form", "entries", "bytes"), rows)
