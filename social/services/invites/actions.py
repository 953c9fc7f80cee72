"""Who comes into a group: friends of its admin at once, everybody else when they accept."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Q, Value, When

from accounts.rate_limits import spend
from accounts.services.people import Person, person_named
from social.access import admin_membership, lock_accounts, lock_conversation, members_of
from social.errors import AlreadyAnswered, GroupFull, NotAllowed, NotThere, StateConflict
from social.limits import INVITES, MAX_INVITES, MAX_MEMBERS
from social.models import Invite, Membership
from social.services.conversations.groups import add_members
from social.services.conversations.render import render_conversations
from social.services.invites.records import (
    create_invites,
    render_invites,
    resolve,
    withdraw_invites_of,
)
from social.services.relations import are_friends, lock_unblocked, require_visible

Json = dict[str, Any]


def list_invites(account_id: int) -> tuple[list[Json], list[Json]]:
    """(the account's open invites, those that it sent: open ones first, the newest first)."""
    received = Invite.objects.filter(invited=account_id, status=Invite.PENDING)
    is_open = Case(When(status=Invite.PENDING, then=Value(0)), default=Value(1))
    sent = Invite.objects.filter(invited_by=account_id).order_by(is_open, "-invited_at", "pk")
    mine = list(received.select_related("conversation").order_by("-invited_at", "pk"))
    theirs = list(sent.select_related("conversation")[:MAX_INVITES])
    rendered = render_invites(mine + theirs)
    return rendered[: len(mine)], rendered[len(mine) :]


def invite(*, account_id: int, conversation_id: UUID | None, target_username: str) -> Json:
    """Invite somebody into a group, as its admin. Returns the invite.

    Raises: TooManyRequests, NotThere (the group; the person, also where one blocks the other),
    NotAllowed, StateConflict (a member already), AlreadyAsked, GroupFull, TooManyKept.
    """
    if conversation_id is None:
        raise NotThere
    spend(INVITES, str(account_id))
    admin_membership(account_id, conversation_id)
    target = require_visible(person_named(target_username))
    with transaction.atomic():
        return _create_invite(_lock_admin_membership(account_id, conversation_id, target), target)


def add_member(
    *, account_id: int, conversation_id: UUID, target_username: str
) -> tuple[Json, Json | None]:
    """Add somebody to a group, as its admin: a friend becomes a member, another is invited.

    Returns the conversation as the admin sees it, and the invite if there is one. Raises: as
    `invite`.
    """
    admin_membership(account_id, conversation_id)
    named = person_named(target_username)
    # Before the person can be refused: whether it was counted must not reveal a block.
    if named is None or not are_friends(account_id, named.account_id):
        spend(INVITES, str(account_id))
    target = require_visible(named)
    with transaction.atomic():
        group = _lock_admin_membership(account_id, conversation_id, target)
        if are_friends(account_id, target.account_id):
            withdraw_invites_of(group.conversation, invited=target.account_id)
            return add_members(group.conversation, [target.account_id])[account_id], None
        return render_conversations([group])[0], _create_invite(group, target)


def _create_invite(group: Membership, target: Person) -> Json:
    invited = [target.account_id]
    return create_invites(group.conversation, invited=invited, invited_by=group.account_id)[0]


def _lock_admin_membership(account_id: int, conversation_id: UUID, target: Person) -> Membership:
    """The admin's membership, with both people and the group locked.

    Raises: what keeps the target from joining: NotThere (a block), StateConflict, GroupFull.
    """
    lock_unblocked(account_id, [target.account_id])
    group = admin_membership(account_id, conversation_id, lock=True)
    present = members_of(conversation_id)
    if target.account_id in present:
        raise StateConflict
    if len(present) >= MAX_MEMBERS:
        raise GroupFull
    return group


def answer_invite(*, account_id: int, invite_id: UUID | None, accept: bool) -> Json:
    """Accept or decline an invite that the account received. Returns it.

    The rights of its sender and the size of the group are checked again. Raises: NotThere,
    NotAllowed (the account sent it), AlreadyAnswered, StateConflict (the sender is no longer
    admin), GroupFull.
    """
    if invite_id is None:
        raise NotThere
    found = Invite.objects.filter(Q(invited=account_id) | Q(invited_by=account_id), pk=invite_id)
    received = found.select_related("conversation").first()
    if received is None:
        raise NotThere
    if received.invited_id != account_id:
        raise NotAllowed
    with transaction.atomic():
        lock_accounts([account_id, received.invited_by_id])
        return _accept(received) if accept else _resolve_one(received, Invite.DECLINED)


def _accept(received: Invite) -> Json:
    try:
        conversation = lock_conversation(received.conversation_id)
    except NotThere:  # closed meanwhile, and its invites withdrawn
        raise AlreadyAnswered from None
    received.conversation = conversation
    rendered = _resolve_one(received, Invite.ACCEPTED)
    if conversation.admin_id != received.invited_by_id:
        raise StateConflict
    add_members(conversation, [received.invited_id])
    return rendered


def _resolve_one(received: Invite, status: str) -> Json:
    resolved = resolve([received], status)
    if not resolved:
        raise AlreadyAnswered
    return resolved[0]


@transaction.atomic
def withdraw_invite(*, account_id: int, invite_id: UUID | None) -> None:
    """Withdraw an open invite that the account sent; anything else stays as it is."""
    if invite_id is None:
        return
    rows = Invite.objects.filter(pk=invite_id, invited_by=account_id)
    resolve(list(rows.select_related("conversation")), Invite.WITHDRAWN)
