"""A server, a worker, and a group in which two people answer two others, who have that pushed.

All of it by HTTP: the database may be one that the test's own process does not use.
"""

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import urllib3

from tests.concurrency import crowd, wait_until
from tests.jobs import workers
from tests.jobs.workers import WorkerProcess
from tests.journeys.bookkeeping import Book, Json, NoAnswer
from tests.notifications.actions import PATH, SETTINGS, SUBSCRIPTIONS
from tests.notifications.certificates import Certificates
from tests.notifications.push_service import Push, PushService
from tests.service_process import ServiceProcess, running

# Who answers whom, and in how many browsers that is pushed.
WRITERS = [("elsa.nordvall", "bo.ek", 2), ("ömer.sjölin", "alva.lind", 1)]
# For one message, in an outage of a minute too.
SEND_SECONDS = 120.0


@dataclass(frozen=True)
class Receiver:
    """`subscriptions` by the name that the push service knows them by."""

    cookies: dict[str, str]
    quoted: str
    subscriptions: dict[str, str]


class PushingSite:
    """`refused` has the answers to sends that were not acknowledged; these are sent again."""

    def __init__(
        self, server: ServiceProcess, worker: WorkerProcess, push_service: PushService
    ) -> None:
        self.server, self.worker, self.push_service = server, worker, push_service
        self.book = Book()
        self.refused: list[tuple[int, Json]] = []
        people = {name: self._sign_in(name) for pair in WRITERS for name in pair[:2]}
        self._writers = [people[writer] for writer, _, _ in WRITERS]
        self._messages = f"/api/conversations/{self._make_group(people)}/messages"
        self.receivers = [self._receiver(people[name], name, n) for _, name, n in WRITERS]
        self.try_each_browser()  # now the worker runs
        push_service.received.clear()

    def call(self, method: str, path: str, cookies: dict[str, str], body: Any = None) -> Any:
        """The body of an answer that is a success."""
        status, answer, _ = self.server.request(method, path, body, cookies=cookies)
        assert status in (200, 201), (path, status, answer)
        return answer

    def _queue(self) -> dict[str, Any]:
        """What `/readyz` says of the jobs: nothing in the first second after an outage."""
        _, answer, _ = self.server.request("GET", "/readyz?verbose")
        found: dict[str, Any] = answer.get("jobs", {})
        return found

    @contextmanager
    def writing(self, *, pause: float) -> Iterator[Book]:
        """Each writer sends a message all `pause` seconds until the block ends."""
        over = threading.Event()
        with crowd(len(WRITERS)) as start:
            try:
                writers = []
                for number in range(len(WRITERS)):
                    write = partial(self.book.write, number, partial(self._send, number), over)
                    writers.append(start(partial(write, seconds=SEND_SECONDS, pause=pause)))
                yield self.book
            finally:
                over.set()
            for each in writers:
                each.result(SEND_SECONDS)

    def wait_for_pushes(self) -> None:
        """Until what was acknowledged by now is pushed."""
        sent = Counter(name.partition("-")[0] for name in list(self.book.acknowledged))
        due = sum(sent[str(number)] * each[2] for number, each in enumerate(WRITERS))
        self.push_service.wait_for(due, within=30)

    @contextmanager
    def pushes_under_way(self) -> Iterator[None]:
        """In the block the worker waits for the answers to the first push of each browser."""
        answer, released = self.push_service.hold()
        self.push_service.answer_with(answer)
        self.book.wait_for(2, seconds=30)
        self.push_service.wait_for(sum(count for *_, count in WRITERS), within=10)
        yield
        self.push_service.answer_with()
        released.set()

    def try_each_browser(self) -> None:
        """Have a test pushed to each, and wait for all of them."""
        for receiver in self.receivers:
            for each in receiver.subscriptions.values():
                self.call("POST", f"{SUBSCRIPTIONS}/{each}/test", receiver.cookies)
        wait_until(lambda: self._tested() == sum(count for *_, count in WRITERS), 120)

    def _tested(self) -> int:
        opened = map(self._opened, list(self.push_service.received))
        return sum(data["kind"] == "test" for _, data in opened)

    def assert_each_message_was_pushed_once(self) -> None:
        """Each acknowledged one is there once, and was pushed to each browser once."""
        wait_until(self._is_idle, 60)
        shown = self._read_messages()
        findings = self.book.audit(shown)
        assert findings.good, findings
        expected: Counter[tuple[str, str]] = Counter()
        for number, receiver in enumerate(self.receivers):
            told = {row["data"]["messageId"]: row["id"] for row in self._replies(receiver)}
            sent = {each["id"] for each in shown if each["clientId"].startswith(f"{number}-")}
            assert set(told) == sent
            expected.update((to, each) for to in receiver.subscriptions for each in told.values())
        pushed = Counter(
            (push.subscription, data["id"])
            for push, data in map(self._opened, self.push_service.received)
            if data["kind"] == "reply"
        )
        lost, doubled = expected - pushed, pushed - expected
        assert not lost, lost
        assert not doubled, doubled

    def _is_idle(self) -> bool:
        jobs = self._queue()
        assert not jobs.get("failed")
        return bool(jobs) and not (jobs["waiting"] or jobs["later"] or jobs["running"])

    def _opened(self, push: Push) -> tuple[Push, Json]:
        """A push, and its `data`."""
        return push, orjson.loads(self.push_service.decrypt(push))["notification"]["data"]

    def _send(self, number: int, _attempt: int, body: Json) -> tuple[int, Json]:
        draft = body | {"replyTo": {"messageId": self.receivers[number].quoted}}
        cookies = self._writers[number]
        try:
            status, answer, _ = self.server.request("POST", self._messages, draft, cookies=cookies)
        except urllib3.exceptions.HTTPError as error:
            raise NoAnswer from error
        if status not in (200, 201):
            self.refused.append((status, answer))
        return status, answer

    def _sign_in(self, username: str) -> dict[str, str]:
        password = f"{username.split('.')[0]}-demo"
        body = {"username": username, "password": password, "school": "bjorkdalen"}
        status, answer, cookies = self.server.request("POST", "/api/login", body)
        assert status == 200, answer
        return cookies

    def _make_group(self, people: dict[str, dict[str, str]]) -> str:
        (creator, own), *others = people.items()
        for name, cookies in others:
            self.call("POST", "/api/friends", own, {"targetUsername": name})
            self.call("PATCH", "/api/friends", cookies, {"fromUsername": creator, "accept": True})
        body = {"type": "group", "groupName": "Ugglorna", "members": [name for name, _ in others]}
        return str(self.call("POST", "/api/conversations", own, body)["conversation"]["id"])

    def _receiver(self, cookies: dict[str, str], name: str, count: int) -> Receiver:
        chosen = {"kinds": {"reply": "push"}, "quietHours": None}
        self.call("PATCH", SETTINGS, cookies, chosen)
        subscriptions = {}
        for _ in range(count):
            own = self.push_service.new_subscription()
            made = self.call("POST", SUBSCRIPTIONS, cookies, own)["subscription"]
            subscriptions[str(own["endpoint"]).rpartition("/")[2]] = made["id"]
        draft = {"content": "Vad tycker ni?", "clientId": f"{name}-0"}
        quoted = self.call("POST", self._messages, cookies, draft)["message"]
        self.book.acknowledged[f"{name}-0"] = quoted["seq"]
        return Receiver(cookies, quoted["id"], subscriptions)

    def _read_messages(self) -> list[Json]:
        found: list[Json] = []
        after: int | None = 0
        while after is not None:
            page = self.call("GET", f"{self._messages}?limit=100&after={after}", self._writers[0])
            found += page["messages"]
            after = page["next"]
        return found

    def _replies(self, receiver: Receiver) -> list[Json]:
        found: list[Json] = []
        cursor: str | None = ""
        while cursor is not None:
            page = self.call("GET", f"{PATH}?limit=100&cursor={cursor}", receiver.cookies)
            found += [each for each in page["notifications"] if each["kind"] == "reply"]
            cursor = page["next"]
        return found


