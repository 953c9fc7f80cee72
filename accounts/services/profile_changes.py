"""What every change of a profile or its pictures goes through: a turn, and telling others."""

from functools import partial

from django.db import transaction

from accounts.errors import NotSignedIn
from accounts.models import Account, Profile
from accounts.signals import profile_changed


def locked_profile(account_id: int) -> Profile:
    """The profile as it is now; until the transaction ends, nobody else changes it.

    The account's row is the lock, so that a change meets an erasure in one order only.
    Raises: NotSignedIn, where the account is erased.
    """
    account = Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    profile = Profile.objects.filter(account=account).first() if account else None
    if account is None or profile is None:
        raise NotSignedIn
    profile.account = account
    return profile


def announce(account_id: int) -> None:
    """Tell those above of a new name or picture, once it is committed."""
    transaction.on_commit(partial(profile_changed.send_robust, Profile, account_id=account_id))
