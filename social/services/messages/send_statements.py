"""The statements of a send, in SQL that PostgreSQL and SQLite share.

One batch locks the conversation and reads what decides about the message, the other writes it. On
PostgreSQL each is one round trip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from social.models import Conversation, Message
from social.services.conversations.direct import DM_PERMISSION, is_allowed

Statement = tuple[str, list[Any]]
Rows = list[tuple[Any, ...]]

# Strangers lock nothing. A member who is removed while this waits for the lock is not among the
# members, which are read after it.
_LOCK = """
SELECT type, encryption, epoch, last_seq, revision, last_at FROM social_conversation
WHERE id = %s AND closed_at IS NULL AND EXISTS (
    SELECT 1 FROM social_membership WHERE conversation_id = %s AND account_id = %s)
"""
_MEMBERS = """
SELECT member.account_id, member.joined_seq, profile.display_name
FROM social_membership member
LEFT JOIN accounts_profile profile
    ON profile.account_id = member.account_id AND member.account_id = %s
WHERE member.conversation_id = %s
"""
# No row in a group.
_PERMISSION = DM_PERMISSION.format(
    recipient="""(
    SELECT CASE WHEN pair_low_id = %s THEN pair_high_id ELSE pair_low_id END
    FROM social_conversation WHERE id = %s AND type = 'dm')"""
)
_SENT_BEFORE = """
SELECT id FROM social_message WHERE sender_id = %s AND conversation_id = %s AND client_id = %s
"""
_COUNT = "UPDATE social_conversation SET last_seq = %s, revision = %s, last_at = %s WHERE id = %s"
_FIELDS = [field for field in Message._meta.concrete_fields if not field.primary_key]
_INSERT = (  # column names of our own model
    f"INSERT INTO social_message ({', '.join(str(field.column) for field in _FIELDS)}) "  # noqa: S608
    f"VALUES ({', '.join('%s' for _ in _FIELDS)}) RETURNING id"
)
# The sender has read the message, unless there are unread ones before it: then it is counted.
_MARK_READ = """
UPDATE social_membership SET
    own_unread = CASE WHEN last_read_seq = %s THEN own_unread ELSE own_unread + 1 END,
    last_read_seq = CASE WHEN last_read_seq = %s THEN %s ELSE last_read_seq END
WHERE conversation_id = %s AND account_id = %s
"""


@dataclass(frozen=True, slots=True)
class LockedConversation:
    """A conversation that its sender has locked.

    `members` are the accounts in it, each with its `joined_seq`. `allowed` is False where the
    other person of a direct conversation does not accept messages. `sent_before` is the id of the
    sender's message with the same `client_id`.
    """

    conversation: Conversation
    members: dict[int, int]
    display_name: str
    allowed: bool
    sent_before: int | None


def lock_for_sending(
    *, sender_id: int, conversation_id: UUID, client_id: str | None
) -> LockedConversation | None:
    """Lock a conversation and read what decides about a message; None: the sender is no member."""
    key = _key(conversation_id)
    lock = _LOCK + connection.ops.for_update_sql(no_key=True) if _is_postgresql() else _LOCK
    locked, members, permission, sent_before = _run(
        [
            (lock, [key, key, sender_id]),
            (_MEMBERS, [sender_id, key]),
            (_PERMISSION, [sender_id, key, sender_id]),
            (_SENT_BEFORE, [sender_id, key, client_id]),
        ]
    )
    joined = {account_id: joined_seq for account_id, joined_seq, _ in members}
    if not locked or sender_id not in joined:
        return None
    kind, encryption, epoch, last_seq, revision, last_at = locked[0]
    return LockedConversation(
        conversation=Conversation(
            id=conversation_id,
            type=kind,
            encryption=encryption,
            epoch=epoch,
            last_seq=last_seq,
            revision=revision,
            last_at=_aware(last_at),
        ),
        members=joined,
        display_name=next((name for _, _, name in members if name), ""),
        allowed=kind == Conversation.GROUP or is_allowed(permission),
        sent_before=sent_before[0][0] if sent_before else None,
    )


def insert_message(message: Message) -> None:
    """Insert the next message of a locked conversation, with its `seq`, `revision` and time."""
    key, seq = _key(message.conversation_id), message.seq
    sent_at = connection.ops.adapt_datetimefield_value(message.created_at)
    values = [
        field.get_db_prep_save(getattr(message, field.attname), connection) for field in _FIELDS
    ]
    _, inserted, _ = _run(
        [
            (_COUNT, [seq, message.revision, sent_at, key]),
            (_INSERT, values),
            (_MARK_READ, [seq - 1, seq - 1, seq, key, message.sender_id]),
        ]
    )
    message.pk = inserted[0][0]


def _run(statements: Sequence[Statement]) -> list[Rows]:
    """The rows of each statement. PostgreSQL takes all of them at once, SQLite one by one."""
    if _is_postgresql():
        values = [value for _, each in statements for value in each]
        statements = [(";".join(sql for sql, _ in statements), values)]
    found: list[Rows] = []
    with connection.cursor() as cursor:
        for sql, values in statements:
            cursor.execute(sql, values)
            found.append(_rows(cursor))
            while _is_postgresql() and cursor.nextset():
                found.append(_rows(cursor))
    return found


def _rows(cursor: Any) -> Rows:
    # All of them: SQLite cannot commit while a statement has rows left.
    return list(cursor.fetchall()) if cursor.description else []


def _is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def _key(conversation_id: UUID) -> Any:
    return conversation_id if connection.features.has_native_uuid_field else conversation_id.hex


def _aware(value: datetime | str) -> datetime:
    """SQLite returns the text that Django stored: UTC, without an offset."""
    time = datetime.fromisoformat(value) if isinstance(value, str) else value
    return time if time.tzinfo else time.replace(tzinfo=UTC)
