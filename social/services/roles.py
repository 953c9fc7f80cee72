"""What no longer holds when a person has another role: a pupil has become an adult, or an adult a
pupil."""

from django.conf import settings

from social.models import Friendship, Invite
from social.services.contact import contacts_among
from social.services.conversations.parting import leave_groups_after_new_role, lock_groups_of
from social.services.friendships import end_between
from social.services.invites.records import ask_again, resolve


def end_refused_contacts(account_id: int) -> None:
    """End what the person could not begin with their new role: friendships and requests in which an
    adult asked a pupil, invites, and groups in which they would be with somebody whom they may not
    meet.

    Runs in the transaction that writes the role, with the account locked: requests, answers and
    invites between two people lock both, so none comes in between.
    """
    if settings.ADULT_DM_PUPIL:
        return
    lock_groups_of(account_id)
    _end_friendships(account_id)
    _withdraw_invites(account_id)
    groups = leave_groups_after_new_role(account_id)
    ask_again(Invite.objects.filter(conversation__in=groups))


def _end_friendships(account_id: int) -> None:
    rows = list(Friendship.objects.of(account_id).filter(status__in=Friendship.OPEN).order_by("pk"))
    contacts = contacts_among({account_id, *(row.other(account_id) for row in rows)})
    for row in rows:
        asking = row.requested_by_id
        if contacts.is_adult_to_pupil(asking, row.other(asking)):
            # A request is withdrawn by who asked; a friendship ends with who has the new role.
            ends = account_id if row.status == Friendship.ACCEPTED else asking
            end_between(contacts.people[ends], contacts.people[row.other(ends)])


def _withdraw_invites(account_id: int) -> None:
    sent = Invite.objects.filter(invited_by=account_id, status=Invite.PENDING)
    received = Invite.objects.filter(invited=account_id, status=Invite.PENDING)
    invites = [*sent, *received]
    contacts = contacts_among(
        {account_id, *(invite.invited_id for invite in sent)}
        | {invite.invited_by_id for invite in received}
    )
    refused = [
        invite.pk
        for invite in invites
        if not contacts.may_invite(invite.invited_by_id, invite.invited_id)
    ]
    resolve(Invite.objects.filter(pk__in=refused), Invite.WITHDRAWN)
