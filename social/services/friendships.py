"""Friends: asking, answering, ending.

A pair has one row, whoever asked. It is `pending` until answered; a declined one stays, hidden,
until somebody asks again, which is allowed at once: the limit bounds how often, a block ends it.
Every change of a pair is made under its lock. Suspended people are not there, here as elsewhere.
"""

from contextlib import suppress
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from accounts.callers import Caller
from accounts.errors import InvalidInput
from accounts.limits import spend
from accounts.services.people import NOBODY, Person, people_of, person_named
from social.errors import (
    AlreadyAnswered,
    AlreadyAsked,
    AlreadyFriends,
    NotAllowed,
    NotThere,
    TooManyKept,
)
from social.limits import MAX_FRIENDS, MAX_RECEIVED
from social.models import Friendship
from social.realtime.events import FriendAccepted, FriendEvent, FriendRemoved, FriendRequested
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.friendship_view import Json, friendships_of, render_friendship
from social.services.relations import blocked_between, lock_pair


def request_friendship(caller: Caller, *, username: str) -> tuple[Json, bool]:
    """Ask somebody; or, where they have asked already, be friends. The friendship, and whether
    it is a new request.

    Raises: NotThere (unknown, suspended, or blocked either way), AlreadyFriends, AlreadyAsked,
    TooManyKept, TooManyRequests, InvalidInput (oneself).
    """
    spend("friend_requests", str(caller.account_id))
    other = other_named(caller, username)
    me, them = caller.account_id, other.account_id
    with transaction.atomic():
        lock_pair(me, them)
        if blocked_between(me, them):
            raise NotThere
        found = _between(me, them).first()
        if found is not None and found.status == Friendship.ACCEPTED:
            raise AlreadyFriends
        if found is not None and found.status == Friendship.PENDING:
            if found.requested_by_id == me:
                raise AlreadyAsked
            return _answer(caller, found, other, Friendship.ACCEPTED), False
        _check_room(me, them)
        if found is not None:  # declined: this is another request
            found.delete()
        asked = Friendship.objects.create(
            low_id=min(me, them), high_id=max(me, them), requested_by_id=me
        )
        return _tell(FriendRequested, caller, asked, other), True


def answer_by_name(caller: Caller, *, username: str, accept: bool) -> Json:
    """Accept or decline the request of the person with this name. Raises: as `answer_by_id`."""
    other = person_named(username)
    row = other and _between(caller.account_id, other.account_id).first()
    if other is None or row is None or row.requested_by_id == caller.account_id:
        raise NotThere
    return _answer_locked(caller, row.pk, other, accept)


def answer_by_id(caller: Caller, *, friendship_id: UUID | None, accept: bool) -> Json:
    """Accept or decline a request.

    Raises: NotThere (unknown, not of the caller, its other side is suspended), NotAllowed (one's
    own request), AlreadyAnswered, TooManyKept.
    """
    row, other = _named(caller, friendship_id)
    return _answer_locked(caller, row.pk, other, accept)


def end_with(caller: Caller, *, username: str) -> None:
    """No friendship and no request with the person of this name any more. Always succeeds."""
    other = person_named(username)
    if other is not None:
        with suppress(NotThere):  # erased meanwhile
            _end(caller, other)


def end_by_id(caller: Caller, *, friendship_id: UUID | None) -> None:
    """End one by its id. Raises: NotThere, also the second time."""
    _, other = _named(caller, friendship_id)
    if not _end(caller, other):
        raise NotThere


def delete_friendship(caller: Caller, other: Person) -> bool:
    """Delete what there is between two people whose pair is locked; both hear of it.

    A declined request goes unheard: neither has seen it since.
    """
    row = _between(caller.account_id, other.account_id).first()
    if row is None:
        return False
    if row.status != Friendship.DECLINED:
        _tell(FriendRemoved, caller, row, other)
    row.delete()
    return True


def other_named(caller: Caller, username: str) -> Person:
    """Somebody else who may be met. Raises: NotThere (unknown, suspended), InvalidInput (oneself);
    a block is for the caller to ask for, under the lock."""
    if username.lower() == caller.username:
        raise InvalidInput({"targetUsername": ["That is you."]})
    other = person_named(username)
    if other is None or other.suspended:
        raise NotThere
    return other


def _named(caller: Caller, friendship_id: UUID | None) -> tuple[Friendship, Person]:
    """One of the caller's by its id, and who is on the other side. Raises: NotThere."""
    rows = friendships_of(caller.account_id)
    row = rows.filter(pk=friendship_id).first() if friendship_id else None
    if row is None:
        raise NotThere
    other = row.other(caller.account_id)
    return row, people_of([other]).get(other, NOBODY)


@transaction.atomic
def _answer_locked(caller: Caller, row_id: UUID, other: Person, accept: bool) -> Json:
    if other is NOBODY or other.suspended:
        raise NotThere
    lock_pair(caller.account_id, other.account_id)
    row = _between(caller.account_id, other.account_id).filter(pk=row_id).first()
    if row is None:
        raise NotThere
    if row.requested_by_id == caller.account_id:
        raise NotAllowed
    if row.status != Friendship.PENDING:
        raise AlreadyAnswered
    return _answer(caller, row, other, Friendship.ACCEPTED if accept else Friendship.DECLINED)


def _answer(caller: Caller, row: Friendship, other: Person, status: str) -> Json:
    if status == Friendship.ACCEPTED and _kept(caller.account_id)["friends"] >= MAX_FRIENDS:
        raise TooManyKept
    row.status = status
    row.save(update_fields=["status", "updated_at"])
    event = FriendAccepted if status == Friendship.ACCEPTED else FriendRemoved
    return _tell(event, caller, row, other)


@transaction.atomic
def _end(caller: Caller, other: Person) -> bool:
    lock_pair(caller.account_id, other.account_id)
    return delete_friendship(caller, other)


def _check_room(me: int, them: int) -> None:
    if _kept(me)["friends"] >= MAX_FRIENDS or _kept(them)["received"] >= MAX_RECEIVED:
        raise TooManyKept


def _kept(account_id: int) -> dict[str, int]:
    """Friends and own open requests together, and open requests of others."""
    pending = Q(status=Friendship.PENDING)
    mine = Q(requested_by=account_id)
    return friendships_of(account_id).aggregate(
        friends=Count("pk", filter=Q(status=Friendship.ACCEPTED) | (pending & mine)),
        received=Count("pk", filter=pending & ~mine),
    )


def _between(a: int, b: int) -> QuerySet[Friendship]:
    return Friendship.objects.filter(low=min(a, b), high=max(a, b))


def _tell(event: type[FriendEvent], caller: Caller, row: Friendship, other: Person) -> Json:
    """Show both the row as it is now; what they are shown."""
    both = {caller.account_id: caller.username, other.account_id: other.username}
    shown = render_friendship(row, both)
    publish_on_commit([ToAccounts(list(both), event(friendship=shown))])
    return shown
