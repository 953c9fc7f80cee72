"""Conversations that are inserted directly, without a request."""

from collections.abc import Sequence

from django.utils import timezone

from accounts.models import Account
from social.models import Conversation, Membership


def account(username: str) -> Account:
    """The account of somebody who has signed in."""
    return Account.objects.get(username=username)


def group_of(*usernames: str) -> Conversation:
    """A group; the first is its admin."""
    return group_of_accounts([account(username) for username in usernames])


def group_of_accounts(people: Sequence[Account]) -> Conversation:
    now = timezone.now()
    group = Conversation.objects.create(
        type="group", group_name="Ugglorna", admin=people[0], last_at=now, created_at=now
    )
    _join(group, people)
    return group


def dm_of(one: str, other: str) -> Conversation:
    """The direct conversation of two people."""
    low, high = sorted([account(one), account(other)], key=lambda person: person.pk)
    now = timezone.now()
    dm = Conversation.objects.create(
        type="dm", pair_low=low, pair_high=high, last_at=now, created_at=now
    )
    _join(dm, [low, high])
    return dm


def _join(conversation: Conversation, people: Sequence[Account]) -> None:
    Membership.objects.bulk_create(
        Membership(conversation=conversation, account=person, joined_at=conversation.created_at)
        for person in people
    )
