"""Warnings: only the person sees them, and they are deleted after half a year."""

from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from accounts.models import Account, AccountWarning
from accounts.services.warnings import RETENTION, purge_warnings, warn_account
from accounts.timestamps import milliseconds
from tests.accounts.full_account import export_of
from tests.conftest import Caller

TEXTS = ["Do not post other people's pictures.", "This is the second time. " + "ö" * 475]


def warnings_of(caller: Caller) -> Any:
    return caller.get("/api/profile").json()["profile"]["warnings"]


def test_the_person_reads_the_words_of_staff_the_newest_first(elsa: Caller, zoe: Caller) -> None:
    account_id = Account.objects.get(school="bjorkdalen").pk
    for text in TEXTS:
        warn_account(account_id, text=text)
    warn_account(Account.objects.get(school="nyvang").pk, text="Somebody else's.")
    found = warnings_of(elsa)
    assert [one["text"] for one in found] == TEXTS[::-1]
    assert len({one["id"] for one in found}) == 2
    assert all(len(bytes.fromhex(one["id"])) == 16 for one in found)
    newest = AccountWarning.objects.filter(account_id=account_id).latest("pk").created_at
    assert found[0]["createdAt"] == milliseconds(newest)
    assert warnings_of(elsa) == found
    assert [one["text"] for one in warnings_of(zoe)] == ["Somebody else's."]
    exported = [(one["id"], one["text"]) for one in export_of(elsa)["warnings.json"]]
    assert exported == [(one["id"], one["text"]) for one in found]


def test_it_is_deleted_after_half_a_year(elsa: Caller) -> None:
    account_id = Account.objects.get().pk
    for text in TEXTS:
        warn_account(account_id, text=text)
    long_ago = timezone.now() - RETENTION - timedelta(minutes=1)
    AccountWarning.objects.filter(text=TEXTS[0]).update(created_at=long_ago)
    assert [one["text"] for one in warnings_of(elsa)] == TEXTS[1:]
    assert purge_warnings(dry_run=True).expired == 1
    assert AccountWarning.objects.count() == 2
    call_command("purge_expired")
    assert AccountWarning.objects.get().text == TEXTS[1]
