"""Friendships as clients read them, and the list of a person's own."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts.callers import Caller
from accounts.services.people import Person, people_of
from accounts.timestamps import milliseconds
from social.models import Friendship

Json = dict[str, Any]


def render_friendship(friendship: Friendship, usernames: dict[int, str]) -> Json:
    """The JSON of one; the same for both. `usernames`: of at least these two accounts."""
    return {
        "id": friendship.pk.hex,
        "userA": usernames[friendship.low_id],
        "userB": usernames[friendship.high_id],
        "requestedBy": usernames[friendship.requested_by_id],
        "status": friendship.status,
        "createdAt": milliseconds(friendship.created_at),
        "updatedAt": milliseconds(friendship.updated_at),
    }


def list_friendships(caller: Caller) -> Json:
    """`friends`, `received`, `sent` (both open), newest first, and `profileMap` of the others.

    Two queries. Suspended people are left out until their account is opened again.
    """
    me = caller.account_id
    kept = friendships_of(me).exclude(status=Friendship.DECLINED)
    rows = list(kept.order_by("-updated_at", "pk"))
    people = people_of(row.other(me) for row in rows)
    people = {other: person for other, person in people.items() if not person.suspended}
    names = {me: caller.username} | {other: one.username for other, one in people.items()}
    lists: Json = {"friends": [], "received": [], "sent": []}
    for row in rows:
        if row.other(me) in people:
            lists[_list_of(row, me)].append(render_friendship(row, names))
    return lists | {"profileMap": {one.username: _card(one) for one in people.values()}}


def friendships_of(account_id: int) -> QuerySet[Friendship]:
    """All rows of an account, whatever their status."""
    return Friendship.objects.filter(Q(low=account_id) | Q(high=account_id))


def _list_of(row: Friendship, account_id: int) -> str:
    if row.status == Friendship.ACCEPTED:
        return "friends"
    return "sent" if row.requested_by_id == account_id else "received"


def _card(person: Person) -> Json:
    return {
        "displayName": person.display_name,
        "pfpUrl": person.picture_url,
        "schoolName": person.school_name,
    }
