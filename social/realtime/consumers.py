"""The socket at `/ws`: signs in once, then passes on the events published to its account.

It decides nothing about people or content. Writes go by REST; from its client it takes `ping`,
`typing` and `presence`. Except when opening and closing, nothing here waits for the client, the
database or a thread: events are received at once, whatever else happens.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.callers import Caller
from accounts.errors import TooManyRequests
from accounts.websocket_auth import origin_allowed
from social.limits import SOCKET_LIMITS, SocketLimits
from social.realtime.address_limits import AddressCount
from social.realtime.background_tasks import BackgroundTasks, in_thread
from social.realtime.close_codes import CloseCode
from social.realtime.connection_slots import ConnectionSlot
from social.realtime.events import Pong, Ready, SessionEnded, SocketError
from social.realtime.frames import (
    BadFrame,
    FrameRateLimit,
    PingFrame,
    PresenceFrame,
    TypingFrame,
    TypingRateLimit,
    read_frame,
)
from social.realtime.publish import account_group, session_tag
from social.realtime.sender import sender
from social.realtime.sign_in import Refused, sign_in, why_ended
from social.realtime.write_queue import WriteQueue
from social.services.conversations.activity import publish_typing
from social.services.presence import record_heartbeat

logger = logging.getLogger(__name__)
Message = dict[str, Any]
_record_heartbeat = in_thread(record_heartbeat)
_publish_typing = in_thread(publish_typing)


class SocketConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket. Close codes are those of `close_codes.py`.

    `limits` is an argument so that tests need not wait five minutes.
    """

    def __init__(self, limits: SocketLimits = SOCKET_LIMITS) -> None:
        super().__init__()
        self.limits = limits
        self.frame_rate = FrameRateLimit(limits.frames, limits.frames_seconds)
        self.write_queue = WriteQueue(self.send, self.close_lagging, limits)
        self.background = BackgroundTasks()
        self.typing_rate = TypingRateLimit(limits.typing_seconds)
        self.caller: Caller | None = None
        self.slot: ConnectionSlot | None = None
        self.accepted = False
        self.closing = False
        self.last_frame_at = 0.0
        self.last_recheck_at = 0.0
        self.silence_watch: asyncio.Task[None] | None = None

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Any
    ) -> None:
        """Serve one connection; whatever happens, leave the group and close with a code.

        A page of another site is refused before accepting (HTTP 403), anyone else after it.
        """
        if not origin_allowed(scope):
            await send({"type": "websocket.close"})
            return
        self.base_send = send
        self.address = AddressCount((scope.get("client") or ("", 0))[0])
        try:
            await super().__call__(scope, receive, send)
        except TooManyRequests:
            raise
        except OSError:
            pass  # by the ASGI specification: the client has disconnected
        except Exception:
            logger.exception("a socket failed")
            with suppress(OSError):
                await self.accept_once()
                await self.close_with(CloseCode.UNEXPECTED)
        finally:
            self.address.has_closed()
            await self.leave_group()
            self.channel_layer.forget(self.channel_name)

    async def dispatch(self, message: Message) -> None:
        """As in channels, without its check of database connections before each message: this
        loop has none."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_disconnect(self, message: Message) -> None:
        """As in channels, without waiting for a thread that closes database connections: sockets
        that end slowly would count among those of their account."""
        raise StopConsumer

    # --- Opening and closing

    async def connect(self) -> None:
        """Sign in, join the group, accept and send `ready`; or accept, send the error and close.

        Raises: TooManyRequests, before accepting, when it has no session and its address has too
        many such sockets.
        """
        try:
            caller = await sign_in(self.scope, self.limits.sign_in_seconds)
            await self.join_group(caller)
            # Again, now that this socket is in its group: a logout in between was not received.
            await sign_in(self.scope, self.limits.sign_in_seconds)
        except Refused as refused:
            await self.address.count()
            await self.accept_once()
            await self.put(SocketError(code=refused.code).to_text())
            await self.close_with(refused.close_code)
            return
        await self.accept_once()
        await self.put(Ready(username=caller.username).to_text())
        self.last_frame_at = self.last_recheck_at = asyncio.get_running_loop().time()
        self.silence_watch = asyncio.create_task(self.watch_silence())

    async def accept_once(self) -> None:
        """Accept, unless that is done: only an accepted socket can be closed with a code."""
        if not self.accepted:
            self.accepted = True
            await self.accept()

    async def join_group(self, caller: Caller) -> None:
        """Receive what is published to this account; notify its other sockets."""
        sender.serve_from(asyncio.get_running_loop())
        self.caller = caller
        account = account_group(caller.account_id)
        await self.channel_layer.group_add(account, self.channel_name)
        self.slot = ConnectionSlot(self.limits.sockets_per_account, opened_ns=time.time_ns())
        sender.send([(account, self.slot.opened())])

    async def leave_group(self) -> None:
        """Undo `join_group`, as far as it went, and cancel what still runs."""
        self.write_queue.close()
        self.background.cancel()
        if self.silence_watch is not None:
            self.silence_watch.cancel()
        if self.caller is None:
            return
        account = account_group(self.caller.account_id)
        try:
            await self.channel_layer.group_discard(account, self.channel_name)
            if self.slot is not None:
                await self.channel_layer.group_send(account, self.slot.closed())
        except Exception as error:  # noqa: BLE001 - the layer may be what failed
            logger.warning("a socket could not leave its group: %s", type(error).__name__)

    async def close_with(self, code: CloseCode) -> None:
        """Close, once, after the frames that wait already."""
        if not self.closing:
            self.closing = True
            await self.write_queue.flush()
            await self.close(code=int(code))

    async def put(self, text: str) -> None:
        if not self.closing:
            await self.write_queue.put(text)

    async def close_lagging(self) -> None:
        with suppress(OSError):
            await self.close_with(CloseCode.LAGGING)

    async def watch_silence(self) -> None:
        now = asyncio.get_running_loop().time
        while (left := self.last_frame_at + self.limits.silence_seconds - now()) > 0:
            await asyncio.sleep(left)
        with suppress(OSError):
            await self.close_with(CloseCode.SILENT_TOO_LONG)

    # --- From the client

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.closing:
            return
        self.last_frame_at = asyncio.get_running_loop().time()
        size = len(bytes_data or b"") if text_data is None else len(text_data.encode())
        if not self.frame_rate.allows(self.last_frame_at):
            await self.close_with(CloseCode.TOO_MANY_FRAMES)
        elif size > self.limits.frame_bytes:
            await self.close_with(CloseCode.FRAME_TOO_LARGE)
        elif text_data is None:
            await self.close_with(CloseCode.NOT_TEXT)
        else:
            await self.handle(text_data)

    async def handle(self, text: str) -> None:
        if self.caller is None:
            return
        try:
            frame = read_frame(text)
        except BadFrame as bad:
            await self.put(SocketError(code=bad.code).to_text())
            return
        who = (self.caller.account_id, self.caller.username)
        if isinstance(frame, PingFrame):
            await self.put(Pong().to_text())
            self.recheck_session(self.caller)
        elif isinstance(frame, TypingFrame):
            if self.typing_rate.allows(frame.conversationId, self.last_frame_at):
                self.background.add(partial(_publish_typing, *who, frame.conversationId))
        elif isinstance(frame, PresenceFrame):
            self.background.add(partial(_record_heartbeat, *who, frame.status))

    def recheck_session(self, caller: Caller) -> None:
        """Once a minute, check whether the session has ended: the event that says so can be lost
        while the channel layer is down."""
        if self.last_frame_at >= self.last_recheck_at + self.limits.recheck_seconds:
            self.last_recheck_at = self.last_frame_at
            self.background.add(partial(self.close_if_session_ended, caller))

    async def close_if_session_ended(self, caller: Caller) -> None:
        reason = await why_ended(caller)
        if reason is not None:
            event = SessionEnded(reason=reason)
            await self.put(event.to_text())
            await self.close_with(event.close_code)

    # --- From the channel layer

    async def deliver(self, message: Message) -> None:
        """A published event: its text, and a close code where it ends the socket."""
        await self.put(message["text"])
        if message["close"] is not None:
            await self.close_with(CloseCode(message["close"]))

    async def deliver_to_session(self, message: Message) -> None:
        """An event for one session of the account, which may not be this one."""
        if self.caller is not None and message["session"] == session_tag(self.caller.session_key):
            await self.deliver(message)

    async def socket_opened(self, message: Message) -> None:
        if self.slot is not None and self.slot.register_opened(message):
            await self.close_with(CloseCode.REPLACED)

    async def socket_closed(self, message: Message) -> None:
        if self.slot is not None:
            self.slot.register_closed(message)
