"""A place in the list of conversations, as text that clients only hand back."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

from accounts.timestamps import EPOCH
from social.models import Conversation

_MICROSECOND = timedelta(microseconds=1)
_MOMENT_BYTES = 8


@dataclass(frozen=True, slots=True)
class Cursor:
    """Behind the conversation with this id, when its newest message was of this moment."""

    last_at: datetime
    id: UUID

    @classmethod
    def of(cls, conversation: Conversation) -> Self:
        return cls(conversation.last_at, conversation.pk)

    def to_text(self) -> str:
        moment = (self.last_at - EPOCH) // _MICROSECOND
        return urlsafe_b64encode(moment.to_bytes(_MOMENT_BYTES, "big") + self.id.bytes).decode()

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises: ValueError for what `to_text` never made."""
        packed = urlsafe_b64decode(text.encode("ascii"))
        moment = int.from_bytes(packed[:_MOMENT_BYTES], "big") * _MICROSECOND
        try:
            cursor = cls(EPOCH + moment, UUID(bytes=packed[_MOMENT_BYTES:]))
        except OverflowError:
            raise ValueError("no calendar holds it") from None
        if cursor.to_text() != text:
            raise ValueError("not of ours")
        return cursor
