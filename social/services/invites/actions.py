"""Who comes into a group: friends of its admin at once, everybody else when they accept."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Q, Value, When

from accounts.errors import NotFound
from accounts.services.people import person_hash_of, person_hashes_of, person_named
from limits import spend
from social.access import admin_membership, lock_accounts, lock_conversation, members_of
from social.errors import (
    AlreadyAnswered,
    AlreadyMember,
    CannotJoin,
    DmRefused,
    GroupFull,
    NotAllowed,
)
from social.limits import INVITES, MAX_INVITES, MAX_MEMBERS
from social.models import AcceptedAdult, Invite, Membership
from social.services.contact import Contacts, contacts_among, require_may_write
from social.services.conversations.groups import add_to_group
from social.services.conversations.render import render_conversations
from social.services.invites.records import (
    create_invites,
    lock_for_reading,
    record_members_seen,
    resolve,
    withdraw_invites_of,
)
from social.services.invites.render import members_of_open_invites, render_invites
from social.services.invites.rules import (
    joins_without_invite,
    require_known_adult,
    require_may_accept,
    require_may_invite,
    require_not_declined,
)
from social.services.refusals import refuse_invites
from social.services.relations import (
    lock_unblocked,
    other_person,
    require_not_hidden,
    require_other,
    require_visible,
)

Json = dict[str, Any]


def list_invites(account_id: int) -> tuple[list[Json], list[Json]]:
    """(the account's open invites, those that it sent: open ones first, the newest first).

    Records who of the groups' members the account has seen now. The number of queries does not
    depend on the number of invites.
    """
    received = Invite.objects.filter(invited=account_id, status=Invite.PENDING)
    is_open = Case(When(status=Invite.PENDING, then=Value(0)), default=Value(1))
    sent = Invite.objects.filter(invited_by=account_id).order_by(is_open, "-invited_at", "pk")
    received_rows = list(received.order_by("-invited_at", "pk"))
    rows = [*received_rows, *sent[:MAX_INVITES]]
    with transaction.atomic():
        locked = lock_for_reading(received_rows)
        members = members_of_open_invites(rows)
        rendered = render_invites([(row, account_id) for row in rows], members)
        record_members_seen(locked, members)
    number = len(received_rows)
    return rendered[:number], rendered[number:]


def invite(*, account_id: int, conversation_id: UUID, target_username: str) -> Json:
    """Invite somebody into a group, as its admin. Returns the invite.

    Raises: TooManyRequests, NotFound (the group; the person, also where one blocks the other),
    NotAllowed, NotAGroup, InvalidInput (oneself), DmRefused (the account could not write to them
    either), AlreadyMember, AlreadyAsked, DeclinedRecently, GroupFull, TooManyKept.
    """
    spend(INVITES, person_hash_of(account_id))
    admin_membership(account_id, conversation_id)
    target = other_person(account_id, target_username)
    require_not_hidden(account_id, target)
    target_id = target.account_id
    with transaction.atomic():
        admin, members, contacts = _lock_group(account_id, conversation_id, target_id)
        _require_may_come(target_id, admin, members, contacts)
        (created,) = create_invites(admin.conversation, invited=[target_id], invited_by=account_id)
        return created


def add_member(
    *, account_id: int, conversation_id: UUID, target_username: str
) -> tuple[Json, Json | None]:
    """Add somebody to a group, as its admin: they become a member, or are invited
    (`rules.joins_without_invite`).

    Returns the conversation as the admin sees it, and the invite if there is one. Raises: as
    `invite`, and AdultNotKnown (an adult whom a pupil in the group does not know).
    """
    admin_membership(account_id, conversation_id)
    named = person_named(target_username)
    # Before the person can be refused: whether it was counted must not reveal a block.
    if named is None or not _joins_without_invite(account_id, conversation_id, named.account_id):
        spend(INVITES, person_hash_of(account_id))
    target = require_visible(named)
    require_other(account_id, target)
    require_not_hidden(account_id, target)
    target_id = target.account_id
    with transaction.atomic():
        admin, members, contacts = _lock_group(account_id, conversation_id, target_id)
        joins = joins_without_invite(account_id, target_id, members=members, contacts=contacts)
        if joins:
            require_known_adult(target_id, members, contacts)
        _require_may_come(target_id, admin, members, contacts)
        group = admin.conversation
        if not joins:
            (created,) = create_invites(group, invited=[target_id], invited_by=account_id)
            return render_conversations([admin])[0], created
        withdraw_invites_of(group, invited=target_id)
        return add_to_group(group, target_id)[account_id], None


def _joins_without_invite(account_id: int, conversation_id: UUID, target_id: int) -> bool:
    members = members_of(conversation_id)
    contacts = contacts_among([*members, target_id])
    return joins_without_invite(account_id, target_id, members=members, contacts=contacts)


def _lock_group(
    account_id: int, conversation_id: UUID, target_id: int
) -> tuple[Membership, list[int], Contacts]:
    """Lock the admin, the target and the group: the admin's membership, the members, and what is
    between these and the target.

    Raises: NotFound (also a block), NotAllowed, DmRefused: the admin may not begin to write to the
    target, or is alone with somebody to whom they may not write. A third person would open that
    conversation again.
    """
    lock_unblocked(account_id, [target_id])
    admin = admin_membership(account_id, conversation_id, lock=True)
    members = members_of(conversation_id)
    require_may_write(admin.conversation, account_id, members)
    contacts = contacts_among([*members, target_id])
    require_may_invite(account_id, [target_id], contacts, field="targetUsername")
    return admin, members, contacts


def _require_may_come(
    target_id: int, admin: Membership, members: list[int], contacts: Contacts
) -> None:
    """Raises: AlreadyMember, GroupFull, DeclinedRecently."""
    if target_id in members:
        raise AlreadyMember
    if len(members) >= MAX_MEMBERS:
        raise GroupFull
    require_not_declined(
        admin.account_id,
        [target_id],
        contacts,
        field="targetUsername",
        group=admin.conversation,
    )


def answer_invite(*, account_id: int, invite_id: UUID, accept: bool) -> Json:
    """Accept or decline an invite that the account received. Returns it.

    The rights of its sender, the size of the group and who is in it are checked again. Raises:
    NotFound, NotAllowed (the account sent it), AlreadyAnswered, CannotJoin (the sender is no
    longer admin, or may not invite the account any more), AdultNotKnown, MembersChanged, GroupFull.
    """
    own = Invite.objects.filter(Q(invited=account_id) | Q(invited_by=account_id))
    received = own.filter(pk=invite_id).first()
    if received is None:
        raise NotFound
    if received.invited_id != account_id:
        raise NotAllowed
    with transaction.atomic():
        lock_accounts([account_id, received.invited_by_id])
        return _accept(received) if accept else _decline(received)


def _accept(received: Invite) -> Json:
    try:
        conversation = lock_conversation(received.conversation_id)
    except NotFound:  # closed meanwhile, and its invites withdrawn
        raise AlreadyAnswered from None
    rendered = _resolve_one(received, Invite.ACCEPTED)
    # Somebody may have to be shown first who was not when the invite was read (`ask_again`).
    received.refresh_from_db(fields=["members_seen"])
    if conversation.admin_id != received.invited_by_id:
        raise CannotJoin
    try:
        require_may_write(conversation, received.invited_by_id)
    except DmRefused:
        raise CannotJoin from None
    adults = require_may_accept(received)
    add_to_group(conversation, received.invited_id)
    membership = Membership.objects.get(conversation=conversation, account=received.invited_id)
    AcceptedAdult.objects.bulk_create(
        AcceptedAdult(membership=membership, adult_id=adult) for adult in adults
    )
    return rendered


def _decline(received: Invite) -> Json:
    rendered = _resolve_one(received, Invite.DECLINED)
    people = person_hashes_of([received.invited_id, received.invited_by_id])
    refuse_invites(
        declined_by=people[received.invited_id],
        asked_by=people[received.invited_by_id],
        conversation_id=received.conversation_id,
    )
    return rendered


def _resolve_one(received: Invite, status: str) -> Json:
    resolved = resolve(Invite.objects.filter(pk=received.pk), status)
    if not resolved:
        raise AlreadyAnswered
    return resolved[0]


@transaction.atomic
def withdraw_invite(*, account_id: int, invite_id: UUID | None) -> None:
    """Withdraw an open invite that the account sent; anything else stays as it is."""
    if invite_id is None:
        return
    resolve(Invite.objects.filter(pk=invite_id, invited_by=account_id), Invite.WITHDRAWN)
