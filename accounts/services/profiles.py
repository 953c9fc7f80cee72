"""Profiles: read, shown as JSON, and changed.

A person's own change through the API is in `own_profile.py`, above `pictures.py`.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from django.db import transaction
from django.db.models import F, FilteredRelation, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone

from accounts.errors import NotSignedIn
from accounts.models import Account, KeptText, Picture, Profile, not_suspended
from accounts.name_comparison import name_key, normalize_for_search, normalize_username
from accounts.purging import Purged
from accounts.services.display_names import (
    default_display_name,
    letters_of_staff,
    passes_for_staff,
)
from accounts.services.kept_texts import kept_text
from accounts.services.people import picture_url
from accounts.services.warnings import warnings_of
from accounts.signals import profile_changed, role_changed
from accounts.timestamps import milliseconds
from upstream.records import UpstreamSession

# The texts that others read and their author chooses. They are kept for a report.
SHOWN_TEXTS = ("display_name", *Profile.TEXTS)


def profile_of(account_id: int) -> Profile:
    """The account's profile, ready for `render_profile`: one query.

    Raises: NotSignedIn, where the account is erased.
    """
    profile = _with_pictures().filter(account_id=account_id).first()
    if profile is None:
        raise NotSignedIn
    return profile


def profile_named(username: str) -> Profile | None:
    """The profile with this public name, in any case; None where there is none, or the account is
    suspended."""
    profiles = _with_pictures().filter(not_suspended("account__"))
    return profiles.filter(account__username=normalize_username(username)).first()


def _with_pictures() -> QuerySet[Profile]:
    joined: dict[str, Any] = {}
    for kind in (Picture.AVATAR, Picture.COVER):
        of_kind = Q(account__pictures__kind=kind)
        joined[kind] = FilteredRelation("account__pictures", condition=of_kind)
        joined[f"{kind}_name"] = F(f"{kind}__name")
    return Profile.objects.select_related("account").annotate(**joined)


def render_profile(profile: Profile, *, own: bool) -> dict[str, Any]:
    """The JSON of a profile from `profile_of` or `profile_named`.

    The e-mail address, the settings and the warnings by staff are only in one's own.
    """
    fields: dict[str, Any] = {
        "username": profile.account.username,
        "firstName": profile.first_name,
        "lastName": profile.last_name,
        "schoolName": profile.school_name,
        "userType": profile.user_type,
        "displayName": profile.display_name,
        "realName": profile.other_real_name,
        "bio": profile.bio,
        "pronouns": profile.pronouns,
        "location": profile.location,
        "website": profile.website,
        "accentColor": profile.accent_color,
        "github": profile.github,
        "twitter": profile.twitter,
        "instagram": profile.instagram,
        "linkedin": profile.linkedin,
        "pfpUrl": picture_url(profile.avatar_name),
        "coverUrl": picture_url(profile.cover_name),
        "joinedAt": milliseconds(profile.account.created_at),
        "updatedAt": milliseconds(profile.updated_at),
    }
    if own:
        fields |= {
            "email": profile.email,
            "dmPrivacy": profile.dm_privacy,
            "discoverable": profile.discoverable,
            "warnings": warnings_of(profile.account_id),
        }
    return fields


# What others see of a name.
_SHOWN_NAMES = {"display_name", "first_name", "last_name", "user_type"}


def upstream_fields(answer: UpstreamSession) -> dict[str, str]:
    """What a profile takes from upstream's session answer, by column."""
    return {
        "first_name": answer.first_name,
        "last_name": answer.last_name,
        "email": answer.email,
        "school_name": answer.organization_name,
        "user_type": answer.role,
    }


def create_profile(account: Account, answer: UpstreamSession) -> None:
    display_name = default_display_name(answer, account)
    profile = Profile.objects.create(
        account=account,
        display_name=display_name,
        display_key=name_key(display_name),
        search_key=search_key_of(display_name, account.username),
        **upstream_fields(answer),
    )
    if profile.user_type == "teacher":
        _look_at_display_names_again(profile)


def locked_profile(account_id: int) -> Profile:
    """The current profile, locked until the transaction ends.

    The lock is on the account's row, as in an erasure, so that the two cannot deadlock.
    Raises: NotSignedIn, where the account is erased.
    """
    account = Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    profile = Profile.objects.filter(account=account).first() if account else None
    if account is None or profile is None:
        raise NotSignedIn
    profile.account = account
    return profile


