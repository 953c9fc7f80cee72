"""The context of a scenario: a running service, a fake upstream, users, the direct call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.closed_loop import ClosedLoopResult, CouldNotRun, Request, replay
from benchmarks.service import Service
from benchmarks.stores import Stores
from benchmarks.users import SCHOOL, User, log_in


@dataclass(frozen=True)
class Direct:
    """The direct call to upstream, measured in the same run. Latencies and CPU in ms."""

    raw_p50: float  # by the load driver itself
    raw_p99: float
    python_p50: float  # by a bare Python client on the service's core
    python_cpu: float


@dataclass
class Bench:
    """One service with one kind of store, for the scenarios."""

    service: Service
    store: Stores
    direct: Direct
    progress: Callable[[str], None]
    remarks: list[str] = field(default_factory=list)
    full: bool = False
    outage: float = 30.0  # seconds
    next_account: int = 0

    @property
    def redis(self) -> bool:
        return self.store.name == "Redis"

    def remark(self, text: str) -> None:
        """A line below the table."""
        self.remarks.append(f"{self.store.name}: {text}")

    def numbers(self, count: int) -> range:
        """Numbers of `count` accounts that no scenario has used."""
        taken = range(self.next_account, self.next_account + count)
        self.next_account = taken.stop
        return taken

    def users(self, count: int, school: str = SCHOOL, *, guardians: bool = False) -> list[User]:
        """`count` new users, logged in; pupils, or guardians of one child each."""
        self.progress(f"logging {count} users in")
        return log_in(self.service.port, self.numbers(count), school, guardians=guardians)

    def replay(self, requests: list[Request], *, connections: int = 1) -> ClosedLoopResult:
        """Replay requests from the driver's core and watch the CPU of the worker."""
        return replay(
            self.service.port,
            requests,
            connections=connections,
            core=self.service.cores[1],
            cost=self.service.cpu,
        )

    @contextmanager
    def latency(self, milliseconds: float) -> Iterator[None]:
        """Upstream responds this late inside the block."""
        self.service.fake.set_latency(milliseconds)
        try:
            yield
        finally:
            self.service.fake.set_latency(0)

    @contextmanager
    def expecting(self, kind: str, count: int, *, slack: int = 8) -> Iterator[None]:
        """Check that upstream sees `count` calls of this kind inside the block.

        It may be wrong by `slack`: the driver repeats a few requests while the last are answered.

        Raises:
            CouldNotRun: it saw fewer or more.
        """
        before = self.service.fake.calls().get(kind, 0)
        yield
        seen = self.service.fake.calls().get(kind, 0) - before
        if abs(seen - count) > slack:
            raise CouldNotRun(f"upstream saw {seen} {kind} calls, expected {count}")
