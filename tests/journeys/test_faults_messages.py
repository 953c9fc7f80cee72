"""A server is killed repeatedly while sixteen people write: no message is lost or duplicated."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import urllib3
from django.conf import settings
from websockets.sync.client import ClientConnection, connect

from social.models import Conversation
from tests.concurrency import crowd
from tests.journeys.bookkeeping import Book, Json, NoAnswer, NotSent
from tests.service_process import ServiceProcess, cookie_header, running
from tests.social.factories import group_of
from tests.social.resuming_reader import PollingReader, ResumingReader, Unreachable
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not settings.REDIS_URL, reason="two servers share nothing without Redis"),
    pytest.mark.django_db(transaction=True),
]
PEOPLE = ["elsa.nordvall", "bo.ek", "alva.lind", "ömer.sjölin"]
WRITERS, KILLS = 16, 2
# Messages to be acknowledged before each kill, and after the last.
BETWEEN = 100
NO_LIMITS = {"RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}
TIMEOUT = 60.0  # seconds
Cookies = dict[str, str]


class Site:
    """Two servers for requests, one for sockets. The second of the two can be killed."""

    def __init__(self, stack: ExitStack, folder: Path, upstream_url: str) -> None:
        self._stack, self._folder, self._upstream_url = stack, folder, upstream_url
        with ThreadPoolExecutor(3) as threads:
            *self.web, self.sockets = threads.map(self._start, ["http", "http", "sockets"])

    def _start(self, kind: str) -> ServiceProcess:
        server = running(self._folder, self._upstream_url, kind=kind, **NO_LIMITS)
        return self._stack.enter_context(server)

    def kill_one(self) -> None:
        """Kill the server like a power cut, and start another one."""
        self.web[1].kill()
        self.web[1] = self._start("http")

    def post(self, path: str, cookies: Cookies) -> Callable[[int, Json], tuple[int, Json]]:
        """The function with which a writer sends: another server at each attempt."""

        def go(attempt: int, body: Json) -> tuple[int, Json]:
            server = self.web[(attempt + 1) % 2]
            try:
                status, answer, _ = server.request("POST", path, body, cookies=cookies, timeout=10)
            except urllib3.exceptions.NewConnectionError as error:
                raise NotSent from error
            except urllib3.exceptions.HTTPError as error:
                raise NoAnswer from error
            return status, answer

        return go

    def ask(self, cookies: Cookies, server: int) -> Callable[[str], Json]:
        """The function with which a reader polls."""

        def go(path: str) -> Json:
            try:
                status, answer, _ = self.web[server].request("GET", path, cookies=cookies)
            except urllib3.exceptions.HTTPError as error:
                raise Unreachable from error
            if status != 200:
                raise Unreachable(status)
            return dict(answer)

        return go

    def connect(self, cookies: Cookies) -> ClientConnection:
        url = self.sockets.url.replace("http", "ws", 1) + "/ws"
        return connect(url, additional_headers={"Cookie": cookie_header(cookies)}, proxy=None)


@pytest.fixture
def site(simulator: Simulator, transactional_db: None, tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(stack, tmp_path, simulator.url)


def everything(reader: PollingReader) -> list[Any]:
    reader.poll()
    return [reader.messages[seq] for seq in reader.order]


def test_acknowledged_messages_exist_once_and_both_readers_saw_them(site: Site) -> None:
    cookies = [site.web[0].sign_in(name) for name in PEOPLE]
    group: Conversation = group_of(*PEOPLE)
    path = f"/api/conversations/{group.pk.hex}/messages"
    book, over = Book(), threading.Event()
    # One polls the server that is killed, the other the one that is not.
    polling = PollingReader(site.ask(cookies[0], 1), group.pk.hex)
    resuming = ResumingReader(site.ask(cookies[1], 0), group.pk.hex)

    with crowd(WRITERS + 2) as start:
        try:
            readers = [
                start(lambda: polling.follow(over)),
                start(lambda: resuming.follow(lambda: site.connect(cookies[1]), over)),
            ]
            writers = []
            for writer in range(WRITERS):
                post = site.post(path, cookies[writer % len(cookies)])
                write = partial(book.write, writer, post, over, seconds=TIMEOUT)
                writers.append(start(write))
            for _ in range(KILLS):
                book.wait_for(BETWEEN, seconds=TIMEOUT)
                site.kill_one()
            book.wait_for(BETWEEN, seconds=TIMEOUT)
        finally:
            over.set()
        for each in (*writers, *readers):
            each.result(TIMEOUT)

    # As a reconnecting client does: the last event may have been lost.
    polling.poll()
    resuming.catch_up()
    findings = book.audit(everything(PollingReader(site.ask(cookies[2], 0), group.pk.hex)))
    assert findings.good, findings
    assert findings.acknowledged >= (KILLS + 1) * BETWEEN
    in_order = list(range(1, findings.acknowledged + 1))
    assert polling.order == in_order
    assert sorted(resuming.order) == in_order
    assert resuming.heard > 0
    told = {seq: message["content"] for seq, message in resuming.messages.items()}
    assert told == {seq: f"text {name}" for name, seq in book.acknowledged.items()}
