"""Leaving groups in which an adult and a pupil may no longer be together
(`Contacts.may_share_group`)."""

from collections.abc import Iterable
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.errors import NotFound
from accounts.purging import Purged
from social.access import lock_conversation, members_of
from social.models import Conversation, Membership
from social.services.contact import contacts_among
from social.services.conversations.groups import end_membership

_OPEN_GROUPS = Q(conversation__type=Conversation.GROUP, conversation__closed_at=None)


def leave_groups_with(account_id: int, other_id: int) -> None:
    """Let somebody who has just ended a friendship, or blocked the other, leave the groups in which
    the two may not be together any more. Both accounts are locked."""
    theirs = Membership.objects.filter(_OPEN_GROUPS, account=other_id).values("conversation")
    for conversation_id in _groups_of(account_id, Q(conversation__in=theirs)):
        _leave_if_refused(account_id, conversation_id, others=[other_id])


def lock_groups_of(account_id: int) -> None:
    """Lock all groups of an account at once, for several steps that each lock some of them: two
    people who leave the same groups would wait for each other."""
    groups = Conversation.objects.filter(pk__in=_groups_of(account_id, Q()))
    list(groups.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def leave_groups_after_new_role(account_id: int) -> list[UUID]:
    """Let somebody with a new role leave the groups in which they may not be together with one of
    the members. The account is locked. Returns the groups in which they stay."""
    groups = _groups_of(account_id, Q())
    return [group for group in groups if not _leave_if_refused(account_id, group)]


def leave_refused_groups(dry_run: bool = False) -> list[Purged]:
    """Let adults leave the groups in which they may not be together with a pupil: from the time
    before this was asked after the joining, and when the operator no longer lifts the rule.

    Each group is one transaction. Safe to run twice and at the same time.
    """
    if settings.ADULT_DM_PUPIL:
        return []
    members = Membership.objects.filter(conversation=OuterRef("pk"))
    pupils = members.filter(account__profile__user_type="student")
    adults = members.exclude(account__profile__user_type="student")
    groups = Conversation.objects.filter(
        Exists(pupils), Exists(adults), type=Conversation.GROUP, closed_at=None
    )
    count = 0
    for conversation_id in list(groups.order_by("pk").values_list("pk", flat=True)):
        refused = _refused_adults(conversation_id)
        count += len(refused)
        if not dry_run:
            for account_id in refused:
                with transaction.atomic():
                    _leave_if_refused(account_id, conversation_id)
    return [Purged("adults in groups with unknown pupils", "removed", seen=count, expired=count)]


def _groups_of(account_id: int, condition: Q) -> list[UUID]:
    """In one order, as everybody who leaves several groups at once locks them."""
    rows = Membership.objects.filter(_OPEN_GROUPS, condition, account=account_id)
    return list(rows.order_by("conversation").values_list("conversation_id", flat=True))


def _leave_if_refused(
    account_id: int, conversation_id: UUID, others: Iterable[int] | None = None
) -> bool:
    """Leave a group if one of the `others` (None: of all members) may not be in it with the
    account. Whether the account is no longer in it."""
    try:
        conversation = lock_conversation(conversation_id)
    except NotFound:
        return True  # its last member has just left it
    members = members_of(conversation_id)
    if account_id not in members:
        return True
    beside = set(members) if others is None else set(members) & set(others)
    contacts = contacts_among({account_id, *beside}, group=conversation_id)
    if all(contacts.may_share_group(account_id, other) for other in beside):
        return False
    end_membership(conversation, account_id)
    return True


def _refused_adults(conversation_id: UUID) -> list[int]:
    members = members_of(conversation_id)
    contacts = contacts_among(members, group=conversation_id)
    return [
        account_id
        for account_id in members
        if any(
            contacts.is_adult_to_pupil(account_id, other)
            and not contacts.may_share_group(account_id, other)
            for other in members
        )
    ]