def change_profile(profile: Profile, values: Mapping[str, Any]) -> None:
    """Set columns of a locked profile, and what follows from them.

    The default display name replaces one that is empty, that was the default, or by which
    the person passes for staff (`display_names`). The other apps act on a new role. What others
    could read until now is kept for a report.
    """
    before = _columns(profile)
    default = default_display_name(profile, profile.account)
    for name, value in values.items():
        setattr(profile, name, value)
    display_name = profile.display_name
    if display_name in ("", default) or passes_for_staff(display_name, profile):
        profile.display_name = default_display_name(profile, profile.account)
    profile.display_key = name_key(profile.display_name)
    profile.search_key = search_key_of(profile.display_name, profile.account.username)
    if profile.user_type != before["user_type"]:
        profile.former_user_type = before["user_type"]
    changed = {name for name, value in _columns(profile).items() if value != before[name]}
    _keep_shown_texts(profile.account_id, {name: before[name] for name in changed})
    if changed:
        profile.save(update_fields=[*changed, "updated_at"])
    if changed & _SHOWN_NAMES:
        announce_profile_change(profile.account_id)
        _look_at_display_names_again(profile)
    if "user_type" in changed:
        role_changed.send(sender=None, account_id=profile.account_id)


def _look_at_display_names_again(profile: Profile) -> None:
    """After the commit, take back what could not be seen before it: the display names of pupils who
    have the name of this member of staff, or this person's own, if the member of staff has come
    while it was saved."""
    people = Q(account=profile.account_id)
    if profile.user_type == "teacher":
        people = Q(account__school=profile.account.school, user_type="student")
    transaction.on_commit(partial(take_back_display_names, people), robust=True)


def _keep_shown_texts(account_id: int, before: Mapping[str, Any]) -> None:
    """`before`: the columns that change, as they were."""
    texts = {name: text for name, text in before.items() if name in SHOWN_TEXTS}
    if any(texts.values()):
        kept_text(
            "profile", str(account_id), texts, account_id=account_id, change=KeptText.EDITED
        ).save()


def announce_profile_change(account_id: int) -> None:
    """Send `profile_changed` after the commit: the display name or the avatar is new."""
    transaction.on_commit(partial(profile_changed.send_robust, Profile, account_id=account_id))


def search_key_of(display_name: str, username: str) -> str:
    """What search looks in: both names normalized, one a line, so that no match spans the two."""
    return f"{normalize_for_search(display_name)}\n{normalize_for_search(username)}"


def _columns(profile: Profile) -> dict[str, Any]:
    return {field.attname: getattr(profile, field.attname) for field in Profile._meta.fields}


def reset_display_names_of_others(account: Account) -> None:
    """Give the default display name to everybody whose display name looks like the account's
    username: they chose it before the account had its username."""
    others = Profile.objects.filter(display_key=account.name_key).exclude(account=account)
    for profile in others.select_related("account").order_by("account_id"):
        _reset_display_name(profile)


def take_back_display_names(people: Q, *, dry_run: bool = False) -> int:
    """Give the default display name to those of these people who pass for staff of their school by
    the one that they have. Returns how many there are.

    They chose it before it was refused: a teacher of that name has come, or their own role or name
    is another one.
    """
    same = Concat("first_name", Value(" "), "last_name")
    chosen = Profile.objects.filter(people).exclude(display_name=same).exclude(user_type="teacher")
    staff = cache(letters_of_staff)
    refused = [
        profile
        for profile in chosen.select_related("account").order_by("account_id").iterator()
        if passes_for_staff(profile.display_name, profile, staff=staff(profile.account.school))
        and profile.display_name != default_display_name(profile, profile.account)
    ]
    if not dry_run:
        for profile in refused:
            _reset_display_name(profile)
    return len(refused)


def take_back_refused_names(dry_run: bool = False) -> list[Purged]:
    """Of everybody, `take_back_display_names`, for `enforce_retention`."""
    count = take_back_display_names(Q(), dry_run=dry_run)
    return [Purged("display names by which people pass for staff", "taken back", count, count)]


@transaction.atomic
def _reset_display_name(profile: Profile) -> None:
    """Give a profile its default display name, unless the person has just chosen another one.

    Locks no account, as the caller may hold locks of others.
    """
    name = default_display_name(profile, profile.account)
    unchanged = Profile.objects.filter(pk=profile.pk, display_key=profile.display_key)
    if unchanged.update(
        display_name=name,
        display_key=name_key(name),
        search_key=search_key_of(name, profile.account.username),
        updated_at=timezone.now(),
    ):
        _keep_shown_texts(profile.account_id, {"display_name": profile.display_name})
        announce_profile_change(profile.account_id)
