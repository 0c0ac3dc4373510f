"""Results for people: the answer in the first line, then a table, then how it came about."""

from __future__ import annotations

from homing.core.errors import HomingError
from homing.core.result import Counts, Report, Result
from homing.core.verdict import Verdict, worst
from homing.core.witness import Trace
from homing.report import table
from homing.report.outcome import Outcome
from homing.report.output import Output
from homing.report.wording import duration, memory, plural, printable, remark

GOOD, BAD = table.STYLES[Verdict.HOLDS], table.STYLES[Verdict.VIOLATED]


class TextReport:
    """Shows each outcome as it comes; `trace` is how to show traces, and that those of what holds are wanted too.

    Without it, a trace with messages is shown as a chart, any other as a table.
    """

    def __init__(self, out: Output, errors: Output, trace: str | None = None) -> None:
        self.out = out
        self.errors = errors
        self._all_traces = trace is not None
        self._form = trace
        self._said: set[str] = set()

    def show(self, outcome: Outcome) -> None:
        """One model."""
        if outcome.differences is not None:
            self._comparison(outcome)
        elif outcome.report is not None:
            self._report(outcome.report)
        if outcome.failure is not None:
            self.error(outcome.failure, outcome.report.error_trace if outcome.report else None)

    def error(self, error: HomingError, trace: Trace | None = None) -> None:
        """One sentence, once, and the way to where it happened."""
        sentence = printable(str(error) if error.place else f"homing: {error}")
        if sentence in self._said:
            return
        self._said.add(sentence)
        self.errors.unwrapped(sentence, "red")
        if trace is not None:
            self.errors.say("  in the last state of this trace:" if len(trace) else "  in this initial state:")
            self._trace(self.errors, trace, "table")  # what went wrong there is in the values

    def note(self, text: str) -> None:
        """Something to know about the run, not about a model."""
        self.errors.unwrapped(f"homing: {printable(text)}")

    def total(self, outcomes: list[Outcome]) -> None:
        """All models together, where there is more than one."""
        if len(outcomes) < 2:
            return
        if any(outcome.differences is not None for outcome in outcomes):
            different = sum(outcome.exit_code != 0 for outcome in outcomes)
            text = f"{different} of {len(outcomes)} models differ" if different else f"all {len(outcomes)} as expected"
            self.out.say(text, BAD if different else GOOD)
            return
        self.out.say(_sum(outcomes), table.STYLES[worst(outcome.verdict for outcome in outcomes)])
        self.out.say("")
        self.out.table(table.of_models(outcomes, self.out.width))

    # One model

    def _report(self, report: Report) -> None:
        self.out.say(headline(report), table.STYLES[report.verdict])
        if report.results:
            self.out.say("")
            self.out.table(table.of_properties(report.results))
            self.out.say("")
            self._searches(report.results)
        self._unknown(report)
        for note in report.engine.get("notes", ()):
            self.out.say(printable(note))
        for result in report.results:
            if self._all_traces or result.verdict is Verdict.VIOLATED:
                self._witness(result)
        self.out.say("")

    def _searches(self, results: tuple[Result, ...]) -> None:
        """The counts: once where all properties share a search, which is the rule, else for each."""
        searches: dict[str, list[Result]] = {}
        for result in results:
            searches.setdefault(describe(result.counts), []).append(result)
        for counts, sharing in searches.items():
            names = "" if len(searches) == 1 else _about(sharing) + ": "
            seconds = max(result.seconds for result in sharing)
            megabytes = max(result.memory_mb for result in sharing)
            self.out.say(f"{names}{counts}; {duration(seconds)}, {memory(megabytes)}")

    def _unknown(self, report: Report) -> None:
        reasons = dict.fromkeys(result.reason for result in report.results if result.verdict is Verdict.UNKNOWN)
        for reason in filter(None, reasons):
            self.out.say(f"UNKNOWN: {printable(reason)}", table.STYLES[Verdict.UNKNOWN])
        if report.checkpoint is not None:
            saved = printable(report.checkpoint)
            self.out.say(f"saved in {saved}: the same command with --resume goes on from there")

    def _witness(self, result: Result) -> None:
        if result.trace is None:
            return
        self.out.say("")
        self.out.say(f"{printable(result.property)}: {result.verdict}{remark(result)}", table.STYLES[result.verdict])
        self._trace(self.out, result.trace)

    def _trace(self, screen: Output, trace: Trace, usual: str | None = None) -> None:
        from homing.report import forms  # most models hold, and need nothing that draws

        forms.show(screen, trace, self._form or usual or forms.usual(screen, trace))

    # One model, against what was expected of it

    def _comparison(self, outcome: Outcome) -> None:
        name, differences = printable(outcome.model), outcome.differences or ()
        if not differences:
            self.out.say(f"{name}: as expected", GOOD)
        for difference in differences:
            self.out.say(f"{name}: {printable(str(difference))}", BAD)
        different = {difference.property for difference in differences}
        for result in outcome.report.results if outcome.report else ():
            surprising = result.verdict is Verdict.VIOLATED and result.property in different
            if self._all_traces or surprising:
                self._witness(result)


def _about(results: list[Result]) -> str:
    """What results of one search have in common: the system they are about, else their properties."""
    parts = dict.fromkeys(result.part for result in results)
    named = parts if all(parts) else [result.property for result in results]
    return ", ".join(map(printable, named))


def headline(report: Report) -> str:
    """`models/queue.py: all 3 properties hold`."""
    name, total = printable(report.model), len(report.results)
    if not total:
        return f"{name}: UNKNOWN, the model asks about no property"
    if report.verdict is Verdict.HOLDS:
        return f"{name}: {'the property holds' if total == 1 else f'all {total} properties hold'}"
    parts = []
    for verdict in (Verdict.VIOLATED, Verdict.UNKNOWN):
        names = [printable(result.property) for result in report.results if result.verdict is verdict]
        shown = f": {names[0]}" if len(names) == 1 else ""
        parts += [f"{len(names)} of {total} {verdict}{shown}"] if names else []
    return f"{name}: {'; '.join(parts)}"


def _sum(outcomes: list[Outcome]) -> str:
    """`3 models: 1 VIOLATED, 2 HOLDS`."""
    bad = sum(outcome.failure is not None for outcome in outcomes)
    found = [outcome.verdict for outcome in outcomes if outcome.failure is None]
    if not bad and set(found) == {Verdict.HOLDS}:
        return f"all {len(outcomes)} models hold"
    parts = [f"{bad} bad input"] if bad else []
    parts += [f"{found.count(verdict)} {verdict}" for verdict in sorted(set(found), reverse=True)]
    return f"{len(outcomes)} models: {', '.join(parts)}"


def describe(counts: Counts) -> str:
    """The counts, as TLC has them."""
    return f"{plural(counts.distinct, 'distinct state')}, {counts.generated:,} generated, depth {counts.depth:,}"
