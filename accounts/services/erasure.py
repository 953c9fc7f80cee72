"""Erasing an account and everything that belongs to it.

An erasure that has started is marked: the account's requests are refused, so that nothing is added
meanwhile, and when the process dies half-way, `purge_expired` finishes it. Every app erases its
part, and the account is deleted last. A suspension by staff stays: see `erased_people`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from accounts.callers import Caller
from accounts.errors import InvalidInput, SignInAgain
from accounts.limits import ERASURES, FRESH_SIGN_IN_SECONDS
from accounts.models import Account, RetiredName
from accounts.purging import Purged
from accounts.registry import personal_data
from accounts.services.ended_sessions import end_others
from accounts.services.erased_people import keep_suspension, remember_erasure
from accounts.services.login import confirm_password
from accounts.services.session_records import find_record_by_id
from accounts.services.sign_in import LoginSource
from accounts.services.suspension import refuse_requests
from limits import refund, spend

# An erasure that started longer ago than this has died.
ABANDONED = timedelta(minutes=10)


@contextmanager
def counted_erasure(caller: Caller) -> Iterator[None]:
    """Count an erasure before its body is read, and take that back when none has begun.

    Raises: TooManyRequests, when the person has erased an account today.
    """
    spend(ERASURES, caller.person_hash)
    try:
        yield
    except Exception:
        if Account.objects.filter(pk=caller.account_id, erasure_started_at=None).exists():
            refund(ERASURES, caller.person_hash)
        raise


@sensitive_variables("password")
def erase_own_account(caller: Caller, *, password: str | None, source: LoginSource) -> None:
    """Erase the caller's account, after a fresh upstream login with this password, or soon after a
    sign-in through the school's own page. Call it inside `counted_erasure`.

    Raises: InvalidInput, SignInAgain, and as `confirm_password`; nothing is erased then.
    """
    if password is None:
        _require_fresh_sign_in(caller)
    else:
        confirm_password(caller=caller, password=password, source=source)
    erase_account(caller.account_id)


def _require_fresh_sign_in(caller: Caller) -> None:
    record = find_record_by_id(caller.session_id)
    if record is None or record.page_kind is None:
        raise InvalidInput({"password": [_("This field is required.")]})
    if record.created_at < timezone.now() - timedelta(seconds=FRESH_SIGN_IN_SECONDS):
        raise SignInAgain


def erase_account(account_id: int) -> None:
    """Erase everything of an account. Safe to run again and at the same time; an unknown id does
    nothing."""
    with transaction.atomic():
        started = Account.objects.filter(pk=account_id, erasure_started_at=None)
        started.update(erasure_started_at=timezone.now())
        refuse_requests(account_id, "logout")
    end_others(account_id=account_id, current=None)
    for part in personal_data():
        part.erase(account_id)
    with transaction.atomic():
        account = keep_suspension(account_id)
        if account is not None:
            RetiredName.retire(account.username)
            remember_erasure(account)
            account.delete()


def finish_erasures(dry_run: bool = False) -> Purged:
    rows = Account.objects.filter(erasure_started_at__lt=timezone.now() - ABANDONED)
    abandoned = list(rows.values_list("pk", flat=True))
    if not dry_run:
        for account_id in abandoned:
            erase_account(account_id)
    return Purged("abandoned erasures", "finished", seen=len(abandoned), expired=len(abandoned))