@contextmanager
def pushing_site(
    folder: Path,
    upstream_url: str,
    push_service: PushService,
    certificates: Certificates,
    **changes: str,
) -> Iterator[PushingSite]:
    """`changes` are environment variables of the server and the worker."""
    changes |= {
        "SSL_CERT_FILE": str(certificates.authority),
        "PUSH_HOSTS": f"+{push_service.url.removeprefix('https://')}",
    }
    with running(folder, upstream_url, **changes) as server:
        worker = workers.start(folder, changes=changes)
        try:
            yield PushingSite(server, worker, push_service)
        finally:
            worker.kill()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and its threads so far (Linux)."""
    line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    fields = line.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class WorkerLoad:
    """What a worker spends from now on, if it lives."""

    def __init__(self, worker: WorkerProcess) -> None:
        self._worker = worker
        self._began, self._cpu = time.monotonic(), cpu_seconds(worker.pid)
        self._lines = len(worker.log.splitlines())

    def assert_at_most(self, *, cpu: float, lines: int) -> None:
        """This share of a core, and so many lines in the log."""
        assert self._worker.process.poll() is None, self._worker.log
        spent = cpu_seconds(self._worker.pid) - self._cpu
        assert spent < cpu * (time.monotonic() - self._began), spent
        assert len(self._worker.log.splitlines()) - self._lines <= lines, self._worker.log
