"""The fault script: which operation goes wrong, how, and how often."""

import inspect
import threading
from dataclasses import dataclass, field
from typing import Any

from upstream.simulator.faults.connection import CONNECTION_FAULTS
from upstream.simulator.faults.held import HeldRequests
from upstream.simulator.faults.malformed import MALFORMED
from upstream.simulator.faults.replacements import REPLACEMENTS
from upstream.simulator.routes import ROUTES

# `traffic` is every request that has no fault of its own.
OPERATIONS = (*dict.fromkeys(route.operation for route in ROUTES), "traffic")
_MALFORMED_WITH_OPTIONS = ("nonsense-lifetime", "past-token", "other-organization")
VALUES = ("ok", *REPLACEMENTS, *MALFORMED, *CONNECTION_FAULTS)


def _check_options(value: str, options: dict[str, Any]) -> None:
    """Raises: ValueError."""
    if value not in VALUES:
        raise ValueError(f"no fault {value!r}")
    functions = {**REPLACEMENTS, **CONNECTION_FAULTS}
    if value in functions:
        try:
            inspect.signature(functions[value]).bind(None, **options)
        except TypeError as error:
            raise ValueError(f"{value}: {error}") from None
    elif options and value not in _MALFORMED_WITH_OPTIONS:
        raise ValueError(f"{value} takes no options")


@dataclass(slots=True)
class Fault:
    """One scripted fault. `left` is how many requests it still applies to (None: all)."""

    operation: str
    value: str
    left: int | None = None
    school: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def applies_to(self, operation: str, school: str) -> bool:
        return self.operation == operation and self.school in (None, school)


class Faults:
    """The fault script. Thread-safe.

    `latency` is in seconds and delays every request.
    """

    def __init__(self) -> None:
        self.latency = 0.0
        self._lock = threading.Lock()
        self._faults: list[Fault] = []
        self._holds: list[tuple[str, str | None, bool, HeldRequests]] = []
        self._hanging = HeldRequests()

    def set(
        self,
        operation: str,
        value: str,
        *,
        times: int | None = None,
        school: str | None = None,
        **options: Any,
    ) -> None:
        """Make `operation` go wrong in the way that `value` names. Replaces an earlier fault.

        `times`: only for the next `times` requests. `school`: only at this school. `options`
        belong to the value (README.md lists them). `"ok"` removes the fault.

        Raises: ValueError for a name that does not exist.
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
        """Make requests wait before their handler is called, or `after` it."""
        if operation not in OPERATIONS:
            raise ValueError(f"no operation {operation!r}")
        held = HeldRequests()
        with self._lock:
            self._holds.append((operation, school, after, held))
        return held

    def clear(self) -> None:
        """Remove all faults, holds and latency, and release every waiting request."""
        with self._lock:
            waiting = [self._hanging, *(held for *_, held in self._holds)]
            self._hanging = HeldRequests()
            self._holds, self._faults, self.latency = [], [], 0.0
        for held in waiting:
            held.release()

    def describe(self) -> list[dict[str, Any]]:
        """The faults that are set, as JSON."""
        with self._lock:
            return [
                {"operation": f.operation, "value": f.value, "times": f.left, "school": f.school}
                | f.options
                for f in self._faults
            ]

    @property
    def hanging(self) -> HeldRequests:
        """The requests that get no response until `clear`."""
        return self._hanging

    async def wait_while_held(self, operation: str, school: str, *, after: bool) -> None:
        with self._lock:
            holds = [
                held
                for name, where, late, held in self._holds
                if name in (operation, "traffic") and where in (None, school) and late is after
            ]
        for held in holds:
            await held.wait_for_release()

    def take(self, operation: str, school: str) -> Fault | None:
        """The fault that applies to this request, counted down; its own comes before `traffic`."""
        with self._lock:
            for name in (operation, "traffic"):
                for fault in self._faults:
                    if fault.applies_to(name, school):
                        return self._count_down(fault)
        return None

    def _count_down(self, fault: Fault) -> Fault:
        if fault.left is not None:
            fault.left -= 1
            if fault.left <= 0:
                self._faults.remove(fault)
        return fault
