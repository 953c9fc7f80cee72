"""Accounts and profiles, made and kept up to date from upstream's session answer."""

from django.db import IntegrityError, transaction

from accounts.models import Account, Profile
from stats import counters
from upstream.records import UpstreamSession


def account_of(school: str, answer: UpstreamSession) -> Account:
    """The account of the person whom upstream named; made at the first sight of them.

    The profile follows upstream's names, e-mail, school name and role.
    """
    account = _find(school, answer) or _make(school, answer)
    _bring_up_to_date(account, answer)
    return account


def _find(school: str, answer: UpstreamSession) -> Account | None:
    accounts = Account.objects.select_related("profile")
    return accounts.filter(school=school, upstream_user_id=answer.user_id).first()


def _make(school: str, answer: UpstreamSession) -> Account:
    """Two first logins at once, or two people who want one name, are decided by constraints."""
    name = answer.user_name.lower()
    full_name = f"{answer.first_name} {answer.last_name}".strip()
    for username in (name, f"{name}@{school}", f"{name}@{school}-{answer.user_id}"):
        try:
            with transaction.atomic():
                account = Account.objects.create(
                    school=school, upstream_user_id=answer.user_id, username=username
                )
                display_name = (full_name or username)[:80]
                Profile.objects.create(account=account, display_name=display_name, **_told(answer))
        except IntegrityError:
            twin = _find(school, answer)
            if twin is not None:
                return twin
        else:
            counters.count("login_first", account=account.pk)
            return account
    raise RuntimeError("no username was free")


def _told(answer: UpstreamSession) -> dict[str, str]:
    """What a profile takes from upstream."""
    return {
        "first_name": answer.first_name,
        "last_name": answer.last_name,
        "email": answer.email,
        "school_name": answer.organization_name,
        "user_type": answer.role,
    }


def _bring_up_to_date(account: Account, answer: UpstreamSession) -> None:
    profile = account.profile
    stale = {
        name: value for name, value in _told(answer).items() if getattr(profile, name) != value
    }
    for name, value in stale.items():
        setattr(profile, name, value)
    if stale:
        profile.save(update_fields=[*stale, "updated_at"])
