"""People as others see them, with their current name and picture."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import F, FilteredRelation, Q
from django.urls import reverse

from accounts.models import Account, Picture, not_suspended
from accounts.name_comparison import normalize_username
from accounts.origins import public_url


class Person(NamedTuple):
    """One account with the public part of its profile. `picture_url` is "" without a picture."""

    account_id: int
    username: str
    display_name: str
    picture_url: str
    school: str
    school_name: str
    user_type: str
    dm_privacy: str
    discoverable: bool
    unclaimed: bool
    suspended: bool

    @property
    def is_adult(self) -> bool:
        """A teacher or a guardian, as upstream says."""
        return self.user_type != "student"

    @property
    def is_reachable(self) -> bool:
        """Whether others may begin contact: not suspended, and has signed in here."""
        return not (self.suspended or self.unclaimed)


# Stands for the author of something whose account was erased.
NOBODY = Person(0, "", "", "", "", "", "student", "nobody", False, False, False)


def people_of(account_ids: Iterable[int]) -> dict[int, Person]:
    """The people of these accounts by id, in one query; erased accounts are missing."""
    return {person.account_id: person for person in _people(Q(pk__in=set(account_ids)))}


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
    avatar = FilteredRelation("pictures", condition=Q(pictures__kind=Picture.AVATAR))
    accounts = Account.objects.annotate(
        avatar=avatar,
        avatar_name=F("avatar__name"),
        unclaimed=Q(unclaimed_since__isnull=False),
        shown=not_suspended(),
    )
    rows = accounts.filter(condition).values_list(
        "pk",
        "username",
        "profile__display_name",
        "avatar_name",
        "school",
        "profile__school_name",
        "profile__user_type",
        "profile__dm_privacy",
        "profile__discoverable",
        "unclaimed",
        "shown",
    )
    return [Person._make([*row[:3], picture_url(row[3]), *row[4:-1], not row[-1]]) for row in rows]
