"""`homing overlay verify|plan|sweep|report|export|locate|simulate|compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homing.report.quantities import duration

if TYPE_CHECKING:
    from homing.overlay.colours import Scenarios
    from homing.overlay.edits import Edits

app = typer.Typer(
    name="overlay",
    help="Broker networks: every topic under every failure, and tables that are ready before it happens.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

NETWORK = "A file (.toml .yaml .json .csv .graphml .gml), topohub:topozoo/Abilene, or random:50:100:seed=7."
FAILURES = "none, links, brokers, any or groups, with sizes: links:2, links:1-2,brokers. Colour 1 is always none."
Network = Annotated[str, typer.Argument(help=NETWORK, show_default=False)]
Failures = Annotated[str, typer.Option(help=FAILURES)]
Own = Annotated[Path | None, typer.Option("--scenarios", help="Own scenarios: links and brokers, one a line.")]
EditFile = Annotated[Path | None, typer.Option("--tables", help="CSV of entries that replace computed ones.")]
Master = Annotated[str | None, typer.Option(help="Run on Spark: local[2], spark://..., k8s://...")]
Tolerate = Annotated[
    list[str] | None, typer.Option(help="Report but accept: partitions, loops, tables, deadlines, topics.")
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for Parquet results.")]
KINDS = ("partitions", "loops", "tables", "deadlines", "topics", "micro-loops")


@app.command()
def verify(
    network: Network,
    failures: Failures = "links",
    scenarios: Own = None,
    tables: EditFile = None,
    tolerate: Tolerate = None,
    strict_switching: Annotated[
        bool, typer.Option("--strict-switching", help="Micro-loops while brokers disagree are violations.")
    ] = False,
    switching: Annotated[
        str | None,
        typer.Option(help="Which colours to mix: single, all, none; single, or all with --strict-switching."),
    ] = None,
    observed: Annotated[
        Path | None, typer.Option(help="CSV publisher,subscriber,delivered: locate what is broken.")
    ] = None,
    out: Out = None,
    master: Master = None,
    time_limit: Annotated[
        float | None,
        typer.Option(parser=duration, metavar="TIME", help="Stop after 90s, 5m, 2h; what is left is then UNKNOWN."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")] = False,
) -> None:
    """Does every message get home under every failure? Exit code 0 yes, 1 no, 2 unknown, 3 bad input."""
    from homing.core.result import Limits

    limits = Limits(seconds=time_limit).started()  # reading counts
    from homing.overlay import terminal

    accepted = _accepted(tolerate, strict_switching)
    found, edits = _ask(network, failures, scenarios, tables)
    mixed = _one_of(switching or ("all" if strict_switching else "single"), ("single", "all", "none"))
    options = terminal.VerifyOptions(accepted, mixed, limits, as_json)
    raise typer.Exit(terminal.verify(found, edits, options, failures, observed, out, master))


@app.command()
def plan(
    network: Network,
    failures: Failures = "links",
    scenarios: Own = None,
    broker: Annotated[list[str] | None, typer.Option(help="Print this broker's super routing table.")] = None,
    order: Annotated[str, typer.Option(help="Addresses: 'first seen' or 'destination'.")] = "first seen",
    out: Out = None,
    master: Master = None,
) -> None:
    """Computes the tables of every broker for every failure, and the sizes of their three forms."""
    from homing.overlay import terminal

    found, _ = _ask(network, failures, scenarios, None)
    chosen = _one_of(order, ("first seen", "destination"))
    raise typer.Exit(terminal.plan(found, failures, broker or [], chosen, out, master))


@app.command()
def sweep(
    networks: Annotated[list[str], typer.Argument(help=NETWORK + " Also folders, and topohub:topozoo/*.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for Parquet results; finished networks are kept.")],
    failures: Failures = "links:1-2",
    routes: Annotated[bool, typer.Option("--routes", help="Also write routes and deliveries of every colour.")] = False,
    tolerate: Tolerate = None,
    master: Annotated[str | None, typer.Option(help="Spark's master; this machine if not given.")] = None,
) -> None:
    """Verifies many networks on Spark; started again, it goes on where it was stopped."""
    from homing.overlay import terminal

    raise typer.Exit(terminal.sweep(networks, out, failures, routes, _accepted(tolerate, False), master))


@app.command()
def report(
    network: Network,
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file.")] = Path("overlay.html"),
    failures: Failures = "links",
    scenarios: Own = None,
    tables: EditFile = None,
    tolerate: Tolerate = None,
) -> None:
    """Verifies and writes an HTML page: the network drawn, with what fails on it."""
    from homing.overlay import terminal

    found, edits = _ask(network, failures, scenarios, tables)
    raise typer.Exit(terminal.report(found, edits, _accepted(tolerate, False), out))


@app.command()
def export(
    network: Network,
    smv: Annotated[Path, typer.Option("--smv", help="The NuSMV file; - for stdout.")],
    failures: Annotated[str, typer.Option(help=FAILURES + " With some, the colour is a variable.")] = "none",
    scenarios: Own = None,
    tables: EditFile = None,
    subpaths: Annotated[
        bool, typer.Option("--subpaths/--no-subpaths", help="Leave out routes that are parts of others.")
    ] = True,
    loops: Annotated[bool, typer.Option("--loops/--no-loops", help="Also ask whether messages loop.")] = True,
    hops: Annotated[bool, typer.Option("--hops", help="Also ask about every link by itself.")] = False,
    each_colour: Annotated[
        bool, typer.Option("--each-colour", help="One specification a pair and colour, not one a pair.")
    ] = False,
    down: Annotated[
        str | None, typer.Option(help="Links and brokers that have failed while the tables are still the old ones.")
    ] = None,
) -> None:
    """Writes the network as a NuSMV model: tables, one CTL specification a topic and subscriber, loop detection."""
    from homing.overlay.colours import read_list
    from homing.overlay.export import command
    from homing.overlay.export.smv import Asked, Export

    found, edits = _ask(network, failures, scenarios, tables)
    failed = () if down is None else read_list(found.network, "--down", down)[0]
    asked = Asked(subpaths, loops, hops, each_colour, failed)
    raise typer.Exit(command.run(Export(found, asked, edits), smv))


@app.command()
def locate(
    network: Network,
    observed: Annotated[Path | None, typer.Option(help="CSV publisher,subscriber,delivered (yes or no).")] = None,
    verdicts: Annotated[
        Path | None, typer.Option(help="Of an exported text: homing check --json, or what NuSMV printed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")] = False,
) -> None:
    """Which link or broker has failed, judging by the deliveries that do and do not work? Exit code 1 if any failed."""
    from homing.overlay import locating
    from homing.overlay.readers import load

    raise typer.Exit(locating.run(load(network), observed, verdicts, as_json))


@app.command()
def compare(
    networks: Annotated[
        list[str] | None,
        typer.Argument(metavar="NETWORK", help=NETWORK + " random:32:64 without a seed is many.", show_default=False),
    ] = None,
    what: Annotated[str, typer.Option(help="Of paths, tables, lookup, alternates.")] = "paths,tables,lookup,alternates",
    seeds: Annotated[int, typer.Option(help="How many random networks of a size are drawn.")] = 10,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for plots: SVG, PNG, and data as CSV.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The findings and their tables as JSON on stdout.")] = False,
) -> None:
    """The thesis's comparisons: path lengths beside Resilient Routing Layers, table sizes, lookups, alternates."""
    from homing.overlay.comparing import command

    raise typer.Exit(command.run(networks or [], what, seeds, out, as_json))


