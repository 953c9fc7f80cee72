"""What comes back from the school's own page and signs nobody in."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone
from pytest_django.fixtures import Settings
from time_machine import Traveller

from accounts.models import Account, ServiceSession
from accounts.services.erasure import erase_account
from accounts.services.suspension import suspend_account
from tests.accounts.page_login import (
    SCHOOL,
    authorize,
    begin,
    come_back,
    signed_in_through_page,
    visit,
)
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.school_page import callback_values, cancel_at_school
from tests.store_away import take_the_store_away
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


def assert_refused(answer: Any, word: str, simulator: Simulator, path: str = "/app/") -> None:
    """Nobody is signed in, and nothing is left of it, also not at the school."""
    assert answer.status_code == 303
    assert answer["Location"] == f"{path}?login_error={word}"
    assert not {f"wrapper_{name}" for name in ("jsessionid", "hash")} & answer.cookies.keys()
    assert not ServiceSession.objects.exists()
    for person in simulator.state.schools[SCHOOL].people.values():
        assert simulator.state.web_sessions.count_live(person) == 0


@pytest.fixture
def unnumbered_gran(simulator: Simulator) -> None:
    """The list of schools has no numbers of organisations."""
    row = {"name": "Granskolan", "evaUrl": f"{simulator.url}/{SCHOOL}/eva"}
    row |= {"url": f"{simulator.url}/{SCHOOL}/", "studentLoginMethods": "3"}
    simulator.faults.set("schools", "answer", body=json.dumps([row]))


def assert_not_exchanged(simulator: Simulator) -> None:
    assert simulator.requests.count_operation("login.token") == 0


def test_who_cancels_is_told_so(simulator: Simulator) -> None:
    browser = Caller()
    page = begin(browser, **{"return": "/app/more"})
    answer = come_back(browser, **callback_values(cancel_at_school(page)))
    assert_refused(answer, "cancelled", simulator, "/app/more")
    assert answer.cookies["wrapper_login"].value == ""


def test_another_error_of_the_page_is_a_refusal_in_our_words(simulator: Simulator) -> None:
    simulator.state.settings.set("authorize", "error")
    assert_refused(visit().finish(), "refused", simulator)
    assert_not_exchanged(simulator)


def test_without_the_cookie_nobody_is_signed_in(simulator: Simulator) -> None:
    begun = visit(**{"return": "/app/more"})
    assert_refused(come_back(Caller(), **begun.values), "expired", simulator)
    assert_not_exchanged(simulator)


def test_another_browsers_attempt_is_of_no_use(simulator: Simulator) -> None:
    """Somebody sends a person the address of a callback of their own (login CSRF)."""
    theirs, mine = visit("olle.gran"), visit("tove.gran")
    assert_refused(mine.finish(**theirs.values), "expired", simulator)
    assert_refused(mine.finish(state=theirs.values["state"]), "expired", simulator)
    assert_not_exchanged(simulator)


def test_a_code_of_another_sign_in_cannot_be_injected(simulator: Simulator) -> None:
    stolen, mine = visit("olle.gran"), visit("tove.gran")
    assert_refused(mine.finish(code=stolen.values["code"]), "refused", simulator)


def test_the_school_of_a_callback_is_that_of_its_attempt(simulator: Simulator) -> None:
    """What another school's system has issued is not sent to this one (mix-up)."""
    other = visit("zoe.åkerman", "student", "nyvang")
    mine = visit("tove.gran")
    simulator.requests.clear()
    answer = mine.finish(code=other.values["code"], school="nyvang")
    assert_refused(answer, "refused", simulator)
    assert {call.school for call in simulator.requests} == {SCHOOL}


def test_the_state_has_to_be_ours(simulator: Simulator) -> None:
    simulator.state.settings.set("authorize", "other-state")
    assert_refused(visit().finish(), "expired", simulator)
    assert_not_exchanged(simulator)


@pytest.mark.parametrize("state", ["", "å", "x" * 5000, "\x00", "%00"])
def test_any_other_state_is_refused(simulator: Simulator, state: str) -> None:
    begun = visit()
    assert_refused(begun.finish(state=state), "expired", simulator)
    assert_not_exchanged(simulator)


def test_a_callback_that_comes_twice_signs_in_once(simulator: Simulator) -> None:
    begun = visit()
    twin = begun.browser.twin()
    assert begun.finish()["Location"] == "/app/"
    assert come_back(twin, **begun.values)["Location"] == "/app/?login_error=expired"
    assert come_back(begun.browser, **begun.values)["Location"] == "/app/?login_error=expired"
    assert simulator.requests.count_operation("login.token") == 1
    assert begun.browser.get("/api/session").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_twenty_callbacks_at_once_one_signs_in(simulator: Simulator) -> None:
    begun = visit()
    browsers = [begun.browser.twin() for _ in range(20)]
    tries: list[Callable[[], Any]] = [
        lambda one=one: come_back(one, **begun.values)  # type: ignore[misc]
        for one in browsers
    ]
    places = [answer["Location"] for answer in at_once(tries)]
    assert sorted(places) == ["/app/"] + ["/app/?login_error=expired"] * 19
    assert simulator.requests.count_operation("login.token") == 1
    assert ServiceSession.objects.count() == 1


def test_after_ten_minutes_it_has_expired(
    simulator: Simulator, own_clock: None, clock: Traveller
) -> None:
    begun = visit()
    clock.shift(601)
    assert_refused(begun.finish(), "expired", simulator)
    assert_not_exchanged(simulator)


