"""What a client wants to send, and whether its form fits the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from django.utils.translation import gettext_lazy as _

from accounts.encryption import keyed_hash
from accounts.errors import InvalidInput
from social.envelopes import check_envelope
from social.errors import IvReused, NotForEncrypted
from social.limits import TEXT_LENGTH
from social.models import Conversation, SpentIv

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a client wants to send; `reply_to` is a message's public id, `share_card` says which
    card to build."""

    content: str = field(repr=False)
    client_id: str | None = None
    iv: str | None = None
    reply_to: str | None = None
    share_card: Json | None = field(default=None, repr=False)
    # Names beside a ciphertext; a text that is not encrypted has them in itself.
    mentions: Sequence[str] = ()

    @property
    def keyed_hash(self) -> str:
        """Equal for equal sends. Without the key, the text cannot be guessed from it."""
        card = orjson.dumps(self.share_card, option=orjson.OPT_SORT_KEYS).decode()
        parts = [self.content, self.iv or "", self.reply_to or "", card, *self.mentions]
        return keyed_hash("message", *parts)


def check_form(conversation: Conversation, draft: Draft) -> str | None:
    """The IV of a draft for an encrypted conversation. Raises: NotForEncrypted, WrongEnvelope;
    InvalidInput for an unencrypted text that is too long."""
    if not conversation.encrypted:
        require_text_length(draft.content)
        return None
    if draft.share_card is not None:
        raise NotForEncrypted
    return check_envelope(draft.content, draft.iv)


def require_text_length(content: str) -> None:
    """Raises: InvalidInput for an unencrypted text that is too long."""
    if len(content) > TEXT_LENGTH:
        raise InvalidInput({"content": [_("At most %(most)d characters.") % {"most": TEXT_LENGTH}]})


def spend_iv(*, account_id: int, conversation_id: UUID, iv: str) -> None:
    """Record the IV as used, for good. The conversation is locked. Raises: IvReused."""
    spent = {"conversation_id": conversation_id, "sender_id": account_id, "iv": iv}
    if SpentIv.objects.filter(**spent).exists():
        raise IvReused
    SpentIv.objects.create(**spent)
