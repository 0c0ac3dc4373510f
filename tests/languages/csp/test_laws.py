"""The laws of CSP (Hoare, Roscoe) and the points where CSP# has its own, through the whole tool."""

from __future__ import annotations

from pathlib import Path

import pytest

import homing
from homing import checking
from homing.core.result import Options, Report
from homing.core.verdict import Verdict
from homing.languages.csp.assertions import models
from homing.languages.csp.parsing import parse
from homing.languages.csp.program import program
from homing.languages.csp.system import System

DEFINITIONS = """
var x = 0;
var y = 0;
channel c0 0;
channel c1 1;
channel c2 2;
P() = a -> (b -> P() [] c -> Skip);
Q() = d -> Skip;
R() = e -> f -> Skip;
"""
TRACES, FAILURES, DIVERGENCES = "", "<F>", "<FD>"


def reports(text: str) -> list[Report]:
    found = [
        checking.check(model, options=Options(threads=1)) for model in models(program(parse(text, "laws.csp")), "")
    ]
    assert all(report.error is None for report in found), [report.error for report in found]
    return found


def verdicts(text: str) -> list[bool]:
    """Of each assertion about S(), whether it holds."""
    (report,) = reports(DEFINITIONS + text)
    assert all(result.verdict is not Verdict.UNKNOWN for result in report.results)
    return [result.verdict is Verdict.HOLDS for result in report.results]


def refines(left: str, right: str, sense: str = TRACES, more: str = "") -> bool:
    (holds,) = verdicts(f"{more} S() = {left}; T() = {right}; #assert S() refines{sense} T();")
    return holds


def equal(left: str, right: str, sense: str, more: str = "") -> bool:
    return refines(left, right, sense, more) and refines(right, left, sense, more)


def states(text: str) -> int:
    (report,) = reports(DEFINITIONS + text + "#define any true; #assert S() reaches any with max(x);")
    return report.results[0].counts.distinct


LAWS = {
    "interleaving is symmetric": ("P() ||| Q()", "Q() ||| P()"),
    "interleaving is associative": ("(P() ||| Q()) ||| R()", "P() ||| (Q() ||| R())"),
    "nothing to interleave with": ("P() ||| Skip", "P()"),
    "interleaving by steps": ("Q() ||| R()", "d -> (Skip ||| R()) [] e -> (Q() ||| f -> Skip)"),
    "parallel is symmetric": ("P() || (a -> Q())", "(a -> Q()) || P()"),
    "parallel is associative": ("(P() || (a -> Q())) || (d -> R())", "P() || ((a -> Q()) || (d -> R()))"),
    "an event that is shared": ("(a -> Q()) || (a -> R())", "a -> (Q() || R())"),
    "events that are not": ("Q() || R()", "Q() ||| R()"),
    "two that agree": ("P() || P()", "P()"),
    "a choice of the same": ("P() [] P()", "P()"),
    "choice is symmetric": ("P() [] Q()", "Q() [] P()"),
    "choice is associative": ("(P() [] Q()) [] R()", "P() [] (Q() [] R())"),
    "a choice of nothing": ("Stop [] P()", "P()"),
    "external choice of what waits": ("P() [*] Q()", "P() [] Q()"),
    "a choice of events": ("(a, d) -> Q()", "a -> Q() [] d -> Q()"),
    "internal choice of the same": ("P() <> P()", "P()"),
    "internal choice is symmetric": ("P() <> Q()", "Q() <> P()"),
    "a choice before or after": ("a -> (Q() <> R())", "(a -> Q()) <> (a -> R())"),
    "external choice distributes": ("P() [*] (Q() <> R())", "(P() [*] Q()) <> (P() [*] R())"),
    "nothing is hidden": ("P() \\ {nothing}", "P()"),
    "a hidden first event": ("(a -> Q()) \\ {a}", "Q() \\ {a}"),
    "another first event": ("(a -> Q()) \\ {d}", "a -> (Q() \\ {d})"),
    "hiding in sequence": ("(R(); P()) \\ {e, b}", "(R() \\ {e}); (P() \\ {b})"),
    "hiding in what interleaves": ("(P() ||| Q()) \\ {a, d}", "(P() \\ {a}) ||| (Q() \\ {d})"),
    "Skip comes first": ("Skip; P()", "P()"),
    "Skip comes last": ("P(); Skip", "P()"),
    "nothing comes after Stop": ("Stop; P()", "Stop"),
    "sequence is associative": ("(Q(); R()); P()", "Q(); (R(); P())"),
    "a prefix in sequence": ("(a -> Q()); R()", "a -> (Q(); R())"),
    "a choice in sequence": ("(Q() [] R()); P()", "(Q(); P()) [] (R(); P())"),
    "an interrupt that never comes": ("P() interrupt Stop", "P()"),
    "interrupts by steps": ("(a -> Q()) interrupt R()", "a -> (Q() interrupt R()) [] e -> f -> Skip"),
    "indexed choice": ("[] i:{0..1} @ g.i -> Skip", "g.0 -> Skip [] g.1 -> Skip"),
    "indexed interleaving": ("||| i:{0..1} @ g.i -> Skip", "(g.0 -> Skip) ||| (g.1 -> Skip)"),
    "copies": ("|||{2} @ Q()", "Q() ||| Q()"),
    "a guard that is true": ("[x == 0] P()", "P()"),
    "a guard that is false": ("[x == 1] P()", "Stop"),
    "the first case": ("case {x == 0: P() x == 0: Q() default: R()}", "if (x == 0) {P()}"),
    "no case": ("case {x == 1: P() x == 2: Q()}", "if (x == 1) {P()}"),
    "else is Skip": ("if (x == 1) {P()}", "tau -> Skip"),
    "atomic alone": ("atomic {P()}", "P()"),
}


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    left, right = LAWS[law]
    assert equal(left, right, TRACES)
    assert equal(left, right, FAILURES)
    assert equal(left, right, DIVERGENCES)


