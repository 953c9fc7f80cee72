"""Writers that record acknowledged messages, as Jepsen does, to check them afterwards.

A writer sends its messages one after the other. A send without a response has an unknown outcome:
it is repeated with the same `clientId` until it is acknowledged.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
# `post(attempt, body)`: status and body of the answer. Raises: NotSent, NoAnswer.
Post = Callable[[int, Json], tuple[int, Json]]
PAUSE = 0.05


class NotSent(Exception):
    """Nothing was listening, so the message was not sent."""


class NoAnswer(Exception):
    """The message was sent; its outcome is unknown."""


@dataclass(frozen=True)
class Findings:
    """The comparison of the recorded and the readable messages. All but `unknown` must be 0."""

    acknowledged: int
    unknown: int
    lost: int
    duplicates: int
    inversions: int
    gaps: int

    @property
    def good(self) -> bool:
        return not (self.lost or self.duplicates or self.inversions or self.gaps)


class Book:
    """The record of all writers. `unknown` counts sends without a response."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, int] = {}
        self.unknown = 0
        self.errors: list[str] = []
        self._changed = threading.Condition()

    def write(
        self,
        writer: int,
        post: Post,
        over: threading.Event,
        *,
        seconds: float,
        pause: float = PAUSE,
    ) -> None:
        """Send as one writer until `over` is set; each message within `seconds`, with retries, and
        `pause` seconds after the one before."""
        for number in itertools.count():
            if over.wait(pause):
                return
            client_id = f"{writer}-{number}"
            try:
                seq = self._send(client_id, post, time.monotonic() + seconds)
            except Exception as error:
                self.errors.append(f"{client_id}: {error!r}")
                with self._changed:
                    self._changed.notify_all()
                raise
            with self._changed:
                self.acknowledged[client_id] = seq
                self._changed.notify_all()

    def wait_for(self, more: int, *, seconds: float) -> None:
        """Wait until this many more messages are acknowledged."""
        with self._changed:
            count = len(self.acknowledged) + more
            there = self._changed.wait_for(
                lambda: len(self.acknowledged) >= count or self.errors, timeout=seconds
            )
        assert there, f"only {len(self.acknowledged)} of {count} were acknowledged"
        assert not self.errors, self.errors

    def _send(self, client_id: str, post: Post, deadline: float) -> int:
        attempt = 0
        while True:
            status = self._try(client_id, post, attempt)
            if isinstance(status, dict):
                seq: int = status["message"]["seq"]
                return seq
            assert time.monotonic() < deadline, f"still {status} after {attempt} retries"
            attempt += 1
            time.sleep(PAUSE)

    def _try(self, client_id: str, post: Post, attempt: int) -> Json | str:
        """The response that acknowledges it, or why there is none."""
        try:
            status, answer = post(attempt, {"content": f"text {client_id}", "clientId": client_id})
        except NotSent:
            return "not sent"
        except NoAnswer:
            with self._changed:
                self.unknown += 1
            return "no answer"
        if status in (200, 201):
            return answer
        assert status >= 500, (status, answer)
        return str(status)

    def audit(self, readable: Iterable[Json]) -> Findings:
        """Compare with all readable messages, in the order of their numbers."""
        messages = list(readable)
        found = {message["clientId"]: message["seq"] for message in messages}
        numbers = [message["seq"] for message in messages]
        in_order = sorted(self.acknowledged, key=self.acknowledged.__getitem__)
        by_writer: dict[str, list[int]] = {}
        for client_id in in_order:
            writer, _, number = client_id.partition("-")
            by_writer.setdefault(writer, []).append(int(number))
        return Findings(
            acknowledged=len(self.acknowledged),
            unknown=self.unknown,
            lost=sum(found.get(name) != seq for name, seq in self.acknowledged.items()),
            duplicates=len(messages) - len(found),
            inversions=sum(_inversions(numbers) for numbers in by_writer.values())
            + _inversions(numbers),
            gaps=len(set(range(1, max(numbers, default=0) + 1)) - set(numbers)),
        )


def _inversions(numbers: list[int]) -> int:
    return sum(before >= after for before, after in itertools.pairwise(numbers))
