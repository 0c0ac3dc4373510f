"""The community's modules, and what of TLC's own is honoured; every assumption here TLC makes, too."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, verdicts, write

import homing
from homing import cli
from homing.core.errors import HomingError
from homing.languages.tla import load_one
from homing.languages.tla.modules import STANDARD

BEFORE = """
EXTENDS Integers, Sequences, FiniteSets, TLC
D == INSTANCE Graphs
U == INSTANCE UndirectedGraphs
Q == INSTANCE Quorum
V == INSTANCE VectorClocks
IO == INSTANCE IOUtils
X == INSTANCE TLCExt
g == [node |-> 1..4, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 1>>, <<3, 4>>}]
tree == [node |-> {"a", "b", "c"}, edge |-> {<<"b", "a">>, <<"c", "a">>}]
h == [node |-> 1..4, edge |-> {{1, 2}, {2, 3}, {4}}]
less == [p \\in (1..3) \\X (1..3) |-> p[1] < p[2]]
"""

TRUE = r"""
D!IsDirectedGraph(g) /\ ~D!IsUndirectedGraph(g) /\ D!IsDag(tree) /\ D!HasCycle(g)
D!Transpose(tree).edge = {<<"a", "b">>, <<"a", "c">>}
<<1, 2, 3, 1, 2>> \in D!Path(g) /\ <<1, 3>> \notin D!Path(g) /\ <<>> \notin D!Path(g)
D!SimplePath(tree) = {<<"a">>, <<"b">>, <<"c">>, <<"b", "a">>, <<"c", "a">>}
D!AreConnectedIn(1, 4, g) /\ ~D!AreConnectedIn(4, 1, g) /\ D!AreConnectedIn(4, 4, g) /\ ~D!AreConnectedIn(9, 9, g)
~D!IsStronglyConnected(g) /\ D!IsTreeWithRoot(tree, "a") /\ ~D!IsTreeWithRoot(tree, "b")
<<D!Ancestors(g, 1), D!Descendants(g, 4), D!Descendants(tree, "b")>> = <<{1, 2, 3}, {}, {"a"}>>
<<D!Roots(tree), D!Leaves(tree), D!InDegree(tree, "a"), D!OutDegree(g, 3)>> = <<{"b", "c"}, {"a"}, 2, 2>>
D!ConnectionsIn(g)[1, 4] /\ ~D!ConnectionsIn(g)[4, 1] /\ D!ConnectionsIn(g)[4, 4]
D!AllSuccessors(g, {1, 3}) = {1, 2, 4} /\ D!AllPredecessors(g, {1, 4}) = {3}
D!GraphUnion(tree, D!EmptyGraph) = tree /\ D!IsBipartiteWithPartitions(tree, {"a"}, {"b", "c"})
Cardinality(D!Graphs({1, 2})) = 16 /\ Cardinality(D!DirectedSubgraph(tree)) = 13
U!ConnectedComponents(h) = {{1, 2, 3}, {4}} /\ U!IsUndirectedGraph(h) /\ ~U!IsLoopFreeUndirectedGraph(h)
U!AreConnectedIn(3, 1, h) /\ <<3, 2, 1>> \in U!SimplePath(h) /\ ~U!IsStronglyConnected(h)
Cardinality(U!UndirectedGraphs({1, 2})) = 8
D!IsTransitive(less, 1..3) /\ D!IsIrreflexive(less, 1..3) /\ ~D!IsSymmetric(less, 1..3)
D!IsStrictlyTotallyOrdered(less, 1..3) /\ D!IsTotallyOrderedUnder(LAMBDA a, b : a <= b, 1..3)
~D!IsPartiallyOrderedUnder(LAMBDA a, b : a < b, 1..3)
D!TransitiveClosure([p \in (1..3) \X (1..3) |-> p[2] = p[1] + 1], 1..3) = less
~D!IsConnected(less, 1..3) /\ D!ReflexiveTransitiveClosure(less, 1..3)[2, 2]
Cardinality(Q!QuorumSystem({1, 2})) = 3
V!IsCausalOrder(<<[a |-> 1], [a |-> 1, b |-> 1]>>, LAMBDA e : e)
~V!IsCausalOrder(<<[a |-> 2], [a |-> 1]>>, LAMBDA e : e)
IO!atoi("17") = 17 /\ IO!zeroPadN(7, 3) = "007"
X!AssertEq(1, 1) /\ X!TLCNoOp(3) = 3
TLCSet(1, 2) /\ TLCSet("exit", FALSE) /\ TLCGet("config").mode = "bfs" /\ TLCGet("config").worker = 1
TLCGet("level") = 0
"""


@pytest.mark.parametrize("assumption", TRUE.strip().splitlines())
def test_assumptions(assumption: str, tmp_path: Path) -> None:
    assert verdicts(check(tmp_path, f"{BEFORE}ASSUME {assumption}", "")) == {"assumptions": "HOLDS"}


@pytest.mark.parametrize(
    ("assumption", "said"),
    [
        ("D!Descendants(g, 9) = {}", "9 is no node of"),
        ("D!IsDag(3)", "3, an integer, is no function to apply to"),
        ("V!CausalOrder(<<>>, LAMBDA e : e, LAMBDA e : e, LAMBDA e : e) = <<>>", "'CausalOrder' is not supported"),
        ('IO!atoi("x") = 1', 'atoi is applied to "x"'),
        ('TLCSet("exit", TRUE)', "'TLCSet' is not supported: it tells TLC how to run"),
        ("IO!IOExec(<<>>).exitValue = 0", "'IOExec' is not supported"),
        ("D!IsSymmetric([p \\in {<<1, 1>>} |-> 2], {1})", "a relation is 2, an integer, where a boolean is wanted"),
    ],
)
def test_complaints(assumption: str, said: str, tmp_path: Path) -> None:
    assert said in complaint(tmp_path, f"{BEFORE}ASSUME {assumption}", "")


def test_what_a_module_extends_comes_along(tmp_path: Path) -> None:
    spec = "EXTENDS SequencesExt\nASSUME Len(<<1>>) + Max({1, 2}) = 3 /\\ IsFiniteSet({}) /\\ ToSet(<<1>>) = {1}"
    assert verdicts(check(tmp_path, spec, "")) == {"assumptions": "HOLDS"}


def test_a_definition_is_not_hidden_by_what_comes_along(tmp_path: Path) -> None:
    (tmp_path / "Own.tla").write_text("---- MODULE Own ----\nMax(a, b) == <<a, b>>\n====\n", "utf-8")
    spec = "EXTENDS Own, SequencesExt\nINSTANCE FiniteSetsExt\nASSUME Max(1, 2) = <<1, 2>> /\\ Min({1, 2}) = 1"
    assert verdicts(check(tmp_path, spec, "")) == {"assumptions": "HOLDS"}


def test_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A specification may depend on it; then so does what a run that is saved can be continued with."""
    spec = """
        EXTENDS Integers, IOUtils
        VARIABLE x
        Most == IF "HOMING_MOST" \\in DOMAIN IOEnv THEN atoi(IOEnv.HOMING_MOST) ELSE 3
        Init == x = 0
        Next == x < Most /\\ x' = x + 1
        """
    found = []
    for most in (None, "7"):
        if most is not None:
            monkeypatch.setenv("HOMING_MOST", most)
        path = write(tmp_path, spec, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")
        for env in ((), ("HOMING_MOST", "HOMING_NOT_SET")):
            report = homing.load(path, env=env).check()
            found.append((report.results[0].counts.distinct, load_one(path, env=env).digest))
    assert [distinct for distinct, _ in found] == [4, 4, 4, 8]  # seen only where it is named
    assert found[0][1] == found[1][1] == found[2][1] != found[3][1]


def test_the_environment_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMING_SECRET", "open sesame")
    monkeypatch.setenv("HOMING_KNOWN", "well known")
    spec = "EXTENDS IOUtils\nVARIABLE x\nInit == x = IOEnv\nNext == UNCHANGED x\nInv == FALSE"
    path = write(tmp_path, spec, "INIT Init\nNEXT Next\nINVARIANT Inv")
    for arguments, seen in (((), []), (("--env", "HOMING_KNOWN"), ["well known"])):
        for command in (("check", "--trace", "table"), ("simulate", "--random", "--steps", "1", "--trace", "table")):
            out = io.StringIO()
            with redirect_stdout(out):
                cli.run([command[0], str(path), *command[1:], *arguments])
            assert "open sesame" not in out.getvalue()
            assert [text for text in ("well known",) if text in out.getvalue()] == seen


def test_a_configuration_names_nothing_outside_its_folder(tmp_path: Path) -> None:
    text = "---- MODULE Out ----\nVARIABLE x\nInit == x = 0\nNext == UNCHANGED x\n====\n"
    inside = tmp_path / "inside"
    for folder in (tmp_path, inside, inside / "deeper", inside / "faults"):
        folder.mkdir(exist_ok=True)
        (folder / "Out.tla").write_text(text)
    for name in ("../Out.tla", "deeper/../../Out.tla", str(tmp_path / "Out.tla"), "../inside/../Out.tla"):
        (inside / "M.cfg").write_text(f"\\* SPEC {name}\nINIT Init\nNEXT Next\n")
        with pytest.raises(HomingError, match=r"M\.cfg: names '.*Out\.tla', which is outside its folder"):
            load_one(inside / "M.cfg")
    for folder, name in ((inside, "Out.tla"), (inside, "deeper/Out.tla"), (inside / "faults", "../Out.tla")):
        (folder / "M.cfg").write_text(f"\\* SPEC {name}\nINIT Init\nNEXT Next\n")
        assert load_one(folder / "M.cfg").name == str(folder / "M.cfg")


NAMES = (Path(__file__).parent / "recorded" / "operators.names").read_text("utf-8").splitlines()[1:]
ABSENT = {
    "RealTime": "TLC cannot handle it either",
    "HTML": "its values are pages for browsers",
}


@pytest.mark.parametrize("line", NAMES)
def test_every_operator_that_readers_of_a_module_have(line: str) -> None:
    module, _, names = line.partition(":")
    if module in ABSENT:
        assert module not in STANDARD
    else:
        assert set(names.split()) - STANDARD[module].keys() == set()
