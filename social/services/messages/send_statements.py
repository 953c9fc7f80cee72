"""The statements of a send, in SQL that PostgreSQL and SQLite share.

They run in one transaction: lock the conversation, insert the message with the next number (`seq`)
unless something refuses it, then store that number in the conversation. No statement needs the
result of an earlier one in Python, so PostgreSQL gets all of them in one round trip, and the lock
is held for one more, the commit. With the checks in Python, which need a second round trip under
the lock, sixteen people in one group (`benchmarks --only sends-one`) sent a third fewer messages;
through the ORM, a send took 6 ms of CPU time instead of 3. A connection prepares each statement
once: before, planning took 1 of the 1.8 ms of CPU time that a message cost PostgreSQL.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection

from accounts.errors import NotFound
from social.models import Conversation, Message
from social.services.message_permission import MAY_MESSAGE, adult_rule

Statement = tuple[str, list[Any]]
Rows = list[tuple[Any, ...]]

# The statements after it read what is true while the lock is held. It locks the row for somebody
# who is no member, too: who joins a moment later is one for the INSERT, which needs the lock.
_LOCK = """
SELECT type, encryption, group_name FROM social_conversation
WHERE id = %s AND closed_at IS NULL
"""
# Of each member the account, `joined_seq`, the sender's name, and whether to notify the member.
# `NOT about = ''` repeats the condition of the index: SQLite uses the index only then.
_MEMBERS = """
SELECT account_id, joined_seq, (SELECT display_name FROM accounts_profile WHERE account_id = %s),
    account_id NOT IN (
        SELECT account_id FROM notifications_notification
        WHERE kind = 'message' AND about = %s AND read_at IS NULL AND NOT about = '')
    AND COALESCE((
        SELECT delivery FROM notifications_kindsetting setting
        WHERE setting.account_id = member.account_id AND setting.kind = 'message'), 'list') <> 'off'
FROM social_membership member
WHERE conversation_id = %s
"""
_OTHER_PERSON = "CASE WHEN pair_low_id = %s THEN pair_high_id ELSE pair_low_id END"
_MAY_MESSAGE = MAY_MESSAGE.format(recipient=_OTHER_PERSON, conversation="conversation.id")
# The first reason to refuse the message; NULL: there is none.
_REFUSAL = f"""CASE
    WHEN conversation.closed_at IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM social_membership
        WHERE conversation_id = conversation.id AND account_id = %s) THEN 'not_a_member'
    WHEN CASE WHEN conversation.encryption = 'none' THEN %s ELSE %s END THEN 'wrong_form'
    WHEN CAST(%s AS BIGINT) IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM social_message quoted
        JOIN social_membership reader ON reader.conversation_id = quoted.conversation_id
        WHERE quoted.conversation_id = conversation.id AND quoted.seq = %s
            AND reader.account_id = %s AND reader.joined_seq < quoted.seq) THEN 'no_such_quote'
    WHEN conversation.type = 'dm' AND NOT {_MAY_MESSAGE} THEN 'dm_refused'
    WHEN EXISTS (
        SELECT 1 FROM social_message
        WHERE conversation_id = conversation.id AND sender_id = %s AND client_id = %s)
        THEN 'sent_before'
    WHEN conversation.encryption <> 'none' AND EXISTS (
        SELECT 1 FROM social_spentiv
        WHERE conversation_id = conversation.id AND sender_id = %s AND iv = %s) THEN 'iv_reused'
    END"""  # noqa: S608
_FIELDS = [field for field in Message._meta.concrete_fields if not field.primary_key]
# What a message takes from its conversation; its time is never before that of the last message.
_FROM_CONVERSATION = {
    "seq": "last_seq + 1",
    "revision": "revision + 1",
    "epoch": "epoch",
    "created_at": "CASE WHEN last_at > %s THEN last_at ELSE %s END",
    "iv": "CASE WHEN encryption = 'none' THEN NULL ELSE %s END",
}
_VALUES = [_FROM_CONVERSATION.get(field.attname, "%s") for field in _FIELDS]
_INSERT = (
    f"INSERT INTO social_message ({', '.join(str(field.column) for field in _FIELDS)}) "  # noqa: S608
    f"SELECT {', '.join(_VALUES)} FROM social_conversation conversation "
    f"WHERE conversation.id = %s AND {_REFUSAL} IS NULL "
    "RETURNING id, seq, revision, epoch, created_at, iv"
)
_REASON = f"SELECT {_REFUSAL} FROM social_conversation conversation WHERE id = %s"  # noqa: S608
# The inserted message, if there is one, until the conversation has its number.
_INSERTED = """social_message message
WHERE message.conversation_id = %s AND message.seq = 1 + (
    SELECT last_seq FROM social_conversation WHERE id = %s)"""
# The sender has read it. If there are unread messages before it, it is counted in `own_unread`,
# which the number of unread messages leaves out.
_MARK_READ = f"""
UPDATE social_membership SET
    own_unread = own_unread + CASE WHEN last_read_seq = message.seq - 1 THEN 0 ELSE 1 END,
    last_read_seq = last_read_seq + CASE WHEN last_read_seq = message.seq - 1 THEN 1 ELSE 0 END
