"""Accounts: found or made from upstream's session answer, and found by their public name."""

from django.db import IntegrityError, transaction

from accounts.models import Account, Profile, RetiredName
from accounts.name_comparison import name_key, normalize_username
from accounts.registry import personal_data
from accounts.services.erased_people import restore_suspension
from accounts.services.profiles import (
    change_profile,
    create_profile,
    locked_profile,
    reset_display_names_of_others,
    upstream_fields,
)
from accounts.services.usernames import NameRetired, usernames
from stats import counters
from upstream.records import Role, UpstreamSession


def account_by_name(username: str) -> Account | None:
    """The account with this public name, in any case and either form of its accents; None: there
    is none."""
    return Account.objects.filter(username=normalize_username(username)).first()


def find_or_create_account(school: str, answer: UpstreamSession) -> Account:
    """The account of the person whom upstream named, with its profile.

    The profile is brought up to date with upstream's names, e-mail, school name and role.
    """
    account = _find(school, answer) or create_account(school, answer)
    keep_organization(account, answer)
    fields = upstream_fields(answer)
    if any(getattr(account.profile, name) != value for name, value in fields.items()):
        with transaction.atomic():
            account.profile = locked_profile(account.pk)
            change_profile(account.profile, fields)
    return account


def keep_organization(account: Account, answer: UpstreamSession) -> None:
    """Keep the organisation of an answer that was accepted, for the check of the next one."""
    number = answer.organization_id
    if number is not None and number != account.organization_id:
        Account.objects.filter(pk=account.pk).update(organization_id=number)
        account.organization_id = number


def keep_role(account: Account, answer: UpstreamSession) -> None:
    """Give the account the role of an answer that was accepted. Other apps act on a new one in the
    same transaction. Raises: NotSignedIn, where the account is erased."""
    if Profile.objects.filter(account=account).exclude(user_type=answer.role).exists():
        with transaction.atomic():
            change_profile(locked_profile(account.pk), {"user_type": answer.role})


def had_role(account_id: int, role: Role | None) -> bool:
    """Whether this was the account's role until it got the present one."""
    former = Profile.objects.filter(account=account_id).values_list("former_user_type", flat=True)
    return role is not None and role == former.first()


def _find(school: str, answer: UpstreamSession) -> Account | None:
    accounts = Account.objects.select_related("profile")
    return accounts.filter(school=school, upstream_user_id=answer.user_id).first()


def create_account(school: str, answer: UpstreamSession) -> Account:
    """A new account of the person whom `answer` names. The account that there is, if the person has
    one by now.

    Unique constraints decide between two first logins of one person, and between two people
    whose names would look the same.

    Whether a name is retired is looked up after the insert: the insert waits for an erasure of
    the same name that has not committed yet.
    """
    for username in usernames(school, answer):
        try:
            with transaction.atomic():
                account = _insert(school, answer, username)
        except (IntegrityError, NameRetired):
            existing = _find(school, answer)
            if existing is not None:
                return existing
        else:
            counters.count("login_first", account=account.pk)
            return account
    raise RuntimeError("no username was free")


def _insert(school: str, answer: UpstreamSession, username: str) -> Account:
    """Raises: IntegrityError, NameRetired."""
    account = Account.objects.create(
        school=school,
        upstream_user_id=answer.user_id,
        organization_id=answer.organization_id,
        username=username,
        name_key=name_key(username),
    )
    create_profile(account, answer)
    if RetiredName.holds(username):
        raise NameRetired
    restore_suspension(account)
    for part in personal_data():
        part.restore(account.pk, account.person_hash)
    # Last: it changes profiles, and whoever does that has locked all accounts before.
    reset_display_names_of_others(account)
    return account
