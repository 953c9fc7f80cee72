"""Friendships: requesting, answering, ending. The lists are in `friendship_lists.py`.

A pair has one row, whoever sent the request. It is `pending` until answered. A declined one stays
for a while, hidden, and so does an ended friendship (`Friendship.ended_at`). Who was declined can
ask again after `ASK_AGAIN_DAYS` (`refusals.py`), the other at any time. Adults do not ask pupils;
they accept.
Every change is made while both accounts are locked. Suspended people are left out.
"""

from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from accounts.callers import Caller
from accounts.errors import NotFound, TooManyKept
from accounts.identifiers import read_id
from accounts.models import KeptText
from accounts.services.people import Person, people_of, person_named
from limits import TooManyRequests, spend
from social.access import lock_accounts
from social.errors import (
    AlreadyAnswered,
    AlreadyAsked,
    AlreadyFriends,
    AskedRecently,
    NotAllowed,
    RequestRefused,
)
from social.limits import (
    FRIEND_REQUESTS,
    MAX_FRIENDS,
    MAX_RECEIVED,
    REQUESTS_TO_ONE,
)
from social.models import Friendship
from social.realtime.events import FriendAccepted, FriendEvent, FriendRemoved, FriendRequested
from social.realtime.publish import Delivery, publish_on_commit
from social.services.contact import contacts_among
from social.services.conversations.parting import leave_groups_with
from social.services.friendship_lists import render_friendship
from social.services.invites.records import withdraw_invites_between
from social.services.kept_requests import keep_request
from social.services.notifications.people import (
    end_notifications_of_friendship,
    tell_of_friendship,
)
from social.services.refusals import (
    accept_requests_again,
    refuse_requests,
    refuses_requests,
)
from social.services.relations import (
    is_hidden_pupil,
    lock_unblocked,
    other_person,
    require_visible,
)

Json = dict[str, Any]


def request_friendship(caller: Caller, *, username: str) -> tuple[Json, bool]:
    """Send a request, or accept the other's open request. The friendship, and whether a request
    was sent.

    Raises: NotFound (unknown, suspended, blocked either way, or a hidden pupil of another school),
    RequestRefused (an adult asks a pupil), AlreadyFriends, AlreadyAsked, AskedRecently,
    TooManyKept, TooManyRequests, InvalidInput (oneself).
    """
    spend(FRIEND_REQUESTS, caller.person_hash)
    other = other_person(caller.account_id, username)
    me, them = caller.account_id, other.account_id
    with transaction.atomic():
        lock_unblocked(me, [them])
        before = Friendship.objects.between(me, them).first()
        if before is not None and before.status == Friendship.ACCEPTED:
            raise AlreadyFriends
        if before is not None and before.status == Friendship.PENDING:
            if before.requested_by_id == me:
                raise AlreadyAsked
            return _answer(caller, before, other, accept=True), False
        _require_may_ask(caller, other)
        try:
            spend(REQUESTS_TO_ONE, f"{caller.person_hash}:{other.person_hash}")
        except TooManyRequests:
            raise AskedRecently from None
        accept_requests_again(declined_by=caller.person_hash, asked_by=other.person_hash)
        requested = Friendship(low_id=min(me, them), high_id=max(me, them), requested_by_id=me)
        if before is not None:  # declined, or ended: this is another request
            requested.ended_at = before.ended_at
            before.delete()
        requested.save(force_insert=True)
        return _publish(FriendRequested, caller, requested, other), True


def _require_may_ask(caller: Caller, other: Person) -> None:
    """Raises: NotFound, RequestRefused, AskedRecently, TooManyKept."""
    me, them = caller.account_id, other.account_id
    if is_hidden_pupil(other, school=caller.school):
        raise NotFound
    if contacts_among([me, them]).is_unknown_adult(me, to=them):
        raise RequestRefused
    if refuses_requests(other.person_hash, asked_by=caller.person_hash):
        raise AskedRecently
    if _counts(me)["friends"] >= MAX_FRIENDS or _counts(them)["received"] >= MAX_RECEIVED:
        raise TooManyKept


def may_request_friendship(caller: Caller, other: Person) -> bool:
    """Whether `request_friendship` would send a request, or accept the other's, limits aside."""
    row = Friendship.objects.between(caller.account_id, other.account_id).first()
    if row is not None and row.status == Friendship.ACCEPTED:
        return False
    if row is not None and row.status == Friendship.PENDING:
        return row.requested_by_id != caller.account_id
    try:
        _require_may_ask(caller, other)
    except (NotFound, RequestRefused, AskedRecently, TooManyKept):
        return False
    return True


