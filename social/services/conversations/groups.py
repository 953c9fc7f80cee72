"""Groups: creating and renaming, who is in one, who is its admin, and leaving.

Every change of one holds its lock, so the size, the next admin and the recipients of the events are
decided one change after the other.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, NotFound, TooManyKept
from accounts.name_comparison import normalize_username
from accounts.services.kept_texts import require_changes_left
from accounts.services.people import Person, people_named, person_hash_of, person_named
from limits import TooManyRequests, refund_many, spend, spend_many
from social.access import admin_membership, members_of, membership_in_group
from social.errors import AlreadyMember, GroupFull, SocialError
from social.limits import GROUP_CHANGES, INVITES, MAX_MEMBERS, NEW_GROUPS
from social.models import AcceptedAdult, Conversation
from social.realtime.events import ConversationRemoved
from social.realtime.publish import Delivery, publish_on_commit
from social.services.contact import contacts_among, require_may_write
from social.services.conversations.changes import (
    delete_membership,
    insert_members,
    publish_change,
)
from social.services.conversations.group_texts import (
    COLUMNS,
    change_group_texts,
    remember_author,
)
from social.services.conversations.render import render_conversations
from social.services.invites.records import create_invites, withdraw_invites_of
from social.services.invites.rules import first_members, require_may_invite, require_not_declined
from social.services.relations import lock_unblocked, require_not_hidden
from stats import counters

Json = dict[str, Any]


def create_group(
    *,
    account_id: int,
    name: str,
    usernames: Sequence[str],
    description: str = "",
    encryption: str = Conversation.NONE,
    key_check: str = "",
) -> Json:
    """Create a group with the account as admin: friends become members, others get invites
    (`rules.first_members`).

    All or nothing; a group that is refused costs one invite. Returns it as the admin sees it.
    Raises: InvalidInput (nobody else, or too many), NotFound (one of them is unknown, suspended,
    blocked by the admin or the other way round, or a hidden pupil of another school), DmRefused
    (one of them must not be invited by the account), DeclinedRecently, TooManyRequests, TooManyKept
    (invites).
    """
    named = _others_named(account_id, usernames)
    existing = [person.account_id for person in named if person]
    joining = first_members(account_id, existing, contacts_among([account_id, *existing]))
    # Before the people can be refused: whether they were counted must not reveal a block.
    invites = len(named) - len(joining)
    person_hash = person_hash_of(account_id)
    spend_many(INVITES, person_hash, invites)
    try:
        spend(NEW_GROUPS, person_hash)
        others = [person.account_id for person in named if person and person.is_reachable]
        if len(others) < len(named):
            raise NotFound
        for person in filter(None, named):
            require_not_hidden(account_id, person)
        group = Conversation(
            type=Conversation.GROUP,
            group_name=name,
            group_description=description,
            admin_id=account_id,
            encryption=encryption,
            key_check=key_check,
        )
        shown = _create(group, account_id, others)
    except (SocialError, NotFound, TooManyKept, TooManyRequests):
        refund_many(INVITES, person_hash, invites - 1)
        raise
    counters.count("conversation", account=account_id)
    return shown


@transaction.atomic
def _create(group: Conversation, account_id: int, others: Sequence[int]) -> Json:
    lock_unblocked(account_id, others)
    contacts = contacts_among([account_id, *others])
    require_may_invite(account_id, others, contacts, field="members")
    require_not_declined(account_id, others, contacts, field="members")
    joining = first_members(account_id, others, contacts)
    group.created_at = group.last_at = timezone.now()
    group.save(force_insert=True)
    remember_author(group, COLUMNS, account_id)
    members = [account_id, *joining]
    insert_members(group, members, group.created_at)
    shown = publish_change(group, newcomers=members)[account_id]
    invited = [other for other in others if other not in joining]
    create_invites(group, invited=invited, invited_by=account_id)
    return shown


def _others_named(account_id: int, usernames: Sequence[str]) -> list[Person | None]:
    """The people with these names, without duplicates and the account itself, in the order of
    the names; None for an unknown name. Raises: InvalidInput (nobody else, or too many)."""
    names = list(dict.fromkeys(normalize_username(username) for username in usernames))
    if len(names) > MAX_MEMBERS:  # one of them may be the account itself
        raise InvalidInput({"members": [_("At most %(most)d others.") % {"most": MAX_MEMBERS - 1}]})
    people = people_named(names)
    named = [people.get(name) for name in names]
    others = [person for person in named if person is None or person.account_id != account_id]
    if not 1 <= len(others) < MAX_MEMBERS:
        raise InvalidInput(
            {"members": [_("Between one and %(most)d others.") % {"most": MAX_MEMBERS - 1}]}
        )
    return others


@transaction.atomic
def rename_group(
    *,
    account_id: int,
    conversation_id: UUID,
    name: str | None = None,
    description: str | None = None,
) -> Json:
    """Change the name or description, as the admin; None leaves one as it is.

    Returns the group as the admin sees it. Raises: NotFound, NotAllowed, NotAGroup,
    ChangedTooOften, DmRefused (in a group of two).
    """
    membership = admin_membership(account_id, conversation_id, lock=True)
    group = membership.conversation
    texts = {}
    if name not in (None, group.group_name):
        texts["name"] = name
    if description not in (None, group.group_description):
        texts["description"] = description
    if not texts:
        return render_conversations([membership])[0]
    require_may_write(group, account_id)
    require_changes_left("group", group.pk.hex, most=GROUP_CHANGES)
    change_group_texts(group, texts, account_id=account_id)
    return publish_change(group)[account_id]


def add_to_group(group: Conversation, account_id: int) -> dict[int, Json]:
    """Make somebody a member of a locked group.

    Returns it as each member sees it. Raises: AlreadyMember, GroupFull.
    """
    present = members_of(group.pk)
    if account_id in present:
        raise AlreadyMember
    if len(present) >= MAX_MEMBERS:
        raise GroupFull
    insert_members(group, [account_id], timezone.now())
    return publish_change(group, newcomers=[account_id])


def end_membership(conversation: Conversation, account_id: int) -> dict[int, Json]:
    """Remove a member from a locked conversation.

    When the admin leaves, the longest-standing member becomes admin; when the last one leaves,
    the conversation is closed. Returns the conversation as the remaining members see it.
    """
    delete_membership(conversation, account_id)
    accepted = AcceptedAdult.objects.filter(membership__conversation=conversation)
    accepted.filter(adult=account_id).delete()
    remaining = members_of(conversation.pk)
    removed = ConversationRemoved(conversationId=conversation.pk.hex)
    publish_on_commit([Delivery([account_id], removed)])
    if not remaining:
        conversation.closed_at = timezone.now()
        conversation.save(update_fields=["closed_at"])
        _set_admin(conversation, None)
    elif conversation.admin_id == account_id:
        _set_admin(conversation, remaining[0])
    return publish_change(conversation)


def _set_admin(conversation: Conversation, account_id: int | None) -> None:
    """Also withdraws open invites: they depend on the rights of the former admin."""
    conversation.admin_id = account_id
    conversation.save(update_fields=["admin"])
    withdraw_invites_of(conversation)


@transaction.atomic
def leave(*, account_id: int, conversation_id: UUID) -> None:
    """Leave a group. Raises: NotFound, NotAGroup (it is no group)."""
    membership = membership_in_group(account_id, conversation_id, lock=True)
    end_membership(membership.conversation, account_id)


@transaction.atomic
def remove_member(*, account_id: int, conversation_id: UUID, target_username: str) -> Json | None:
    """Remove somebody from a group, as its admin; every member may remove themselves.

    Returns the conversation as the caller sees it then, None after removing themselves.
    Raises: NotFound (the group, or the member), NotAllowed, NotAGroup.
    """
    membership = membership_in_group(account_id, conversation_id, lock=True)
    target = person_named(target_username)
    if target is None or target.account_id != account_id:
        admin_membership(account_id, conversation_id)
        target = _member(conversation_id, target)
    return end_membership(membership.conversation, target.account_id).get(account_id)


@transaction.atomic
def transfer_admin(*, account_id: int, conversation_id: UUID, target_username: str) -> Json:
    """Make another member the admin. Returns the conversation as the caller sees it.

    Raises: NotFound (the group, or the member), NotAllowed, NotAGroup.
    """
    admin = admin_membership(account_id, conversation_id, lock=True)
    target = _member(conversation_id, person_named(target_username))
    if target.account_id == account_id:
        return render_conversations([admin])[0]
    _set_admin(admin.conversation, target.account_id)
    return publish_change(admin.conversation)[account_id]


def _member(conversation_id: UUID, person: Person | None) -> Person:
    if person is None or person.account_id not in members_of(conversation_id):
        raise NotFound
    return person
