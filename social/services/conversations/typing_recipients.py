"""Who is told that somebody writes. Nothing is kept of it."""

from uuid import UUID

from social.access import members_of, membership_of
from social.services.relations import blocked_between


def typing_recipients(*, account_id: int, conversation_id: UUID) -> list[int]:
    """The other members; nobody where two people have blocked each other.

    Raises: NotThere: no member of it.
    """
    conversation = membership_of(account_id, conversation_id).conversation
    others = [one for one in members_of(conversation_id) if one != account_id]
    if not conversation.is_group and any(blocked_between(account_id, one) for one in others):
        return []
    return others
