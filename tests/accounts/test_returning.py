"""A person whose account was erased signs in again: what staff decided about them still holds."""

from collections.abc import Callable
from concurrent.futures import wait
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

import store
from accounts.models import Account, ErasedPerson, ServiceSession
from accounts.person_hash import hash_of_person
from accounts.services import erasure
from accounts.services.accounts import find_or_create_account
from accounts.services.erased_people import (
    keep_suspension,
    suspend_erased_person,
    unsuspend_erased_person,
)
from accounts.services.erasure import erase_account, finish_erasures
from accounts.services.suspension import suspend_account
from accounts.timestamps import milliseconds
from accounts.websocket_auth import caller_from_scope
from tests.concurrency import at_once, crowd
from tests.conftest import ELSA, Caller, signed_in

PASSWORD = {"password": "elsa-demo"}
REASON = "Threats in the group."


def log_in() -> Any:
    return Caller().post("/api/login", ELSA)


def log_in_by_halves() -> Any:
    caller = Caller()
    begun = caller.post("/api/v2/initiate", ELSA).json()
    return caller.post("/api/v2/callback", begun | {"school": "bjorkdalen"})


def assert_suspended(answer: Any) -> None:
    assert (answer.status_code, answer.json()["code"]) == (403, "account_suspended")
    assert not answer.cookies
    assert ServiceSession.objects.count() == 0


def assert_returned(answer: Any) -> None:
    assert answer.status_code == 200
    assert ErasedPerson.objects.count() == 0


def erase(elsa: Caller) -> None:
    assert elsa.delete("/api/account", PASSWORD).status_code == 200


def elsas_hash() -> str:
    return hash_of_person("bjorkdalen", 730214)


@pytest.mark.parametrize("sign_in", [log_in, log_in_by_halves])
def test_a_suspension_outlives_an_erasure(elsa: Caller, sign_in: Callable[[], Any]) -> None:
    until = timezone.now() + timedelta(days=30)
    first = Account.objects.get()
    suspend_account(first.pk, until=until, reason=REASON)
    erase_account(first.pk)
    assert (Account.objects.count(), ErasedPerson.objects.count()) == (0, 1)
    for _ in range(2):
        answer = sign_in()
        assert_suspended(answer)
        assert answer.json()["until"] == milliseconds(until)
        assert answer.json()["reason"] == REASON
        assert ErasedPerson.objects.count() == 0
    second = Account.objects.get()
    assert second.pk != first.pk
    # The command knows them by their new name.
    call_command("suspend_account", second.username, "--lift")
    assert_returned(sign_in())


def test_a_pair_of_cookies_that_no_record_knows_is_refused(elsa: Caller) -> None:
    ServiceSession.objects.all().delete()
    store.clear()
    account = Account.objects.get()
    suspend_account(account.pk)
    erase_account(account.pk)
    assert_suspended(elsa.get("/api/session"))
    assert_suspended(elsa.get("/api/session"))
    assert Account.objects.get().has_suspension


def test_a_token_from_before_the_erasure_opens_nothing(bearer: dict[str, str]) -> None:
    account = Account.objects.get()
    suspend_account(account.pk)
    erase_account(account.pk)
    assert Caller().get("/api/session", **bearer).status_code == 401
    assert_suspended(log_in())
    assert Caller().get("/api/session", **bearer).status_code == 401


def test_a_suspension_given_after_the_erasure_applies(elsa: Caller) -> None:
    erase(elsa)
    suspend_erased_person(elsas_hash(), reason=REASON)
    answer = log_in()
    assert_suspended(answer)
    assert (answer.json()["until"], answer.json()["reason"]) == (None, REASON)
    assert ErasedPerson.objects.count() == 0


def test_it_can_be_lifted_before_and_after_the_return(elsa: Caller) -> None:
    erase(elsa)
    suspend_erased_person(elsas_hash())
    unsuspend_erased_person(elsas_hash())
    assert_returned(log_in())
    suspend_account(Account.objects.get().pk)
    unsuspend_erased_person(elsas_hash())
    assert_returned(log_in())


def test_who_has_returned_already_is_suspended_at_once(elsa: Caller, zoe: Caller) -> None:
    erase(elsa)
    assert elsa.post("/api/login", ELSA).status_code == 200
    suspend_erased_person(elsas_hash(), reason=REASON)
    answer = elsa.get("/api/session")
    assert (answer.status_code, answer.json()["reason"]) == (403, REASON)
    assert ErasedPerson.objects.count() == 0
    assert zoe.get("/api/session").status_code == 200