FROM {_INSERTED} AND social_membership.conversation_id = message.conversation_id
    AND social_membership.account_id = message.sender_id
"""  # noqa: S608
_STORE_NUMBER = f"""
UPDATE social_conversation SET
    last_seq = message.seq, revision = message.revision, last_at = message.created_at
FROM {_INSERTED} AND social_conversation.id = message.conversation_id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Written:
    """The result of `write_message`: a message that is inserted and not yet committed, or refused.

    `members` are the accounts in the conversation, each with its `joined_seq`; `to_notify` are
    those that want notifications of it and have no unread one. `display_name` is the sender's.
    `refusal` is a word of `_REFUSAL`, None for an inserted message.
    """

    conversation: Conversation
    members: dict[int, int]
    display_name: str
    to_notify: set[int]
    refusal: str | None


def write_message(
    message: Message, *, now: datetime, fits_plain: bool, used_iv: str | None
) -> Written:
    """Insert a message into its locked conversation, unless it is refused; sets its `seq`,
    `revision`, `epoch` and time.

    `fits_plain`: the content is allowed in a conversation without encryption; `used_iv` is the IV
    if it is allowed in an encrypted one. Raises: NotFound, also for a closed conversation.
    """
    key, sender = _key(message.conversation_id), message.sender_id
    checks = _checks(message, now, fits_plain, used_iv)
    locking = connection.ops.for_update_sql(no_key=True) if _is_postgresql() else ""
    locked, members, inserted, _, _ = _run(
        (f"{_LOCK} {locking}", [key]),
        (_MEMBERS, [sender, message.conversation_id.hex, key]),
        (_INSERT, [*_own_values(message, now), key, *checks]),
        (_MARK_READ, [key, key]),
        (_STORE_NUMBER, [key, key]),
    )
    if not locked:
        raise NotFound
    if inserted:
        message.pk, message.seq, message.revision, message.epoch, sent_at, message.iv = inserted[0]
        message.created_at = _aware(sent_at)
        reason = None
    else:
        ((reason,),) = _run_each([(_REASON, [*checks, key])])[0]
        # Blocks and friendships are not under this lock: one may have changed since the INSERT.
        reason = reason or "dm_refused"
    ((kind, encryption, group_name),) = locked
    return Written(
        conversation=Conversation(
            id=message.conversation_id, type=kind, encryption=encryption, group_name=group_name
        ),
        members={account_id: joined_seq for account_id, joined_seq, _, _ in members},
        display_name=next((name for _, _, name, _ in members if name), ""),
        to_notify={account_id for account_id, _, _, notify in members if notify},
        refusal=reason,
    )


def _checks(message: Message, now: datetime, fits_plain: bool, used_iv: str | None) -> list[Any]:
    """The parameters of `_REFUSAL`."""
    sender, reply_to = message.sender_id, message.reply_to_seq
    form_and_quote = [sender, not fits_plain, used_iv is None, reply_to, reply_to, sender]
    permission = [sender, sender, *adult_rule(now)]
    return [*form_and_quote, *permission, sender, message.client_id, sender, used_iv]


def _own_values(message: Message, now: datetime) -> list[Any]:
    """The parameters of `_VALUES`."""
    sent_at = connection.ops.adapt_datetimefield_value(now)
    values: list[Any] = []
    for field, sql in zip(_FIELDS, _VALUES, strict=True):
        if field.attname == "created_at":
            values += [sent_at, sent_at]
        elif "%s" in sql:
            values.append(field.get_db_prep_save(getattr(message, field.attname), connection))
    return values


def _run(*statements: Statement) -> list[Rows]:
    """The rows of each statement: from PostgreSQL in one round trip, from SQLite one by one."""
    return _run_prepared(statements) if _is_postgresql() else _run_each(statements)


def _run_prepared(statements: Sequence[Statement]) -> list[Rows]:
    """Run them with cursors of psycopg. Those of Django put the values into the text of a
    statement, so that PostgreSQL would plan it every time."""
    connection.ensure_connection()
    database = connection.connection
    cursors = [psycopg.Cursor(database) for _ in statements]
    with connection.wrap_database_errors, database.pipeline():
        for cursor, (sql, values) in zip(cursors, statements, strict=True):
            cursor.execute(sql, values)
    return [_rows(cursor) for cursor in cursors]


def _run_each(statements: Sequence[Statement]) -> list[Rows]:
    found = []
    with connection.cursor() as cursor:
        for sql, values in statements:
            cursor.execute(sql, values)
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
