"""People behind a balancer, and what was acknowledged to them."""

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

import urllib3

from tests.concurrency import wait_until
from tests.journeys.bookkeeping import Json

PAUSE, SECONDS = 0.3, 240.0


class Person:
    """Somebody who is signed in at the balancer. `served`: when requests were answered."""

    def __init__(self, port: int, name: str) -> None:
        self._url = f"http://127.0.0.1:{port}"
        self._http = urllib3.PoolManager(retries=False, timeout=15)
        self.headers: dict[str, str] = {}
        body = {
            "username": name,
            "password": f"{name.partition('.')[0]}-demo",
            "school": "bjorkdalen",
        }
        wait_until(lambda: self.ask("GET", "/readyz")[0] == 200, SECONDS, pause=1)
        status, answer = self.ask("POST", "/api/login", body)
        assert status == 200, answer
        self.headers = {"Authorization": f"Bearer {answer['token']}"}
        self.served = [time.monotonic()]

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Json]:
        """Status and body; 0 where the outcome is unknown: no answer, or an error."""
        try:
            answer = self._http.request(method, self._url + path, json=body, headers=self.headers)
        except urllib3.exceptions.HTTPError:
            return 0, {}
        if answer.status >= 500:
            return 0, {}
        if self.headers:
            self.served.append(time.monotonic())
        return answer.status, answer.json()

    def surely(self, path: str) -> Json:
        """What is read once everything is there again."""
        status, answer = self.ask("GET", path)
        assert status == 200, answer
        return answer

    def away(self, since: float) -> float:
        """The longest time without an answer since then, in seconds."""
        times = [since, *(moment for moment in self.served if moment > since)]
        return max((after - before for before, after in itertools.pairwise(times)), default=0.0)


class Ledger:
    """Writes that are made once: what was acknowledged, and what has an unknown outcome."""

    def __init__(self) -> None:
        self.acknowledged: list[int] = []
        self.unknown: list[int] = []

    def write(self, over: threading.Event, once: Callable[[int], int]) -> None:
        for number in itertools.count(1):
            if over.wait(PAUSE):
                return
            status = once(number)
            assert status == 0 or status in (200, 201), status
            (self.acknowledged if status else self.unknown).append(number)

    def possible(self) -> set[int]:
        """What a value may be that each of these writes replaced: the last one that was
        acknowledged, or one without an answer after it."""
        last = max(self.acknowledged)
        return {last, *(number for number in self.unknown if number > last)}
