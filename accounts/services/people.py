"""People as others see them, with their current name and picture."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Literal, NamedTuple

from django.db.models import F, FilteredRelation, Q, QuerySet
from django.urls import reverse

from accounts.errors import NotFound
from accounts.models import Account, Picture, not_suspended
from accounts.name_comparison import normalize_username
from accounts.origins import public_url
from accounts.person_hash import hash_of_person
from accounts.real_names import full_name, real_name_beside

UserType = Literal["student", "teacher", "guardian"]


class Person(NamedTuple):
    """One account with the public part of its profile. `real_name` is the name at school, "" where
    the school gives none; `picture_url` is "" without a picture."""

    account_id: int
    username: str
    display_name: str
    real_name: str
    picture_url: str
    school: str
    upstream_user_id: int
    school_name: str
    user_type: UserType
    dm_privacy: str
    discoverable: bool
    suspended: bool

    @property
    def person_hash(self) -> str:
        """Recognises the person, also in the next account after an erasure."""
        return hash_of_person(self.school, self.upstream_user_id)

    @property
    def is_adult(self) -> bool:
        """A teacher or a guardian, as upstream says."""
        return self.user_type != "student"

    @property
    def other_real_name(self) -> str | None:
        """The real name, if the display name reads differently."""
        return real_name_beside(self.display_name, self.real_name)

    @property
    def name_at_school(self) -> str:
        """The name for somebody with whom there is no contact yet, or no more: one that the person
        has not chosen, as a display name can be a message."""
        return self.real_name or self.username

    @property
    def is_reachable(self) -> bool:
        """Whether others may begin contact: not suspended."""
        return not self.suspended


# Stands for the author of something whose account was erased.
NOBODY = Person(0, "", "", "", "", "", 0, "", "student", "nobody", False, False)


def people_of(account_ids: Iterable[int]) -> dict[int, Person]:
    """The people of these accounts by id, in one query; erased accounts are missing."""
    return {person.account_id: person for person in _people(Q(pk__in=set(account_ids)))}


def person_hashes_of(account_ids: Iterable[int]) -> dict[int, str]:
    """The keyed hash of the person of each of these accounts; erased ones are missing."""
    accounts = Account.objects.only("school", "upstream_user_id").filter(pk__in=set(account_ids))
    return {account.pk: account.person_hash for account in accounts}


def person_hash_of(account_id: int) -> str:
    """The keyed hash of the person whose account this is. Raises: NotFound when it is erased."""
    person_hash = person_hashes_of([account_id]).get(account_id)
    if person_hash is None:
        raise NotFound
    return person_hash


def person_named(username: str) -> Person | None:
    """The person with this public name, in any case and either form of its accents; suspended ones
    too. None if there is none, also for a name that only looks like one."""
    return people_named([username]).get(normalize_username(username))


def people_named(usernames: Iterable[str]) -> dict[str, Person]:
    """The people with these names, by public name; unknown ones are missing."""
    # PostgreSQL refuses NUL in a string, and no name has one.
    wanted = {normalize_username(username) for username in usernames if "\0" not in username}
    return {person.username: person for person in _people(Q(username__in=wanted))}


def picture_url(name: str | None) -> str:
    """The URL of a picture, "" for none."""
    return public_url(reverse("picture", args=[name])) if name else ""


def _people(condition: Q) -> list[Person]:
    rows = _with_profiles().filter(condition).annotate(shown=not_suspended())
    return [
        Person._make(
            [*row[:3], full_name(row[3], row[4]), picture_url(row[5]), *row[6:-1], not row[-1]]
        )
        for row in rows
    ]


@cache
def _with_profiles() -> QuerySet[Account, tuple[Any, ...]]:
    """The columns of a `Person` without the last. Built once: to find its fields anew took half of
    the time of each query."""
    avatar = FilteredRelation("pictures", condition=Q(pictures__kind=Picture.AVATAR))
    return Account.objects.annotate(avatar=avatar, avatar_name=F("avatar__name")).values_list(
        "pk",
        "username",
        "profile__display_name",
        "profile__first_name",
        "profile__last_name",
        "avatar_name",
        "school",
        "upstream_user_id",
        "profile__school_name",
        "profile__user_type",
        "profile__dm_privacy",
        "profile__discoverable",
    )
