"""Searching people by name: those who are discoverable, without a block either way.

Hidden people, and those who have never signed in, are left out, as if they did not exist.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, Value, When

from accounts.callers import Caller
from accounts.models import Picture, Profile, not_suspended
from accounts.name_comparison import normalize_for_search
from accounts.real_names import full_name, real_name_beside
from accounts.services.people import picture_url
from limits import spend
from social.limits import SEARCH, SEARCH_FOUND, SEARCH_MIN
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
_NAMES = ("first_name", "last_name")


def search_users(caller: Caller, *, text: str) -> list[Json]:
    """People whose display name or username contains `text`, ignoring case and accents; the best
    match first, at most 20, in one query.

    Raises: TooManyRequests (the search must not list everybody, one letter after another).
    """
    spend(SEARCH, caller.person_hash)
    wanted = normalize_for_search(text)
    if len(wanted) < SEARCH_MIN:  # only accents: it would match everybody
        return []
    avatar = models.FilteredRelation(
        "account__pictures", condition=Q(account__pictures__kind=Picture.AVATAR)
    )
    rows = findable(caller, wanted).annotate(avatar=avatar, rank=_rank(wanted))
    best = rows.order_by("rank", "search_key", "account_id").values(*SHOWN.values(), *_NAMES)
    return [_render(row) for row in best[:SEARCH_FOUND]]


def _render(row: Json) -> Json:
    shown = {name: row[column] for name, column in SHOWN.items()}
    real_name = full_name(row["first_name"], row["last_name"])
    return shown | {
        "pfpUrl": picture_url(shown["pfpUrl"]),
        "realName": real_name_beside(shown["displayName"], real_name),
    }


def findable(caller: Caller, wanted: str) -> models.QuerySet[Profile]:
    """The profiles that contain the normalized text and that the caller may find."""
    me = caller.account_id
    blocks = Block.objects.between(me, models.OuterRef("account_id"))
    # `contains` escapes % and _.
    rows = Profile.objects.filter(
        ~models.Exists(blocks),
        not_suspended("account__"),
        search_key__contains=wanted,
        discoverable=True,
    ).exclude(account_id=me)
    if settings.USER_SEARCH_SCOPE == "school":
        rows = rows.filter(account__school=caller.school)
    return rows


def _rank(wanted: str) -> models.Case:
    """0: the display name starts with it; 1: another word or the username does; 2: it is inside."""
    return models.Case(
        When(search_key__startswith=wanted, then=Value(0)),
        When(search_key__contains=f" {wanted}", then=Value(1)),
        When(search_key__contains=f"\n{wanted}", then=Value(1)),
        default=Value(2),
        output_field=models.IntegerField(),
    )
