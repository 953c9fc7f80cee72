"""Who comes into a group: friends of its admin at once, everybody else when they say yes."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Q, Value, When

from accounts.limits import spend
from accounts.services.people import Person, person_named
from social.access import group_of_admin, lock_conversation, members_of
from social.errors import AlreadyAnswered, GroupFull, NotAllowed, NotThere, StateConflict
from social.limits import MAX_INVITES, MAX_MEMBERS
from social.models import Invite, Membership
from social.services.conversations.groups import add_members
from social.services.conversations.render import render_conversations
from social.services.invites.records import (
    open_invites,
    render_invites,
    resolve,
    withdraw_invites_of,
)
from social.services.relations import are_friends, blocked_between, lock_pair


def list_invites(account_id: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(the account's open invites, those that it sent: open ones first, the newest first)."""
    received = Invite.objects.filter(invited=account_id, status=Invite.PENDING)
    is_open = Case(When(status=Invite.PENDING, then=Value(0)), default=Value(1))
    sent = Invite.objects.filter(invited_by=account_id).order_by(is_open, "-invited_at", "pk")
    mine = list(received.select_related("conversation").order_by("-invited_at", "pk"))
    theirs = list(sent.select_related("conversation")[:MAX_INVITES])
    rendered = render_invites(mine + theirs)
    return rendered[: len(mine)], rendered[len(mine) :]


def invite(*, account_id: int, conversation_id: UUID, target_username: str) -> dict[str, Any]:
    """Ask somebody into a group, as its admin. Returns the invite.

    Raises: TooManyRequests, NotThere (the group; the person, also where one blocks the other),
    NotAllowed, StateConflict and below: a member already, asked already, a full group.
    """
    spend("invites", str(account_id))
    group_of_admin(account_id, conversation_id)
    target = _met(person_named(target_username))
    with transaction.atomic():
        lock_pair(account_id, target.account_id)
        return _open_one(_ready_for(account_id, conversation_id, target), target)


def add_member(
    *, account_id: int, conversation_id: UUID, target_username: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Bring somebody into a group, as its admin: a friend is in it at once, another is invited.

    Returns the conversation as the admin sees it, and the invite if there is one. Raises: as
    `invite`.
    """
    group_of_admin(account_id, conversation_id)
    known = person_named(target_username)
    # Before anything is said of the person: the limit must not tell a block from nobody.
    if known is None or not are_friends(account_id, known.account_id):
        spend("invites", str(account_id))
    target = _met(known)
    with transaction.atomic():
        lock_pair(account_id, target.account_id)
        group = _ready_for(account_id, conversation_id, target)
        if are_friends(account_id, target.account_id):
            withdraw_invites_of(group.conversation, invited=target.account_id)
            return add_members(group.conversation, [target.account_id])[account_id], None
        return render_conversations([group])[0], _open_one(group, target)


def _met(person: Person | None) -> Person:
    if person is None or person.suspended:
        raise NotThere
    return person


def _open_one(group: Membership, target: Person) -> dict[str, Any]:
    invited = [target.account_id]
    return open_invites(group.conversation, invited=invited, invited_by=group.account_id)[0]


def _ready_for(account_id: int, conversation_id: UUID, target: Person) -> Membership:
    """The admin's place in the group, locked, after all has been asked that can stand in the
    way."""
    group = group_of_admin(account_id, conversation_id, lock=True)
    if blocked_between(account_id, target.account_id):
        raise NotThere
    present = members_of(conversation_id)
    if target.account_id in present:
        raise StateConflict
    if len(present) >= MAX_MEMBERS:
        raise GroupFull
    return group


def answer_invite(*, account_id: int, invite_id: UUID, accept: bool) -> dict[str, Any]:
    """Say yes or no to an invite of one's own. Returns it.

    The rights of whoever sent it and the size of the group are checked again. Raises: NotThere,
    NotAllowed (the caller sent it), AlreadyAnswered, StateConflict (the sender is admin no more),
    GroupFull.
    """
    found = Invite.objects.filter(Q(invited=account_id) | Q(invited_by=account_id), pk=invite_id)
    asked = found.select_related("conversation").first()
    if asked is None:
        raise NotThere
    if asked.invited_id != account_id:
        raise NotAllowed
    with transaction.atomic():
        lock_pair(account_id, asked.invited_by_id)
        return _accept(asked) if accept else _resolve_one(asked, Invite.DECLINED)


def _accept(asked: Invite) -> dict[str, Any]:
    try:
        conversation = lock_conversation(asked.conversation_id)
    except NotThere:  # closed meanwhile, and its invites withdrawn
        raise AlreadyAnswered from None
    asked.conversation = conversation
    rendered = _resolve_one(asked, Invite.ACCEPTED)
    if conversation.admin_id != asked.invited_by_id:
        raise StateConflict
    add_members(conversation, [asked.invited_id])
    return rendered


def _resolve_one(asked: Invite, status: str) -> dict[str, Any]:
    done = resolve([asked], status)
    if not done:
        raise AlreadyAnswered
    return done[0]


@transaction.atomic
def withdraw_invite(*, account_id: int, invite_id: UUID | None) -> None:
    """Withdraw an open invite that the account sent; of anything else nothing happens."""
    if invite_id is None:
        return
    rows = Invite.objects.filter(pk=invite_id, invited_by=account_id)
    resolve(list(rows.select_related("conversation")), Invite.WITHDRAWN)
