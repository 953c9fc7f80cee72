"""Friends and blocks between people, and the checks that depend on them."""

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, NotFound
from accounts.models import Account
from accounts.services.people import Person, person_named
from social.access import lock_accounts
from social.models import Block, Friendship, Membership
from social.services.hidden_names import with_hidden_names


def require_visible(person: Person | None) -> Person:
    """The person. Raises: NotFound for nobody, and for somebody suspended or unclaimed."""
    if person is None or not person.is_reachable:
        raise NotFound
    return person


def other_person(account_id: int, username: str) -> Person:
    """Somebody other than the account, by public name.

    Raises: NotFound (unknown, suspended or unclaimed), InvalidInput (it is the account's own name).
    """
    person = require_visible(person_named(username))
    require_other(account_id, person)
    return person


def require_other(account_id: int, person: Person) -> None:
    """Raises: InvalidInput when the person is the account itself."""
    if person.account_id == account_id:
        raise InvalidInput({"targetUsername": [_("That is you.")]})


def lock_unblocked(account_id: int, others: Collection[int]) -> None:
    """Lock the account and these others (`lock_accounts`).

    Raises: NotFound where one of them has blocked the account, or the other way round.
    """
    lock_accounts([account_id, *others])
    if blocked_among(account_id, others):
        raise NotFound


def friends_of(account_id: int) -> set[int]:
    friendships = Friendship.objects.of(account_id).filter(status=Friendship.ACCEPTED)
    pairs = friendships.values_list("low_id", "high_id")
    return {high if low == account_id else low for low, high in pairs}


def end_row(row: Friendship, *, ended_by: int) -> None:
    """End a friendship, withdraw one's request, or decline the other's. A row that was not declined
    is deleted, unless the two were friends before."""
    if row.status == Friendship.PENDING and row.requested_by_id != ended_by:
        row.status = Friendship.DECLINED
        row.save(update_fields=["status", "updated_at"])
        return
    if row.status == Friendship.ACCEPTED:
        row.ended_at = timezone.now()
    if row.ended_at is None:
        row.delete()
    else:
        row.status = Friendship.ENDED
        row.save(update_fields=["status", "ended_at", "updated_at"])


def contacts_of(account_id: int) -> QuerySet[Account]:
    """The account itself, its friends, and everybody in a conversation with it, except across a
    block, or where the conversation hides its name: who sees its new name, and whose presence it
    may see."""
    friends = Friendship.objects.filter(status=Friendship.ACCEPTED)
    own = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    shown_in = with_hidden_names(own).filter(name_hidden=False)
    members = Membership.objects.filter(conversation__in=shown_in.values("conversation"))
    found = Account.objects.filter(pk=account_id).values_list("pk")
    found = found.union(
        members.values_list("account_id"),
        friends.filter(high=account_id).values_list("low_id"),
        friends.filter(low=account_id).values_list("high_id"),
    )
    blocks = Block.objects.between(account_id, OuterRef("pk"))
    return Account.objects.filter(~Exists(blocks), pk__in=found)


def blocked_between(a: int, b: int) -> bool:
    return Block.objects.between(a, b).exists()


def blocked_among(account_id: int, others: Iterable[int]) -> set[int]:
    """Those of `others` whom the account has blocked, or who have blocked it, in one query."""
    wanted = set(others)
    pairs = Block.objects.filter(
        Q(blocker=account_id, blocked__in=wanted) | Q(blocked=account_id, blocker__in=wanted)
    ).values_list("blocker_id", "blocked_id")
    return {blocked if blocker == account_id else blocker for blocker, blocked in pairs}
