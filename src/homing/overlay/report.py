"""The HTML report of a verification: one file, no scripts, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from homing.overlay.colours import NORMAL, element_name
from homing.overlay.drawing import ARROWS, STYLE, Marks, Points, draw, place
from homing.overlay.reinforcement import WeakPoint, cheapest_link, weak_points
from homing.overlay.repair import propose
from homing.overlay.tables import Sizes
from homing.overlay.trees import NO_BROKER
from homing.overlay.verification import Failing, Verification
from homing.overlay.walking import Outcome
from homing.report.wording import escape

CARDS = 12
ROWS = 20
WAYS = 30

PAGE_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 920px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: 0.2em; } h2 { font-size: 1.15em; margin-top: 2em; }
table { border-collapse: collapse; width: 100%; margin: 0.6em 0; }
th, td { text-align: left; padding: 0.25em 0.6em; border-bottom: 1px solid #e4e4e0; vertical-align: top; }
th { font-weight: 600; color: #555; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-weight: 600; white-space: nowrap; }
.HOLDS { color: #2e7d32; } .VIOLATED { color: #c62828; } .UNKNOWN { color: #8a6d00; }
.tolerated { color: #8a6d00; } .muted { color: #777; }
details { margin: 0.8em 0; border: 1px solid #ddd; border-radius: 6px; padding: 0.5em 0.9em; }
summary { cursor: pointer; font-weight: 600; }
"""


def write(result: Verification, path: Path) -> None:
    """Writes the report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(result), encoding="utf-8")


def render(result: Verification) -> str:
    network = result.scenarios.network
    points = place(network)
    weak = weak_points(result.state)
    title = f"{network.name}: {result.verdict}"
    body = [
        f'<h1>{escape(network.name)} <span class="verdict {result.verdict}">{result.verdict}</span></h1>',
        f'<p class="muted">{len(network.brokers)} brokers, {len(network.links)} links, {len(network.topics)} topics, '
        f"{result.pairs} pairs to deliver, {len(result.scenarios)} failure scenarios (colours)</p>",
        _findings(result),
        draw(network, points, Marks(weak={point.element for point in weak})),
        '<p class="muted">Orange: single points of failure. Point at a broker or link for its name.</p>',
        _weak(result, weak),
        _topics(result),
        _repairs(result),
        _cards(result, points),
        _sizes(result),
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{PAGE_STYLE}{STYLE}</style></head><body>{ARROWS}{''.join(body)}</body></html>"
    )


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Cells are HTML already."""
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<table>{''.join(lines)}</table>"


def _findings(result: Verification) -> str:
    rows = []
    for finding in result.findings:
        kind = "tolerated" if finding.tolerated and str(finding.verdict) == "VIOLATED" else str(finding.verdict)
        word = f"{finding.verdict} (tolerated)" if kind == "tolerated" else str(finding.verdict)
        rows.append((f'<span class="verdict {kind}">{word}</span>', escape(finding.name), escape(finding.text)))
    return table(("verdict", "question", "answer"), rows)


def _weak(result: Verification, weak: list[WeakPoint]) -> str:
    if not weak:
        return "<p>No single link or broker cuts a pair off.</p>"
    network = result.scenarios.network
    rows = []
    for point in weak[:ROWS]:
        link = cheapest_link(result.state, point)
        remedy = "no single new link is enough"
        if link:
            ends = f"{network.brokers[link.source].name} – {network.brokers[link.target].name}"
            remedy = f"{ends} ({link.cost:.4g} {link.measure}; {'verified' if link.verified else 'not verified'})"
        rows.append((escape(element_name(network, point.element)), str(point.pairs), escape(remedy)))
    more = f'<p class="muted">and {len(weak) - ROWS} more</p>' if len(weak) > ROWS else ""
    return (
        f"<h2>Single points of failure: {len(weak)}</h2>"
        + table(("element", "pairs cut off", "cheapest new link that removes it"), rows)
        + more
    )


def _topics(result: Verification) -> str:
    """Topics by the number of shown colours under which they fail."""
    network = result.scenarios.network
    if not network.topics:
        return ""
    failing: dict[tuple[int, int], set[tuple[int, Outcome]]] = {}
    looked = result.bad_colours("partitioned", "looped", "wrong", "late")[:500].tolist()
    for colour in looked:
        for pair in result.failing(colour):
            failing.setdefault((pair.publisher, pair.subscriber), set()).add((colour, pair.outcome))
    rows = []
    for topic in network.topics:
        hits = {hit for pair in topic.pairs() for hit in failing.get(pair, set())}
        kinds = ", ".join(sorted({str(outcome) for _, outcome in hits}))
        colours = len({colour for colour, _ in hits})
        verdict = "VIOLATED" if hits else "UNKNOWN" if topic.is_silent or not result.complete else "HOLDS"
        rows.append((f'<span class="verdict {verdict}">{verdict}</span>', escape(topic.name), str(colours), kinds))
    note = f'<p class="muted">Of the first {len(looked)} colours with a fault.</p>' if len(looked) == 500 else ""
    return "<h2>Topics</h2>" + table(("verdict", "topic", "colours under which it fails", "how"), rows) + note


