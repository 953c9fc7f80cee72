"""Searching people by name: those who are discoverable, without a block either way.

Hidden people, and those who have never signed in, are left out, as if they did not exist.
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, Value, When
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from accounts.callers import Caller
from accounts.database import planned_for_values
from accounts.models import Picture, Profile, not_suspended
from accounts.name_comparison import normalize_for_search
from accounts.real_names import full_name, real_name_beside
from accounts.services.people import picture_url
from limits import spend
from social.limits import SEARCH, SEARCH_COMPARED, SEARCH_FOUND, SEARCH_MIN
from social.models import Block

Json = dict[str, Any]
# The JSON fields, and the columns that they come from.
SHOWN = {
    "username": "account__username",
    "displayName": "display_name",
    "pfpUrl": "avatar__name",
    "pronouns": "pronouns",
    "bio": "bio",
    "location": "location",
    "schoolName": "school_name",
    "userType": "user_type",
}
_TRIGRAM = 3
_NAMES = ("first_name", "last_name")


def search_users(caller: Caller, *, text: str) -> list[Json]:
    """People whose display name or username contains each word of `text`, in any order, ignoring
    case, accents, hyphens and apostrophes; at most 20. People of the caller's school come first,
    and of each school the best match.

    Raises: TooManyRequests (the search must not list everybody, one letter after another).
    """
    spend(SEARCH, caller.person_hash)
    words = normalize_for_search(text).split()
    if max(map(len, words), default=0) < SEARCH_MIN:  # it would match everybody
        return []
    people = findable(caller, words)
    at_school = Q(account__school=caller.school)
    with planned_for_values():
        best = _best(people.filter(at_school), words, SEARCH_FOUND)
        if len(best) < SEARCH_FOUND and settings.USER_SEARCH_SCOPE == "all":
            # To compare 200,000 matches elsewhere takes 470 ms, and 500 of them 6.
            some = people.exclude(at_school).order_by("pk").values("pk")[:SEARCH_COMPARED]
            elsewhere = Profile.objects.filter(pk__in=some)
            best += _best(elsewhere, words, SEARCH_FOUND - len(best))
    return best


def _best(people: models.QuerySet[Profile], words: Sequence[str], count: int) -> list[Json]:
    avatar = models.FilteredRelation(
        "account__pictures", condition=Q(account__pictures__kind=Picture.AVATAR)
    )
    ranked = people.annotate(avatar=avatar, rank=_rank(words))
    rows = ranked.order_by("rank", "search_key", "account_id").values(*SHOWN.values(), *_NAMES)
    return [_render(row) for row in rows[:count]]


def _render(row: Json) -> Json:
    shown = {name: row[column] for name, column in SHOWN.items()}
    real_name = full_name(row["first_name"], row["last_name"])
    return shown | {
        "pfpUrl": picture_url(shown["pfpUrl"]),
        "realName": real_name_beside(shown["displayName"], real_name),
    }


def findable(caller: Caller, words: Sequence[str]) -> models.QuerySet[Profile]:
    """The profiles with these normalized words that the caller may find, of all schools."""
    me = caller.account_id
    blocks = Block.objects.between(me, models.OuterRef("account_id"))
    return Profile.objects.filter(
        *map(_contains, words),
        ~models.Exists(blocks),
        not_suspended("account__"),
        discoverable=True,
    ).exclude(account_id=me)


def _contains(word: str) -> Q | GreaterThan:
    """A word of less than three letters has no trigram: PostgreSQL would ask the index all the
    same, and read every row that contains the other words (160 ms instead of 20)."""
    if len(word) < _TRIGRAM:
        return GreaterThan(StrIndex("search_key", Value(word)), 0)
    return Q(search_key__contains=word)  # escapes % and _


def _rank(words: Sequence[str]) -> models.Case:
    """0: the display name starts with the words; 1: each of them begins a word of a name; 2: they
    are inside."""
    begins = Q()
    for word in words:
        first = Q(search_key__startswith=word)
        begins &= first | Q(search_key__contains=f" {word}") | Q(search_key__contains=f"\n{word}")
    return models.Case(
        When(search_key__startswith=" ".join(words), then=Value(0)),
        When(begins, then=Value(1)),
        default=Value(2),
        output_field=models.IntegerField(),
    )
