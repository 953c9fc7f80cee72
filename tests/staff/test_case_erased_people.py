"""Cases about people who erase their account, and come back or not."""

from threading import Event
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import Account, ErasedPerson
from accounts.services.accounts import find_or_create_account
from accounts.services.erased_people import (
    keep_suspension,
    unsuspend_erased_person,
)
from accounts.services.erasure import erase_account
from accounts.websocket_auth import caller_from_scope
from social.models import Case, CaseAction
from social.services.cases.actions import StaffAct, act_on_person, choose_person
from social.services.cases.suspensions import SUSPEND, PersonAct
from staff.models import AuditEntry
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.social_actions import report
from tests.staff.cases import account, key_of, open_case
from tests.staff.conftest import Enter

WARNING = {"warn-words": "Skriv inte så."}
REASON = {"suspend-words": "För dina ord."}


def test_the_log_names_an_erased_person(elsa: Caller, bo: Caller, enter: Enter) -> None:
    report(elsa, "profile", "bo.ek")
    erase_account(account("bo.ek").pk)
    page = open_case(enter())
    page.do("suspend", **REASON)
    page.do("undo", action_id=str(CaseAction.objects.get().pk))
    logged = AuditEntry.objects.exclude(action__in=["list", "look"]).exclude(case_id="")
    assert [(entry.action, entry.account_name) for entry in logged.order_by("pk")] == [
        ("open", "bo.ek"),
        ("suspend", "bo.ek"),
        ("undo suspend", "bo.ek"),
    ]


def test_the_log_says_what_was_undone_and_to_whom(
    group: str, elsa: Caller, bo: Caller, enter: Enter
) -> None:
    report(elsa, "group", group)
    page = open_case(enter())
    page.do("choose", **{"choose-person": key_of("bo.ek")})
    page.do("suspend", **REASON)
    done = CaseAction.objects.get()
    page.do("choose", **{"choose-person": key_of("elsa.nordvall"), "choose-confirmed": "on"})
    erase_account(account("bo.ek").pk)
    page.do("undo", action_id=str(done.pk))
    entry = AuditEntry.objects.get(action="undo suspend")
    assert (entry.account_id, entry.account_name) == (None, "bo.ek")


@pytest.mark.django_db(transaction=True)
def test_choosing_somebody_who_is_being_deleted_waits_for_it(group: str, elsa: Caller) -> None:
    report(elsa, "group", group)
    case, bos, bos_id = Case.objects.get(), key_of("bo.ek"), account("bo.ek").pk
    is_locked = Event()

    def delete() -> None:
        with transaction.atomic():
            kept = keep_suspension(bos_id)
            assert kept is not None
            is_locked.set()
            sleep_in_database()
            kept.delete()

    def choose() -> None:
        assert is_locked.wait(10)
        choose_person(StaffAct(case.pk, "moa", case.version), person_hash=bos)

    at_once([delete, choose])
    case.refresh_from_db()
    assert (case.person, case.person_hash) == (None, bos)


@pytest.mark.django_db(transaction=True)
def test_suspending_somebody_who_signs_in_meanwhile_waits_for_it(elsa: Caller, bo: Caller) -> None:
    report(elsa, "profile", "bo.ek")
    case = Case.objects.get()
    cookies = bo.http.cookies.output(header="", sep=";").encode()
    answer = caller_from_scope({"headers": [(b"cookie", cookies)]}).upstream
    erase_account(account("bo.ek").pk)

    hashed, is_locked = case.person_hash, Event()

    def sign_in() -> Any:
        with transaction.atomic():
            unsuspend_erased_person(hashed)  # locks the person, as the sign-in does
            is_locked.set()
            sleep_in_database()
            return find_or_create_account("bjorkdalen", answer)

    def suspend() -> Any:
        assert is_locked.wait(10)
        act = StaffAct(case.pk, "moa", case.version)
        return act_on_person(act, action=SUSPEND, what=PersonAct("Because."))

    at_once([sign_in, suspend])
    person = Account.objects.exclude(username="elsa.nordvall").get()
    assert person.has_suspension
    assert Case.objects.get().person == person
    assert not ErasedPerson.objects.exists()


def sleep_in_database(seconds: float = 0.5) -> None:
    """So that the other call runs into the locks."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(%s)", [seconds])
