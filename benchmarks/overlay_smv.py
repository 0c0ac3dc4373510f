"""Networks as NuSMV text, beside the thesis's figures: what sub-path detection leaves, how long writing takes, how
often its shortcut for ways back is wrong, and all pairs of fifty brokers checked from the text.

Times are processor time, since what others do on the machine only ever adds; the thesis's are of its own machine. Paths
are counts, and can be compared.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks import ratios
from benchmarks.table import show
from homing.overlay.colours import scenarios
from homing.overlay.export.smv import Asked, Export
from homing.overlay.export.subpaths import cover, ways_back
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.reproducing.measures.networks import with_topics

FIFTY = str(Path(__file__).parent.parent / "networks" / "fifty_brokers.toml")
THESIS = {10: (30, 2, 7), 100: (200, 7, 67), 1000: (550, 18, 318), 10_000: (588, 37, 58_627)}  # Table 5-5
SUBSCRIBERS = 5
SEEDS = 10
BEST_OF = 3


def written(network: Network, asked: Asked) -> tuple[Export, str, float]:
    """The text, and milliseconds from the network to it."""
    at = time.process_time()
    export = Export(scenarios(network, "none"), asked)
    text = "\n".join(export.lines())
    return export, text, (time.process_time() - at) * 1000


def left() -> list[list[str]]:
    """Table 5-5."""
    rows = []
    network = load(FIFTY)
    for topics, (paths, with_ms, without_ms) in THESIS.items():
        printed, ordered, fewest, ms, plain_ms = [], [], [], [], []
        for seed in range(SEEDS):
            full = with_topics(network, topics, seed)
            export, _, spent = written(full, Asked())
            printed.append(len(export.shortcut.checked))
            ordered.append(len(cover(export.hops, export.pairs, longest_first=False).checked))
            fewest.append(len(export.cover.checked))
            ms.append(spent)
            if seed < 2:
                plain_ms.append(written(full, Asked(subpaths=False))[2])
        what = f"fifty brokers, {topics:,} topics as NuSMV text"
        ratios.add(what, "the thesis, its machine", f"{min(ms):.0f} ms", f"{with_ms} ms", with_ms / min(ms))
        rows.append(
            [
                f"{topics:,}", f"{topics * SUBSCRIBERS:,}", str(paths), mean(printed), mean(ordered), mean(fewest),
                f"{with_ms}", f"{min(ms):.0f}", f"{without_ms:,}", f"{min(plain_ms):.0f}",
            ]
        )  # fmt: skip
    return rows


def mean(numbers: list[int]) -> str:
    return f"{sum(numbers) / len(numbers):.0f}"


def backwards() -> list[list[str]]:
    """Ways back that the pseudo-code marks as checked, all pairs of each network asked for."""
    rows = []
    sources = ["random:50:100:seed=7", "random:384:768:seed=1", "topohub:topozoo/TataNld", "topohub:topozoo/Abilene"]
    for source in [FIFTY, *sources]:
        network = replace(load(source), topics=())
        export = Export(scenarios(network, "none"))
        found, (parts, other) = export.shortcut, ways_back(export.hops)
        rows.append(
            [
                f"{network.name} ({len(network.brokers)}/{len(network.links)})",
                f"{found.backwards:,}",
                f"{found.wrong_backwards:,}",
                f"{100 * found.wrong_backwards / max(found.backwards, 1):.1f} %",
                f"{found.wrong - found.wrong_backwards}",
                f"{len(found.unchecked):,}",
                f"{100 * other / max(parts, 1):.1f} %",
            ]
        )
    return rows


def checked() -> list[str]:
    """All pairs of fifty brokers: written, read back and checked."""
    from homing import load as load_model

    network = replace(load(FIFTY), topics=())
    export, text, write_ms = written(network, Asked(subpaths=False, loops=False))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fifty.smv"
        file.write_text(text)
        load_model(file).check()  # kernels are compiled before the clock starts
        times = []
        for _ in range(BEST_OF):
            at = time.process_time()
            model = load_model(file)
            read = time.process_time() - at
            report = model.check()
            times.append((time.process_time() - at, read))
    total, read = min(times)
    verdicts = {result.verdict.name for result in report.results}
    return [
        f"{len(export.specs):,}",
        f"{write_ms / 1000:.2f}",
        f"{read:.2f}",
        f"{total - read:.2f}",
        f"{total:.2f}",
        "/".join(sorted(verdicts)),
    ]


def main() -> None:
    written(load(FIFTY), Asked())  # compiled before the clock starts
    head = ["topics", "paths", "left: thesis", "its code", "sound", "sound, longest first"]
    show([*head, "ms: thesis", "ours", "ms without: thesis", "ours"], left())
    print()
    show(
        ["all pairs of", "ways back marked", "wrong", "", "wrong forwards", "never checked", "of all parts of routes"],
        backwards(),
    )
    print()
    export, text, ms = written(load("random:384:768:seed=1:topics=1000"), Asked())
    lines, specs = text.count("\n"), len(export.specs)
    print(
        f"384 brokers, 1000 topics: {lines:,} lines, {specs:,} specifications in {ms / 1000:.2f} s (thesis: 2591 s)\n"
    )
    show(["specifications", "written s", "read s", "checked s", "read and checked s", "verdicts"], [checked()])


if __name__ == "__main__":
    main()