def test_internal_choice_refuses() -> None:
    external, internal = "a -> Stop [] b -> Stop", "a -> Stop <> b -> Stop"
    assert equal(external, internal, TRACES)
    assert refines(external, internal, FAILURES)
    assert not refines(internal, external, FAILURES)


def test_stop_refuses_everything() -> None:
    assert refines("Stop", "P()", TRACES)
    assert not refines("Stop", "P()", FAILURES)
    assert not refines("Skip", "Stop", TRACES)  # termination is an event
    assert not refines("P() ||| Stop", "P() ||| Skip", FAILURES)


def test_a_hidden_loop_diverges() -> None:
    more = "L() = a -> L();"
    assert verdicts(f"{more} S() = L() \\ {{a}}; #assert S() divergencefree; #assert S() deadlockfree;") == [
        False,
        True,
    ]
    assert refines("L() \\ {a}", "Stop", FAILURES, more)
    assert not refines("L() \\ {a}", "Stop", DIVERGENCES, more)


def test_termination_is_no_deadlock() -> None:
    asked = "#assert S() deadlockfree; #assert S() nonterminating;"
    assert verdicts(f"S() = a -> Skip; {asked}") == [True, False]
    assert verdicts(f"S() = a -> Stop; {asked}") == [False, False]
    assert verdicts(f"L() = a -> L(); S() = L(); {asked}") == [True, True]
    assert verdicts(f"S() = (a -> Skip) ||| Stop; {asked}") == [False, False]


# Choices and conditions


def test_a_guard_is_tested_with_the_first_event() -> None:
    assert equal("[x == 0] a -> Skip ||| b{x = 1;} -> Stop", "a -> b -> Stop [] b -> Stop", TRACES)


def test_if_is_tested_before() -> None:
    assert equal(
        "if (x == 0) {a -> Skip} ||| b{x = 1;} -> Stop", "a -> b -> Stop [] b -> (a -> Stop [] Skip); Stop", TRACES
    )


def test_ifa_is_tested_with_the_first_event() -> None:
    left = "ifa (x == 0) {a -> Skip} else {c -> Skip} ||| b{x = 1;} -> Stop"
    assert equal(left, "a -> b -> Stop [] b -> c -> Stop", TRACES)


def test_ifb_waits() -> None:
    assert equal("ifb (x == 1) {a -> Skip} ||| b{x = 1;} -> Skip", "b -> a -> Skip", FAILURES)


