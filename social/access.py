"""Who may see what in conversations: fetching is the check. And who hears of it.

Locks are taken in one order: accounts (`relations.lock_pair`), then a conversation. Whatever
changes a conversation, its members or its messages holds the lock of its row.
"""

from uuid import UUID

from social.errors import NotAllowed, NotThere, StateConflict
from social.models import Conversation, Membership, Message
from social.models.messages import seq_of


def lock_conversation(conversation_id: UUID) -> Conversation:
    """The conversation, locked until the transaction ends. Raises: NotThere (unknown, closed)."""
    # Not "for update": messages and memberships that name the row must not wait for it twice.
    rows = Conversation.objects.select_for_update(no_key=True)
    conversation = rows.filter(pk=conversation_id, closed_at=None).first()
    if conversation is None:
        raise NotThere
    return conversation


def membership_of(account_id: int, conversation_id: UUID, *, lock: bool = False) -> Membership:
    """The account's place in a conversation, with the conversation.

    `lock`: the conversation is locked first, so that the membership is as it stands while the
    transaction lasts. Raises: NotThere, the same for strangers as for no conversation at all.
    """
    locked = lock_conversation(conversation_id) if lock else None
    rows = Membership.objects.filter(account_id=account_id, conversation_id=conversation_id)
    if locked is None:
        rows = rows.filter(conversation__closed_at=None).select_related("conversation")
    membership = rows.first()
    if membership is None:
        raise NotThere
    if locked is not None:
        membership.conversation = locked
    return membership


def group_of_admin(account_id: int, conversation_id: UUID, *, lock: bool = False) -> Membership:
    """The account's place in a group whose admin it is; `lock` as above.

    Raises: NotThere, StateConflict (two people have no admin), NotAllowed (somebody else is it).
    """
    membership = group_of_member(account_id, conversation_id, lock=lock)
    if membership.conversation.admin_id != account_id:
        raise NotAllowed
    return membership


def group_of_member(account_id: int, conversation_id: UUID, *, lock: bool = False) -> Membership:
    """The same for any member of a group."""
    membership = membership_of(account_id, conversation_id, lock=lock)
    if not membership.conversation.is_group:
        raise StateConflict
    return membership


def members_of(conversation_id: UUID) -> list[int]:
    """The accounts in a conversation, the longest-standing first."""
    rows = Membership.objects.filter(conversation_id=conversation_id).order_by("joined_at", "pk")
    return list(rows.values_list("account_id", flat=True))


def message_for_member(
    account_id: int, conversation_id: UUID, message_id: str, *, lock: bool = False
) -> tuple[Membership, Message]:
    """A message that the account may read, by its public id, and the account's membership.

    `lock` as in `membership_of`. Raises: NotThere, also for messages from before they joined.
    """
    membership = membership_of(account_id, conversation_id, lock=lock)
    seq = seq_of(message_id, conversation_id)
    if seq is None or seq <= membership.joined_seq:
        raise NotThere
    message = Message.objects.filter(conversation=conversation_id, seq=seq).first()
    if message is None:
        raise NotThere
    return membership, message
