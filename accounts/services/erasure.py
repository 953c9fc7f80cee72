"""Erasing an account and everything that belongs to it.

An erasure that has started is marked: the account's requests are refused, so that nothing is added
meanwhile, and when the process dies half-way, `purge_expired` finishes it. Every app erases its
part, and the account is deleted last. A suspension by staff stays: see `erased_people`.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from accounts.callers import Caller
from accounts.models import Account, RetiredName
from accounts.purging import Purged
from accounts.registry import personal_data
from accounts.services.erased_people import keep_suspension
from accounts.services.login import LoginSource, confirm_password
from accounts.services.session_records import end_others
from accounts.services.suspension import refuse_requests

# An erasure that started longer ago than this has died.
ABANDONED = timedelta(minutes=10)


@sensitive_variables("password")
def erase_own_account(caller: Caller, *, password: str, source: LoginSource) -> None:
    """Erase the caller's account, after a fresh upstream login with this password.

    Raises: as `confirm_password`; nothing is erased then.
    """
    confirm_password(caller=caller, password=password, source=source)
    erase_account(caller.account_id)


def erase_account(account_id: int, *, only_unclaimed: bool = False) -> None:
    """Erase everything of an account. Safe to run again and at the same time; an unknown id does
    nothing. `only_unclaimed`: not if its person has signed in by now."""
    with transaction.atomic():
        started = Account.objects.filter(pk=account_id, erasure_started_at=None)
        if only_unclaimed:
            started = started.exclude(unclaimed_since=None)
        if not started.update(erasure_started_at=timezone.now()) and only_unclaimed:
            return
        refuse_requests(account_id, "logout")
    end_others(account_id=account_id, current=None)
    for part in personal_data():
        part.erase(account_id)
    with transaction.atomic():
        account = keep_suspension(account_id)
        if account is not None:
            if account.unclaimed_since is None:  # nobody has used the name of an unclaimed one
                RetiredName.retire(account.username)
            account.delete()


def finish_erasures(dry_run: bool = False) -> Purged:
    rows = Account.objects.filter(erasure_started_at__lt=timezone.now() - ABANDONED)
    abandoned = list(rows.values_list("pk", flat=True))
    if not dry_run:
        for account_id in abandoned:
            erase_account(account_id)
    return Purged("abandoned erasures", "finished", seen=len(abandoned), expired=len(abandoned))