def test_no_round_of_erasing_and_signing_in_ends_it(elsa: Caller) -> None:
    erase(elsa)
    elsa = signed_in()
    suspend_account(Account.objects.get().pk)
    refused = elsa.delete("/api/account", PASSWORD)
    assert (refused.status_code, refused.json()["code"]) == (403, "account_suspended")
    for _ in range(2):
        erase_account(Account.objects.get().pk)
        assert_suspended(log_in())


@pytest.mark.parametrize("suspended", [True, False])
def test_an_interrupted_erasure_keeps_the_suspension_by_staff_only(
    elsa: Caller, suspended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = Account.objects.get()
    if suspended:
        suspend_account(account.pk, reason=REASON)
    monkeypatch.setattr(erasure, "personal_data", lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        erase_account(account.pk)
    monkeypatch.undo()
    assert elsa.get("/api/profile").status_code in (401, 403)
    long_ago = timezone.now() - 2 * erasure.ABANDONED
    Account.objects.update(erasure_started_at=long_ago)
    assert finish_erasures().expired == 1
    answer = log_in()
    assert answer.status_code == (403 if suspended else 200)
    assert answer.json().get("reason") == (REASON if suspended else None)


def test_a_suspension_that_has_ended_is_neither_applied_nor_kept(elsa: Caller) -> None:
    over = timezone.now() - timedelta(minutes=1)
    suspend_account(Account.objects.get().pk, until=over)
    erase(elsa)
    assert ErasedPerson.objects.count() == 0
    suspend_erased_person(elsas_hash(), until=over)
    suspend_erased_person(hash_of_person("bjorkdalen", 1), until=timezone.now() + timedelta(days=1))
    call_command("purge_expired", "--dry-run")
    assert ErasedPerson.objects.count() == 2
    call_command("purge_expired")
    assert ErasedPerson.objects.get().pk == hash_of_person("bjorkdalen", 1)
    suspend_erased_person(elsas_hash(), until=over)
    assert log_in().status_code == 200


def test_a_hash_names_nobody_and_differs_by_school() -> None:
    hashes = {
        hash_of_person("bjorkdalen", 7),
        hash_of_person("nyvang", 7),
        hash_of_person("bjorkdalen", 8),
    }
    assert len(hashes) == 3
    assert all(len(bytes.fromhex(each)) == 32 for each in hashes)


@pytest.mark.django_db(transaction=True)
def test_two_sign_ins_at_once_are_both_refused(elsa: Caller) -> None:
    suspend_account(Account.objects.get().pk)
    erase_account(Account.objects.get().pk)
    for answer in at_once([log_in, log_in, log_in_by_halves, log_in_by_halves]):
        assert (answer.status_code, answer.json()["code"]) == (403, "account_suspended")
    assert Account.objects.count() == 1
    assert ServiceSession.objects.count() == 0


def suspend_during(work: Callable[[], Any]) -> None:
    """Suspend Elsa by her hash while a transaction that does this work has not committed."""
    done, may_commit = Event(), Event()

    def uncommitted() -> None:
        with transaction.atomic():
            work()
            done.set()
            assert may_commit.wait(10)

    with crowd(2) as start:
        working = start(uncommitted)
        assert done.wait(10)
        suspending = start(lambda: suspend_erased_person(elsas_hash()))
        wait([suspending], timeout=0.3)  # long enough, if it did not wait for the commit
        may_commit.set()
        working.result(10)
        suspending.result(10)


@pytest.mark.django_db(transaction=True)
def test_a_suspension_and_a_sign_in_at_once_do_not_miss_each_other(elsa: Caller) -> None:
    cookies = elsa.http.cookies.output(header="", sep=";").encode()
    answer = caller_from_scope({"headers": [(b"cookie", cookies)]}).upstream
    erase_account(Account.objects.get().pk)
    suspend_during(lambda: find_or_create_account("bjorkdalen", answer))
    assert Account.objects.get().has_suspension
    assert ErasedPerson.objects.count() == 0
    assert_suspended(log_in())


@pytest.mark.django_db(transaction=True)
def test_a_suspension_and_an_erasure_at_once_do_not_miss_each_other(elsa: Caller) -> None:
    account_id = Account.objects.get().pk

    def delete() -> None:
        account = keep_suspension(account_id)
        assert account is not None
        account.delete()

    suspend_during(delete)
    assert Account.objects.count() == 0
    assert_suspended(log_in())
