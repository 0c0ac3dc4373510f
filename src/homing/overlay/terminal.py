"""What the commands print, and the exit codes they end with."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from homing.core.errors import HomingError
from homing.core.result import Limits
from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.overlay import pipeline, store
from homing.overlay.chunks import Job
from homing.overlay.colours import NORMAL, Scenarios, element_name
from homing.overlay.edits import Edits
from homing.overlay.portions import Look, Progress, looking, nothing, unseen
from homing.overlay.readers import expand
from homing.overlay.tables import Order, Sizes, SuperTable
from homing.overlay.trees import prepare
from homing.overlay.verification import COLUMN, Verification, stored
from homing.overlay.verification import verify as check
from homing.report.files import say, say_json
from homing.report.wording import plural

if TYPE_CHECKING:
    from homing.overlay.sweeping import Swept

SHOWN = 8
BETWEEN_LINES = 5.0
"""Seconds before the first line of progress in a log, and between two."""


@dataclass(frozen=True)
class VerifyOptions:
    """How a verification is judged, bounded and shown."""

    tolerate: frozenset[str]
    switching: str
    limits: Limits
    as_json: bool


def verify(
    found: Scenarios,
    edits: Edits | None,
    options: VerifyOptions,
    failures: str,
    observed: Path | None,
    out: Path | None,
    master: str | None,
) -> int:
    if observed:
        from homing.overlay.locating import run

        return run(found.network, observed, None, options.as_json)
    if out or master:
        if options.limits.seconds is not None:
            raise HomingError("--time-limit is for runs without --out and --master, which can be stopped and go on")
        return _verify_stored(found, edits, options, failures, out, master)
    look = looking(options.limits)
    try:
        with bar("routes", not options.as_json, "brokers") as progress:
            state = prepare(found.network, look, progress)
    except Stopped as stopped:
        return _undecided(found, str(stopped), options.as_json)
    with bar(f"{len(found)} colours", not options.as_json) as progress:
        result = check(
            found, edits=edits, tolerate=options.tolerate, switching=options.switching, limits=options.limits,
            progress=progress, mixing=progress, state=state,
        )  # fmt: skip
    _print_or_dump(result, options.as_json, look)
    return result.verdict.exit_code


def _undecided(found: Scenarios, reason: str, as_json: bool) -> int:
    """Time was up before anything was known."""
    if as_json:
        say_json({"network": found.network.name, "verdict": str(Verdict.UNKNOWN), "findings": [], "reason": reason})
    else:
        say(f"{found.network.name}: {Verdict.UNKNOWN}: {reason} before the routes of the normal state were known")
    return Verdict.UNKNOWN.exit_code


def _verify_stored(
    found: Scenarios, edits: Edits | None, options: VerifyOptions, failures: str, out: Path | None, master: str | None
) -> int:
    """Through Parquet: the verdict is drawn from what was written."""
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="homing-")))
        run, job = _run(found, edits, failures, folder, master)
        result = stored(job, found, run, options.tolerate, options.switching)
        totals = store.finish(job, list(run.summaries), result.micro)
    _print_or_dump(result, options.as_json)
    if not options.as_json:
        _print_run(run, totals, out)
    return result.verdict.exit_code


def _print_or_dump(result: Verification, as_json: bool, look: Look = nothing) -> None:
    if as_json:
        say_json(as_data(result))
    else:
        _print_result(result, look)


def _run(
    found: Scenarios, edits: Edits | None, failures: str, out: Path, master: str | None
) -> tuple[pipeline.Run, Job]:
    """Everything to Parquet, in this process or on Spark."""
    job = Job(found.network.name, found.network.to_json(), failures, found.own, edits, out=str(out.absolute()))
    store.begin(job)
    todo = pipeline.pieces(job)
    with bar(f"{len(found)} colours to {out}") as progress:
        if master:
            from homing import spark as plumbing

            at = time.monotonic()
            with plumbing.running(master) as spark:
                start = time.monotonic() - at
                run = replace(pipeline.run_on_spark(spark, todo, progress), spark_start_seconds=start)
        else:
            run = pipeline.run_here(todo, progress)
    if run.errors:
        raise HomingError(next(iter(run.errors.values())))
    return run, job


def _print_result(result: Verification, look: Look) -> None:
    network = result.scenarios.network
    say(
        f"{network.name}: {plural(len(network.brokers), 'broker')}, {plural(len(network.links), 'link')}, "
        f"{plural(len(network.topics), 'topic')}, {plural(result.pairs, 'pair')}, "
        f"{plural(len(result.scenarios), 'colour')}"
    )
    for note in network.notes:
        say(f"  note: {note}")
    for finding in result.findings:
        mark = " (tolerated)" if finding.tolerated and finding.verdict is Verdict.VIOLATED else ""
        say(f"  {finding.verdict!s:<9}{finding.name:<12} {finding.text}{mark}")
    try:
        _print_failing(result, look)
        _print_weak(result, look)
        if result.edits:
            look()
            _print_repairs(result)
    except Stopped as stopped:
        say(f"  {stopped}: examples, single points of failure and repairs were not all looked for")
    say(f"{result.verdict} ({result.seconds:.2f} s)")


def _print_failing(result: Verification, look: Look) -> None:
    """The first colour of each finding, with some of its pairs."""
    names = result.scenarios.network.broker_names
    topics = _topics_of(result)
    shown: set[int] = set()
    for finding in result.findings:
        if finding.name == "micro-loops" or not finding.colours or finding.colours[0] in shown:
            continue
        colour = finding.colours[0]
        shown.add(colour)
        pairs = list(islice(result.failing(colour, look), SHOWN))
        say(f"  colour {colour}, {result.scenarios.text(colour)}:")
        for pair in pairs:
            way = " → ".join(names[broker] for broker in pair.path)
            late = f", {pair.delay_ms:g} ms" if pair.delay_ms is not None else ""
            about = topics.get((pair.publisher, pair.subscriber), "")
            say(f"    {names[pair.publisher]} to {names[pair.subscriber]}{about}: {pair.outcome}{late} ({way})")
        failing = int(sum(result.column(name)[colour - NORMAL] for name in COLUMN.values()))
        if failing > SHOWN:
            say(f"    and {failing - SHOWN} more")


def _topics_of(result: Verification) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], list[str]] = {}
    for topic in result.scenarios.network.topics:
        for pair in topic.pairs():
            found.setdefault(pair, []).append(topic.name)
    return {pair: f", {', '.join(names[:3])}" for pair, names in found.items()}


def _print_weak(result: Verification, look: Look) -> None:
    from homing.overlay.reinforcement import cheapest_link, weak_points

    network = result.scenarios.network
    with bar("single points of failure", what="elements") as progress:
        points = weak_points(result.state, look, progress)
    if points:
        say(f"  single points of failure: {len(points)}")
    for point in points[:SHOWN]:
        link = cheapest_link(result.state, point, look)
        remedy = "no single new link helps"
        if link:
            ends = f"{network.brokers[link.source].name} - {network.brokers[link.target].name}"
            proof = ", verified" if link.verified else ", NOT verified"
            remedy = f"a link {ends} helps ({link.cost:.4g} {link.measure}{proof})"
        say(f"    {element_name(network, point.element)} cuts {plural(point.pairs, 'pair')}; {remedy}")
    if len(points) > SHOWN:
        say(f"    and {len(points) - SHOWN} more")


def _print_repairs(result: Verification) -> None:
    from homing.overlay.repair import propose

    names = result.scenarios.network.broker_names
    assert result.edits is not None
    for repair in propose(result.scenarios, result.state, result.edits):
        wrong, right = ("-" if hop is None else names[hop] for hop in (repair.wrong, repair.right))
        scope = "every colour" if repair.every_colour else f"colour {repair.colour}"
        proof = "verified" if repair.verified else "does not help everywhere"
        where = f"{repair.place}: " if repair.place else ""
        say(
            f"  repair: {where}{names[repair.broker]} to {names[repair.destination]} ({scope}): "
            f"{wrong} → {right}, {proof}"
        )


def as_data(result: Verification) -> dict[str, object]:
    """The result for other programs."""
    network = result.scenarios.network
    return {
        "network": network.name,
        "brokers": len(network.brokers),
        "links": len(network.links),
        "pairs": result.pairs,
        "colours": len(result.scenarios),
        "verdict": str(result.verdict),
        "findings": [
            {
                "name": finding.name,
                "verdict": str(finding.verdict),
                "tolerated": finding.tolerated,
                "text": finding.text,
                "colours": [{"colour": colour, "failure": result.scenarios.text(colour)} for colour in finding.colours],
            }
            for finding in result.findings
        ],
    }


def plan(found: Scenarios, failures: str, brokers: list[str], order: str, out: Path | None, master: str | None) -> int:
    from homing.overlay.tables import plan as compute

    network = found.network
    for name in brokers:
        if name not in network.broker_number:
            raise HomingError(f"unknown broker '{name}'", None, network.broker_names)
    stored = out is not None or master is not None
    if stored:
        with ExitStack() as stack:
            folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="homing-")))
            run, job = _run(found, None, failures, folder, master)
            totals = store.finish(job, list(run.summaries))
        _print_run(run, totals, out)
        _print_sizes(Sizes(**totals.sizes))
    if brokers or not stored:
        tables = compute(found)
        for name in brokers:
            _print_super(tables.condense(network.broker_number[name], cast(Order, order)), found)
        if not stored:
            _print_sizes(tables.sizes())
    return 0


def _print_super(table: SuperTable, found: Scenarios) -> None:
    name = table.network.brokers[table.broker].name
    say(f"super routing table of broker {name}")
    say("  address  destination  next hop  colours")
    for entry in table.entries:
        colours = ",".join(map(str, entry.colours[:12])) + (", …" if len(entry.colours) > 12 else "")
        say(f"  {entry.address:<7}  {entry.destination:<11}  {entry.next_hop:<8}  {colours}")
    if len(found) <= 40:
        say("lookup: next hop by destination (rows) and colour (columns)")
        for destination, row in zip(table.network.broker_names, table.next_hops()):
            say(f"  {destination:>8}: {' '.join(hop or '-' for hop in row)}")
        say("colours")
        for colour in range(NORMAL, len(found) + 1):
            say(f"  {colour}: {found.text(colour)}")


def _print_sizes(sizes: Sizes) -> None:
    say("sizes, all brokers and colours")
    say(f"  plain tables            {sizes.plain_entries:>14,} entries {sizes.plain_bytes:>16,} bytes")
    lookup = f"{sizes.super_entries:,} + {sizes.lookup_entries:,}"
    say(f"  super tables + lookup   {lookup:>22} {sizes.super_bytes:>16,} bytes")
    lean = f"{sizes.normal_entries:,} + {sizes.change_entries:,}"
    say(f"  normal table + changes  {lean:>22} {sizes.change_bytes:>16,} bytes")


def _print_run(run: pipeline.Run, totals: store.Totals, out: Path | None) -> None:
    where = f"results in {out}" if out else "results not kept (--out keeps them)"
    say(f"{where}: {totals.colours} colours, {totals.sums.get('changed', 0):,} changed entries")
    say(f"  {timing(run)}")


def timing(run: pipeline.Run) -> str:
    """Where the time went, Spark's own part apart."""
    parts = [
        f"{run.wall_seconds:.1f} s on {run.workers} core(s)",
        f"kernels {run.kernel_seconds:.1f} s",
        f"Parquet {run.write_seconds:.1f} s",
        f"preparing {run.prepare_seconds:.1f} s",
    ]
    if run.spark_start_seconds or run.workers > 1:
        parts.append(f"Spark: start {run.spark_start_seconds:.1f} s, overhead {run.overhead_seconds:.1f} core-seconds")
    if run.resumed:
        parts.append(f"{run.resumed} chunks were there before")
    return "; ".join(parts)


