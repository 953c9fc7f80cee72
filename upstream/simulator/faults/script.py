"""Which operation goes wrong, how, and how often: the script of a bad day."""

import inspect
import threading
from dataclasses import dataclass, field
from typing import Any

from upstream.simulator.faults.connection import CONNECTION_FAULTS
from upstream.simulator.faults.held import HeldRequests
from upstream.simulator.faults.malformed import MALFORMED
from upstream.simulator.faults.replacements import REPLACEMENTS

# Everything that can be named; `traffic` is every request that has no fault of its own.
OPERATIONS = (
    *("login.password", "login.token", "login.session", "login.page"),
    *("session", "schedule", "lessons", "schools", "child", "blocked"),
    *("lunch", "lunch.page", "news", "news.page", "class", "staff"),
    *("subjects", "subjects.room", "subjects.entities", "subjects.unread", "subjects.teachers"),
    *("subjects.rows", "subjects.grids", "subjects.information"),
    *("subjects.examinations", "subjects.submissions"),
    *("assignments", "assignment", "assignment.sections", "assignment.plannings"),
    *("assignment.assessment", "assignment.columns", "assignment.criteria"),
    *("assignment.curriculum", "assignment.submission", "assignment.material"),
    *("plannings", "planning", "planning.tabs", "planning.part"),
    *("planning.sections", "planning.assignments"),
    "traffic",
)
VALUES = ("ok", *REPLACEMENTS, *MALFORMED, *CONNECTION_FAULTS)


def _check_options(value: str, options: dict[str, Any]) -> None:
    """Raises: ValueError."""
    if value not in VALUES:
        raise ValueError(f"no fault {value!r}")
    ways = {**REPLACEMENTS, **CONNECTION_FAULTS}
    if value in ways:
        try:
            inspect.signature(ways[value]).bind(None, **options)
        except TypeError as error:
            raise ValueError(f"{value}: {error}") from None
    elif options and value != "nonsense-lifetime":
        raise ValueError(f"{value} takes no options")


@dataclass(slots=True)
class Fault:
    """One scripted fault. `left` is how many requests it still meets (None: all)."""

    operation: str
    value: str
    left: int | None = None
    school: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def concerns(self, operation: str, school: str) -> bool:
        return self.operation == operation and self.school in (None, school)


class Faults:
    """The script. Safe to use from several threads.

    `latency` is in seconds and delays every request, faulty or not.
    """

    def __init__(self) -> None:
        self.latency = 0.0
        self._lock = threading.Lock()
        self._faults: list[Fault] = []
        self._gates: list[tuple[str, str | None, bool, HeldRequests]] = []
        self._hang = HeldRequests()

    def set(
        self,
        operation: str,
        value: str,
        *,
        times: int | None = None,
        school: str | None = None,
        **options: Any,
    ) -> None:
        """Let `operation` go wrong in the way `value` names, instead of what was set before.

        `times`: only for the next so many requests. `school`: only there. `options` belong to
        the value (README.md lists them). `"ok"` takes the fault away.

        Raises: ValueError for a name that does not exist, so that a typo is no passing test.
        """
        if operation not in OPERATIONS:
            raise ValueError(f"no operation {operation!r}")
        _check_options(value, options)
        fault = Fault(operation, value, times, school, options)
        with self._lock:
            self._faults = [
                old for old in self._faults if (old.operation, old.school) != (operation, school)
            ]
            if value != "ok":
                self._faults.append(fault)

    def hold(
        self, operation: str, *, school: str | None = None, after: bool = False
    ) -> HeldRequests:
        """Make requests wait before their work is done, or `after` it and before the answer."""
        if operation not in OPERATIONS:
            raise ValueError(f"no operation {operation!r}")
        gate = HeldRequests()
        with self._lock:
            self._gates.append((operation, school, after, gate))
        return gate

    def clear(self) -> None:
        """No faults, no gates, no latency; whoever hangs or waits goes on."""
        with self._lock:
            gates = [self._hang, *(gate for *_, gate in self._gates)]
            self._hang = HeldRequests()
            self._gates, self._faults, self.latency = [], [], 0.0
        for gate in gates:
            gate.release()

    def script(self) -> list[dict[str, Any]]:
        """What is set, for a person to read."""
        with self._lock:
            return [
                {"operation": f.operation, "value": f.value, "times": f.left, "school": f.school}
                | f.options
                for f in self._faults
            ]

    @property
    def hang(self) -> HeldRequests:
        """Where requests stand that never get an answer; `clear` opens it."""
        return self._hang

    async def wait_while_held(self, operation: str, school: str, *, after: bool) -> None:
        with self._lock:
            gates = [
                gate
                for name, where, late, gate in self._gates
                if name in (operation, "traffic") and where in (None, school) and late is after
            ]
        for gate in gates:
            await gate.wait_for_release()

    def take(self, operation: str, school: str) -> Fault | None:
        """The fault that this request meets, counted down: its own before `traffic`."""
        with self._lock:
            for name in (operation, "traffic"):
                for fault in self._faults:
                    if fault.concerns(name, school):
                        return self._count_down(fault)
        return None

    def _count_down(self, fault: Fault) -> Fault:
        if fault.left is not None:
            fault.left -= 1
            if fault.left <= 0:
                self._faults.remove(fault)
        return fault
