"""What `homing check` does: finds the models, checks one after the other, reports."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from homing import languages
from homing.api import CheckedModel, load
from homing.commands import checkpoints
from homing.commands.interruption import Interruption, interruptible
from homing.core.errors import HomingError, Place
from homing.core.result import Counts, Distribution, Limits, Options, Report, Result
from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.languages import Reading
from homing.report import files
from homing.report.outcome import BAD_INPUT, Difference, Outcome, worst_exit_code
from homing.report.output import output
from homing.report.progress import Show, display
from homing.report.text_report import TextReport
from homing.storage.uri import below, is_uri

if TYPE_CHECKING:
    from homing.expect import Expectations


@dataclass(frozen=True)
class Request:
    """What was asked on the command line."""

    paths: tuple[Path, ...]
    python: bool
    properties: tuple[str, ...]
    engine: str
    fairness: str | None
    config: Path | None
    deadlock: bool
    seed: int
    allow_write: Path | None
    env: tuple[str, ...]
    expect: bool
    trace: str | None
    json: str | None
    junit: str | None
    msc: str | None
    itf: str | None
    limits: Limits
    threads: int | None
    checkpoint: Path
    checkpoint_every: float
    resume: bool
    restart: bool
    distribution: Distribution
    debug: bool
    unsound: bool
    quiet: bool

    @property
    def reading(self) -> Reading:
        """How to read the models."""
        return Reading(self.python, self.fairness, self.config, self.deadlock, self.seed, self.allow_write, self.env)


def run(request: Request) -> int:
    """Checks, shows, writes; the exit code."""
    with interruptible() as interruption:
        session = Session(request, interruption)
        session.check_all()
        session.finish()
        return session.exit_code


class Session:
    """One run of the command."""

    def __init__(self, request: Request, interruption: Interruption) -> None:
        self.request = request
        self.interruption = interruption
        self.outcomes: list[Outcome] = []
        self.declared: dict[str, None] = {}
        self.found: list[Path] = []
        self.exit_code = 0
        out = output(sys.stdout)
        out.quiet = files.STDOUT in (request.json, request.junit)  # a document on stdout must be alone there
        self.text = TextReport(out, output(sys.stderr), request.trace)

    @cached_property
    def expectations(self) -> Expectations:
        """What is beside the models; what reads it is imported when it is asked for."""
        from homing.expect import Expectations

        return Expectations()

    def check_all(self) -> None:
        """Every model, each shown as soon as it is checked; a bad one does not keep the others from it."""
        for path in self.request.paths:
            for file in self._files(path):
                self._check(file)
        for name in self.request.properties:
            if self.declared and name not in self.declared:
                place = Place(str(self.found[0])) if len(self.found) == 1 else None
                error = HomingError(f"unknown property '{name}'", place, self.declared)
                self._add(Outcome(f"--property {name}", error=error))
        if not self.request.expect:
            return
        folders = [path for path in self.request.paths if path.is_dir()]
        for missing in self.expectations.unchecked(self.found, folders):
            self._add(Outcome(str(missing), differences=(Difference(None, "expected something, but not checked"),)))

    def finish(self) -> None:
        """The total, and the documents that were asked for."""
        self.text.total(self.outcomes)
        codes = [outcome.exit_code for outcome in self.outcomes]
        for write in (self._json, self._junit, self._charts, self._itf):
            try:
                write()
            except HomingError as error:
                self.text.error(error)
                codes.append(BAD_INPUT)
        self.exit_code = worst_exit_code(codes)

    # Documents: what writes them is imported when they are asked for

    def _json(self) -> None:
        if self.request.json is not None:
            from homing.report import json_format

            files.write(self.request.json, json_format.render(self.outcomes))

    def _junit(self) -> None:
        if self.request.junit is not None:
            from homing.report import junit

            files.write(self.request.junit, junit.render(self.outcomes))

    def _charts(self) -> None:
        if self.request.msc is not None:
            from homing.report.charts import saving

            self._wrote(saving.save(self.request.msc, self.outcomes), "--msc")

    def _itf(self) -> None:
        if self.request.itf is not None:
            from homing.report import itf

            self._wrote(itf.save(self.request.itf, self.outcomes), "--itf")

    def _wrote(self, written: list[str], option: str) -> None:
        self.text.note(f"wrote {', '.join(written)}" if written else f"no trace was found, so {option} writes nothing")

    # Files

    def _files(self, path: Path) -> Iterator[Path]:
        """The models that a path stands for, without those that another path stood for already."""
        try:
            files_here = languages.find(path, self.request.reading)
        except HomingError as error:
            self._add(Outcome(str(path), error=error))
            return
        seen = {file.resolve() for file in self.found}
        for file in files_here:
            if file.resolve() not in seen:
                self.found.append(file)
                yield file

    def _add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.text.show(outcome)

    # One model

    def _check(self, file: Path) -> None:
        limits = self.request.limits.started()
        try:
            with self.interruption.limited(limits), display(self.request.quiet) as show:
                if self.interruption.requested:
                    raise Stopped("interrupted before it began")
                checked = self._loaded(file)
                names = self._selected(checked)
                if self.request.properties and not names:
                    return
                report = self._report(checked, file, names, show, limits)
        except Stopped as stopped:
            self._add(Outcome(str(file), _unread(str(file), str(stopped))))
        except HomingError as error:
            place = error.place or Place(str(file))
            self._add(Outcome(str(file), error=HomingError(error.message, place, error.known)))
        except SystemExit as end:
            # Else a model could end a run as if all was well.
            message = f"the model ended the program: SystemExit({end.code})"
            self._add(Outcome(str(file), error=HomingError(message, Place(str(file)))))
        else:
            self._add(self._compared(checked, file, report))

    def _loaded(self, file: Path) -> CheckedModel:
        request = self.request
        try:
            return load(
                file,
                python=request.python,
                fairness=request.fairness,
                config=request.config,
                deadlock=request.deadlock,
                seed=request.seed,
                allow_write=request.allow_write,
                env=request.env,
            )
        except Stopped as stopped:
            raise Stopped(f"{stopped} while the model was read") from None

    def _selected(self, checked: CheckedModel) -> tuple[str, ...]:
        """The properties asked for that this model has: of several models, each has its own."""
        declared = dict.fromkeys(prop.name for prop in checked.properties)
        self.declared.update(declared)
        return tuple(name for name in self.request.properties if name in declared)

    def _report(self, checked: CheckedModel, file: Path, names: tuple[str, ...], show: Show, limits: Limits) -> Report:
        request = self.request
        checkpoint = checkpoints.file_for(request.checkpoint, file, request.engine, names)
        elsewhere = request.engine == "spark" and request.distribution.folder is not None
        if request.resume and not elsewhere and not checkpoint.exists():
            self.text.note(f"{file}: nothing to resume in {request.checkpoint}, so it starts from the beginning")
        options = Options(
            threads=request.threads,
            limits=limits,
            checkpoint=checkpoint,
            checkpoint_every=request.checkpoint_every,
            resume=request.resume,
            restart=request.restart,
            distribution=self._distribution(file),
            show=show,
            interrupted=self.interruption,
        )
        report = checked.check(
            names, engine=request.engine, options=options, debug=request.debug, unsound=request.unsound
        )
        if report.checkpoint is not None:
            checkpoints.keep_out_of_git(request.checkpoint)
        return report

    def _distribution(self, file: Path) -> Distribution:
        """Where several models are checked, each has a folder of its own below the one given."""
        given = self.request.distribution
        if given.folder is None:
            return given
        own = checkpoints.file_for(Path(), file, self.request.engine, self.request.properties).name
        # What the user names may be a link; what is below is Homing's, where none is followed.
        folder = given.folder if is_uri(given.folder) else str(Path(given.folder).resolve())
        return replace(given, folder=below(folder, own))

    def _compared(self, checked: CheckedModel, file: Path, report: Report) -> Outcome:
        if not self.request.expect:
            return Outcome(str(file), report)
        try:
            differences = self.expectations.compare(file, [prop.name for prop in checked.properties], report)
        except HomingError as error:
            return Outcome(str(file), report, error)
        return Outcome(str(file), report, differences=differences)


def _unread(name: str, reason: str) -> Report:
    """Reports on a model that was not read to its end, so that its properties are not known by name."""
    result = Result(name, "all properties", Verdict.UNKNOWN, Counts(), 0.0, 0.0, reason=reason)
    return Report(name, (result,))
