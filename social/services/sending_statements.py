"""The statements of a send, in SQL that PostgreSQL and SQLite share.

All run in one transaction, `take_number` first: it takes the lock of the conversation's row, and
what the others read is what stands while it is held.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Model

from social.errors import NotThere
from social.models import Conversation, Message, SpentIv

# Strangers are turned away before they lock anything; who was removed while this waited for the
# lock is not among the members that are read next.
_TAKE_NUMBER = """
UPDATE social_conversation SET
    last_seq = last_seq + 1,
    revision = revision + 1,
    last_at = CASE WHEN last_at > %s THEN last_at ELSE %s END
WHERE id = %s AND closed_at IS NULL AND EXISTS (
    SELECT 1 FROM social_membership WHERE conversation_id = %s AND account_id = %s)
RETURNING type, encryption, epoch, last_seq, revision, last_at, pair_low_id, pair_high_id
"""
_MEMBERS = """
SELECT member.account_id, member.joined_seq, profile.display_name
FROM social_membership member
LEFT JOIN accounts_profile profile
    ON profile.account_id = member.account_id AND member.account_id = %s
WHERE member.conversation_id = %s
"""
# One's own message is read. With unread ones of others before it, it is counted apart.
_COUNT_AS_READ = """
UPDATE social_membership SET
    own_unread = CASE WHEN last_read_seq = %s - 1 THEN own_unread ELSE own_unread + 1 END,
    last_read_seq = CASE WHEN last_read_seq = %s - 1 THEN %s ELSE last_read_seq END
WHERE conversation_id = %s AND account_id = %s
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes: the locked conversation with its new numbers, its members by account
    (with the number after which each of them reads), the sender's name."""

    conversation: Conversation
    seq: int
    revision: int
    moment: datetime
    members: dict[int, int]
    display_name: str = field(repr=False)


def take_number(*, account_id: int, conversation_id: UUID, now: datetime) -> Place:
    """The next number of a conversation, for one of its members.

    Raises: NotThere (unknown, closed, or the account is no member).
    """
    moment = connection.ops.adapt_datetimefield_value(now)
    key = _key(conversation_id)
    with connection.cursor() as cursor:
        cursor.execute(_TAKE_NUMBER, [moment, moment, key, key, account_id])
        # All of it, or SQLite would still be at this statement when it has to commit.
        taken = cursor.fetchall()
        if not taken:
            raise NotThere
        cursor.execute(_MEMBERS, [account_id, key])
        members = cursor.fetchall()
    kind, encryption, epoch, seq, revision, last_at, low, high = taken[0]
    conversation = Conversation(
        id=conversation_id,
        type=kind,
        encryption=encryption,
        epoch=epoch,
        pair_low_id=low,
        pair_high_id=high,
    )
    joined = {account: joined_seq for account, joined_seq, _ in members}
    if account_id not in joined:
        raise NotThere
    name = next((name for account, _, name in members if account == account_id), None)
    return Place(conversation, seq, revision, _moment(last_at), joined, name or "")


def insert_message(message: Message) -> bool:
    """Keep a new message. False: the sender has used its `client_id` here."""
    return _insert(message)


def count_as_read(message: Message) -> None:
    """The sender has read what they wrote."""
    seq = message.seq
    with connection.cursor() as cursor:
        values = [seq, seq, seq, _key(message.conversation_id), message.sender_id]
        cursor.execute(_COUNT_AS_READ, values)


def spend_iv(*, account_id: int, conversation_id: UUID, iv: str) -> bool:
    """Use up an IV for good. False: the sender has used it in this conversation."""
    return _insert(SpentIv(conversation_id=conversation_id, sender_id=account_id, iv=iv))


def _insert(row: Model) -> bool:
    """Insert a row and set its key; False where a constraint says that there is one."""
    fields = [each for each in row._meta.concrete_fields if not each.primary_key]
    names = ", ".join(f"{each.column}" for each in fields)
    marks = ", ".join(["%s"] * len(fields))
    # Names of tables and columns are our own models'.
    statement = (
        f"INSERT INTO {row._meta.db_table} ({names}) VALUES ({marks}) "  # noqa: S608
        "ON CONFLICT DO NOTHING RETURNING id"
    )
    values = [each.get_db_prep_save(getattr(row, each.attname), connection) for each in fields]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        made = cursor.fetchall()
    if made:
        row.pk = made[0][0]
    return bool(made)


def _key(conversation_id: UUID) -> Any:
    return conversation_id if connection.features.has_native_uuid_field else conversation_id.hex


def _moment(value: datetime | str) -> datetime:
    """SQLite keeps what Django gives it: text, in UTC, without saying so."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
