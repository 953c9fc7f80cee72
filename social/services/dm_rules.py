"""Whether one person takes messages from another, now: in a direct conversation that exists too."""

from django.db import connection

from social.errors import DmRefused
from social.models import Conversation

# One statement, because every message of a direct conversation asks.
_STANDING = """
SELECT
    profile.dm_privacy,
    reader.school = writer.school,
    EXISTS (
        SELECT 1 FROM social_block
        WHERE (blocker_id = reader.id AND blocked_id = writer.id)
            OR (blocker_id = writer.id AND blocked_id = reader.id)),
    EXISTS (
        SELECT 1 FROM social_friendship
        WHERE low_id = %s AND high_id = %s AND status = 'accepted')
FROM accounts_account reader
JOIN accounts_profile profile ON profile.account_id = reader.id
JOIN accounts_account writer ON writer.id = %s
WHERE reader.id = %s
"""


def takes_messages(reader_id: int, *, from_id: int) -> bool:
    """Whether `reader` takes messages of `from`: no block between them, and the reader's privacy.

    `everyone` means one's own school; people of other schools have to be friends.
    """
    low, high = sorted((reader_id, from_id))
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, [low, high, from_id, reader_id])
        found = cursor.fetchall()
    if not found:
        return False
    privacy, same_school, blocked, friends = found[0]
    if blocked or privacy == "nobody":
        return False
    return bool(friends or (privacy == "everyone" and same_school))


def refuse_unwanted(conversation: Conversation, account_id: int) -> None:
    """In a direct conversation, the other side decides. In a group, nobody does.

    A suspended person still gets messages: nobody is told, and they may come back. An erased one
    gets none. Raises: DmRefused.
    """
    if conversation.is_group:
        return
    pair = (conversation.pair_low_id, conversation.pair_high_id)
    other = next((each for each in pair if each != account_id), None)
    if other is None or not takes_messages(other, from_id=account_id):
        raise DmRefused