def test_the_store_forgets_it_after_ten_minutes(simulator: Simulator, settings: Settings) -> None:
    if not settings.REDIS_URL:
        pytest.skip("needs REDIS_URL")
    begin(Caller())
    cache: Any = caches["default"]
    client = cache._cache.get_client()
    (key,) = client.scan_iter("wrapper:*:page-login:*")
    assert 590_000 < client.pttl(key) <= 600_000


@pytest.mark.parametrize("code", ["x" * 10_000, "", "å", "a\nb", "x" * 8192])
def test_a_nonsense_code_is_refused(simulator: Simulator, code: str) -> None:
    begun = visit()
    word = "refused" if len(code) == 8192 else "expired"
    assert_refused(begun.finish(code=code), word, simulator)


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        ("404", "refused"),
        ("400", "refused"),
        ("500", "try_again"),
        ("429", "try_again"),
        ("200-html", "try_again"),
        ("truncated", "try_again"),
        ("past-token", "try_again"),
        ("reset", "try_again"),
    ],
)
def test_a_failing_token_endpoint_signs_nobody_in(
    simulator: Simulator, fault: str, word: str
) -> None:
    begun = visit()
    simulator.faults.set("login.token", fault)
    assert_refused(begun.finish(), word, simulator)
    simulator.faults.clear()
    assert_refused(begun.finish(), "expired", simulator)


@pytest.mark.parametrize(
    ("operation", "fault", "word"),
    [
        ("login.session", "303-error", "wrong_kind"),
        ("login.session", "missing-hash", "wrong_kind"),
        ("login.session", "bad-cookie-value", "try_again"),
        ("login.session", "404", "try_again"),
        ("login.session", "502", "try_again"),
        ("session", "500", "try_again"),
        ("session", "401", "try_again"),
        ("session", "200-no-user", "try_again"),
        ("session", "other-organization", "wrong_kind"),
    ],
)
def test_a_failure_after_the_exchange_signs_nobody_in(
    simulator: Simulator, operation: str, fault: str, word: str
) -> None:
    begun = visit()
    simulator.faults.set(operation, fault)
    answer = begun.finish()
    simulator.faults.clear()
    if fault in ("missing-hash", "bad-cookie-value"):  # there are no cookies to end it with
        assert answer["Location"] == f"/app/?login_error={word}"
        assert not ServiceSession.objects.exists()
    else:
        assert_refused(answer, word, simulator)


def test_a_school_that_hangs_is_try_again(simulator: Simulator, settings: Settings) -> None:
    begun = visit()
    simulator.faults.set("login.token", "timeout")
    assert_refused(begun.finish(), "try_again", simulator)


@pytest.mark.parametrize("kind", ["PARENT", "STUDENT"])
def test_a_token_of_the_wrong_kind_is_not_kept(simulator: Simulator, kind: str) -> None:
    begun = visit() if kind == "PARENT" else visit("moa.gran", "guardian")
    simulator.state.settings.set("token_kind", kind)
    assert_refused(begun.finish(), "wrong_kind", simulator)
    assert simulator.requests.count_operation("login.session") == 0


@pytest.mark.parametrize(("username", "kind"), [("tove.gran", "guardian"), ("moa.gran", "student")])
def test_the_session_answer_decides_who_it_is(
    simulator: Simulator, username: str, kind: str
) -> None:
    """The person's role changes after the page has let them through."""
    before = simulator.state.person(SCHOOL, username)
    other = "moa.gran" if kind == "guardian" else "tove.gran"
    begun = visit(other, kind)
    simulator.state.settings.set("token_kind", "none")
    simulator.state.change_role(simulator.state.person(SCHOOL, other), before.role)
    assert_refused(begun.finish(), "wrong_kind", simulator)


def test_a_guardian_without_children_is_asked_again(simulator: Simulator) -> None:
    object.__setattr__(simulator.state.person(SCHOOL, "moa.gran"), "children", ())
    assert_refused(visit("moa.gran", "guardian").finish(), "wrong_kind", simulator)


def test_a_suspended_person_is_told_so(simulator: Simulator) -> None:
    assert visit().finish()["Location"] == "/app/"
    suspend_account(Account.objects.get().pk, reason="x")
    ServiceSession.objects.all().delete()
    simulator.state.kill_web_sessions(simulator.state.person(SCHOOL, "tove.gran"))
    assert_refused(visit().finish(), "suspended", simulator)


def test_who_has_been_erased_begins_anew(simulator: Simulator) -> None:
    signed_in_through_page()
    number = Account.objects.get().pk
    Account.objects.update(erasure_started_at=timezone.now())  # by another process, at this moment
    answer = visit().finish()
    assert answer["Location"] == "/app/?login_error=try_again"
    assert ServiceSession.objects.count() == 1
    erase_account(number)
    signed_in_through_page()
    assert Account.objects.get().pk != number


def test_a_person_at_another_organisation_than_before_is_refused(
    simulator: Simulator, unnumbered_gran: None
) -> None:
    """The list of schools names none, so that of the first sign-in is the person's."""
    signed_in_through_page()
    simulator.faults.set("session", "other-organization", organization=64)
    answer = visit().finish()
    assert answer["Location"] == "/app/?login_error=wrong_kind"
    assert ServiceSession.objects.count() == 1
    assert Account.objects.get().organization_id == 63


def test_without_the_store_nothing_begins_and_nothing_ends(
    simulator: Simulator, settings: Settings
) -> None:
    begun = visit()
    take_the_store_away(settings)
    assert_refused(begun.finish(), "try_again", simulator)
    assert authorize(Caller()).status_code == 503
