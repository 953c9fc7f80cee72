"""One conversation over the WebSocket: it misses nothing and shows nothing twice.

Events are hints and may be lost; the REST routes have the truth. `revision` numbers every change
of a conversation 1, 2, 3 ... without gaps, so a client that remembers the last revision that it
knows can tell when it has missed one, and ask for what it missed with `changedAfter`.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import Close
from websockets.sync.client import ClientConnection, connect

from sign_in import SERVICE, Refused, Token, good
from wrapper_client import Client
from wrapper_client.api.conversations import conversation
from wrapper_client.api.messages import messages
from wrapper_client.api.session import session
from wrapper_client.models import Message

PING_SECONDS = 60
RESTARTS = 1012
NO_SESSION = 4401
SUSPENDED = 4403


class Follower:
    """Keeps one conversation complete. `show` gets each message, and again when it changes."""

    def __init__(
        self, client: Client, token: Token, conversation_id: str, show: Callable[[Message], None]
    ) -> None:
        self.client = client
        self.token = token
        self.id = conversation_id
        self.show = show
        self.known = 0  # every change up to this revision has been taken in
        self.shown: dict[int, int] = {}  # seq of a message: its revision when it was shown
        self.pause = 1.0

    def follow(self) -> None:
        """Listen, and connect again whenever the connection is lost.

        Raises: Refused when connecting again makes no sense.
        """
        while True:
            try:
                self.heed(self.listen())
            except (OSError, WebSocketException, httpx.TransportError):
                pass
            except Refused as error:
                if not error.is_temporary:
                    raise
            print("Not connected. Trying again.", file=sys.stderr, flush=True)
            time.sleep(random.uniform(self.pause / 2, self.pause))
            self.pause = min(60.0, 2 * self.pause)

    def listen(self) -> Close | None:
        """Take events until the connection ends. Returns how the server closed it, if it did."""
        address = SERVICE.replace("http", "ws", 1) + "/ws"
        with connect(address, additional_headers=self.token.header) as socket:
            try:
                for event in events(socket):
                    self.hear(event)
            except ConnectionClosed as closed:
                return closed.rcvd
        return None

    def heed(self, close: Close | None) -> None:
        """Do what a close code asks for."""
        code = close.code if close else None
        if code == SUSPENDED:
            raise Refused(403, "The account is suspended.")
        if code == RESTARTS:
            time.sleep(random.uniform(0, 30))  # not all clients of that server at once
        if code == NO_SESSION:
            # Any request will do: the session is renewed when the answer is a 401.
            good(session.sync_detailed(client=self.client))

    def hear(self, event: dict[str, Any]) -> None:
        """Take an event that is the next change; ask for what is missing before a later one."""
        self.pause = 1.0
        if event["type"] in ("ready", "pong"):
            # Connected, or a minute later: the very last event may have been lost.
            self.catch_up()
        elif event.get("conversationId") == self.id and "revision" in event:
            if event["revision"] > self.known + 1:
                self.catch_up()
            elif event["revision"] == self.known + 1:
                self.known += 1
                if "message" in event:
                    self.take(Message.from_dict(event["message"]))

    def catch_up(self) -> None:
        """Read what has changed since the revision that we know; at first, the newest messages."""
        now = good(conversation.sync_detailed(self.id, client=self.client))
        if self.known == 0:
            for message in now.messages:
                self.take(message)
        else:
            position: int | None = self.known
            while position is not None:
                page = good(
                    messages.sync_detailed(
                        self.id, client=self.client, changed_after=position, limit=100
                    )
                )
                for message in page.messages:
                    self.take(message)
                position = page.next_
        self.known = max(self.known, now.conversation.revision)

    def take(self, message: Message) -> None:
        """Show a message that is new or has changed since it was shown."""
        if self.shown.get(message.seq, 0) < message.revision:
            self.shown[message.seq] = message.revision
            self.show(message)


def events(socket: ClientConnection) -> Iterator[dict[str, Any]]:
    """What the service says. Sends a ping every minute. Raises: ConnectionClosed at the end."""
    ping_at = time.monotonic() + PING_SECONDS
    while True:
        try:
            yield json.loads(socket.recv(timeout=max(0, ping_at - time.monotonic())))
        except TimeoutError:
            socket.send('{"type": "ping"}')
            ping_at = time.monotonic() + PING_SECONDS
