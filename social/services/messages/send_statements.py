"""The statements of a send, in SQL that PostgreSQL and SQLite share.

They run in one transaction, in this order: the first takes the lock of the conversation's row with
the next number, and what the others read is what stands while it is held. None needs an answer of
the one before, so on PostgreSQL they are one round trip, and the lock is held for one more: the
commit.
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

# Strangers are turned away before they lock anything; who was removed while this waited for the
# lock is not among the members that are read next.
_TAKE_NUMBER = """
UPDATE social_conversation SET
    last_seq = last_seq + 1,
    revision = revision + 1,
    last_at = CASE WHEN last_at > %s THEN last_at ELSE %s END
WHERE id = %s AND closed_at IS NULL AND EXISTS (
    SELECT 1 FROM social_membership WHERE conversation_id = %s AND account_id = %s)
RETURNING type, encryption, epoch, last_seq, revision, last_at
"""
_MEMBERS = """
SELECT member.account_id, member.joined_seq, profile.display_name
FROM social_membership member
LEFT JOIN accounts_profile profile
    ON profile.account_id = member.account_id AND member.account_id = %s
WHERE member.conversation_id = %s
"""
# Nobody in a group.
_OTHER_SIDE = """(
    SELECT CASE WHEN pair_low_id = %s THEN pair_high_id ELSE pair_low_id END
    FROM social_conversation WHERE id = %s AND type = 'dm')"""
_STANDING = DM_PERMISSION.format(recipient=_OTHER_SIDE)
# What a message takes from its conversation, as the first statement has left it.
_FROM_CONVERSATION = {
    "seq": "conversation.last_seq",
    "revision": "conversation.revision",
    "epoch": "conversation.epoch",
    "created_at": "conversation.last_at",
}
_FIELDS = [field for field in Message._meta.concrete_fields if not field.primary_key]
# Where nothing is encrypted, an IV means nothing.
_IV = "CASE WHEN conversation.encryption = 'none' THEN NULL ELSE %s END"
_MARKS = _FROM_CONVERSATION | {"iv": _IV}
_OWN_FIELDS = [field for field in _FIELDS if field.attname not in _FROM_CONVERSATION]
_INSERT = (  # names of our own models and nothing else
    f"INSERT INTO social_message ({', '.join(str(field.column) for field in _FIELDS)}) "  # noqa: S608
    f"SELECT {', '.join(_MARKS.get(field.attname, '%s') for field in _FIELDS)} "
    "FROM social_conversation conversation WHERE id = %s ON CONFLICT DO NOTHING RETURNING id"
)
# One's own message is read. With unread ones of others before it, it is counted apart.
_COUNT_AS_READ = """
UPDATE social_membership SET
    own_unread = CASE WHEN last_read_seq = {seq} - 1 THEN own_unread ELSE own_unread + 1 END,
    last_read_seq = CASE WHEN last_read_seq = {seq} - 1 THEN {seq} ELSE last_read_seq END
WHERE conversation_id = %s AND account_id = %s
""".format(seq="(SELECT last_seq FROM social_conversation WHERE id = %s)")


@dataclass(frozen=True, slots=True)
class Written:
    """A message in its place, not yet committed. `members` are the accounts that hear of it, each
    with the number after which it reads; empty: the sender is none of them, and nothing counts.
    `new` is False where the sender has used the `client_id` here."""

    conversation: Conversation
    members: dict[int, int]
    display_name: str
    welcome: bool
    new: bool


def write_message(message: Message, *, now: datetime) -> Written | None:
    """Put a message into its conversation and give it its number, revision and moment.

    None: there is no such conversation, it is closed, or the sender is no member. The caller
    decides by the rest, and rolls back what must not be.
    """
    key, sender = _key(message.conversation_id), message.sender_id
    moment = connection.ops.adapt_datetimefield_value(now)
    own = [
        field.get_db_prep_save(getattr(message, field.attname), connection) for field in _OWN_FIELDS
    ]
    taken, members, standing, made, _ = _run(
        [
            (_TAKE_NUMBER, [moment, moment, key, key, sender]),
            (_MEMBERS, [sender, key]),
            (_STANDING, [sender, key, sender]),
            (_INSERT, [*own, key]),
            (_COUNT_AS_READ, [key, key, key, key, sender]),
        ]
    )
    joined = {account: joined_seq for account, joined_seq, _ in members}
    if not taken or sender not in joined:
        return None
    kind, encryption, message.epoch, message.seq, message.revision, last_at = taken[0]
    message.created_at = _moment(last_at)
    message.iv = None if encryption == Conversation.NONE else message.iv
    if made:
        message.pk = made[0][0]
    return Written(
        conversation=Conversation(id=message.conversation_id, type=kind, encryption=encryption),
        members=joined,
        display_name=next((name for _, _, name in members if name), ""),
        welcome=kind == Conversation.GROUP or is_allowed(standing),
        new=bool(made),
    )


def spend_iv(*, account_id: int, conversation_id: UUID, iv: str) -> bool:
    """Use up an IV for good. False: the sender has used it in this conversation."""
    statement = (
        "INSERT INTO social_spentiv (conversation_id, sender_id, iv) VALUES (%s, %s, %s) "
        "ON CONFLICT DO NOTHING RETURNING id"
    )
    (made,) = _run([(statement, [_key(conversation_id), account_id, iv])])
    return bool(made)


def _run(statements: Sequence[Statement]) -> list[Rows]:
    """The rows of each statement. PostgreSQL takes all of them at once, SQLite one by one."""
    if connection.vendor == "postgresql":
        values = [value for _, each in statements for value in each]
        statements = [(";".join(sql for sql, _ in statements), values)]
    found: list[Rows] = []
    with connection.cursor() as cursor:
        for sql, values in statements:
            cursor.execute(sql, values)
            found.append(_rows(cursor))
            while connection.vendor == "postgresql" and cursor.nextset():
                found.append(_rows(cursor))
    return found


def _rows(cursor: Any) -> Rows:
    # All of them, or SQLite would still be at this statement when it has to commit.
    return list(cursor.fetchall()) if cursor.description else []


def _key(conversation_id: UUID) -> Any:
    return conversation_id if connection.features.has_native_uuid_field else conversation_id.hex


def _moment(value: datetime | str) -> datetime:
    """SQLite keeps what Django gives it: text, in UTC, without saying so."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
