"""Whether one person takes messages from another, now: in a direct conversation that exists too."""

from typing import Any, NamedTuple

from django.db import connection

from social.errors import DmRefused
from social.models import Conversation

# One statement, because every message of a direct conversation asks. `{reader}` is SQL that says
# who reads; the parameters are its own, then the account that writes.
STANDING = """
SELECT
    profile.dm_privacy,
    reader.school = writer.school,
    EXISTS (
        SELECT 1 FROM social_block
        WHERE (blocker_id = reader.id AND blocked_id = writer.id)
            OR (blocker_id = writer.id AND blocked_id = reader.id)),
    EXISTS (
        SELECT 1 FROM social_friendship
        WHERE status = 'accepted' AND (
            (low_id = reader.id AND high_id = writer.id)
            OR (low_id = writer.id AND high_id = reader.id)))
FROM accounts_account reader
JOIN accounts_profile profile ON profile.account_id = reader.id
JOIN accounts_account writer ON reader.id = {reader} AND writer.id = %s
"""


class Standing(NamedTuple):
    """How a reader stands to a writer: a row of `STANDING`."""

    privacy: str
    same_school: bool
    blocked: bool
    friends: bool

    @property
    def welcome(self) -> bool:
        """No block, and the reader's privacy: `everyone` means one's own school; people of other
        schools have to be friends."""
        if self.blocked or self.privacy == "nobody":
            return False
        return bool(self.friends or (self.privacy == "everyone" and self.same_school))


def may_message(reader_id: int, *, from_id: int) -> bool:
    """Whether `reader` takes messages of `from`."""
    with connection.cursor() as cursor:
        cursor.execute(STANDING.format(reader="%s"), [reader_id, from_id])
        return is_welcome(cursor.fetchall())


def is_welcome(found: list[tuple[Any, ...]]) -> bool:
    """What the rows of `STANDING` say; none: the reader is gone."""
    return bool(found) and Standing(*found[0]).welcome


def require_dm_allowed(conversation: Conversation, account_id: int) -> None:
    """In a direct conversation, the other side decides. In a group, nobody does.

    A suspended person still gets messages: nobody is told, and they may come back. An erased one
    gets none. Raises: DmRefused.
    """
    if conversation.is_group:
        return
    pair = (conversation.pair_low_id, conversation.pair_high_id)
    other = next((each for each in pair if each != account_id), None)
    if other is None or not may_message(other, from_id=account_id):
        raise DmRefused
