"""The socket at `/ws`: signs in once, then passes on the events published to its account.

It decides nothing about people or content. Writes go by REST; from its client it takes `ping`,
`typing` and `presence`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error

from accounts.callers import Caller
from accounts.errors import CrossOrigin
from accounts.websocket_auth import origin_allowed
from limits import TooManyRequests
from social.limits import SOCKET_LIMITS, SocketLimits
from social.realtime.close_codes import CloseCode
from social.realtime.events import Event, Pong, Ready, SessionEnded, SocketError
from social.realtime.frames import (
    BadFrame,
    FrameRateLimit,
    PingFrame,
    PresenceFrame,
    TypingRateLimit,
    read_frame,
)
from social.realtime.publish import account_group, session_tag
from social.realtime.sender import send_from
from social.realtime.sign_in import Refused, count_new_socket, sign_in, why_ended
from social.realtime.write_queue import WriteQueue
from social.services.conversations.activity import publish_typing
from social.services.presence import record_heartbeat

logger = logging.getLogger(__name__)
Message = dict[str, Any]
_record_heartbeat = database_sync_to_async(record_heartbeat, thread_sensitive=False)
_publish_typing = database_sync_to_async(publish_typing, thread_sensitive=False)


class SocketConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket. Close codes are those of `close_codes.py`.

    `limits` is an argument so that tests need not wait five minutes.
    """

    def __init__(self, limits: SocketLimits = SOCKET_LIMITS) -> None:
        super().__init__()
        self.limits = limits
        self.frame_rate = FrameRateLimit(limits.frames, limits.frames_seconds)
        self.typing_rate = TypingRateLimit(limits.typing_seconds)
        self.write_queue = WriteQueue(self.send, self.close, limits)
        self.caller: Caller | None = None
        self.accepted = False
        self.last_frame_at = 0.0
        self.last_recheck_at = 0.0
        self.silence: asyncio.TimerHandle | None = None

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Any
    ) -> None:
        """Serve one connection; whatever happens, leave the group and close with a code.

        A page of another site is refused before accepting, anyone else after it.

        Raises: CrossOrigin, TooManyRequests, before accepting.
        """
        self.base_send = send
        try:
            if not origin_allowed(scope):
                raise CrossOrigin
            await super().__call__(scope, receive, send)
        except (CrossOrigin, TooManyRequests):
            raise
        except OSError:
            pass  # by the ASGI specification: the client has disconnected
        except Exception:
            logger.exception("a socket failed")
            await self.close_failed()
        finally:
            await self.clean_up()

    # --- Opening and closing

    async def connect(self) -> None:
        """Sign in, join the group, accept and send `ready`; or accept, send the error and close.

        Raises: TooManyRequests, before accepting.
        """
        try:
            caller = await sign_in(self.scope, self.limits.sign_in_seconds)
            await count_new_socket(self.scope, caller)
            await self.join_group(caller)
            # Again, now that this socket is in its group: a logout in between was not received.
            await sign_in(self.scope, self.limits.sign_in_seconds)
        except Refused as refused:
            if self.caller is None:
                await count_new_socket(self.scope, None)
            await self.accept()
            self.put(SocketError(code=refused.code))
            self.write_queue.close(refused.close_code)
            return
        await self.accept()
        self.put(Ready(username=caller.username))
        self.last_recheck_at = asyncio.get_running_loop().time()
        self.restart_silence()

    async def accept(self, *args: Any, **kwargs: Any) -> None:
        self.accepted = True
        await super().accept(*args, **kwargs)

    async def join_group(self, caller: Caller) -> None:
        """Receive what is published to this account."""
        send_from(asyncio.get_running_loop())
        self.caller = caller
        await self.channel_layer.group_add(account_group(caller.account_id), self.channel_name)

    async def close_failed(self) -> None:
        """Close after an error; only an accepted socket can be closed with a code."""
        if self.write_queue.close_code is not None:
            return
        with suppress(OSError):
            async with asyncio.timeout(self.limits.write_seconds):
                if not self.accepted:
                    await self.accept()
                await self.close(code=int(CloseCode.UNEXPECTED))

    async def clean_up(self) -> None:
        """Leave the group, and cancel what still runs."""
        self.write_queue.cancel()
        if self.silence is not None:
            self.silence.cancel()
        if self.caller is None:
            return
        group = account_group(self.caller.account_id)
        try:
            await self.channel_layer.group_discard(group, self.channel_name)
        except Exception as error:  # noqa: BLE001 - the layer may be what failed
            logger.warning("a socket could not leave its group: %s", type(error).__name__)

    def put(self, event: Event) -> None:
        self.write_queue.put(event.to_text())

    def restart_silence(self) -> None:
        """Close when there is no frame for five minutes from now."""
        if self.silence is not None:
            self.silence.cancel()
        loop = asyncio.get_running_loop()
        self.last_frame_at = loop.time()
        close = partial(self.write_queue.close, CloseCode.SILENT_TOO_LONG)
        self.silence = loop.call_later(self.limits.silence_seconds, close)

    # --- From the client

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.caller is None or self.write_queue.close_code is not None:
            return
        self.restart_silence()
        size = len(bytes_data or b"") if text_data is None else len(text_data.encode())
        if not self.frame_rate.allows(self.last_frame_at):
            self.write_queue.close(CloseCode.TOO_MANY_FRAMES)
        elif size > self.limits.frame_bytes:
            self.write_queue.close(CloseCode.FRAME_TOO_LARGE)
        elif text_data is None:
            self.write_queue.close(CloseCode.NOT_TEXT)
        else:
            await self.handle(self.caller, text_data)

    async def handle(self, caller: Caller, text: str) -> None:
        try:
            frame = read_frame(text)
            if isinstance(frame, PingFrame):
                self.put(Pong())
            elif isinstance(frame, PresenceFrame):
                await _record_heartbeat(caller.account_id, caller.username, frame.status)
            elif self.typing_rate.allows(frame.conversationId, self.last_frame_at):
                await _publish_typing(caller.account_id, caller.username, frame.conversationId)
            await self.recheck_session(caller)
        except BadFrame as bad:
            self.put(SocketError(code=bad.code))
        except Error as error:
            logger.warning("a frame was not handled: %s", type(error).__name__)

    async def recheck_session(self, caller: Caller) -> None:
        """Once a minute, close if the session has ended: the event that says so can be lost while
        the channel layer is down."""
        if self.last_frame_at < self.last_recheck_at + self.limits.recheck_seconds:
            return
        self.last_recheck_at = self.last_frame_at
        if (reason := await why_ended(caller)) is not None:
            event = SessionEnded(reason=reason)
            self.put(event)
            self.write_queue.close(event.close_code)

    # --- From the channel layer

    async def deliver(self, message: Message) -> None:
        """A published event: its text, and a close code where it ends the socket."""
        self.write_queue.put(message["text"])
        if message["close"] is not None:
            self.write_queue.close(CloseCode(message["close"]))

    async def deliver_to_session(self, message: Message) -> None:
        """An event for one session of the account, which may not be this one."""
        if self.caller is not None and message["session"] == session_tag(self.caller.session_key):
            await self.deliver(message)
