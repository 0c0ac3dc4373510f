"""Uses every kernel, so that each is compiled once and not by every process of pytest for itself.

`python -m tests.kernels PART...`: one part after the other; `graphs` and `timed` need kernels that `local` compiles.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import homing
from homing.core.result import Limits, Options
from homing.core.wrappers import Constrained, Symmetric

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "models" / "demo"
TIMED = ROOT / "benchmarks" / "uppaal"
REFINING = """
P() = a -> (b -> P() [] c -> P());
Q() = a -> b -> Q();
#assert Q() refines P();
#assert Q() refines<F> P();
#assert Q() refines<FD> P();
#assert P() |= []<>b;
#assert Q() |= []<>c;
"""


def local(folder: Path) -> None:
    """Systems of each kind: plain, joint, constrained, symmetric; searched, stopped, resumed, and as graphs."""
    from homing.engines.local.engine import check
    from homing.engines.local.graph import explore
    from tests.engines.test_local import TINY
    from tests.systems import JointSystem, RandomSystem, Team, model_of

    plain, team = RandomSystem(7, 3, 4, 2, 12, 2), Team(1, 3, 2)
    kinds = (plain, JointSystem(7, 3, 3, 2, 6, 2), Constrained(plain, ["l0"]), Symmetric(team, [team.names]))
    for system in kinds:
        checkpoint = folder / "search.checkpoint"
        check(model_of(system), Options(threads=1, limits=Limits(states=20), checkpoint=checkpoint), TINY)
        check(model_of(system), Options(threads=1, checkpoint=checkpoint, resume=True), TINY)
        explore(system, 2, TINY)


def graphs(folder: Path) -> None:
    """Fairness, lassos, branching time, refinement."""
    refining = folder / "refining.csp"
    refining.write_text(REFINING)
    branching = ROOT / "models" / "overlay" / "three_brokers.smv"
    for file in (*DEMO.glob("*.py"), *DEMO.glob("faults/*.py"), branching, refining):
        homing.load(file, python=True, fairness="process-strong").check()
    homing.load(refining, fairness="strong-global").check()


def spark(folder: Path) -> None:
    """Partitions, and graphs in pieces, in this process."""
    from homing.core.result import Distribution
    from homing.engines.spark.engine import check
    from homing.engines.spark.preparing import Prepared
    from homing.engines.spark.rounds import Here
    from tests.engines.spark.counters import counters
    from tests.systems import JointSystem, RandomSystem, Team, model_of

    def here(prepared: Prepared) -> Here:
        return Here(prepared.job.folder)

    team = Team(1, 3, 2)
    for system in (RandomSystem(7, 3, 4, 2, 12, 2), JointSystem(7, 3, 3, 2, 6, 2), Symmetric(team, [team.names])):
        check(model_of(system), Options(distribution=Distribution(partitions=4, folder=str(folder / "run"))), here)
    # So many states that tables grow.
    check(counters(5, 6), Options(distribution=Distribution(partitions=2, folder=str(folder / "run"))), here)
    pieces = Distribution(partitions=4, folder=str(folder / "run"), most_edges=0)
    refining = folder / "refining.csp"
    refining.write_text(REFINING)
    for file in (*DEMO.glob("*.py"), DEMO / "faults" / "never_replies.py", refining):
        homing.load(file, python=True).check(engine="spark", options=Options(distribution=pieces))
    homing.load(refining, fairness="strong-global").check(engine="spark", options=Options(distribution=pieces))


def timed(folder: Path) -> None:
    """Systems of each kind that tests draw, and zones by themselves."""
    from homing.timed import zones
    from homing.timed.kernels import calls
    from tests.engines.spark.timed.agreeing import checked, spread
    from tests.languages.uppaal.test_random import KINDS, compare

    for kind in KINDS:
        for seed in range(4):
            compare(folder, seed, kind)
    for file in ("bridge.xml", "fischer.xml"):
        homing.load(TIMED / file).check()
    (model,) = homing.load(TIMED / "fischer.xml").models
    checked(model, spread(folder))
    zone = zones.up(zones.zero(1))
    zones.includes(zone, zones.extrapolate_m(zone, [0, 1]))
    zones.subtract(zone, [zones.zero(1)])
    zones.delay_within(zone, [zone])
    calls.hash_of(zones.matrix(zone))


def overlay(folder: Path) -> None:
    """Few colours and many, with results in files."""
    from homing.overlay.__main__ import main
    from homing.overlay.chunks import warm

    warm()
    main(["verify", str(ROOT / "networks" / "exchange.toml"), "-o", str(folder)])


PARTS = {part.__name__: part for part in (local, graphs, spark, timed, overlay)}

if __name__ == "__main__":
    for name in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            PARTS[name](Path(folder))
