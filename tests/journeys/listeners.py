"""A client that follows a conversation by a socket, as docs/realtime.md says."""

from collections.abc import Callable
from typing import Any

from tests.journeys.restart_load import Headers, ReconnectingSocket

Json = dict[str, Any]


class Listener(ReconnectingSocket):
    """It reads what it missed when a socket is ready and when a number is missing.

    `heard` are the numbers of the messages of events, in the order in which they came, and
    `known` those that it has, from events and from what it read.
    """

    def __init__(
        self, port: int, headers: Headers, path: str, ask: Callable[[str], tuple[int, Json]]
    ) -> None:
        super().__init__(port, headers)
        self.heard: list[int] = []
        self.known: set[int] = set()
        self._path, self._ask, self._upto = path, ask, 0

    def take(self, frame: Json) -> None:
        if frame["type"] == "ready":
            self.catch_up()
        elif frame["type"] == "message.created":
            seq = frame["message"]["seq"]
            self.heard.append(seq)
            if seq == self._upto + 1:
                self._learn([seq])
            elif seq > self._upto:
                self.catch_up()

    def catch_up(self) -> bool:
        """Read what comes after the last number without a gap; whether that could be read."""
        after: int | None = self._upto
        while after is not None:
            status, page = self._ask(f"{self._path}?limit=100&after={after}")
            if status != 200:
                return False  # the next event has a gap before it
            self._learn([message["seq"] for message in page["messages"]])
            after = page["next"]
        return True

    def _learn(self, numbers: list[int]) -> None:
        self.known |= set(numbers)
        self._upto = max([self._upto, *numbers])

    def doubled(self) -> int:
        """Events that came twice."""
        return len(self.heard) - len(set(self.heard))

    def out_of_order(self) -> int:
        return sum(seq < max(self.heard[:at], default=0) for at, seq in enumerate(self.heard))
