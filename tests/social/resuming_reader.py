"""Clients that follow a conversation as docs/realtime.md describes, and record what they see.

The socket is a hint, REST is the truth. Both readers are told how to ask: `ask(path)` gives the
body of a good answer and raises `Unreachable` for everything else.
"""

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection

Json = dict[str, Any]
Ask = Callable[[str], Json]
PAUSE = 0.05
# Seconds after which an event that did not arrive before later ones counts as lost.
LATE = 0.5


class Unreachable(Exception):
    """The request failed; it can be repeated."""


class Reader:
    """What one client has. `order` is the `seq` of each message in the order of arrival."""

    def __init__(self, ask: Ask, conversation_id: str) -> None:
        self.ask = ask
        self.conversation_id = conversation_id
        self.address = f"/api/conversations/{conversation_id}"
        self.revision = 0
        self.conversation: Json = {"infoRevision": 0}
        self.messages: dict[int, Json] = {}
        self.order: list[int] = []

    def take(self, message: Json) -> None:
        """Store a new or changed message; an older revision than the stored one changes nothing."""
        known = self.messages.get(message["seq"])
        if known is None:
            self.order.append(message["seq"])
        if known is None or known["revision"] < message["revision"]:
            self.messages[message["seq"]] = message

    def pages(self, parameter: str, position: int) -> int:
        """Read all pages from there; the highest revision in them, or 0."""
        highest = 0
        following: int | None = position
        while following is not None:
            page = self.ask(f"{self.address}/messages?{parameter}={following}&limit=100")
            for message in page["messages"]:
                self.take(message)
                highest = max(highest, message["revision"])
            following = page["next"]
        return highest


class PollingReader(Reader):
    """Polls, first for new messages, then for changed ones."""

    def poll(self) -> None:
        """Raises: Unreachable."""
        self.pages("after", max(self.messages, default=0))
        self.revision = max(self.revision, self.pages("changedAfter", self.revision))

    def follow(self, over: threading.Event) -> None:
        """Poll until `over` is set."""
        while not over.is_set():
            with suppress(Unreachable):
                self.poll()
            over.wait(PAUSE)


class ResumingReader(Reader):
    """Follows by socket; catches up by REST only where it may have missed something.

    An event that comes too early is kept for a moment: two servers may overtake one another.
    `heard` counts the changes that the socket told, `resumed` how often it had to ask.
    """

    def __init__(self, ask: Ask, conversation_id: str) -> None:
        super().__init__(ask, conversation_id)
        self.heard = 0
        self.resumed = 0
        self.early: dict[int, Json] = {}
        self.gap_since = 0.0

    def catch_up(self) -> None:
        """Read everything after the known revision. Raises: Unreachable.

        The conversation first: all that its revision counts is in the pages that come after it.
        What came in between is taken too, and heard of again.
        """
        self.resumed += 1
        conversation = self.ask(self.address)["conversation"]
        if conversation["infoRevision"] > self.conversation["infoRevision"]:
            self.conversation = conversation
        self.pages("changedAfter", self.revision)
        self.revision = max(self.revision, conversation["revision"])
        self.early = {at: frame for at, frame in self.early.items() if at > self.revision}
        self._take_next()

    def receive(self, frame: Json) -> None:
        """Apply an event: the next change, a known one, or one that comes too early."""
        if frame.get("conversationId") != self.conversation_id or "revision" not in frame:
            return
        if not self.early:
            self.gap_since = time.monotonic()
        if frame["revision"] > self.revision:
            self.early[frame["revision"]] = frame
        self._take_next()

    def mind_the_gap(self) -> None:
        """Catch up when an event did not arrive in time. Raises: Unreachable."""
        if self.early and time.monotonic() - self.gap_since > LATE:
            self.catch_up()

    def _take_next(self) -> None:
        while (frame := self.early.pop(self.revision + 1, None)) is not None:
            self.revision += 1
            self.heard += 1
            self.gap_since = time.monotonic()
            if "message" in frame:
                self.take(frame["message"])
            else:
                self.conversation = frame["conversation"]

    def follow(self, connect: Callable[[], ClientConnection], over: threading.Event) -> None:
        """Connect, catch up, receive; again whenever the connection ends, until `over` is set."""
        while not over.is_set():
            try:
                with connect() as connection:
                    self._listen(connection, over)
            except (ConnectionClosed, InvalidHandshake, OSError, Unreachable):
                over.wait(PAUSE)

    def _listen(self, connection: ClientConnection, over: threading.Event) -> None:
        while True:
            self.mind_the_gap()
            try:
                frame = json.loads(connection.recv(timeout=PAUSE))
            except TimeoutError:
                if over.is_set():
                    return
                continue
            if frame["type"] == "ready":
                self.catch_up()  # everything published from here on is received
            else:
                self.receive(frame)
