"""Removing an account and everything that is its own.

The account is closed first, so that nothing is added meanwhile; then every app removes its part,
and the account goes last. Whatever kills the work half-way, doing it again ends it: an erasure
that was begun is marked, and `purge_expired` finishes it.
"""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from accounts.callers import Caller
from accounts.models import Account, RetiredName, ServiceSession
from accounts.models.service_sessions import SECRETS
from accounts.personal_data import parts
from accounts.services.login import Visitor, confirm_password
from accounts.services.retention import Purged
from accounts.services.session_records import end_record
from accounts.services.suspension import suspend_account

# After so long, whoever began is not at it any more.
ABANDONED = timedelta(minutes=10)


@sensitive_variables("password")
def erase_own_account(caller: Caller, *, password: str, visitor: Visitor) -> None:
    """Erase the account of a caller who proves that they are the one, by a fresh upstream login.

    Raises: as `confirm_password`; nothing is removed then.
    """
    confirm_password(caller=caller, password=password, visitor=visitor)
    erase_account(caller.account_id)


def erase_account(account_id: int) -> None:
    """Remove everything of an account. Safe to run again and at the same time; unknown is done."""
    started = Account.objects.filter(pk=account_id, erasure_started_at=None)
    started.update(erasure_started_at=timezone.now())
    suspend_account(account_id)
    for record in (
        ServiceSession.objects.select_related("account")
        .defer(*SECRETS)
        .filter(account_id=account_id)
    ):
        end_record(record, reason="logout")
    for part in parts():
        part.erase(account_id)
    with transaction.atomic():
        account = Account.objects.select_for_update().filter(pk=account_id).first()
        if account is not None:
            RetiredName.retire(account.username)
            account.delete()


def finish_erasures(
    *, dry_run: bool = False, progress: Callable[[Purged], None] = lambda _: None
) -> Purged:
    """Finish what was begun and killed. One of `PURGES`."""
    found = Purged(noun="abandoned erasures", done="finished")
    abandoned = Account.objects.filter(erasure_started_at__lt=timezone.now() - ABANDONED)
    for account_id in list(abandoned.values_list("pk", flat=True)):
        found.seen += 1
        found.expired += 1
        if not dry_run:
            erase_account(account_id)
        progress(found)
    return found
