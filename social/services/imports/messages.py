"""Messages of an import: numbered in the order of the file, after those that are there.

The conversations of a batch are locked, so nobody sends in between. A member who has read
everything has read what is imported, too; for others it is unread.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts.import_types import ImportRefused, ImportRow
from accounts.purging import MONTH
from social.envelopes import check_envelope
from social.errors import NotForEncrypted, WrongEnvelope
from social.limits import TEXT_LENGTH
from social.models import Conversation, Membership, Message, Reaction, SpentIv
from social.models.messages import seq_of
from social.services.imports.authors import Authors


def save_messages(rows: Sequence[ImportRow]) -> None:
    """Write the messages, with their reactions, and count them."""
    batch = _Batch(rows)
    for row in rows:
        try:
            batch.add(row)
        except ImportRefused as why:
            row.refused = why
    batch.write()


class _Iv(NamedTuple):
    conversation_id: UUID
    sender_id: int
    iv: str


class _Batch:
    """The messages of one transaction."""

    def __init__(self, rows: Sequence[ImportRow]) -> None:
        self._by_id = {row.id: row for row in rows}
        self._oldest = timezone.now() - settings.RETENTION_MONTHS * MONTH
        wanted = {UUID(row.targets["conversation", row.fields["conversation"]]) for row in rows}
        locked = Conversation.objects.filter(pk__in=wanted, closed_at=None).order_by("pk")
        self._conversations = {each.pk: each for each in locked.select_for_update(no_key=True)}
        members = Membership.objects.filter(conversation__in=self._conversations)
        # Who has read everything, before anything is added.
        last_seq = F("conversation__last_seq")
        self._caught_up = list(
            members.filter(last_read_seq__gte=last_seq - F("not_counted")).values_list(
                "pk", flat=True
            )
        )
        self._authors = Authors(self._conversations.values(), rows)
        self._ivs = self._spent(row.fields for row in rows)
        self._new_ivs: list[_Iv] = []
        self._messages: list[Message] = []
        self._reactions: list[tuple[Message, int, str]] = []

    def _spent(self, all_fields: Iterable[dict[str, object]]) -> set[_Iv]:
        """The IVs of these messages that were used already."""
        encrypted = [each.pk for each in self._conversations.values() if each.encrypted]
        if not encrypted:
            return set()
        used = {str(each.get("iv") or str(each["content"])[:16]) for each in all_fields}
        found = SpentIv.objects.filter(conversation__in=encrypted, iv__in=used)
        return {_Iv(*row) for row in found.values_list("conversation_id", "sender_id", "iv")}

    def add(self, row: ImportRow) -> None:
        """Raises: ImportRefused."""
        fields = row.fields
        if fields["createdAt"] < self._oldest:
            raise ImportRefused("It is older than RETENTION_MONTHS.", too_old=True)
        conversation_id = UUID(row.targets["conversation", fields["conversation"]])
        conversation = self._conversations.get(conversation_id)
        if conversation is None:
            raise ImportRefused("The conversation is not here any more.")
        sender = row.person(fields["sender"])
        self._authors.require_may_write(conversation, sender, fields["createdAt"])
        iv = self._checked_iv(conversation, sender, fields["content"], fields.get("iv"))
        message = Message(
            conversation=conversation,
            sender_id=sender,
            content=fields["content"],
            iv=fields.get("iv") if conversation.encrypted else None,
            reply_to_seq=self._quoted(row, conversation_id),
            pinned=fields.get("pinned", False),
            created_at=fields["createdAt"],
            edited_at=fields.get("editedAt"),
        )
        conversation.last_seq += 1
        conversation.revision += 1
        message.seq, message.revision = conversation.last_seq, conversation.revision
        self._authors.record(message)
        row.target = message.public_id
        if iv is not None:
            self._ivs.add(iv)
            self._new_ivs.append(iv)
        self._messages.append(message)
        for emoji, people in fields.get("reactions", {}).items():
            targets = {row.targets.get(("person", each)) for each in people} - {None}
            self._reactions += [
                (message, account_id, emoji)
                for account_id in sorted(int(each or 0) for each in targets)
                if self._authors.may_react(conversation, account_id)
            ]

    def _checked_iv(
        self, conversation: Conversation, sender: int, content: str, iv: str | None
    ) -> _Iv | None:
        if not conversation.encrypted:
            if len(content) > TEXT_LENGTH:
                raise ImportRefused(f"content: At most {TEXT_LENGTH} characters.")
            return None
        try:
            used = _Iv(conversation.pk, sender, check_envelope(content, iv))
        except NotForEncrypted:
            raise ImportRefused("content: Not base64, and the group is encrypted.") from None
        except WrongEnvelope:
            raise ImportRefused("content: Not IV, ciphertext and tag.") from None
        if used in self._ivs:
            raise ImportRefused("iv: The sender has used it in this group already.")
        return used

    def _quoted(self, row: ImportRow, conversation_id: UUID) -> int | None:
        """The number of the message that it replies to; None also where that is too old."""
        source_id = row.fields.get("reply_to")
        if source_id is None:
            return None
        target = row.targets.get(("message", source_id))
        earlier = self._by_id.get(source_id)
        if target is None and earlier is not None:
            if earlier.refused is not None and not earlier.refused.too_old:
                raise ImportRefused(
                    f"The message {source_id!r} of line {earlier.line} was refused: "
                    f"{earlier.refused.reason}"
                )
            target = earlier.target
        if target is None:
            return None
        seq = seq_of(target, conversation_id)
        if seq is None:
            raise ImportRefused(f"The message {source_id!r} is in another conversation.")
        return seq

    def write(self) -> None:
        Message.objects.bulk_create(self._messages)
        Reaction.objects.bulk_create(
            Reaction(message=message, account_id=account_id, emoji=emoji)
            for message, account_id, emoji in self._reactions
        )
        SpentIv.objects.bulk_create(SpentIv(**each._asdict()) for each in self._new_ivs)
        changed = {each.conversation_id for each in self._messages}
        _count(changed)
        self._count_as_read(changed)

    def _count_as_read(self, changed: set[UUID]) -> None:
        members = Membership.objects.filter(conversation__in=changed)
        last_seq = Conversation.objects.filter(pk=OuterRef("conversation")).values("last_seq")
        caught_up = members.filter(pk__in=self._caught_up)
        caught_up.update(last_read_seq=Subquery(last_seq), not_counted=0)
        behind = members.exclude(pk__in=self._caught_up)
        own = Counter((each.conversation_id, each.sender_id) for each in self._messages)
        for membership in behind:
            if count := own[membership.conversation_id, membership.account_id]:
                behind.filter(pk=membership.pk).update(not_counted=F("not_counted") + count)


def _count(changed: set[UUID]) -> None:
    """Count the new messages of locked conversations. One statement: hundreds of conversations
    have some in a batch."""
    new = Message.objects.filter(conversation=OuterRef("pk"), seq__gt=OuterRef("last_seq"))
    newest = new.order_by("-seq").values("seq")[:1]
    latest = new.order_by("-created_at").values("created_at")[:1]
    Conversation.objects.filter(pk__in=changed).update(
        last_seq=Subquery(newest),
        revision=F("revision") + Subquery(newest) - F("last_seq"),
        last_at=Greatest(F("last_at"), Subquery(latest)),
    )
