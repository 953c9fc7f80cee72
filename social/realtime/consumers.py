"""The socket at `/ws`: signs in once, then passes on what is published to its groups.

It decides nothing about people or content. Writes go by REST; of its client it takes `ping`,
`typing` and `presence`. Nothing here waits for the client, the database or a thread, but opening
and closing: what is published is taken in at once, whatever else goes on.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.callers import Caller
from accounts.websocket_auth import origin_allowed
from social.limits import SOCKET_LIMITS, SocketLimits
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
    read_frame,
)
from social.realtime.groups import account_group, session_group
from social.realtime.outbox import Outbox
from social.realtime.sender import sender
from social.realtime.sign_in import Refused, sign_in, why_ended
from social.realtime.typing_indicator import TypingIndicator
from social.services.presence import beat

logger = logging.getLogger(__name__)
Message = dict[str, Any]
_beat = in_thread(beat)
# After one of these, other people may be in a conversation, or may not be told any more.
_CHANGES_WHO_HEARS = ("conversation.", "friend.")


class SocketConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket. Close codes are those of `close_codes.py`.

    `limits` is an argument so that a test need not wait five minutes.
    """

    def __init__(self, limits: SocketLimits = SOCKET_LIMITS) -> None:
        super().__init__()
        self.limits = limits
        self.frame_rate = FrameRateLimit(limits.frames, limits.frames_seconds)
        self.outbox = Outbox(self.write, self.lag, limits)
        self.background = BackgroundTasks()
        self.typing = TypingIndicator(limits)
        self.caller: Caller | None = None
        self.slot: ConnectionSlot | None = None
        self.accepted = False
        self.ended = False
        self.heard = 0.0
        self.looked = 0.0
        self.silence: asyncio.Task[None] | None = None

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Any
    ) -> None:
        """Serve one connection; whatever happens, leave the groups and close with a code.

        A foreign page is refused before accepting (HTTP 403), anyone else after it.
        """
        if not origin_allowed(scope):
            await send({"type": "websocket.close"})
            return
        self.base_send = send
        try:
            await super().__call__(scope, receive, send)
        except OSError:
            pass  # by the ASGI specification: the client is gone
        except Exception:
            logger.exception("a socket failed")
            with suppress(OSError):
                await self.open()
                await self.end(CloseCode.UNEXPECTED)
        finally:
            await self.leave()

    async def dispatch(self, message: Message) -> None:
        """As in channels, but without looking for database connections before each message:
        there are none in this loop."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    # --- Opening and closing

    async def connect(self) -> None:
        """Accept, sign in, join, say `ready`; or say why not and close."""
        await self.open()
        try:
            caller = await sign_in(self.scope, self.limits.sign_in_seconds)
            await self.join(caller)
            # Once more, now that we would hear of it: a logout in between was told to nobody.
            await sign_in(self.scope, self.limits.sign_in_seconds)
        except Refused as refused:
            await self.say(SocketError(code=refused.code).to_text())
            await self.end(refused.close_code)
            return
        await self.say(Ready(username=caller.username).to_text())
        self.heard = self.looked = asyncio.get_running_loop().time()
        self.silence = asyncio.create_task(self.watch_silence())

    async def open(self) -> None:
        """Accept, once: a code for closing needs an open socket."""
        if not self.accepted:
            self.accepted = True
            await self.accept()

    async def join(self, caller: Caller) -> None:
        """Hear what is published to this session and account; tell the account's others."""
        sender.serve_from(asyncio.get_running_loop())
        self.caller = caller
        await self.channel_layer.group_add(session_group(caller.session_key), self.channel_name)
        await self.channel_layer.group_add(account_group(caller.account_id), self.channel_name)
        self.slot = ConnectionSlot(self.limits.sockets_per_account, opened_ns=time.time_ns())
        await self.channel_layer.group_send(account_group(caller.account_id), self.slot.opened())

    async def leave(self) -> None:
        """Undo `join`, as far as it went."""
        self.outbox.drop()
        self.background.drop()
        if self.silence is not None:
            self.silence.cancel()
        if self.caller is None:
            return
        account = account_group(self.caller.account_id)
        session = session_group(self.caller.session_key)
        try:
            await self.channel_layer.group_discard(session, self.channel_name)
            await self.channel_layer.group_discard(account, self.channel_name)
            if self.slot is not None:
                await self.channel_layer.group_send(account, self.slot.closed())
        except Exception as error:  # noqa: BLE001 - the layer may be what failed
            logger.warning("a socket left without a word: %s", type(error).__name__)

    async def end(self, code: CloseCode) -> None:
        """Close, once, after what was said before."""
        if not self.ended:
            self.ended = True
            await self.outbox.finish()
            await self.close(code=int(code))

    async def say(self, text: str) -> None:
        """Send one frame soon, unless the socket is closing."""
        if not self.ended:
            await self.outbox.put(text)

    async def write(self, text: str) -> None:
        """What the outbox does with a frame; waits while the client does not read."""
        await self.send(text_data=text)

    async def lag(self) -> None:
        """What the outbox does when the client reads too slowly."""
        with suppress(OSError):
            await self.end(CloseCode.LAGGING)

    async def watch_silence(self) -> None:
        """Close a socket whose client says nothing for too long."""
        now = asyncio.get_running_loop().time
        while (left := self.heard + self.limits.silence_seconds - now()) > 0:
            await asyncio.sleep(left)
        with suppress(OSError):
            await self.end(CloseCode.SILENT_TOO_LONG)

    # --- From the client

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One frame: count it, measure it, read it, answer it."""
        if self.ended:
            return
        self.heard = asyncio.get_running_loop().time()
        size = len(bytes_data or b"") if text_data is None else len(text_data.encode())
        if not self.frame_rate.allows(self.heard):
            await self.end(CloseCode.TOO_MANY_FRAMES)
        elif size > self.limits.frame_bytes:
            await self.end(CloseCode.FRAME_TOO_LARGE)
        elif text_data is None:
            await self.end(CloseCode.NOT_TEXT)
        else:
            await self.answer(text_data)

    async def answer(self, text: str) -> None:
        """The answer to a frame of the right size and kind."""
        if self.caller is None:
            return
        try:
            frame = read_frame(text)
        except BadFrame as bad:
            await self.say(SocketError(code=bad.code).to_text())
            return
        if isinstance(frame, PingFrame):
            await self.say(Pong().to_text())
            self.recheck_session(self.caller)
        elif isinstance(frame, TypingFrame):
            if self.typing.should_send(frame.conversation_id, self.heard):
                self.background.add(partial(self.typing.send, self.caller, frame.conversation_id))
        elif isinstance(frame, PresenceFrame):
            who = (self.caller.account_id, self.caller.username)
            self.background.add(partial(_beat, *who, frame.status))

    def recheck_session(self, caller: Caller) -> None:
        """Now and then: a logout that was told while the channel layer was away is over too."""
        if self.heard >= self.looked + self.limits.recheck_seconds:
            self.looked = self.heard
            self.background.add(partial(self.close_if_session_ended, caller))

    async def close_if_session_ended(self, caller: Caller) -> None:
        """Say goodbye if the session has ended."""
        reason = await why_ended(caller)
        if reason is not None:
            goodbye = SessionEnded(reason=reason)
            await self.say(goodbye.to_text())
            await self.end(goodbye.close_code)

    # --- From the channel layer

    async def deliver(self, message: Message) -> None:
        """A published event: the text as it is, and a close code where it ends the socket."""
        if message["event"].startswith(_CHANGES_WHO_HEARS):
            self.typing.invalidate()
        await self.say(message["text"])
        if message["close"] is not None:
            await self.end(CloseCode(message["close"]))

    async def socket_opened(self, message: Message) -> None:
        """Another socket of this account opened."""
        if self.slot is not None and self.slot.register_opened(message):
            await self.end(CloseCode.REPLACED)

    async def socket_closed(self, message: Message) -> None:
        """Another socket of this account closed."""
        if self.slot is not None:
            self.slot.register_closed(message)
