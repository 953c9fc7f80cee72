"""`typing` of one socket: who receives it, and how often.

Each frame is authorised. The members of a conversation are cached for a few seconds, or until the
socket receives a change of one of its conversations or friendships.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from accounts.callers import Caller
from social.errors import NotThere
from social.limits import SocketLimits
from social.realtime.background_tasks import in_thread
from social.realtime.events import Typing
from social.realtime.publish import Delivery, publish_on_commit
from social.services.conversations.activity import typing_recipients

_typing_recipients = in_thread(typing_recipients)


@dataclass(slots=True)
class _State:
    """Of one conversation. Times are those of the loop, in seconds."""

    sent_at: float
    cached_at: float = float("-inf")
    recipients: tuple[int, ...] = ()


class TypingIndicator:
    def __init__(self, limits: SocketLimits) -> None:
        self._limits = limits
        self._states: dict[UUID, _State] = {}
        self._generation = 0

    def should_send(self, conversation_id: UUID, now: float) -> bool:
        """Whether this frame is passed on; those that come too soon after one are not."""
        state = self._states.get(conversation_id)
        if state is None:
            self._drop_old(now)
            self._states[conversation_id] = _State(sent_at=now)
            return True
        if now - state.sent_at < self._limits.typing_seconds:
            return False
        state.sent_at = now
        return True

    async def send(self, caller: Caller, conversation_id: UUID) -> None:
        """Publish `typing` to the other members; to nobody when the caller is not a member."""
        now = asyncio.get_running_loop().time()
        recipients = await self._recipients(caller.account_id, conversation_id, now)
        if recipients:
            event = Typing(conversationId=conversation_id.hex, username=caller.username)
            publish_on_commit([Delivery.to_accounts(recipients, event)])

    def invalidate(self) -> None:
        """Drop the cached members: a conversation or a friendship has changed."""
        self._generation += 1
        for state in self._states.values():
            state.cached_at = float("-inf")

    async def _recipients(
        self, account_id: int, conversation_id: UUID, now: float
    ) -> tuple[int, ...]:
        state = self._states.setdefault(conversation_id, _State(sent_at=now))
        if now - state.cached_at < self._limits.membership_seconds:
            return state.recipients
        generation = self._generation
        try:
            found = await _typing_recipients(account_id=account_id, conversation_id=conversation_id)
        except NotThere:
            found = []
        if generation == self._generation:  # else the result may be older than the change
            state.cached_at, state.recipients = now, tuple(found)
        return tuple(found)

    def _drop_old(self, now: float) -> None:
        kept = max(self._limits.membership_seconds, self._limits.typing_seconds)
        for conversation_id, state in list(self._states.items()):
            if now - state.sent_at > kept:
                del self._states[conversation_id]