def _repairs(result: Verification) -> str:
    if not result.edits:
        return ""
    names = result.scenarios.network.broker_names
    rows = []
    for repair in propose(result.scenarios, result.state, result.edits):
        hops = ["-" if hop is None else names[hop] for hop in (repair.wrong, repair.right)]
        where = str(repair.place or "")
        scope = "every colour" if repair.every_colour else f"colour {repair.colour}"
        entry = f"{names[repair.broker]} to {names[repair.destination]}, {scope}"
        proof = "yes" if repair.verified else "no"
        rows.append(tuple(escape(cell) for cell in (where, entry, hops[0], hops[1], proof)))
    if not rows:
        return ""
    return "<h2>Proposed repairs</h2>" + table(("where", "entry", "says", "should say", "verified"), rows)


def _cards(result: Verification, points: Points) -> str:
    """The worst colours, each with its own picture."""
    bad = sum(result.column(name) for name in ("partitioned", "looped", "wrong", "late"))
    order = np.argsort(-np.asarray(bad), kind="stable")
    chosen = [int(at) + NORMAL for at in order[:CARDS] if np.asarray(bad)[at]]
    if not chosen:
        return ""
    total = int((np.asarray(bad) > 0).sum())
    cards = [_card(result, points, colour, at == 0) for at, colour in enumerate(chosen)]
    legend = (
        "Dashed lines failed. Dotted arrows join pairs without a path. "
        "Solid arrows are the way that messages take in vain, or too late."
    )
    head = f'<h2>Colours with a fault: {total}</h2><p class="muted">The worst {len(chosen)}. {legend}</p>'
    return head + "".join(cards)


def _card(result: Verification, points: Points, colour: int, opened: bool) -> str:
    network = result.scenarios.network
    failing = list(result.failing(colour))
    failure = result.scenarios.failure(colour)
    astray = [pair.path for pair in failing if pair.outcome is not Outcome.PARTITIONED]
    lost = [(pair.publisher, pair.subscriber) for pair in failing if pair.outcome is Outcome.PARTITIONED]
    picture = draw(network, points, Marks(failed=set(failure), bad=astray[:WAYS], lost=lost[:WAYS]))
    rows = [_pair(result, pair) for pair in failing[:ROWS]]
    more = f'<p class="muted">and {len(failing) - ROWS} more pairs</p>' if len(failing) > ROWS else ""
    return (
        f"<details{' open' if opened else ''}><summary>colour {colour}: {escape(result.scenarios.text(colour))} "
        f"({len(failing)} pairs)</summary>{picture}"
        + table(("from", "to", "topics", "outcome", "way taken"), rows)
        + f"{more}</details>"
    )


def _pair(result: Verification, pair: Failing) -> tuple[str, ...]:
    network = result.scenarios.network
    names = network.broker_names
    topics = [t.name for t in network.topics if (pair.publisher, pair.subscriber) in t.pairs()]
    about = ", ".join(topics[:5]) or "every broker to every broker"
    late = f", {pair.delay_ms:g} ms" if pair.delay_ms is not None else ""
    way = " → ".join(names[broker] for broker in pair.path)
    cells = (names[pair.publisher], names[pair.subscriber], about, f"{pair.outcome}{late}", way)
    return tuple(escape(cell) for cell in cells)


def _sizes(result: Verification) -> str:
    state, colours = result.state, len(result.counts)
    n = state.size
    changed = int(result.column("changed").sum())
    normal = int((state.hops != NO_BROKER).sum())
    sizes = Sizes(colours * n * (n - 1), 0, 0, normal, changed)
    rows = [
        ("plain: a table a colour", f"{sizes.plain_entries:,}", f"{sizes.plain_bytes:,}"),
        ("normal table plus changes", f"{normal:,} + {changed:,}", f"{sizes.change_bytes:,}"),
    ]
    note = "Changes towards subscribers only; <code>homing overlay plan</code> gives all three forms in full."
    return "<h2>Tables</h2>" + table(("form", "entries", "bytes"), rows) + f'<p class="muted">{note}</p>'