def test_if_costs_a_tau_which_resolves_a_choice() -> None:
    assert refines("if (x == 0) {a -> Stop} [] b -> Stop", "a -> Stop [] b -> Stop", TRACES)
    assert not refines("if (x == 0) {a -> Stop} [] b -> Stop", "a -> Stop [] b -> Stop", FAILURES)
    assert equal("ifa (x == 0) {a -> Stop} [] b -> Stop", "a -> Stop [] b -> Stop", FAILURES)
    assert equal("if (x == 0) {a -> Stop} [*] b -> Stop", "a -> Stop [] b -> Stop", FAILURES)


def test_one_tau_for_nested_internal_choices() -> None:
    assert states("S() = (a -> Stop <> b -> Stop) <> c -> Stop;") == states(
        "S() = a -> Stop <> b -> Stop <> c -> Stop;"
    )


def test_skip_in_front_costs_nothing() -> None:
    for first in ("Skip", "(Skip ||| Skip)", "atomic {Skip}", "(Skip [*] Skip)"):
        assert states(f"S() = {first}; a -> Stop;") == 2
    assert states("S() = (a -> Skip); b -> Stop;") == 3
    assert states("S() = ((a -> Skip) \\ {b}); b -> Stop;") == 4


# Synchronisation


def test_events_with_statements_do_not_synchronise() -> None:
    assert equal("(a -> Skip) || (a -> Skip)", "a -> Skip", FAILURES)
    assert equal("(a{x = 1;} -> Skip) || (a -> Skip)", "a -> a -> Skip", TRACES)
    assert equal("(a{x = 1;} -> Skip) || (a{x = 1;} -> Skip)", "a -> a -> Skip", TRACES)


def test_an_event_outside_of_its_own_alphabet_is_done_alone() -> None:
    more = "#alphabet U {b}; U() = a -> b -> Skip;"
    assert equal("U() || (a -> b -> Skip)", "a -> a -> b -> Skip", TRACES, more)


def test_an_alphabet_blocks_what_is_never_done() -> None:
    more = "#alphabet U {b, d}; U() = b -> Skip;"
    assert equal("U() || (b -> d -> Skip)", "b -> Stop", FAILURES, more)


def test_all_who_share_an_event_take_part() -> None:
    assert equal("(a -> Skip) || (a -> Skip) || (b -> a -> Skip)", "b -> a -> Skip", FAILURES)


def test_a_hidden_event_is_not_shared() -> None:
    assert equal("((a -> Skip) \\ {a}) || (a -> Skip)", "a -> Skip", TRACES)


def test_atomic_runs_through_once_it_began() -> None:
    assert equal("atomic {a -> b -> Skip} ||| d -> Skip", "a -> b -> d -> Skip [] d -> a -> b -> Skip", TRACES)


def test_atomic_gives_way_while_it_is_blocked() -> None:
    left = "atomic {a -> ifb (x == 1) {b -> e -> Skip}} ||| c{x = 1;} -> d -> Skip"
    right = "a -> c -> b -> e -> d -> Skip [] c -> (a -> b -> e -> d -> Skip [] d -> a -> b -> e -> Skip)"
    assert equal(left, right, TRACES)


def test_interrupt() -> None:
    assert equal("(a -> Skip) interrupt (b -> d -> Stop)", "a -> (Skip [] b -> d -> Stop) [] b -> d -> Stop", TRACES)
    assert equal("(a -> Stop) interrupt (tau -> b -> Stop)", "a -> b -> Stop [] b -> Stop", TRACES)
    assert refines("Skip", "P() interrupt Skip")


# Channels


def test_a_buffer_is_first_in_first_out() -> None:
    asked = "#assert S() |= <> g.1.2; #assert S() |= <> g.2.1;"
    assert verdicts(f"S() = c2!1 -> c2!2 -> c2?i -> c2?j -> g.i.j -> Skip; {asked}") == [True, False]


def test_a_full_buffer_blocks() -> None:
    asked = "#define goal x == 1; #assert S() deadlockfree; #assert S() reaches goal;"
    assert verdicts(f"S() = c1!1 -> c1!2 -> a{{x = 1;}} -> Skip; {asked}") == [False, False]
    assert verdicts(f"S() = c2!1 -> c2!2 -> a{{x = 1;}} -> Skip; {asked}") == [True, True]


