"""Accounts: found or made from upstream's session answer, and found by their public name."""

from collections.abc import Iterator

from django.db import IntegrityError, transaction

from accounts.errors import SchoolUnknown
from accounts.models import Account, RetiredName
from accounts.name_comparison import name_key, normalize_username, unmatched_key
from accounts.public_names import TAKEN_BY_ROUTES, public_form
from accounts.registry import personal_data
from accounts.services.erased_people import hash_of_person, restore_suspension
from accounts.services.profiles import (
    change_profile,
    create_profile,
    locked_profile,
    take_name_from_others,
    upstream_fields,
)
from accounts.services.schools import known_school
from stats import counters
from upstream.records import UpstreamSession


def account_by_name(username: str) -> Account | None:
    """The account with this public name, in any case and either form of its accents; None: there
    is none."""
    return Account.objects.filter(username=normalize_username(username)).first()


def find_or_create_account(school: str, answer: UpstreamSession) -> Account:
    """The account of the person whom upstream named, with its profile.

    The profile is brought up to date with upstream's names, e-mail, school name and role.
    """
    account = _find(school, answer) or _create(school, answer)
    if account.name_key is None:
        _add_name_key(account)
    fields = upstream_fields(answer)
    if any(getattr(account.profile, name) != value for name, value in fields.items()):
        with transaction.atomic():
            account.profile = locked_profile(account.pk)
            change_profile(account.profile, fields)
    return account


def _find(school: str, answer: UpstreamSession) -> Account | None:
    accounts = Account.objects.select_related("profile")
    return accounts.filter(school=school, upstream_user_id=answer.user_id).first()


def _create(school: str, answer: UpstreamSession) -> Account:
    """Unique constraints decide between two first logins of one person, and between two people
    whose names would look the same.

    Whether a name is retired is looked up after the insert: the insert waits for an erasure of
    the same name that has not committed yet.
    """
    for username in _usernames(school, answer):
        try:
            with transaction.atomic():
                account = Account.objects.create(
                    school=school,
                    upstream_user_id=answer.user_id,
                    username=username,
                    name_key=name_key(username),
                )
                create_profile(account, answer)
                if RetiredName.holds(username):
                    raise _NameRetired
                restore_suspension(account)
                for part in personal_data():
                    part.restore(account.pk, hash_of_person(school, answer.user_id))
                # Last: it changes profiles, and whoever does that has locked all accounts before.
                take_name_from_others(account)
        except (IntegrityError, _NameRetired):
            existing = _find(school, answer)
            if existing is not None:
                return existing
        else:
            counters.count("login_first", account=account.pk)
            return account
    raise RuntimeError("no username was free")


class _NameRetired(Exception):
    """An erased account had this name."""


def _add_name_key(account: Account) -> None:
    """For an account that an older version has created while both were running."""
    key = name_key(account.username)
    taken = Account.objects.filter(name_key=key).exists()
    account.name_key = unmatched_key(key, account.pk) if taken else key
    account.save(update_fields=["name_key"])


def _usernames(school: str, answer: UpstreamSession) -> Iterator[str]:
    """Candidates for the public name, best first."""
    name = public_form(answer.user_name) or f"user-{answer.user_id}"
    if name not in TAKEN_BY_ROUTES and not _names_another_school(name, school):
        yield name
    numbered = f"{name}@{school}-{answer.user_id}"
    yield from (f"{name}@{school}", numbered)
    yield from (f"{numbered}-{number}" for number in range(2, 100))


def _names_another_school(name: str, school: str) -> bool:
    """Whether a name has another school's slug after an @, as written or with a number after it:
    it belongs to a person of that school, who may not have signed in yet."""
    for part in name_key(name).split("@")[1:]:
        words = part.rstrip(" .'").split("-")
        slugs = {"-".join(words[:count]) for count in range(1, len(words) + 1)}
        if any(_is_school(slug) for slug in slugs - {school}):
            return True
    return False


def _is_school(slug: str) -> bool:
    try:
        known_school(slug)
    except SchoolUnknown:
        return False
    return True
