"""`typing` of one socket: who receives it, and how often. Each frame is authorised."""

from uuid import UUID

from accounts.callers import Caller
from accounts.errors import NotThere
from social.limits import SocketLimits
from social.realtime.background_tasks import in_thread
from social.realtime.events import Typing
from social.realtime.publish import Delivery, publish_on_commit
from social.services.conversations.activity import typing_recipients

_typing_recipients = in_thread(typing_recipients)


class TypingIndicator:
    def __init__(self, limits: SocketLimits) -> None:
        self._limits = limits
        # When a frame of a conversation was passed on last, by the clock of the loop, in seconds.
        self._sent_at: dict[UUID, float] = {}

    def should_send(self, conversation_id: UUID, now: float) -> bool:
        """Whether this frame is passed on; those that come too soon after one are not."""
        since = now - self._limits.typing_seconds
        if self._sent_at.get(conversation_id, float("-inf")) > since:
            return False
        self._sent_at = {key: at for key, at in self._sent_at.items() if at > since}
        self._sent_at[conversation_id] = now
        return True

    async def send(self, caller: Caller, conversation_id: UUID) -> None:
        """Publish `typing` to those who may receive it; to nobody when the caller is not a
        member."""
        try:
            recipients = await _typing_recipients(
                account_id=caller.account_id, conversation_id=conversation_id
            )
        except NotThere:
            return
        if recipients:
            event = Typing(conversationId=conversation_id.hex, username=caller.username)
            publish_on_commit([Delivery(recipients, event)])
