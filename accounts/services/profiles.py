"""Profiles: read, shown as JSON, and changed.

A person's own change through the API is in `own_profile.py`, above `pictures.py`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.utils import timezone

from accounts.errors import NotSignedIn
from accounts.invisible_characters import is_blank, without_invisible
from accounts.models import Account, Picture, Profile, not_suspended
from accounts.name_comparison import name_key, normalize_username
from accounts.services.people import picture_url
from accounts.services.warnings import warnings_of
from accounts.signals import profile_changed
from accounts.text_normalization import normalize_for_search
from accounts.timestamps import milliseconds
from upstream.records import UpstreamSession

NAME_LENGTH = 80


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
    suspended or unclaimed."""
    shown = _with_pictures().filter(not_suspended("account__"), account__unclaimed_since=None)
    return shown.filter(account__username=normalize_username(username)).first()


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
    shown = {
        "username": profile.account.username,
        "firstName": profile.first_name,
        "lastName": profile.last_name,
        "schoolName": profile.school_name,
        "userType": profile.user_type,
        "displayName": profile.display_name,
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
        shown |= {
            "email": profile.email,
            "dmPrivacy": profile.dm_privacy,
            "discoverable": profile.discoverable,
            "warnings": warnings_of(profile.account_id),
        }
    return shown


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
    display_name = _default_name(answer, account)
    Profile.objects.create(
        account=account,
        display_name=display_name,
        display_key=name_key(display_name),
        search_key=search_key_of(display_name, account.username),
        **upstream_fields(answer),
    )


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

    A display name that is empty, or that was the person's full name, becomes the full name, or
    their username if the full name looks like somebody else's username.
    """
    before = _columns(profile)
    default = _default_name(profile, profile.account)
    for name, value in values.items():
        setattr(profile, name, value)
    if profile.display_name in ("", default):
        profile.display_name = _default_name(profile, profile.account)
    profile.display_key = name_key(profile.display_name)
    profile.search_key = search_key_of(profile.display_name, profile.account.username)
    changed = [name for name, value in _columns(profile).items() if value != before[name]]
    if changed:
        profile.save(update_fields=[*changed, "updated_at"])
    if "display_name" in changed:
        announce_profile_change(profile.account_id)


def announce_profile_change(account_id: int) -> None:
    """Send `profile_changed` after the commit: the display name or the avatar is new."""
    transaction.on_commit(partial(profile_changed.send_robust, Profile, account_id=account_id))


def search_key_of(display_name: str, username: str) -> str:
    """What search looks in: both names normalized, one a line, so that no match spans the two."""
    return f"{normalize_for_search(display_name)}\n{normalize_for_search(username)}"


def _columns(profile: Profile) -> dict[str, Any]:
    return {field.attname: getattr(profile, field.attname) for field in Profile._meta.fields}


def is_username_of_another(name: str, account_id: int) -> bool:
    """Whether `name` looks like the public name of another account, as written or in lower case."""
    keys = {name_key(name), name_key(name.lower())}
    return Account.objects.filter(name_key__in=keys).exclude(pk=account_id).exists()


def reset_display_names_of_others(account: Account) -> None:
    """Give the default display name to everybody whose display name looks like the account's
    username: they chose it before the account had its username.

    Locks no accounts, as the caller holds locks of others. Who has just chosen another name, or is
    erased, is left alone.
    """
    others = Profile.objects.filter(display_key=account.name_key).exclude(account=account)
    for profile in others.select_related("account").order_by("account_id"):
        name = _default_name(profile, profile.account)
        if others.filter(pk=profile.pk).update(
            display_name=name,
            display_key=name_key(name),
            search_key=search_key_of(name, profile.account.username),
            updated_at=timezone.now(),
        ):
            announce_profile_change(profile.account_id)


def _default_name(person: Profile | UpstreamSession, account: Account) -> str:
    full_name = without_invisible(f"{person.first_name} {person.last_name}")
    full_name = full_name.strip()[:NAME_LENGTH].strip()
    if is_blank(full_name) or is_username_of_another(full_name, account.pk):
        return account.username[:NAME_LENGTH].strip()
    return full_name
