"""What staff see of a reported message: its texts, and those of its neighbours."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from accounts.contribution_types import EarlierText, Evidence, EvidenceLine, ReportTarget
from accounts.identifiers import require_id
from accounts.models import KeptText
from accounts.services.kept_texts import DELETED_BY, kept_texts
from accounts.services.people import NOBODY, Person, people_of
from social.models import Conversation, Message
from social.models.messages import public_id, seq_of
from social.services.messages.mentions import readable_parts

# Messages before and after the reported one that staff see.
NEIGHBOURS = 3


def message_evidence(message_id: str) -> Evidence | None:
    """The message and its neighbours as they are now; None when the message is gone."""
    return _collect(message_id)


def reported_message(target: ReportTarget) -> Evidence | None:
    """The same, with the texts that were there before; for a reporter who has left the group as it
    was when they left. None when nothing is left of the message."""
    return _collect(target.id, reported=target)


def _collect(message_id: str, *, reported: ReportTarget | None = None) -> Evidence | None:
    conversation_id = require_id(message_id.partition("-")[0])
    seq = seq_of(message_id, conversation_id) or 0
    conversation = Conversation.objects.filter(pk=conversation_id).first()
    numbers = range(max(1, seq - NEIGHBOURS), seq + NEIGHBOURS + 1)
    # Messages before kept texts: what is edited in between is in both, instead of in neither.
    near = Message.objects.filter(conversation=conversation_id, seq__in=numbers)
    messages = {message.seq: message for message in near}
    gone = _kept(conversation_id, numbers)
    kept = gone if reported else {}
    if conversation is None or (seq not in messages and seq not in kept):
        return None
    senders = [message.sender_id for message in messages.values()]
    senders += [row.account_id for rows in kept.values() for row in rows]
    people = people_of(account_id for account_id in senders if account_id)
    parts = readable_parts(messages.values()) if conversation.encrypted else None
    seen_until = reported.seen_until if reported else None
    lines = []
    for number in numbers:
        message = messages.get(number)
        if seen_until and message and message.created_at > seen_until:
            continue  # from after the reporter left
        if message or number in kept:
            history = _History(number, message, kept.get(number, []), seen_until)
            line = history.line(people, parts)
            gone_by = _deleted_by(gone.get(number, [])) if line.state == "deleted" else ""
            lines.append(replace(line, reported=number == seq, gone_by=gone_by))
    return Evidence(lines=lines, seen_until=seen_until)


def _kept(conversation_id: UUID, numbers: Iterable[int]) -> dict[int, list[KeptText]]:
    ids = {public_id(conversation_id, number): number for number in numbers}
    return {ids[name]: rows for name, rows in kept_texts("message", ids).items()}


@dataclass(frozen=True, slots=True)
class _History:
    """A message as it is now (None: it was removed altogether), and what is kept of it, the oldest
    first; one of the two is there."""

    number: int
    message: Message | None
    kept: Sequence[KeptText]
    seen_until: datetime | None

    def line(self, people: Mapping[int, Person], parts: Mapping[int, str] | None) -> EvidenceLine:
        """As the reporter could read it last: what stood there when they left, else as it is.
        `parts`: in an encrypted conversation, `readable_parts`."""
        encrypted = parts is not None
        until = self.seen_until
        before = [row for row in self.kept if until is None or row.gone_at <= until]
        username, display_name = self._author(people)
        state, text, gone_at = self._now(parts)
        if len(before) < len(self.kept):
            state, text, gone_at = "", _text(self.kept[len(before)]), None
            state = "encrypted" if encrypted else state
        return EvidenceLine(
            key=str(self.number),
            author=username,
            display_name=display_name,
            at=self.message.created_at if self.message else self.kept[0].gone_at,
            text=text,
            state=state,
            edited_at=self._edited_at(before),
            gone_at=gone_at,
            earlier=[
                EarlierText(_text(row), row.gone_at, row.change, changed_by=_deleted_by([row]))
                for row in before
            ],
        )

    def _now(self, parts: Mapping[int, str] | None) -> tuple[str, str, datetime | None]:
        """State, text, and since when it is deleted or hidden."""
        message = self.message
        if message is None:
            return "deleted", "", self.kept[-1].gone_at
        gone_at = message.deleted_at or message.hidden_at
        if message.deleted_at is not None:
            return "deleted", "", gone_at
        if parts is not None:
            return "encrypted", parts.get(message.pk, ""), gone_at
        return "hidden" if message.hidden_at else "", message.shown_text, gone_at

    def _edited_at(self, before: Sequence[KeptText]) -> datetime | None:
        if self.message is not None and len(before) == len(self.kept):
            return self.message.edited_at
        edits = [row.gone_at for row in before if row.change == KeptText.EDITED]
        return edits[-1] if edits else None

    def _author(self, people: Mapping[int, Person]) -> tuple[str, str]:
        """Public name and display name; of an erased account what is kept."""
        kept = self.kept[-1] if self.kept else None
        sender_id = (self.message.sender_id if self.message else None) or (
            kept.account_id if kept else None
        )
        person = people.get(sender_id or 0, NOBODY)
        name = str(kept.person_name) if kept else ""
        return person.username or name, person.display_name or name


def _deleted_by(kept: Sequence[KeptText]) -> str:
    """Who deleted the message, if not its author; as long as it is kept."""
    return kept[-1].values.get(DELETED_BY, "") if kept else ""


def _text(row: KeptText) -> str:
    return row.values.get("text", "")