def test_a_handshake_needs_both() -> None:
    asked = "#assert S() deadlockfree;"
    assert verdicts(f"S() = c0!1 -> Skip; {asked}") == [False]
    assert verdicts(f"S() = c0!1 -> Skip ||| c0?i -> Skip; {asked}") == [True]
    assert verdicts(f"S() = c0!1 -> Skip || c0?i -> Skip; {asked}") == [True]
    assert equal("(c0!1 -> Skip ||| c0?i -> g.i -> Skip)", "c0.1 -> g.1 -> Skip", TRACES)
    assert equal("(c0!1 -> Skip ||| c0?i -> g.i -> Skip) \\ {c0.1}", "tau -> g.1 -> Skip", FAILURES)


def test_an_input_matches_or_binds() -> None:
    def received(pattern: str) -> bool:
        (holds,) = verdicts(f"U(n) = c1?{pattern} -> Skip; S() = c1!1.2 -> U(1); #assert S() deadlockfree;")
        return holds

    assert all(map(received, ("i.j", "1.j", "n.j", "i.2", "i.(n + 1)", "[i < j]i.j", "[j == 2 && x == 0]n.j")))
    assert not any(map(received, ("i", "2.j", "j.n", "i.(n + 2)", "[i > j]i.j", "[x == 1]i.j", "i.j.k")))


def test_a_name_that_is_bound_has_to_match() -> None:
    assert verdicts("S() = c2!1 -> c2!1 -> c2?i -> c2?i -> Skip; #assert S() deadlockfree;") == [True]
    assert verdicts("S() = c2!1 -> c2!2 -> c2?i -> c2?i -> Skip; #assert S() deadlockfree;") == [False]


def test_what_is_asked_of_a_buffer() -> None:
    goals = (
        "call(cempty, c2)",
        "call(cfull, c2)",
        "call(ccount, c2) == 1",
        "call(csize, c2) == 2",
        "call(ccount, c2) > 2",
    )
    for goal, expected in zip(goals, (True, True, True, True, False), strict=True):
        text = f"S() = c2!1 -> c2!2 -> c2?i -> Skip; #define goal {goal}; #assert S() reaches goal;"
        assert verdicts(text) == [expected], goal


def test_guards_and_statements_see_the_buffer_as_it_becomes() -> None:
    assert verdicts("S() = c1!1 -> c1?[call(cempty, c1)]i -> Skip; #assert S() deadlockfree;") == [True]
    text = "S() = c2!1{x = call(ccount, c2);} -> c2!1 -> c2?i{y = call(ccount, c2);} -> Skip;"
    assert verdicts(text + "#define goal x == 1 && y == 1; #assert S() reaches goal;") == [True]


def test_the_sender_goes_first() -> None:
    text = "S() = c0!x{x = 5;} -> Skip ||| c0?i{y = x + i;} -> Skip; #define goal y == 5; #assert S() reaches goal;"
    assert verdicts(text) == [True]


# Data


def test_an_argument_is_evaluated_at_the_first_step() -> None:
    more = "U(i) = g.i -> h.i -> Stop;"
    left = "U(x) ||| b{x = 1;} -> Stop"
    assert refines("g.0 -> b -> h.0 -> Stop", left, TRACES, more)
    assert refines("b -> g.1 -> h.1 -> Stop", left, TRACES, more)
    assert not refines("g.0 -> b -> h.1 -> Stop", left, TRACES, more)


def test_an_argument_is_evaluated_once() -> None:
    text = "U(i) = a{x = i; y = i;} -> Stop; S() = U(x + 1); #define goal x == 1 && y == 1; #assert S() reaches goal;"
    assert verdicts(text) == [True]


def test_what_leaves_its_range_is_an_error() -> None:
    text = "var z:{0..2} = 0; L() = a{z++;} -> L(); #define goal z == 9; #assert L() reaches goal;"
    (model,) = models(program(parse(text, "laws.csp")), "")
    report = checking.check(model, options=Options(threads=1))
    assert report.error is not None
    assert "out of its range 0..2" in str(report.error)


def test_hidden_variables_do_not_tell_states_apart() -> None:
    loop = "L() = a{z = (z + 1) % 5;} -> L(); S() = L();"
    assert states(f"var z = 0; {loop}") == 5
    assert states(f"hvar z = 0; {loop}") == 1