@transaction.atomic
def answer_request(
    caller: Caller, *, accept: bool, username: str | None = None, friendship_id: str | None = None
) -> Json:
    """Accept or decline a request, named by its sender or by its id.

    Raises: NotFound (unknown, not of the caller, the other is suspended), NotAllowed (the caller
    sent it; NotFound where it is named by sender), AlreadyAnswered, TooManyKept.
    """
    row, other = _find(caller, username=username, friendship_id=friendship_id)
    if username is not None and row.requested_by_id == caller.account_id:
        raise NotFound
    require_visible(other)
    lock_accounts([caller.account_id, other.account_id])
    locked = Friendship.objects.filter(pk=row.pk).first()
    if locked is None or locked.status == Friendship.ENDED:
        raise NotFound
    if locked.requested_by_id == caller.account_id:
        raise NotAllowed
    if locked.status != Friendship.PENDING:
        raise AlreadyAnswered
    return _answer(caller, locked, other, accept=accept)


def end_friendship(
    caller: Caller, *, username: str | None = None, friendship_id: str | None = None
) -> None:
    """End a friendship, withdraw one's request, or decline the other's. By the other's name it
    always succeeds.

    Raises: NotFound, by id only: unknown, or closed already.
    """
    if friendship_id is not None:
        _, other = _find(caller, friendship_id=friendship_id)
        if not _end(caller, other):
            raise NotFound
    elif username is not None and (named := person_named(username)) is not None:
        with suppress(NotFound):  # erased meanwhile
            _end(caller, named)


def end_between(caller: Caller | Person, other: Person) -> bool:
    """End the friendship of two locked accounts, withdraw the caller's request, or decline the
    other's; both receive the event. Whether there was one of these.

    With a friendship end the open invites between the two, and where one is an adult and the other
    a pupil, the caller leaves the groups in which they were together as friends.
    """
    friendships = Friendship.objects.between(caller.account_id, other.account_id)
    row = friendships.filter(status__in=Friendship.OPEN).first()
    if row is None:
        return False
    if row.status == Friendship.PENDING and row.requested_by_id != caller.account_id:
        _answer(caller, row, other, accept=False)
        return True
    were_friends = row.status == Friendship.ACCEPTED
    _publish(FriendRemoved, caller, row, other)
    _end_row(row)
    if were_friends:
        withdraw_invites_between(caller.account_id, other.account_id)
        leave_groups_with(caller.account_id, other.account_id)
    return True


def _end_row(row: Friendship) -> None:
    """End a friendship, or withdraw a request. The row is deleted unless the two were friends."""
    if row.status == Friendship.PENDING:
        keep_request(row, change=KeptText.WITHDRAWN)
    else:
        row.ended_at = timezone.now()
    if row.ended_at is None:
        row.delete()
    else:
        row.status = Friendship.ENDED
        row.save(update_fields=["status", "ended_at", "updated_at"])


@transaction.atomic
def _end(caller: Caller, other: Person) -> bool:
    lock_accounts([caller.account_id, other.account_id])
    return end_between(caller, other)


def _find(
    caller: Caller, *, username: str | None = None, friendship_id: str | None = None
) -> tuple[Friendship, Person]:
    """The caller's friendship with the person of this name, or with this id, and who is on the
    other side. Raises: NotFound."""
    me = caller.account_id
    row, other = None, None
    if username is not None:
        other = person_named(username)
        row = Friendship.objects.between(me, other.account_id).first() if other else None
    elif (known_id := read_id(friendship_id)) is not None:
        row = Friendship.objects.of(me).filter(pk=known_id).first()
        other = people_of([row.other(me)]).get(row.other(me)) if row else None
    if row is None or other is None or row.status == Friendship.ENDED:
        raise NotFound
    return row, other


def _answer(caller: Caller | Person, row: Friendship, other: Person, *, accept: bool) -> Json:
    if accept and _counts(caller.account_id)["friends"] >= MAX_FRIENDS:
        raise TooManyKept
    row.status = Friendship.ACCEPTED if accept else Friendship.DECLINED
    if not accept:  # its sender cannot ask again for a while
        keep_request(row, change=KeptText.DECLINED)
        refuse_requests(declined_by=caller.person_hash, asked_by=other.person_hash)
    row.save(update_fields=["status", "updated_at"])
    return _publish(FriendAccepted if accept else FriendRemoved, caller, row, other)


def _counts(account_id: int) -> dict[str, int]:
    """`friends`: friends and own open requests together; `received`: open requests of others."""
    pending = Q(status=Friendship.PENDING)
    own = Q(requested_by=account_id)
    return Friendship.objects.of(account_id).aggregate(
        friends=Count("pk", filter=Q(status=Friendship.ACCEPTED) | (pending & own)),
        received=Count("pk", filter=pending & ~own),
    )


def _publish(
    event: type[FriendEvent], caller: Caller | Person, row: Friendship, other: Person
) -> Json:
    """Publish the friendship as it is now to both, and notify; what they receive."""
    if event is not FriendRequested:
        end_notifications_of_friendship(row)
    if event is not FriendRemoved:
        tell_of_friendship(row)
    both = {caller.account_id: caller.username, other.account_id: other.username}
    rendered = render_friendship(row, both)
    publish_on_commit([Delivery(both, event(friendship=rendered))])
    return rendered
