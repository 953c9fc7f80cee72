"""The statements of a send, in SQL that PostgreSQL and SQLite share.

They run in one transaction: lock the conversation, insert the message if nothing refuses it, then
count it. No statement needs the result of an earlier one in Python, so PostgreSQL gets all of them
in one round trip, and the lock is held for one more, the commit. With the checks in Python, and so
a second round trip under the lock, sixteen people in one group (`benchmarks --only sends-one`) sent
a third fewer messages; through the ORM, a send took 3 ms more CPU time, on top of 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.errors import NotThere
from social.models import Conversation, Message
from social.services.message_permission import MAY_MESSAGE, adult_rule

Statement = tuple[str, list[Any]]
Rows = list[tuple[Any, ...]]

# The statements after it read what is true while the lock is held. It does not ask for membership:
# somebody who joins at this moment would be a member for the INSERT, and hold no lock.
_LOCK = """
SELECT encryption, group_name FROM social_conversation
WHERE id = %s AND closed_at IS NULL
"""
# Subqueries instead of joins: three joins took PostgreSQL 0.55 ms, these 0.25, mostly planning.
# `NOT about = ''` is the condition of the index, which SQLite does not conclude by itself.
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
_REFUSAL = """CASE
    WHEN conversation.closed_at IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM social_membership
        WHERE conversation_id = conversation.id AND account_id = %s) THEN 'not_a_member'
    WHEN CASE WHEN conversation.encryption = 'none' THEN %s ELSE %s END THEN 'wrong_form'
    WHEN %s IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM social_message quoted
        JOIN social_membership reader ON reader.conversation_id = quoted.conversation_id
        WHERE quoted.conversation_id = conversation.id AND quoted.seq = %s
            AND reader.account_id = %s AND reader.joined_seq < quoted.seq) THEN 'no_such_quote'
    WHEN {dm_refused} THEN 'dm_refused'
    WHEN EXISTS (
        SELECT 1 FROM social_message
        WHERE conversation_id = conversation.id AND sender_id = %s AND client_id = %s)
        THEN 'sent_before'
    WHEN conversation.encryption <> 'none' AND EXISTS (
        SELECT 1 FROM social_spentiv
        WHERE conversation_id = conversation.id AND sender_id = %s AND iv = %s) THEN 'iv_reused'
    END"""
# By type. PostgreSQL takes 0.6 ms to plan who may message whom, of the 2 ms of all statements; in a
# group nobody asks.
_REFUSALS = {
    Conversation.DM: _REFUSAL.format(dm_refused=f"NOT {_MAY_MESSAGE}"),
    Conversation.GROUP: _REFUSAL.format(dm_refused="FALSE"),
}
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
    "WHERE conversation.id = %s AND {refusal} IS NULL "
    "RETURNING id, seq, revision, epoch, created_at, iv"
)
# The inserted message, if there is one.
_NEW = """social_message message
WHERE message.conversation_id = %s AND message.seq = 1 + (
    SELECT last_seq FROM social_conversation WHERE id = %s)"""
# The sender has read it. After unread messages it is counted as their own instead.
_MARK_READ = f"""
UPDATE social_membership SET
    own_unread = own_unread + CASE WHEN last_read_seq = message.seq - 1 THEN 0 ELSE 1 END,
    last_read_seq = last_read_seq + CASE WHEN last_read_seq = message.seq - 1 THEN 1 ELSE 0 END
FROM {_NEW} AND social_membership.conversation_id = message.conversation_id
    AND social_membership.account_id = message.sender_id
"""  # noqa: S608
_COUNT = f"""
UPDATE social_conversation SET
    last_seq = message.seq, revision = message.revision, last_at = message.created_at
FROM {_NEW} AND social_conversation.id = message.conversation_id
"""  # noqa: S608
# By type, and on one line: psycopg splits a statement of up to 4,096 characters at its parameters
# once, a longer one at every send, which takes 0.08 ms.
STATEMENTS = {
    kind: [
        " ".join(sql.split())
        for sql in (_LOCK, _MEMBERS, _INSERT.format(refusal=refusal), _MARK_READ, _COUNT)
    ]
    for kind, refusal in _REFUSALS.items()
}


@dataclass(frozen=True, slots=True)
class Written:
    """The result of `write_message`: a message that is inserted and not yet committed, or refused.

    `members` are the accounts in the conversation, each with its `joined_seq`; `to_notify` are
    those that want notifications of it and have no unread one. `refusal` is a word of `_REFUSAL`,
    None for an inserted message.
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
    if it is allowed in an encrypted one. Raises: NotThere, also for a closed conversation.
    """
    key, sender = _key(message.conversation_id), message.sender_id
    kind = _type_of(message.conversation_id)
    checks = _checks(message, kind, now, fits_plain, used_iv)
    lock, *others = STATEMENTS[kind]
    if _is_postgresql():
        lock += " " + connection.ops.for_update_sql(no_key=True)
    values = (
        [key],
        [sender, message.conversation_id.hex, key],
        [*_own_values(message, now), key, *checks],
        [key, key],
        [key, key],
    )
    locked, members, inserted, _, _ = _run(list(zip([lock, *others], values, strict=True)))
    if not locked:
        raise NotThere
    if inserted:
        message.pk, message.seq, message.revision, message.epoch, sent_at, message.iv = inserted[0]
        message.created_at = _aware(sent_at)
        reason = None
    else:
        why = f"SELECT {_REFUSALS[kind]} FROM social_conversation conversation WHERE id = %s"  # noqa: S608
        ((reason,),) = _run([(why, [*checks, key])])[0]
        # Blocks and friendships are not under this lock: one may have changed since the INSERT.
        reason = reason or "dm_refused"
    ((encryption, group_name),) = locked
    return Written(
        conversation=Conversation(
            id=message.conversation_id, type=kind, encryption=encryption, group_name=group_name
        ),
        members={account_id: joined_seq for account_id, joined_seq, _, _ in members},
        display_name=next((name for _, _, name, _ in members if name), ""),
        to_notify={account_id for account_id, _, _, untold in members if untold},
        refusal=reason,
    )


@lru_cache(maxsize=10_000)
def _type_of(conversation_id: UUID) -> str:
    """The type of a conversation, which never changes. Raises: NotThere."""
    kind = Conversation.objects.filter(pk=conversation_id).values_list("type", flat=True).first()
    if kind is None:
        raise NotThere
    return kind


def _checks(
    message: Message, kind: str, now: datetime, fits_plain: bool, used_iv: str | None
) -> list[Any]:
    """The parameters of the reason to refuse a message."""
    sender, reply_to = message.sender_id, message.reply_to_seq
    values: list[Any] = [sender, not fits_plain, used_iv is None, reply_to, reply_to, sender]
    if kind == Conversation.DM:
        values += [sender, sender, *adult_rule(now)]
    return [*values, sender, message.client_id, sender, used_iv]


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
