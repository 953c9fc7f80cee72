"""Who may write to whom in a direct conversation. Messages, typing, and new conversations ask here.

Who may invite whom is in `contact.py`.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import UUIDField
from django.utils import timezone

from social.errors import DmRefused
from social.limits import ANSWER_DAYS
from social.models import Conversation

# Whether one person may message another: neither has blocked the other, the recipient's privacy
# allows it (`everyone` means their own school; people of other schools have to be friends), and an
# adult writes to a pupil only as a friend or in answer: to a message that the pupil wrote in this
# conversation in the last days, and since the two were friends last. The pupil may have deleted it.
# In SQL, because every message of a direct conversation checks it in the statement that inserts it.
# `{recipient}` and `{conversation}` are SQL for the ids. Parameters: those of `{recipient}`, the
# sender's id, whether adults need no permission, those of `{conversation}`, and the time since when
# a message can be answered; `adult_rule` has the two that depend on settings and time.
MAY_MESSAGE = """EXISTS (
    SELECT 1 FROM accounts_account recipient
    JOIN accounts_profile profile ON profile.account_id = recipient.id
    JOIN accounts_account sender ON recipient.id = {recipient} AND sender.id = %s
    JOIN accounts_profile sender_profile ON sender_profile.account_id = sender.id
    LEFT JOIN social_friendship friendship
        ON friendship.low_id = CASE WHEN sender.id < recipient.id THEN sender.id
            ELSE recipient.id END
        AND friendship.high_id = CASE WHEN sender.id < recipient.id THEN recipient.id
            ELSE sender.id END
    WHERE profile.dm_privacy <> 'nobody'
        AND NOT EXISTS (
            SELECT 1 FROM social_block
            WHERE (blocker_id = recipient.id AND blocked_id = sender.id)
                OR (blocker_id = sender.id AND blocked_id = recipient.id))
        AND (friendship.status = 'accepted'
            OR (profile.dm_privacy = 'everyone' AND recipient.school = sender.school))
        AND (friendship.status = 'accepted'
            OR sender_profile.user_type = 'student' OR profile.user_type <> 'student' OR %s
            OR EXISTS (
                SELECT 1 FROM social_message question
                WHERE question.conversation_id = {conversation}
                    AND question.sender_id = recipient.id AND question.created_at > %s
                    AND (friendship.ended_at IS NULL
                        OR question.created_at > friendship.ended_at))))"""
_MAY_MESSAGE = f"SELECT {MAY_MESSAGE.format(recipient='%s', conversation='%s')}"


def adult_rule(now: datetime) -> tuple[bool, Any]:
    """The parameters of `MAY_MESSAGE`: whether adults may write to any pupil, and since when a
    pupil's message can be answered."""
    since = connection.ops.adapt_datetimefield_value(now - timedelta(days=ANSWER_DAYS))
    return settings.ADULT_DM_PUPIL, since


def may_message(sender_id: int, *, recipient_id: int, conversation_id: UUID | None = None) -> bool:
    """Whether one person may message another, as things are now: privacy, blocks, friendship, and
    what an adult may answer in this conversation (None: in a new one)."""
    lifted, since = adult_rule(timezone.now())
    key = UUIDField().get_db_prep_value(conversation_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(_MAY_MESSAGE, [recipient_id, sender_id, lifted, key, since])
        return bool(cursor.fetchone()[0])


def require_dm_allowed(conversation: Conversation, account_id: int) -> None:
    """Check that the other person of a direct conversation accepts messages; groups always do.

    A suspended person still receives messages, because a suspension is not public. An erased one
    does not. Raises: DmRefused.
    """
    if conversation.is_group:
        return
    pair = (conversation.pair_low_id, conversation.pair_high_id)
    other = next((each for each in pair if each != account_id), None)
    if other is None:
        raise DmRefused
    if not may_message(account_id, recipient_id=other, conversation_id=conversation.pk):
        raise DmRefused
