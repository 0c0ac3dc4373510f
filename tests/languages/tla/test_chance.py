"""What is drawn at random: the same for a seed, on every engine and with every number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import complaint, write

from homing import checking
from homing.core.model import Model
from homing.core.result import Distribution, Options
from homing.languages.tla import load_one

SPEC = """
EXTENDS Naturals, TLC, Randomization, FiniteSets
VARIABLES x, f, s
Some == RandomSubset(3, 1..10)
ASSUME RandomElement(1..3) \\in 1..3 /\\ Cardinality(Some) = 3
ASSUME TestRandomSetOfSubsets(4, 2, 1..5) \\in [1..5 -> 1..4]
Init == x = 0 /\\ f = [c \\in 1..6 |-> RandomElement(1..1000)] /\\ s \\in RandomSubset(5, [1..20 -> 1..30])
Next == x' = RandomElement(0..99) /\\ UNCHANGED <<f, s>>
Drawn ==
    /\\ x \\in 0..99 /\\ f[1] # f[2] /\\ s \\in [1..20 -> 1..30]
    /\\ Some \\subseteq 1..10 /\\ RandomSetOfSubsets(3, 2, 1..5) \\subseteq SUBSET (1..5)
    /\\ RandomElement([a : {x}, b : SUBSET {1}]) \\in [a : 0..99, b : SUBSET {1}]
Same == [][Some' = Some]_x
"""
CONFIG = "INIT Init NEXT Next INVARIANT Drawn PROPERTY Same"


def _model(folder: Path, seed: int = 0) -> Model:
    return load_one(write(folder, SPEC, CONFIG), seed=seed)


def _found(model: Model, engine: str = "local", options: Options | None = None) -> tuple[int, int, int]:
    report = checking.check(model, engine, options or Options(threads=1))
    assert [result.verdict.name for result in report.results] == ["HOLDS"] * 3
    assert report.engine["seed"] == model.seed
    counts = report.results[0].counts
    return counts.distinct, counts.generated, counts.depth


def test_engines_and_threads_draw_the_same(tmp_path: Path) -> None:
    wanted = _found(_model(tmp_path))
    assert wanted[0] > 10  # each state draws anew
    spread = Options(distribution=Distribution(partitions=3, folder=str(tmp_path / "run"), most_edges=0))
    assert _found(_model(tmp_path), "local", Options(threads=3)) == wanted
    assert _found(_model(tmp_path), "symbolic") == wanted
    assert _found(_model(tmp_path), "spark", spread) == wanted


def test_another_seed_is_another_model(tmp_path: Path) -> None:
    models = [_model(tmp_path, seed) for seed in range(4)]
    assert len({tuple(map(str, model.system.initial())) for model in models}) == 4
    assert len({model.digest for model in models}) == 4


def test_a_model_that_draws_nothing_has_no_seed(tmp_path: Path) -> None:
    spec = "VARIABLE x\nInit == x = 0\nNext == x' = x"
    assert load_one(write(tmp_path, spec, "INIT Init NEXT Next"), seed=3).seed is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("RandomElement({})", "an element of {} cannot be drawn"),
        ("RandomElement(Nat)", "the elements of Nat cannot be listed"),
        ("RandomSubset(-1, 1..3)", "RandomSubset is given -1, not a natural number"),
        ("RandomSetOfSubsets(2, 9, 1..3)", "asks for more than a set of 3 elements has"),
    ],
)
def test_what_cannot_be_drawn(text: str, said: str, tmp_path: Path) -> None:
    """TLC refuses all of these, too."""
    spec = f"EXTENDS Integers, TLC, Randomization\nASSUME {text} = {text}"
    assert said in complaint(tmp_path, spec, "")
