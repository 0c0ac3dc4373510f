"""Every call into a model goes through here: what it returns is checked, and what it raises is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

from homing.core.errors import HomingError, ModelError, Place
from homing.core.stop import leavable
from homing.core.system import Group, Pure, Read, Shape, Step, TransitionSystem
from homing.core.values import NotAValue, Short, State, Value, encode, show

MOST_STEPS = 1_000_000
"""A group that yields more steps from one read than this is taken to never end."""

T = TypeVar("T")


def initial(system: TransitionSystem) -> list[State]:
    """The initial states; raises ModelError when there is none, or one of the wrong size."""
    shape = system.shape
    states = _guarded(lambda: list(system.initial()), lambda: "the initial states", shape.place)
    if not states:
        raise ModelError("the model has no initial state", shape.place)
    for state in states:
        if type(state) is not tuple or len(state) != len(shape.slots):
            raise ModelError(
                f"the initial state {state!r} is no tuple of {len(shape.slots)} values",
                shape.place,
                map(str, shape.slots),
            )
        for slot, value in zip(shape.slots, state, strict=True):
            try:
                encode(value)
            except (NotAValue, RecursionError) as found:
                raise no_value(found, f"the initial value of slot '{slot}'", shape.place) from None
    return states


def steps(system: TransitionSystem, number: int, read: Short) -> list[Step]:
    """The steps of a group from what it reads, each writing only what the group declares."""
    shape = system.shape
    group = shape.groups[number]

    def take() -> list[Step]:
        return list(islice(system.next(number, read), MOST_STEPS + 1))

    def what() -> str:
        return f"group '{group.name}' with {describe(shape, group.reads, read)}"

    found = _guarded(take, what, group.place)
    if len(found) > MOST_STEPS:
        raise ModelError(f"{what()} yields more than {MOST_STEPS} steps", group.place)
    declared = frozenset(group.writes)
    for step in found:
        if type(step) is not Step or not declared.issuperset(step.writes):
            _check_step(shape, group, step)
    return found


def _check_step(shape: Shape, group: Group, step: Step) -> None:
    if not isinstance(step, Step):
        raise ModelError(f"group '{group.name}' yields {step!r}, which is no Step", group.place)
    for slot in step.writes:
        if slot not in group.writes:
            known_slot = type(slot) is int and 0 <= slot < len(shape.slots)
            name = str(shape.slots[slot]) if known_slot else f"number {slot!r}"
            known = [str(shape.slots[declared]) for declared in group.writes] or ["nothing"]
            raise ModelError(f"group '{group.name}' writes slot '{name}', which it did not declare", group.place, known)


def label(system: TransitionSystem, number: int, read: Short) -> bool | int:
    """The value of a label: a bool, or an int of 32 bits."""
    shape = system.shape
    declared = shape.labels[number]

    def what() -> str:
        return f"label '{declared.name}' with {describe(shape, declared.reads, read)}"

    value = _guarded(lambda: system.label(number, read), what, declared.place)
    if type(value) is not bool and type(value) is not int:
        raise ModelError(f"{what()} is {value!r}, neither a bool nor an int", declared.place)
    if not -(2**31) <= value < 2**31:
        raise ModelError(f"{what()} is {value}, which needs more than 32 bits", declared.place)
    return value


def pure(function: Pure, value: Value, what: str, place: Place | None) -> Value:
    """A projection or update applied to a slot's value."""
    return _guarded(lambda: function(value), lambda: f"{function} of {_shown(value)}, {what},", place)


def no_value(found: NotAValue | RecursionError, what: str, place: Place | None) -> ModelError:
    """The error for a model that made something that is no value; engines notice when they store it."""
    why = found if isinstance(found, NotAValue) else "it is nested too deeply"
    return ModelError(f"{what} cannot be encoded: {why}", place)


def describe(shape: Shape, reads: Iterable[Read], read: Short) -> str:
    """What was read, by name: `queue = ⟨1⟩, contains(a) of sent = True`."""
    parts = []
    for declared, value in zip(reads, read, strict=True):
        slot = str(shape.slots[declared.slot])
        name = f"{declared.through} of {slot}" if declared.through else slot
        parts.append(f"{name} = {_shown(value)}")
    return ", ".join(parts) or "nothing read"


def _shown(value: Value) -> str:
    text = show(value)
    return text if len(text) <= 200 else text[:200] + "…"


@leavable
def _guarded(call: Callable[[], T], what: Callable[[], str], place: Place | None) -> T:
    """The call's result; whatever the model raises becomes one sentence with its place."""
    try:
        return call()
    except HomingError:
        raise
    except RecursionError:
        raise ModelError(f"{what()} recurses without end", place) from None
    except (Exception, SystemExit) as error:
        detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ModelError(f"{what()} failed: {detail}", _innermost(error, place)) from None


def _innermost(error: BaseException, place: Place | None) -> Place | None:
    """The last line of the model's own file that was running when the error was raised."""
    found, frame = place, error.__traceback__
    while frame is not None:
        if place is not None and frame.tb_frame.f_code.co_filename == place.file:
            found = Place(place.file, frame.tb_lineno)
        frame = frame.tb_next
    return found
