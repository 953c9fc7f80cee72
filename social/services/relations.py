"""How people stand to one another: friends, blocks, and the lock of a pair.

Every rule of this app that asks "may these two" asks here.
"""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from accounts.models import Account
from social.errors import NotThere
from social.models import Block, Friendship


def are_friends(a: int, b: int) -> bool:
    """Whether two accounts are friends."""
    return _friendships(a).filter(_with(a, {b})).exists()


def friends_of(account_id: int) -> set[int]:
    """All friends of an account."""
    pairs = _friendships(account_id).values_list("low_id", "high_id")
    return {high if low == account_id else low for low, high in pairs}


def friends_among(account_id: int, others: Iterable[int]) -> set[int]:
    """Those of `others` who are friends of the account, in one query."""
    pairs = _friendships(account_id).filter(_with(account_id, set(others)))
    return {
        high if low == account_id else low for low, high in pairs.values_list("low_id", "high_id")
    }


def blocked_between(a: int, b: int) -> bool:
    """Whether one of the two has blocked the other."""
    return bool(blocked_among(a, [b]))


def blocked_among(account_id: int, others: Iterable[int]) -> set[int]:
    """Those of `others` whom the account has blocked, or who have blocked it, in one query."""
    wanted = set(others)
    pairs = Block.objects.filter(
        Q(blocker=account_id, blocked__in=wanted) | Q(blocked=account_id, blocker__in=wanted)
    ).values_list("blocker_id", "blocked_id")
    return {blocked if blocker == account_id else blocker for blocker, blocked in pairs}


def lock_pair(a: int, b: int) -> None:
    """Until the end of the transaction, nothing else that concerns these two together happens.

    Requests, blocks, first messages and accepted invites of the pair all take it first, the
    smaller id before the larger, so that no two of them can wait for each other.
    """
    lock_people([a, b])


def lock_people(account_ids: Iterable[int]) -> None:
    """The same for more than two: every pair among them is locked.

    Raises: NotThere when one of them was erased meanwhile. Also when that has only begun: an
    erasure looks once for what there is, so nothing may begin after its mark.
    """
    wanted = set(account_ids)
    staying = Account.objects.filter(pk__in=wanted, erasure_started_at=None)
    rows = staying.select_for_update(no_key=True)
    if len(rows.order_by("pk").values_list("pk")) != len(wanted):
        raise NotThere


def _friendships(account_id: int) -> QuerySet[Friendship]:
    mine = Q(low=account_id) | Q(high=account_id)
    return Friendship.objects.filter(mine, status=Friendship.ACCEPTED)


def _with(account_id: int, others: set[int]) -> Q:
    return Q(low=account_id, high__in=others) | Q(high=account_id, low__in=others)