# Formulas


@pytest.mark.parametrize(
    ("process", "formula", "holds"),
    [
        ("a -> Stop", "a", False),  # an event holds in the state that it leads to
        ("a -> Stop", "X a", True),
        ("a -> Stop", "<> a", True),
        ("a -> Stop", "[]<> a", False),  # what has ended stutters without an event
        ("a -> Stop", "<>[] !a", True),
        ("a -> Skip", "<> terminate", True),
        ("(a -> Stop) [] (b -> Stop)", "<> a", False),
        ("(a -> Stop) [] (b -> Stop)", "<> (a || b)", True),
        ("a{x = 1;} -> Stop", "X one", True),
        ("a{x = 1;} -> Stop", "[] (a -> one)", True),
        ("a{x = 1;} -> Stop", "!one U a", True),
        ("if (x == 0) {a -> Stop}", "X a", False),  # a tau is a step
        ("if (x == 0) {a -> Stop}", "X X a", True),
        ("g.1 -> Stop", "<> g.1", True),
        ("g.1 -> Stop", "<> g.2", False),
        ("c1!1 -> c1?i -> Stop", '<> "c1!1"', True),
        ("c1!1 -> c1?i -> Stop", '<> "c1?1"', True),
        ("c1!1 -> c1?i -> Stop", '<> "c1?2"', False),
        ("c0!1 -> Stop ||| c0?i -> Stop", "<> c0.1", True),
    ],
)
def test_formula(process: str, formula: str, holds: bool) -> None:
    assert verdicts(f"S() = {process}; #define one x == 1; #assert S() |= {formula};") == [holds]


# What once went wrong


def test_nodes_at_one_place_are_not_mixed_up() -> None:
    assert equal("(Skip; Stop) [] a -> Skip", "a -> Skip", FAILURES)


def test_termination_with_a_condition() -> None:
    text = "S() = (ifa (x == 1) {Skip} else {a -> Skip}) || b{x = 1;} -> Skip; #assert S() deadlockfree;"
    assert verdicts(text) == [True]


def test_a_composition_at_the_end_terminates() -> None:
    more = "U(i) = (a -> Skip) || (b -> Skip); V() = Skip; (a -> Skip ||| b -> Skip);"
    assert equal("U(x) ||| d -> Skip", "a -> Skip ||| b -> Skip ||| d -> Skip", FAILURES, more)
    assert equal("V() ||| d -> Skip", "a -> Skip ||| b -> Skip ||| d -> Skip", FAILURES, more)


def test_an_argument_that_became_known_is_as_good_as_a_constant() -> None:
    text = "V(i) = Skip; U(i) = (a -> Skip); V(i);"
    assert states(f"{text} S() = U(x); b -> Stop;") == states(f"{text} S() = U(0); b -> Stop;") == 3


def test_what_is_hidden_may_depend_on_what_is_received() -> None:
    left = "c1!1 -> c1?i -> ((g.i -> h.i -> Skip) \\ {g.i}) ||| d -> Skip"
    assert equal(left, "c1!1 -> c1?i -> h.1 -> Skip ||| d -> Skip", TRACES)


def test_who_does_a_step_does_not_count_for_determinism() -> None:
    assert verdicts("S() = (a -> b -> Skip) ||| (a -> d -> Skip); #assert S() deterministic;") == [False]


def test_arrays_are_assigned_as_a_whole() -> None:
    text = "var from = [1, 2]; var to[2]; S() = a{to = from; from[0] = 7;} -> b{from = to;} -> Stop;"
    asks = "#define copied to[0] == 1 && to[1] == 2 && from[0] == 7; #define back from[0] == 1 && to[1] == 2;"
    more = "#define wrong to[0] == 7; #assert S() reaches copied; #assert S() |= <> back; #assert S() reaches wrong;"
    assert verdicts(text + asks + more) == [True, True, False]


def test_an_event_may_be_named_as_a_handshake_is_shown() -> None:
    assert equal("c0!1 -> Skip ||| c0?i -> Skip", "c0.1 -> Skip", FAILURES)
    assert not refines("c0!1 -> Skip ||| c0?i -> Skip", "c0.2 -> Skip")


