"""`typing` of one socket: whom it is passed on to, and how often.

Each frame is authorised: who is in the conversation is asked, and remembered for a moment, or
until the socket hears of a change in one of its conversations or friendships.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from accounts.callers import Caller
from social.errors import NotThere
from social.limits import SocketLimits
from social.realtime.background_tasks import in_thread
from social.realtime.events import Typing
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.conversations.typing_recipients import typing_recipients

_hearers = in_thread(typing_recipients)


@dataclass(slots=True)
class _Known:
    told: float
    asked: float = float("-inf")
    hearers: tuple[int, ...] = ()


class TypingIndicator:
    """Times are those of the loop, in seconds."""

    def __init__(self, limits: SocketLimits) -> None:
        self._limits = limits
        self._known: dict[UUID, _Known] = {}
        self._changes = 0

    def should_send(self, conversation_id: UUID, now: float) -> bool:
        """Whether this frame is passed on; those that come too soon after one are not."""
        known = self._known.get(conversation_id)
        if known is None:
            self._forget_old(now)
            self._known[conversation_id] = _Known(told=now)
            return True
        if now - known.told < self._limits.typing_seconds:
            return False
        known.told = now
        return True

    async def send(self, caller: Caller, conversation_id: UUID) -> None:
        """Tell the other members. A conversation that the caller is not in: nobody."""
        now = asyncio.get_running_loop().time()
        hearers = await self._who_hears(caller.account_id, conversation_id, now)
        if hearers:
            event = Typing(conversationId=conversation_id.hex, username=caller.username)
            publish_on_commit([ToAccounts(hearers, event)])

    def invalidate(self) -> None:
        """Somebody came, went, or is no friend any more: ask again."""
        self._changes += 1
        for known in self._known.values():
            known.asked = float("-inf")

    async def _who_hears(
        self, account_id: int, conversation_id: UUID, now: float
    ) -> tuple[int, ...]:
        known = self._known.setdefault(conversation_id, _Known(told=now))
        if now - known.asked < self._limits.membership_seconds:
            return known.hearers
        changes = self._changes
        try:
            found = await _hearers(account_id=account_id, conversation_id=conversation_id)
        except NotThere:
            found = []
        if changes == self._changes:  # else the answer may be older than the change
            known.asked, known.hearers = now, tuple(found)
        return tuple(found)

    def _forget_old(self, now: float) -> None:
        kept = max(self._limits.membership_seconds, self._limits.typing_seconds)
        for conversation_id, known in list(self._known.items()):
            if now - known.told > kept:
                del self._known[conversation_id]
