"""A machine is lost, its link cut, its disk full, or two of these at once: nothing acknowledged is.

Four people write all the time: messages, notes, friend requests and settings; three sockets follow
the messages. `make soak` runs it.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency import crowd, wait_until
from tests.journeys.bookkeeping import Book, Json, NoAnswer
from tests.journeys.ledgers import PAUSE, SECONDS, Ledger, Person
from tests.journeys.listeners import Listener
from tests.journeys.machines import MISSING, Machine, Machines, other, programs_missing, running
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.soak,
    pytest.mark.slow,
    pytest.mark.skipif(programs_missing(), reason=MISSING),
    pytest.mark.skipif(not os.environ.get("SOAK"), reason="takes minutes: make soak"),
]
SETTINGS = "/api/notifications/settings"


@pytest.fixture
def machines(simulator: Simulator) -> Iterator[Machines]:
    # Not below pytest's own folder, which the user postgres cannot read.
    with tempfile.TemporaryDirectory(prefix="wrapper-machines-") as folder:
        Path(folder).chmod(0o755)
        with running(Path(folder), simulator.url) as made:
            yield made


def _promoted(machines: Machines, primary: Machine) -> Callable[[], bool]:
    name = other(machines, primary).name
    return lambda: machines.states().get(name) == "wait_primary"


def cut_the_primary(machines: Machines, primary: Machine) -> None:
    primary.cut()
    wait_until(_promoted(machines, primary), SECONDS, pause=1)
    primary.join()


def kill_the_primary(machines: Machines, primary: Machine) -> None:
    primary.kill()
    wait_until(_promoted(machines, primary), SECONDS, pause=1)
    machines.start_again(primary)


def let_the_standby_lag(machines: Machines, primary: Machine) -> None:
    """For ten seconds it receives nothing, and is not away."""
    standby = other(machines, primary)
    found = subprocess.run(
        ["pgrep", "-f", "walreceiver"], capture_output=True, text=True, check=True
    )
    (receiver,) = {int(pid) for pid in found.stdout.split()} & set(standby.pids())
    os.kill(receiver, signal.SIGSTOP)
    time.sleep(10)
    os.kill(receiver, signal.SIGCONT)


def kill_the_standby(machines: Machines, primary: Machine) -> None:
    other(machines, primary).kill()
    wait_until(lambda: machines.states()[primary.name] == "wait_primary", SECONDS, pause=1)
    machines.start_again(other(machines, primary))


def kill_the_primary_without_a_monitor(machines: Machines, primary: Machine) -> None:
    machines.c.cut()
    primary.kill()
    time.sleep(20)
    machines.c.join()
    wait_until(_promoted(machines, primary), SECONDS, pause=1)
    machines.start_again(primary)


def fill_the_disk(machines: Machines, primary: Machine) -> None:
    """Nothing more can be written on the primary, until somebody makes room."""
    full = primary.data.parent / "full"
    with suppress(OSError), full.open("wb", buffering=0) as file:
        while file.write(b"0" * 65_536):
            pass
    with suppress(TimeoutError):  # it may go on in the room that it has
        wait_until(_promoted(machines, primary), 60, pause=1)
    full.unlink()


FAULTS = [
    cut_the_primary,
    kill_the_primary,
    let_the_standby_lag,
    kill_the_standby,
    kill_the_primary_without_a_monitor,
    fill_the_disk,
]


class Load:
    """Four people who write, and one who reads."""

    def __init__(self, port: int) -> None:
        names = ("elsa.nordvall", "alva.lind", "bo.ek", "ömer.sjölin")
        self.sender, self.noter, self.asker, self.setter = (Person(port, name) for name in names)
        self.reader = Person(port, names[3])
        self.book, self.over = Book(), threading.Event()
        self.notes, self.friends, self.settings = Ledger(), Ledger(), Ledger()
        _, made = self.sender.ask("POST", "/api/conversations", {"targetUsername": "bo.ek"})
        self.path = f"/api/conversations/{made['conversation']['id']}/messages"
        self.stale: list[tuple[int, int]] = []
        follows = [Person(port, name) for name in (names[0], names[2], names[2])]
        self.listeners = [
            Listener(port, one.headers, self.path, partial(one.ask, "GET")) for one in follows
        ]

    def wait_for_sockets(self) -> None:
        """Until each is open, which needs the database and Redis."""
        for listener in self.listeners:
            assert listener.ready.wait(SECONDS)

    def calls(self) -> list[Callable[[], None]]:
        return [
            lambda: self.book.write(0, self._send, self.over, seconds=SECONDS, pause=PAUSE),
            lambda: self.notes.write(self.over, self._note),
            lambda: self.friends.write(self.over, self._ask_or_withdraw),
            lambda: self.settings.write(self.over, self._set),
            self._read,
        ]

    def _send(self, _attempt: int, body: Json) -> tuple[int, Json]:
        status, answer = self.sender.ask("POST", self.path, body)
        if not status:
            raise NoAnswer
        return status, answer

    def _note(self, number: int) -> int:
        return self.noter.ask("POST", "/api/notes", {"title": f"note {number}"})[0]

    def _ask_or_withdraw(self, number: int) -> int:
        """An odd number is a request, an even one takes it back."""
        body = {"targetUsername": "elsa.nordvall"}
        status, answer = self.asker.ask("POST" if number % 2 else "DELETE", "/api/friends", body)
        # The one before had an unknown outcome, and had succeeded.
        return 200 if answer.get("code") == "already_asked" else status

    def _set(self, number: int) -> int:
        body = {"quietHours": {"from": f"{number // 60:02}:{number % 60:02}", "to": "23:59"}}
        return self.setter.ask("PATCH", SETTINGS, body)[0]

    def _read(self) -> None:
        """Whoever reads never reads what was replaced before they asked."""
        while not self.over.wait(PAUSE):
            known = max(self.settings.acknowledged, default=0)
            status, answer = self.reader.ask("GET", SETTINGS)
            if status == 200 and known and (shown := set_number(answer)) < known:
                self.stale.append((shown, known))


def set_number(answer: Json) -> int:
    """The number that `_set` wrote, from the settings."""
    hours, minutes = answer["settings"]["quietHours"]["from"].split(":")
    return int(hours) * 60 + int(minutes)


def everything(person: Person, path: str, name: str) -> list[Json]:
    found: list[Json] = []
    after: Any = 0
    while after is not None:
        page = person.surely(f"{path}?limit=100&after={after}")
        found += page[name]
        after = page["next"]
    return found


def test_nothing_acknowledged_is_lost(
    machines: Machines, capsys: pytest.CaptureFixture[str]
) -> None:
    load = Load(machines.port)
    report = []
    with crowd(5) as start, ExitStack() as sockets:
        for listener in load.listeners:
            sockets.enter_context(listener)
        running = [start(call) for call in load.calls()]
        try:
            load.book.wait_for(10, seconds=SECONDS)
            load.wait_for_sockets()
            for fault in FAULTS:
                primary, since = machines.primary(), time.monotonic()
                fault(machines, primary)
                machines.wait_for_both()
                load.book.wait_for(10, seconds=SECONDS)
                load.wait_for_sockets()
                away = [f"{person.away(since):.0f}" for person in (load.sender, load.reader)]
                report.append(f"{fault.__name__}: writes away {away[0]} s, reads {away[1]} s")
        finally:
            load.over.set()
        for each in running:
            each.result(SECONDS)
    audit(load)
    with capsys.disabled():
        sys.stdout.write("\n".join(["", *report, *summary(load), ""]))


def audit(load: Load) -> None:
    """Everything that was acknowledged is readable, once and in order."""
    readable = everything(load.sender, load.path, "messages")
    findings = load.book.audit(readable)
    assert findings.good, findings
    check_listeners(load, {message["seq"] for message in readable})
    numbers = [int(note["title"].removeprefix("note ")) for note in notes_of(load.noter)]
    assert set(load.notes.acknowledged) <= set(numbers)
    assert set(numbers) <= {*load.notes.acknowledged, *load.notes.unknown}
    assert len(numbers) == len(set(numbers))
    # One whose sender gave up may be written later than those after it.
    in_order = [number for number in numbers if number in set(load.notes.acknowledged)]
    assert in_order == sorted(in_order, reverse=True)
    has_asked = bool(load.asker.surely("/api/friends")["sent"])
    assert has_asked in {number % 2 == 1 for number in load.friends.possible()}
    assert set_number(load.setter.surely(SETTINGS)) in load.settings.possible()
    assert load.stale == []


def check_listeners(load: Load, readable: set[int]) -> None:
    """Nobody hears a message twice, and with what they read after a gap they have all."""
    for listener in load.listeners:
        assert listener.doubled() == 0
        assert listener.catch_up()
        assert listener.known == readable


def notes_of(person: Person) -> list[Json]:
    """All of them, newest first."""
    found: list[Json] = []
    cursor: Any = ""
    while cursor is not None:
        page = person.surely(f"/api/notes?limit=200{cursor and '&cursor='}{cursor}")
        found += page["notes"]
        cursor = page["next"]
    return found


def summary(load: Load) -> list[str]:
    """The figures of docs/operations.md."""
    ledgers = {"notes": load.notes, "friend requests": load.friends, "settings": load.settings}
    counts = {"messages": (len(load.book.acknowledged), load.book.unknown)}
    counts |= {name: (len(one.acknowledged), len(one.unknown)) for name, one in ledgers.items()}
    return [
        f"{name}: {known} acknowledged, {unknown} unknown; 0 lost, 0 doubled, 0 out of order"
        for name, (known, unknown) in counts.items()
    ] + [
        f"a socket: {len(one.heard)} events, closed {dict(Counter(one.closed))} (code, times); "
        f"0 doubled, 0 missing, {one.out_of_order()} out of order"
        for one in load.listeners
    ]
