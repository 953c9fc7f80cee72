"""Accounts and profiles, made and kept up to date from upstream's session answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, FilteredRelation, Q, QuerySet

from accounts.errors import NotSignedIn
from accounts.models import Account, Picture, Profile, RetiredName
from accounts.services.profile_changes import announce, locked_profile
from accounts.text_normalization import normalize_for_search
from stats import counters
from upstream.records import UpstreamSession

NAME_LENGTH = 80


def profile_of(account_id: int) -> Profile:
    """The account's own profile, ready for `render_profile`: one query.

    Raises: NotSignedIn, where the account is erased.
    """
    profile = _with_pictures().filter(account_id=account_id).first()
    if profile is None:
        raise NotSignedIn
    return profile


def profile_named(username: str) -> Profile | None:
    """The same for whoever has this public name, in any case; None: nobody, or suspended."""
    shown = _with_pictures().filter(account__suspended_at=None)
    return shown.filter(account__username=username.lower()).first()


def _with_pictures() -> QuerySet[Profile]:
    joined: dict[str, Any] = {}
    for kind in (Picture.AVATAR, Picture.COVER):
        of_kind = Q(account__pictures__kind=kind)
        joined[kind] = FilteredRelation("account__pictures", condition=of_kind)
        joined[f"{kind}_name"] = F(f"{kind}__name")
    return Profile.objects.select_related("account").annotate(**joined)


def account_of(school: str, answer: UpstreamSession) -> Account:
    """The account of the person whom upstream named; made at the first sight of them.

    The profile follows upstream's names, e-mail, school name and role.
    """
    account = _find(school, answer) or _make(school, answer)
    told = told_by(answer)
    if any(getattr(account.profile, name) != value for name, value in told.items()):
        with transaction.atomic():
            account.profile = locked_profile(account.pk)
            change_profile(account.profile, told)
    return account


def told_by(answer: UpstreamSession) -> dict[str, str]:
    """What a profile takes from upstream, by the names of its columns."""
    return {
        "first_name": answer.first_name,
        "last_name": answer.last_name,
        "email": answer.email,
        "school_name": answer.organization_name,
        "user_type": answer.role,
    }


def change_profile(profile: Profile, values: Mapping[str, Any]) -> None:
    """Set columns of a locked profile, and what follows from them.

    A display name that nobody chose, or that is given up for "", is the person's full name and
    follows it. The form that search compares is made here and nowhere else.
    """
    before = _columns(profile)
    usual = _usual_name(profile, profile.account.username)
    for name, value in values.items():
        setattr(profile, name, value)
    if profile.display_name in ("", usual):
        profile.display_name = _usual_name(profile, profile.account.username)
    profile.search_key = search_key_of(profile.display_name, profile.account.username)
    changed = [name for name, value in _columns(profile).items() if value != before[name]]
    if changed:
        profile.save(update_fields=[*changed, "updated_at"])
    if "display_name" in changed:
        announce(profile.account_id)


def search_key_of(display_name: str, username: str) -> str:
    """What search looks in: both names folded, a line each, so that no word spans the two."""
    return f"{normalize_for_search(display_name)}\n{normalize_for_search(username)}"


def _columns(profile: Profile) -> dict[str, Any]:
    return {field.attname: getattr(profile, field.attname) for field in Profile._meta.fields}


def _usual_name(profile: Profile | UpstreamSession, username: str) -> str:
    full_name = f"{profile.first_name} {profile.last_name}".strip()
    return (full_name or username)[:NAME_LENGTH].strip()


def _find(school: str, answer: UpstreamSession) -> Account | None:
    accounts = Account.objects.select_related("profile")
    return accounts.filter(school=school, upstream_user_id=answer.user_id).first()


def _make(school: str, answer: UpstreamSession) -> Account:
    """Two first logins at once, or two people who want one name, are decided by constraints.

    The name of an erased account is nobody's any more; looked up after the insert, which waits
    for an erasure that has not committed yet.
    """
    for username in _names(school, answer):
        try:
            with transaction.atomic():
                account = _insert(school, answer, username)
                if RetiredName.holds(username):
                    raise _NameRetired
        except (IntegrityError, _NameRetired):
            twin = _find(school, answer)
            if twin is not None:
                return twin
        else:
            counters.count("login_first", account=account.pk)
            return account
    raise RuntimeError("no username was free")


class _NameRetired(Exception):
    """Somebody who is erased had this name."""


def _names(school: str, answer: UpstreamSession) -> Iterator[str]:
    """What somebody may be called in public, best first."""
    name = answer.user_name.lower()
    number = f"{name}@{school}-{answer.user_id}"
    yield from (name, f"{name}@{school}", number)
    yield from (f"{number}-{again}" for again in range(2, 100))


def _insert(school: str, answer: UpstreamSession, username: str) -> Account:
    account = Account.objects.create(
        school=school, upstream_user_id=answer.user_id, username=username
    )
    display_name = _usual_name(answer, username)
    Profile.objects.create(
        account=account,
        display_name=display_name,
        search_key=search_key_of(display_name, username),
        **told_by(answer),
    )
    return account
