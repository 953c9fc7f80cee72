"""Closing an account, and opening it again: for staff, and for every surface that they use."""

from contextlib import suppress

from django.utils import timezone

from accounts import session_cache
from accounts.errors import StoreUnavailable
from accounts.models import Account, ServiceSession
from accounts.services.session_records import drop_school_data, send_session_ended
from accounts.signals import account_suspended
from accounts.stores import store


def suspend_account(account_id: int) -> None:
    """Serve nobody under this account from the next request on; sockets are closed.

    The records stay: the person is told why they may not do anything (and not that they should
    sign in), and goes on where they were when the account is opened again.
    """
    Account.objects.filter(pk=account_id, suspended_at=None).update(suspended_at=timezone.now())
    # Entries made before would count for half a minute more; without a store there are none.
    with suppress(StoreUnavailable):
        store().set(session_cache.suspended_key(account_id), b"1", session_cache.ENDED_SECONDS)
    records = ServiceSession.objects.filter(account_id=account_id)
    for session_id, *hashes in records.values_list("pk", "token_hash", "pair_hash"):
        drop_school_data(account_id, *hashes)
        send_session_ended(account_id, session_id, "suspended")
    account_suspended.send_robust(Account, account_id=account_id)


def unsuspend_account(account_id: int) -> None:
    """Open it again; its sessions go on."""
    Account.objects.filter(pk=account_id).update(suspended_at=None)
    with suppress(StoreUnavailable):
        store().delete(session_cache.suspended_key(account_id))