@app.command()
def simulate(
    network: Network,
    protocol: Annotated[str, typer.Option(help="Of pcrt, ospf, rrl (Resilient Routing Layers).")] = "pcrt,ospf",
    fail: Annotated[list[str] | None, typer.Option(help="LINK@SECONDS: 2-3@50; also a broker or a risk group.")] = None,
    repair: Annotated[list[str] | None, typer.Option(help="LINK@SECONDS: 2-3@100.")] = None,
    until: Annotated[float | None, typer.Option(help="Seconds to run; else 50 after the last change.")] = None,
    failures: Annotated[str, typer.Option(help="What PCRT has tables for: " + FAILURES)] = "links",
    failure_rate: Annotated[
        float | None, typer.Option(help="Failures at random: of a link, a second that it is up.")
    ] = None,
    mean_repair: Annotated[float, typer.Option(help="Seconds until such a link is repaired, on average.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Of traffic, failures and heartbeats.")] = 1,
    seeds: Annotated[int, typer.Option(help="How many seeds to run; means with 95 % intervals.")] = 1,
    master: Master = None,
    pairs: Annotated[int, typer.Option(help="Pairs that send, where the network has no topics.")] = 20,
    packets: Annotated[float, typer.Option(help="A second, of each pair.")] = 1.0,
    traffic: Annotated[str, typer.Option(help="fixed or poisson.")] = "fixed",
    rate: Annotated[float, typer.Option(help="Of a link, bits a second.")] = 10_000.0,
    buffer: Annotated[int, typer.Option(help="Packets that can wait at a link.")] = 10,
    priority: Annotated[bool, typer.Option("--priority", help="Messages of protocols go before packets.")] = False,
    heartbeat: Annotated[str, typer.Option(help="fixed, or adaptive to load.")] = "fixed",
    interval: Annotated[float, typer.Option(help="Seconds between heartbeats or hellos.")] = 1.0,
    dead: Annotated[float, typer.Option(help="Intervals of silence after which a link is dead.")] = 4.0,
    detection: Annotated[str, typer.Option(help="dead-interval, or at-once by the link itself.")] = "dead-interval",
    flooding: Annotated[str, typer.Option(help="PCRT: links, strict, or colour as in the thesis.")] = "links",
    sequence: Annotated[str, typer.Option(help="PCRT: serial, or plain as in the thesis.")] = "serial",
    layers: Annotated[int, typer.Option(help="Of rrl, beside the network itself.")] = 4,
    setting: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE of any other setting.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for Parquet, CSV and plots.")] = None,
    log: Annotated[Path | None, typer.Option(help="File for the protocol's log, JSON lines.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")] = False,
) -> None:
    """Packet by packet: what is lost, and for how long, until a protocol has acted on a failure."""
    from homing.overlay.simulation import settings as known

    common = {
        "failure_rate": failure_rate, "mean_repair": mean_repair, "seed": seed, "pairs": pairs, "packets": packets,
        "traffic": traffic, "rate": rate, "buffer": buffer, "priority": priority, "heartbeat": heartbeat,
        "interval": interval, "dead": dead, "detection": detection, "flooding": flooding, "sequence": sequence,
        "layers": layers,
    }  # fmt: skip
    settings = known.read(common, setting or [])
    protocols = known.protocols(protocol)
    found, _ = _ask(network, failures, None, None)
    from homing.overlay.simulation import command

    asked = command.Asked(protocols, tuple(fail or ()), tuple(repair or ()), until, seeds, master, out, log, as_json)
    raise typer.Exit(command.run(found, failures, settings, asked))


def _ask(network: str, failures: str, own: Path | None, tables: Path | None) -> tuple[Scenarios, Edits | None]:
    from homing.overlay.colours import read_list, scenarios
    from homing.overlay.edits import read_edits
    from homing.overlay.readers import load, read_text

    loaded = load(network)
    listed = read_list(loaded, str(own), read_text(own)) if own else ()
    found = scenarios(loaded, failures, listed)
    return found, read_edits(tables, read_text(tables), found) if tables else None


def _accepted(tolerate: list[str] | None, strict: bool) -> frozenset[str]:
    chosen = {_one_of(kind, KINDS) for kind in tolerate or []}
    return frozenset(chosen | (set() if strict else {"micro-loops"}))


def _one_of(value: str, allowed: tuple[str, ...]) -> str:
    from homing.core.errors import HomingError

    if value not in allowed:
        raise HomingError(f"unknown choice '{value}'", None, allowed)
    return value
