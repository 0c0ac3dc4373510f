"""A reproduction as a folder with a page: tables, charts of traces, plots; nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from homing.report import plots
from homing.report.charts import svg
from homing.report.wording import escape
from homing.reproducing import document
from homing.reproducing.claims import Paper
from homing.reproducing.judging import Confirmed, Judged
from homing.reproducing.measures import Measured
from homing.reproducing.running import Reproduction
from homing.reproducing.showing import summary

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2.2em; } .muted { color: #666; }
table { border-collapse: collapse; width: 100%; margin: 0.6em 0; }
th, td { text-align: left; padding: 0.3em 0.6em; border-bottom: 1px solid #e4e4e0; vertical-align: top; }
td { overflow-wrap: anywhere; } th { color: #555; } td.mark { white-space: nowrap; font-weight: 600; }
.agrees { color: #2e7d32; } .differs, .unknown { color: #c62828; }
.vacuous { color: #8a6d00; } .stronger { color: #00627a; }
details { margin: 0.2em 0; } summary { cursor: pointer; color: #777; font-size: 0.9em; }
code { background: #f4f4f1; padding: 0 0.2em; }
.chart { overflow-x: auto; margin: 0.5em 0; } .chart svg, img { max-width: 100%; height: auto; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid #ccc; }
"""


def write(done: Reproduction, folder: Path) -> Path:
    """Writes `index.html`, `claims.json` and the plots; the page."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "claims.json").write_text(document.render(done), encoding="utf-8")
    drawn: set[str] = set()
    body = [f"<h1>Five papers, checked again</h1><p>{escape(summary(done))}."]
    body.append(" <a href='#findings'>What the papers do not say</a>. <a href='claims.json'>As JSON</a>.</p>")
    for paper in done.record.papers:
        body += _paper(paper, [judged for judged in done.claims if judged.claim.paper == paper.name], folder, drawn)
    if done.findings:
        body.append("<h2 id='findings'>What the papers do not say</h2>")
        body += (part for finding in done.findings for part in _finding(finding, folder, drawn))
    page = folder / "index.html"
    page.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Five papers, checked again</title>'
        f"<style>{STYLE}</style></head><body>{''.join(body)}</body></html>",
        encoding="utf-8",
    )
    return page


def _paper(paper: Paper, claims: list[Judged], folder: Path, drawn: set[str]) -> Iterator[str]:
    source = f"{paper.authors}: {paper.title} ({paper.year})"
    yield f"<h2>{escape(paper.name)}</h2><p class='muted'>{escape(source)}</p>"
    yield "<table><tr><th>claim</th><th>where</th><th>paper</th><th>Homing</th><th></th></tr>"
    for judged in claims:
        cells = (judged.claim.text, judged.claim.source, judged.published, judged.found)
        note = f"<p class='muted'>{escape(judged.note)}</p>" if judged.note else ""
        evidence = "".join(_evidence(judged.measured, folder, drawn))
        texts = [escape(cell) for cell in cells]
        texts[-1] += note + evidence
        row = "".join(f"<td>{text}</td>" for text in texts)
        yield f"<tr>{row}<td class='mark {judged.mark.value.split()[0]}'>{judged.mark.value}</td></tr>"
    yield "</table>"


def _finding(confirmed: Confirmed, folder: Path, drawn: set[str]) -> Iterator[str]:
    missing = "" if confirmed.holds else "<strong class='differs'>NOT SHOWN</strong> "
    yield f"<blockquote><p>{missing}<strong>{escape(confirmed.finding.text)}</strong>"
    yield f" <span class='muted'>{escape(confirmed.finding.paper)}</span></p>"
    for measured in confirmed.measured:
        yield f"<p>{escape(measured.unknown or measured.text)}</p>"
        yield from _evidence(measured, folder, drawn)
    yield "</blockquote>"


def _evidence(measured: Measured, folder: Path, drawn: set[str]) -> Iterator[str]:
    """The command that repeats it, the trace as a chart, the plots that were not drawn yet."""
    heading = "again" if measured.result is None else "how it goes"
    yield f"<details><summary>{heading}</summary><p><code>{escape(measured.where)}</code></p>"
    if measured.result is not None:
        picture = svg.render(measured.result).split("?>", 1)[1]
        yield f"<div class='chart'>{picture}</div>"
    yield "</details>"
    for plot in measured.plots:
        if plot.name in drawn:
            continue
        drawn.add(plot.name)
        drawing, _, data = plots.save(plot, folder / "plots")
        yield f"<p><img src='plots/{drawing.name}' alt='{escape(plot.title)}'>"
        yield f"<br><a href='plots/{data.name}'>data</a></p>"
