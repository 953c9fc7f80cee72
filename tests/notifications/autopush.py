"""The browser's side of a push service, as Firefox speaks it: JSON messages over a WebSocket.

https://mozilla-push-service.readthedocs.io/en/latest/design/
"""

import json
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from tests.notifications.web_push import to_base64

DELIVERED: Final = 100
NOT_DECRYPTED: Final = 101
NOT_DELIVERED: Final = 102


@dataclass(frozen=True)
class Acknowledgement:
    """What a browser said about a message."""

    subscription: str
    message: str
    code: int


@dataclass
class Channel:
    """A subscription of a browser. `signer` is the public key of who may send, in base64url.
    `waiting` has what the browser has not acknowledged, by message."""

    id: str
    browser: str
    subscription: str
    signer: str
    waiting: dict[str, dict[str, Any]] = field(default_factory=dict)


class BrowserSide:
    """`url` is for the preference `dom.push.serverURL`. `channels` are by subscription, the last
    part of the endpoint; `ended` are those that the browser has unsubscribed."""

    def __init__(self, new_endpoint: Callable[[], str]) -> None:
        self.url = ""
        self.channels: dict[str, Channel] = {}
        self.ended: set[str] = set()
        self.acknowledgements: list[Acknowledgement] = []
        self._new_endpoint = new_endpoint
        self._connections: dict[str, ServerConnection] = {}
        self._changed = threading.Condition()

    def wait_for_acknowledgements(self, count: int, *, within: float) -> list[Acknowledgement]:
        """All of them, as soon as there are so many; `within` is in seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.acknowledgements) >= count, within):
                raise AssertionError(f"{self.acknowledgements} and no more after {within} s")
            return list(self.acknowledgements)

    def deliver(self, subscription: str, message: str, body: bytes) -> None:
        """Send it to the browser, now or when it connects."""
        with self._changed:
            channel = self.channels.get(subscription)
            if channel is None:
                return
            notification = {
                "messageType": "notification",
                "channelID": channel.id,
                "version": message,
                "data": to_base64(body),
                "headers": {"encoding": "aes128gcm"},
            }
            connection = self._connections.get(channel.browser)
            channel.waiting[message] = notification
        if connection is not None:
            _send(connection, notification)

    def forget(self) -> None:
        """Lose all subscriptions, like a service that lost its database. Browsers hear of it when
        they connect again, which they do at once."""
        with self._changed:
            self.channels.clear()
            connections = list(self._connections.values())
        for connection in connections:
            connection.close()

    @contextmanager
    def serving(self) -> Iterator[None]:
        server = serve(self._talk, "127.0.0.1", 0, close_timeout=1)
        self.url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()

    def _talk(self, connection: ServerConnection) -> None:
        browser = ""
        with suppress(ConnectionClosed):
            for text in connection:
                message = json.loads(text)
                kind = message.get("messageType", "ping")
                if kind == "hello":
                    browser = self._greet(connection, message)
                elif kind in self._ANSWERS:
                    _send(connection, self._ANSWERS[kind](self, browser, message))
                elif kind == "ack":
                    self._note(message["updates"])
        with self._changed:
            if self._connections.get(browser) is connection:
                del self._connections[browser]

    def _greet(self, connection: ServerConnection, message: dict[str, Any]) -> str:
        """The name of the browser: its own, if it was here before. It gets what waits for it."""
        with self._changed:
            known = {channel.browser for channel in self.channels.values()}
            named = message.get("uaid", "")
            browser = named if named in known else secrets.token_hex(16)
            self._connections[browser] = connection
            waiting = [
                each
                for channel in self.channels.values()
                if channel.browser == browser
                for each in channel.waiting.values()
            ]
        hello = {"messageType": "hello", "uaid": browser, "status": 200, "use_webpush": True}
        for each in ({**hello, "broadcasts": {}}, *waiting):
            _send(connection, each)
        return browser

    def _register(self, browser: str, message: dict[str, Any]) -> dict[str, Any]:
        endpoint = self._new_endpoint()
        subscription = endpoint.rpartition("/")[2]
        signer = message.get("key", "").rstrip("=")  # Firefox pads it
        channel = Channel(message["channelID"], browser, subscription, signer)
        with self._changed:
            self.channels[subscription] = channel
        return {
            "messageType": "register",
            "channelID": channel.id,
            "status": 200,
            "pushEndpoint": endpoint,
        }

    def _unregister(self, browser: str, message: dict[str, Any]) -> dict[str, Any]:
        channel = message["channelID"]
        with self._changed:
            self.ended |= {each.subscription for each in self._of(channel)}
        return {"messageType": "unregister", "channelID": channel, "status": 200}

    def _ping(self, browser: str, message: dict[str, Any]) -> dict[str, Any]:
        return {}

    _ANSWERS: Final = {"register": _register, "unregister": _unregister, "ping": _ping}

    def _note(self, updates: list[dict[str, Any]]) -> None:
        with self._changed:
            for update in updates:
                for channel in self._of(update["channelID"]):
                    channel.waiting.pop(update["version"], None)
                    said = (channel.subscription, update["version"], update["code"])
                    self.acknowledgements.append(Acknowledgement(*said))
            self._changed.notify_all()

    def _of(self, channel: str) -> list[Channel]:
        return [each for each in self.channels.values() if each.id == channel]


def _send(connection: ServerConnection, message: dict[str, Any]) -> None:
    with suppress(ConnectionClosed):
        connection.send(json.dumps(message))
