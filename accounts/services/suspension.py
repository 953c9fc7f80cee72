"""Suspending an account, and lifting the suspension."""

from contextlib import suppress

from django.utils import timezone

from accounts import session_cache
from accounts.errors import StoreUnavailable
from accounts.models import Account, ServiceSession
from accounts.services.session_records import drop_school_data, send_session_ended
from accounts.signals import account_suspended
from accounts.stores import store


def suspend_account(account_id: int) -> None:
    """Refuse the account's requests from now on, and close its sockets.

    Session records stay: their owner gets "suspended" and not "sign in", and the sessions work
    again after the suspension.
    """
    Account.objects.filter(pk=account_id, suspended_at=None).update(suspended_at=timezone.now())
    # Cached sessions would be valid for half a minute more; without a store there are none.
    with suppress(StoreUnavailable):
        store().set(session_cache.suspended_key(account_id), b"1", session_cache.ENDED_SECONDS)
    records = ServiceSession.objects.filter(account_id=account_id)
    for session_id, *hashes in records.values_list("pk", "token_hash", "pair_hash"):
        drop_school_data(account_id, *hashes)
        send_session_ended(account_id, session_id, "suspended")
    account_suspended.send_robust(Account, account_id=account_id)


def unsuspend_account(account_id: int) -> None:
    Account.objects.filter(pk=account_id).update(suspended_at=None)
    with suppress(StoreUnavailable):
        store().delete(session_cache.suspended_key(account_id))
