"""Accounts: found or made from upstream's session answer, and found by their public name."""

from collections.abc import Iterator

from django.db import IntegrityError, transaction

from accounts.models import Account, RetiredName
from accounts.services.profiles import (
    change_profile,
    create_profile,
    locked_profile,
    upstream_fields,
)
from stats import counters
from upstream.records import UpstreamSession


def account_by_name(username: str) -> Account | None:
    """The account with this public name, in any case; None: there is none."""
    return Account.objects.filter(username=username.strip().lower()).first()


def find_or_create_account(school: str, answer: UpstreamSession) -> Account:
    """The account of the person whom upstream named, with its profile.

    The profile is brought up to date with upstream's names, e-mail, school name and role.
    """
    account = _find(school, answer) or _create(school, answer)
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
    who would get the same name.

    Whether a name is retired is looked up after the insert: the insert waits for an erasure of
    the same name that has not committed yet.
    """
    for username in _usernames(school, answer):
        try:
            with transaction.atomic():
                account = Account.objects.create(
                    school=school, upstream_user_id=answer.user_id, username=username
                )
                create_profile(account, answer)
                if RetiredName.holds(username):
                    raise _NameRetired
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


def _usernames(school: str, answer: UpstreamSession) -> Iterator[str]:
    """Candidates for the public name, best first."""
    name = answer.user_name.lower()
    numbered = f"{name}@{school}-{answer.user_id}"
    yield from (name, f"{name}@{school}", numbered)
    yield from (f"{numbered}-{number}" for number in range(2, 100))