def sweep(
    networks: list[str], out: Path, failures: str, routes: bool, tolerate: frozenset[str], master: str | None
) -> int:
    from homing.overlay.sweeping import sweep as run

    sources = list(dict.fromkeys(source for word in networks for source in expand(word)))
    with bar(f"{len(sources)} networks") as progress:
        result = run(sources, out, failures=failures, details=routes, master=master, progress=progress)
    for network in result.networks:
        word = "bad input" if network.bad_input else str(network.verdict(tolerate))
        say(f"{word:<10}{network.source}: {_swept(network)}")
    colours = sum(network.totals.colours for network in result.networks if network.totals)
    bad = sum(network.bad_input for network in result.networks)
    say(f"{len(result.networks)} networks, {colours} colours, {bad} with bad input, {result.seconds:.1f} s")
    say(f"  {timing(result.run)}")
    return result.exit_code(tolerate)


def _swept(network: Swept) -> str:
    totals = network.totals
    if totals is None:
        return network.error
    bad = ", ".join(
        f"{totals.bad[name]} {name}" for name in ("partitioned", "looped", "wrong", "late") if totals.bad.get(name)
    )
    resumed = " (from an earlier run)" if network.resumed else ""
    size = f"{totals.brokers} brokers, {totals.links} links, {totals.colours} colours"
    silent = (
        f", {plural(totals.silent_topics, 'topic')} without publisher or subscriber" if totals.silent_topics else ""
    )
    return f"{size}: {bad or 'every message gets home'}{silent}{resumed}"


def report(found: Scenarios, edits: Edits | None, tolerate: frozenset[str], out: Path) -> int:
    from homing.overlay.report import write

    with bar(f"{len(found)} colours") as progress:
        result = check(found, edits=edits, tolerate=tolerate, progress=progress)
    with store.writing(out):
        write(result, out)
    say(f"{result.verdict}: {out}")
    return result.verdict.exit_code


@contextmanager
def bar(text: str, shown: bool = True, what: str = "scenarios") -> Iterator[Callable[[int, int], None]]:
    """Progress, on stderr: a bar on a terminal, and a line now and then in a log."""
    if not shown:
        yield unseen
        return
    if not sys.stderr.isatty():
        yield _lines(text, what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Drawn

    columns = (TextColumn(text), BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn())
    with Drawn(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(text, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _lines(text: str, what: str) -> Progress:
    """Progress as lines in a log; short runs leave none."""
    shown = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= BETWEEN_LINES:
            shown = time.monotonic()
            say(f"homing: {text}: {done:,} of {total:,} {what}", sys.stderr)

    return show
