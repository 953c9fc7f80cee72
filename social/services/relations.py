"""Friends and blocks between people, and the checks that depend on them."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, NotFound
from accounts.models import KeptText
from accounts.services.people import Person, people_of, person_named
from social.access import lock_accounts
from social.models import Block, Friendship, Invite, Membership, PastMembership
from social.services.contact import hidden_names


def require_visible(person: Person | None) -> Person:
    """The person. Raises: NotFound for nobody, and for somebody suspended."""
    if person is None or not person.is_reachable:
        raise NotFound
    return person


def other_person(account_id: int, username: str) -> Person:
    """Somebody other than the account, by public name.

    Raises: NotFound (unknown, suspended), InvalidInput (it is the account's own name).
    """
    person = require_visible(person_named(username))
    require_other(account_id, person)
    return person


def require_other(account_id: int, person: Person) -> None:
    """Raises: InvalidInput when the person is the account itself."""
    if person.account_id == account_id:
        raise InvalidInput({"targetUsername": [_("That is you.")]})


def is_hidden_pupil(person: Person, *, school: str) -> bool:
    """Whether the person is a pupil of another school than this who does not want to be found:
    unknown there, except to those who know them already."""
    return not person.is_adult and not person.discoverable and person.school != school


def require_not_hidden(account_id: int, person: Person, *, knew_too: bool = False) -> None:
    """Raises: NotFound for a pupil of another school who does not want to be found, unless the two
    have something open between them; `knew_too`: or had."""
    if person.is_adult or person.discoverable:
        return
    me = people_of([account_id]).get(account_id)
    if me is None or not is_hidden_pupil(person, school=me.school):
        return
    know = knew_each_other if knew_too else know_each_other
    if not know(account_id, person.account_id):
        raise NotFound


def know_each_other(a: int, b: int) -> bool:
    """Whether they are friends, are in a conversation together, or have an open request or invite
    between them."""
    theirs = Membership.objects.filter(account=b, conversation__closed_at=None)
    return (
        Friendship.objects.between(a, b).filter(status__in=Friendship.OPEN).exists()
        or Membership.objects.filter(
            account=a, conversation__in=theirs.values("conversation")
        ).exists()
        or _invites_between(a, b).filter(status=Invite.PENDING).exists()
    )


def knew_each_other(a: int, b: int) -> bool:
    """Whether anything is left of a request, a friendship, an invite or a conversation between
    them."""
    received = KeptText.objects.filter(Q(account=a, reader=b) | Q(account=b, reader=a))
    return (
        Friendship.objects.between(a, b).exists()
        or _invites_between(a, b).exists()
        or received.exists()
        or not _conversations_of(a).isdisjoint(_conversations_of(b))
    )


def _invites_between(a: int, b: int) -> QuerySet[Invite]:
    return Invite.objects.filter(Q(invited=a, invited_by=b) | Q(invited=b, invited_by=a))


def _conversations_of(account_id: int) -> set[UUID]:
    """Those that they are in, or were in during the last days."""
    now = Membership.objects.filter(account=account_id).values_list("conversation_id", flat=True)
    left = PastMembership.objects.filter(account=account_id)
    return {*now, *left.values_list("conversation_id", flat=True)}


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


def contacts_of(account_id: int, among: Collection[int] | None = None) -> set[int]:
    """The account itself, its friends, and everybody in a conversation with it, except across a
    block, or where the conversation hides its name: who sees its new name, and whose presence it
    may see. `among`: of these accounts only."""
    own = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    if among is not None:
        with_them = Membership.objects.filter(account__in=among).values("conversation")
        own = own.filter(conversation__in=with_them)
    rows = Membership.objects.filter(conversation__in=own.values("conversation"))
    members: defaultdict[UUID, list[int]] = defaultdict(list)
    for conversation_id, member in rows.values_list("conversation_id", "account_id"):
        members[conversation_id].append(member)
    hidden = hidden_names(members)
    contacts = {account_id} | friends_of(account_id)
    for conversation_id, account_ids in members.items():
        if account_id not in hidden.get(conversation_id, ()):
            contacts.update(account_ids)
    if among is not None:
        contacts &= set(among)
    return contacts - blocked_among(account_id, contacts)


def blocked_among(account_id: int, others: Iterable[int]) -> set[int]:
    """Those of `others` whom the account has blocked, or who have blocked it, in one query."""
    wanted = set(others)
    pairs = Block.objects.filter(
        Q(blocker=account_id, blocked__in=wanted) | Q(blocked=account_id, blocker__in=wanted)
    ).values_list("blocker_id", "blocked_id")
    return {blocked if blocker == account_id else blocker for blocker, blocked in pairs}
