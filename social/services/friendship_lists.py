"""The lists of a person's friends and requests, and how a friendship is shown."""

from typing import Any

from accounts.callers import Caller
from accounts.services.people import Person, people_of
from accounts.timestamps import milliseconds
from social.models import Friendship

Json = dict[str, Any]


def list_friendships(caller: Caller) -> Json:
    """`friends`, `received`, `sent` (both open), newest first, and `profileMap` of the others.

    Two queries. Suspended people are left out until their account is active again.
    """
    me = caller.account_id
    open_ones = Friendship.objects.of(me).filter(status__in=Friendship.OPEN)
    rows = open_ones.order_by("-updated_at", "pk")
    people = people_of(row.other(me) for row in rows)
    people = {other: person for other, person in people.items() if not person.suspended}
    names = {me: caller.username} | {other: person.username for other, person in people.items()}
    lists: Json = {"friends": [], "received": [], "sent": []}
    for row in rows:
        if row.other(me) in people:
            lists[_list_of(row, me)].append(render_friendship(row, names))
    accepted = {row.other(me) for row in rows if row.status == Friendship.ACCEPTED}
    cards = {pk: _card(person, is_friend=pk in accepted) for pk, person in people.items()}
    return lists | {"profileMap": {people[pk].username: card for pk, card in cards.items()}}


def render_friendship(friendship: Friendship, usernames: dict[int, str]) -> Json:
    """The JSON of one, the same for both. `usernames`: of at least these two accounts."""
    return {
        "id": friendship.pk.hex,
        "userA": usernames[friendship.low_id],
        "userB": usernames[friendship.high_id],
        "requestedBy": usernames[friendship.requested_by_id],
        "status": friendship.status,
        "createdAt": milliseconds(friendship.created_at),
        "updatedAt": milliseconds(friendship.updated_at),
    }


def _list_of(row: Friendship, account_id: int) -> str:
    if row.status == Friendship.ACCEPTED:
        return "friends"
    return "sent" if row.requested_by_id == account_id else "received"


def _card(person: Person, *, is_friend: bool) -> Json:
    """How a person is shown in the lists: while a request is open by the name at school, without a
    picture, so that neither is a way to write to the other."""
    return {
        "displayName": person.display_name if is_friend else person.name_at_school,
        "realName": person.other_real_name if is_friend else None,
        "userType": person.user_type,
        "pfpUrl": person.picture_url if is_friend else "",
        "schoolName": person.school_name,
    }
