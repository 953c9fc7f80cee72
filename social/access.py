"""Locks, and fetching with a permission check: what an account may not see, it cannot fetch.

Locks are taken in one order: people by their keyed hash (`ErasedPerson`), accounts by id, the case,
the conversation, its invites. A sign-in, an erasure and an act of staff lock the person. Whatever
changes a conversation, its members or its messages holds the lock of its row.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from accounts.errors import NotFound
from accounts.models import Account
from accounts.services.kept_texts import kept_since
from social.errors import NotAGroup, NotAllowed
from social.models import Conversation, Membership, Message, PastMembership
from social.models.messages import seq_of


def lock_accounts(account_ids: Iterable[int]) -> None:
    """Lock these accounts until the transaction ends, in the order of their ids.

    Requests, blocks, first messages and invites between two people lock both of them, so they
    happen one after the other. Raises: NotFound when one of them is erased or being erased: an
    erasure looks once for what there is, so nothing may be added after it has begun.
    """
    wanted = set(account_ids)
    staying = Account.objects.filter(pk__in=wanted, erasure_started_at=None)
    rows = staying.select_for_update(no_key=True)
    if len(rows.order_by("pk").values_list("pk")) != len(wanted):
        raise NotFound


def lock_conversation(conversation_id: UUID, *, closed_too: bool = False) -> Conversation:
    """The conversation, locked until the transaction ends.

    `closed_too`: also one that its last member has left. Raises: NotFound (unknown, closed).
    """
    # "no key": inserting a message or a membership that refers to the row does not wait for it.
    rows = Conversation.objects.select_for_update(no_key=True)
    conversation = rows.filter(pk=conversation_id).first()
    if conversation is None or (conversation.closed_at is not None and not closed_too):
        raise NotFound
    return conversation


def membership_of(account_id: int, conversation_id: UUID, *, lock: bool = False) -> Membership:
    """The account's membership of a conversation, with the conversation loaded.

    `lock`: lock the conversation first, so that the membership stays as it is until the
    transaction ends. Raises: NotFound, the same for strangers as for no conversation at all.
    """
    if lock:
        lock_conversation(conversation_id)
    memberships = Membership.objects.filter(account_id=account_id, conversation_id=conversation_id)
    not_closed = memberships.filter(conversation__closed_at=None)
    membership = not_closed.select_related("conversation").first()
    if membership is None:
        raise NotFound
    return membership


def membership_in_group(
    account_id: int, conversation_id: UUID, *, lock: bool = False
) -> Membership:
    """As `membership_of`, of a group. Raises: NotFound, NotAGroup (it is no group)."""
    membership = membership_of(account_id, conversation_id, lock=lock)
    if not membership.conversation.is_group:
        raise NotAGroup
    return membership


def admin_membership(account_id: int, conversation_id: UUID, *, lock: bool = False) -> Membership:
    """As `membership_in_group`, for its admin only. Raises: NotAllowed too."""
    membership = membership_in_group(account_id, conversation_id, lock=lock)
    if membership.conversation.admin_id != account_id:
        raise NotAllowed
    return membership


def members_of(conversation_id: UUID) -> list[int]:
    """The accounts in a conversation, the longest-standing first."""
    rows = Membership.objects.filter(conversation_id=conversation_id).order_by("joined_at", "pk")
    return list(rows.values_list("account_id", flat=True))


def first_members(conversation_id: UUID) -> list[int]:
    """Three accounts in a conversation at most: enough to see whether two people are alone."""
    rows = Membership.objects.filter(conversation_id=conversation_id)
    return list(rows.values_list("account_id", flat=True)[:3])


def message_for_member(
    account_id: int, conversation_id: UUID, message_id: str, *, lock: bool = False
) -> tuple[Membership, Message]:
    """A message that the account may read, by its public id, and the account's membership.

    `lock` as in `membership_of`. Raises: NotFound, also for messages from before they joined.
    """
    membership = membership_of(account_id, conversation_id, lock=lock)
    seq = seq_of(message_id, conversation_id)
    if seq is None or seq <= membership.joined_seq:
        raise NotFound
    message = Message.objects.filter(conversation=conversation_id, seq=seq).first()
    if message is None:
        raise NotFound
    return membership, message


def readable_until(
    account_id: int, conversation_id: UUID, *, seq: int | None = None
) -> datetime | None:
    """Until when the account could read a conversation, or the message `seq` in it, for a report:
    None for a member, who still can.

    Raises: NotFound, for who never could, and who left the group more than fourteen days ago.
    """
    joined_before = Q() if seq is None else Q(joined_seq__lt=seq)
    here = {"account": account_id, "conversation": conversation_id}
    memberships = Membership.objects.filter(joined_before, **here, conversation__closed_at=None)
    if memberships.exists():
        return None
    past = PastMembership.objects.filter(joined_before, **here, left_at__gt=kept_since())
    if seq is not None:
        past = past.filter(left_seq__gte=seq)
    left_at = past.order_by("-left_at").values_list("left_at", flat=True).first()
    if left_at is None:
        raise NotFound
    return left_at
