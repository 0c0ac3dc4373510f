"""What a search has to keep apart, and what it may forget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from homing.engines.local.search import Search
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.ticking import Ticking
from homing.engines.zones.timing import Abstraction, Constants
from homing.timed.system import TimedSystem


@dataclass(frozen=True)
class Plan:
    """How a system is searched; whoever has the plan and the system finds the same."""

    constants: Constants
    abstraction: Abstraction
    within: int | None = None
    """The condition that has to hold all the time, if there is one."""
    foresight: bool = True
    recording: bool = False
    ticking: bool = False

    def of(self, system: TimedSystem) -> TimedSystem:
        """The system that is searched."""
        return Ticking(system) if self.ticking else system

    def symbolic(
        self, system: TimedSystem, tick: Callable[[], None] = lambda: None, search: Search | None = None
    ) -> Symbolic:
        """The search before it begins; `system` is what `of` gave."""
        return Symbolic(
            system, self.constants, self.abstraction, tick, self.within, self.foresight, self.recording, search
        )

    @property
    def retracing(self) -> Plan:
        """The same steps, each of them noted."""
        return replace(self, abstraction=replace(self.abstraction, inclusion=False), recording=True)