def test_no_copies_of_a_process_only_terminate() -> None:
    more = "#define NONE 0; "
    assert equal("|||{NONE}@P()", "Skip", FAILURES, more)
    assert equal("Q() ||| (|||{NONE}@P())", "Q()", FAILURES, more)


def test_coming_back_behind_a_guard() -> None:
    more = "U(i) = [x == i] U((i + 1) % 3) [] [x != i] f.i -> Stop; V() = [x == 0] V() [] [x == 1] a -> Stop;"
    assert equal("U(0)", "f.1 -> Stop", FAILURES, more)
    assert equal("V()", "Stop", FAILURES, more)


def test_a_condition_in_braces() -> None:
    text = "#define one {x == 1}; #define more(i) {x > i}; S() = a{x = 1;} -> Stop;"
    assert verdicts(f"{text} #assert S() reaches one; #assert S() |= <> call(more, 0);") == [True, True]


def test_the_range_of_a_parameter() -> None:
    text = "U(i:{0..2}, j) = [x < 2] a{x = x + i;} -> U(i - 1, j) [] [x >= 2] b -> Stop;"
    assert verdicts(f"{text} S() = U(2, 5); #assert S() deadlockfree; #assert S() |= <> b;") == [False, True]


def test_what_is_launched_is_surveyed_once() -> None:
    """The common states of what comes after an initialisation are more than a survey may look at."""
    parts = " ||| ".join(f"W({number})" for number in range(9))
    text = f"W(i) = [x < 2] u.i{{x = x + 1;}} -> v.i -> w.i -> W(i); S() = (a -> Skip); ({parts}); "
    (model,) = models(program(parse(DEFINITIONS + text + "#assert S() deadlockfree;", "laws.csp")), "")
    assert isinstance(model.system, System)
    assert model.system.sorter is not None


ENGINES = ["local", "symbolic", "spark"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_condition_without_a_temporal_operator_is_about_the_first_state(engine: str, tmp_path: Path) -> None:
    """However it is written: a name, a comparison, a macro with parameters, a truth value."""
    text = """
        var x = 0; #define zero x == 0; #define is(n) x == n;
        S() = a{x = 1} -> S();
        #assert S() |= zero; #assert S() |= x == 0; #assert S() |= (zero); #assert S() |= is(0); #assert S() |= !is(1);
        #assert S() |= zero && zero; #assert S() |= true;
        #assert S() |= [] zero; #assert S() |= [] x == 0; #assert S() |= [] is(0); #assert S() |= [](zero && zero);
        #assert S() |= is(1); #assert S() |= x == 1; #assert S() |= false; #assert S() |= !zero;
    """
    file = tmp_path / "first.csp"
    file.write_text(text)
    report = homing.load(file).check(engine=engine, options=Options(threads=1))
    assert report.error is None
    assert [result.verdict is Verdict.HOLDS for result in report.results] == [True] * 7 + [False] * 8


ASSERTING = [
    "q -> Skip ||| assert(y == 2)",
    "assert(y == 2) ||| q -> Skip",
    "Ever() ||| assert(y == 2)",
    "assert(y == 2) || a -> q -> Skip",
    "Ever() || (b -> Skip; assert(y == 2))",
    "(Skip ||| assert(y == 2)); Ever()",
    "Ever() ||| (assert(y == 2) \\ {a})",
    "Ever() ||| (assert(y == 2) [*] b -> Skip)",
    "b{y = 2} -> Ever() ||| [y == 1] c -> assert(y == 2)",
]


@pytest.mark.parametrize("process", ASSERTING)
def test_an_assertion_is_asked_whoever_it_terminates_with(process: str) -> None:
    text = f"var y = 1; Ever() = a -> Ever(); S() = {process}; #assert S() deadlockfree;"
    (model,) = models(program(parse(text, "laws.csp")), "")
    report = checking.check(model, options=Options(threads=1))
    assert report.error is not None
    assert "the assertion is false here" in str(report.error)


@pytest.mark.parametrize("process", ASSERTING)
def test_an_assertion_that_is_true_is_no_step(process: str) -> None:
    asserted = process.replace("y == 1", "y == 0").replace("y == 2", "y <= 2")
    more = "Ever() = a -> Ever();"
    assert equal(asserted, asserted.replace("assert(y <= 2)", "Skip"), DIVERGENCES, more)
