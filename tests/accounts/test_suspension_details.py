"""What a suspended person is told, and a suspension that ends by itself."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from accounts.errors import AccountSuspended
from accounts.models import Account, ServiceSession
from accounts.services.people import people_of
from accounts.services.suspension import suspend_account
from accounts.timestamps import milliseconds
from accounts.websocket_auth import caller_from_scope, why_ended
from tests.accounts.full_account import picture
from tests.conftest import ELSA, Caller

CONTACT = "rektor@skola.example"
REASON = "Threats in the group."
# In summer and after it: the hour is Swedish.
UNTIL = datetime(2030, 6, 1, 13, 30, tzinfo=UTC)


def suspend(**details: Any) -> None:
    suspend_account(Account.objects.get(username="elsa.nordvall").pk, **details)


def refusals(elsa: Caller, bearer: dict[str, str]) -> list[Any]:
    """The answers to a request of every kind, and to a login."""
    return [
        elsa.get("/api/session"),
        elsa.get("/api/schedule?week=11"),
        elsa.get("/api/conversations"),
        elsa.put("/api/layout", {}),
        elsa.post("/api/refresh"),
        elsa.post("/api/v2/token-refresh"),
        Caller().get("/api/session", **bearer),
        Caller().post("/api/login", ELSA),
    ]


def test_every_refusal_says_why_how_long_and_whom_to_write_to(
    elsa: Caller, bearer: dict[str, str], settings: Settings
) -> None:
    settings.CONTACT = CONTACT
    suspend(until=UNTIL, reason=REASON)
    for answer in refusals(elsa, bearer):
        body = answer.json()
        assert (answer.status_code, body["code"]) == (403, "account_suspended")
        assert body["error"] == body["message"]
        assert body["error"] == (
            "This account is suspended until 1 June 2030 15:30. Reason: Threats in the group. "
            "If you have questions, contact rektor@skola.example."
        )
        assert (body["until"], body["reason"]) == (milliseconds(UNTIL), REASON)
        assert body["contact"] == CONTACT


def test_without_end_reason_and_contact_the_answer_has_the_same_fields(
    elsa: Caller, settings: Settings
) -> None:
    settings.CONTACT = ""
    suspend()
    body = elsa.get("/api/session").json()
    assert (body["until"], body["reason"], body["contact"]) == (None, "", "")
    assert body["error"] == (
        "This account is suspended. If you have questions, contact the people who run this service."
    )


def test_an_unrecorded_pair_of_cookies_is_told_too(elsa: Caller) -> None:
    ServiceSession.objects.all().delete()
    assert elsa.get("/api/session").status_code == 200
    suspend(until=UNTIL, reason=REASON)
    assert elsa.get("/api/session").json()["reason"] == REASON
    assert elsa.get("/api/session").json()["until"] == milliseconds(UNTIL)


def test_a_new_suspension_replaces_the_earlier_one(elsa: Caller) -> None:
    suspend(until=UNTIL, reason=REASON)
    since = Account.objects.get().suspended_at
    suspend(reason="It went on.")
    body = elsa.get("/api/session").json()
    assert (body["until"], body["reason"]) == (None, "It went on.")
    assert Account.objects.get().suspended_at == since


def test_the_date_is_written_in_the_language_of_the_request() -> None:
    with translation.override("sv"):
        assert "1 juni 2030 15:30" in AccountSuspended(until=UNTIL).sentence


def test_a_person_who_is_not_suspended_costs_no_query(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert elsa.get("/api/session").status_code == 200
    with django_assert_num_queries(1):
        assert elsa.get("/api/layout").status_code == 200


@pytest.fixture
def is_hidden(elsa: Caller, zoe: Caller) -> Callable[[], set[bool]]:
    """Asks every route and service whether Elsa is hidden from others."""
    assert (
        elsa.http.post("/api/profile/picture", {"image": picture(), "kind": "avatar"}).status_code
        == 201
    )
    pfp = elsa.get("/api/profile").json()["profile"]["pfpUrl"]
    note = elsa.post("/api/notes", {"title": "x", "content": "y"}).json()["note"]
    token = elsa.post(f"/api/notes/{note['id']}/share").json()["token"]
    feed = elsa.post("/api/schedule/feed").json()["url"].partition("//")[2].partition("/")[2]
    account_id = Account.objects.get(username="elsa.nordvall").pk
    scope = {"headers": [(b"cookie", elsa.http.cookies.output(header="", sep=";").encode())]}
    socket = caller_from_scope(scope)

    def ask() -> set[bool]:
        return {
            zoe.get("/api/profile/elsa.nordvall").status_code == 404,
            zoe.get("/api/users/search?q=nordvall").json()["users"] == [],
            zoe.post("/api/friends", {"targetUsername": "elsa.nordvall"}).status_code == 404,
            Caller().get(pfp.partition("testserver")[2]).status_code == 404,
            Caller().get(f"/api/notes/shared/{token}").status_code == 404,
            Caller().get(f"/{feed}").status_code == 404,
            people_of([account_id])[account_id].suspended,
            why_ended(socket) == "suspended",
            elsa.get("/api/session").status_code == 403,
            Account.objects.get(pk=account_id).has_suspension,
        }

    return ask


def test_it_ends_by_itself_everywhere(is_hidden: Callable[[], set[bool]]) -> None:
    assert is_hidden() == {False}
    until = timezone.now() + timedelta(minutes=5)
    suspend(until=until, reason=REASON)
    assert is_hidden() == {True}
    with time_machine.travel(until - timedelta(seconds=20)):
        assert is_hidden() == {True}
    with time_machine.travel(until + timedelta(seconds=1)):
        assert is_hidden() == {False}
        assert Caller().post("/api/login", ELSA).status_code == 200
        suspend()
        assert is_hidden() == {True}


def test_the_purge_forgets_suspensions_that_have_ended(elsa: Caller, zoe: Caller) -> None:
    suspend(until=timezone.now() - timedelta(minutes=1), reason=REASON)
    going_on = Account.objects.get(school="nyvang")
    suspend_account(going_on.pk, until=UNTIL, reason=REASON)
    call_command("purge_expired", "--dry-run")
    assert Account.objects.filter(suspension_reason=REASON).count() == 2
    call_command("purge_expired")
    over = Account.objects.get(school="bjorkdalen")
    found = (over.suspended_at, over.suspended_until, over.suspension_reason)
    assert found == (None, None, "")
    going_on.refresh_from_db()
    assert going_on.has_suspension
