"""Suspending an account, and lifting the suspension."""

from datetime import datetime
from typing import Literal

from django.db import transaction
from django.utils import timezone

from accounts import session_cache
from accounts.child_sessions import drop_child_sessions
from accounts.models import Account, ErasedPerson, ServiceSession
from accounts.models.suspensions import NO_SUSPENSION, Suspendable
from accounts.purging import Purged
from accounts.services.ended_sessions import drop_school_data, send_session_ended
from accounts.signals import account_refused


def suspend_account(
    account_id: int,
    *,
    until: datetime | None = None,
    reason: str = "",
    keep_longer: bool = False,
) -> None:
    """Refuse the account's requests from now on, and close its sockets. Ends by itself at `until`;
    an earlier suspension is replaced, and keeps its beginning; with `keep_longer`, one that ends
    later stays as it is. `reason` has at most 500 characters, and the person reads it.

    Session records stay: their owner gets "suspended" and not "sign in", and the sessions work
    again after the suspension.
    """
    with transaction.atomic():
        account = Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
        if account is None:
            return
        set_suspension(account, until=until, reason=reason, keep_longer=keep_longer)
        account.save(update_fields=list(NO_SUSPENSION))
        refuse_requests(account_id, "suspended")


def set_suspension(
    row: Suspendable, *, until: datetime | None, reason: str, keep_longer: bool
) -> None:
    """Set the columns of a suspension, as in `suspend_account`. The caller saves."""
    if not row.has_suspension:
        row.suspended_at = timezone.now()
    elif keep_longer and ends_later(row.suspended_until, until):
        return
    row.suspended_until = until
    row.suspension_reason = reason


def ends_later(until: datetime | None, other: datetime | None) -> bool:
    """Whether a suspension until then ends after the other one. None: without end."""
    return other is not None and (until is None or until > other)


@transaction.atomic
def unsuspend_account(account_id: int) -> None:
    Account.objects.filter(pk=account_id).update(**NO_SUSPENSION)


def refuse_requests(account_id: int, reason: Literal["suspended", "logout"]) -> None:
    """Apply at once that an account is suspended, or being erased ("logout"): its next request
    reads the account from the database, and its sockets are told the reason and closed. In the
    transaction of that change, so that a command cannot die in between."""
    # Cached sessions would be valid for half a minute more. After the commit, too: a request in
    # between would still read that nothing is refused.
    session_cache.change_refusals()
    transaction.on_commit(session_cache.change_refusals, robust=True)
    drop_school_data(account_id)
    records = ServiceSession.objects.filter(account_id=account_id)
    for session_id, school in records.values_list("pk", "account__school"):
        drop_child_sessions(school, session_id)
        send_session_ended(account_id, session_id, reason)
    account_refused.send_robust(Account, account_id=account_id, reason=reason)


def purge_suspensions(dry_run: bool = False) -> Purged:
    """Forget the suspensions that have ended by themselves."""
    now = timezone.now()
    accounts = Account.objects.filter(suspended_until__lte=now)
    erased = ErasedPerson.objects.filter(suspended_until__lte=now)
    count = accounts.count() + erased.count()
    if not dry_run:
        count = accounts.update(**NO_SUSPENSION) + erased.delete()[0]
    return Purged("suspensions that have ended", "removed", seen=count, expired=count)
