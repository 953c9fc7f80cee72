"""The content of a feed when upstream fails or no login is valid, and for how long."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

import store
from accounts.encryption import Ciphertext
from accounts.models import ServiceSession
from schoolproxy.models import CalendarFeed
from tests.accounts.stored_data import store_contents
from tests.concurrency import crowd
from tests.conftest import Caller
from tests.schoolproxy.feeds import (
    SIGNED_OUT,
    UPSTREAM_AWAY,
    lessons,
    new_feed,
    notices,
    subscribed,
)
from upstream import shared_client
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("own_clock")


@pytest.fixture
def clock(simulator: Simulator) -> Iterator[Any]:
    """A frozen clock at nine on a Monday; `clock(minutes=5)` moves it on."""
    with time_machine.travel(datetime.fromisoformat("2026-03-09T09:00+01:00"), tick=False) as moved:
        yield lambda **passed: moved.shift(timedelta(**passed))


@pytest.fixture
def path(clock: Any, caller: Caller, simulator: Simulator) -> str:
    """The path of Elsa's feed; she has signed in once, as `caller`."""
    caller.sign_in()
    simulator.requests.clear()
    return new_feed(caller)


@pytest.fixture
def person(simulator: Simulator) -> Person:
    return simulator.state.person("bjorkdalen", "elsa.nordvall")


def kill(simulator: Simulator, person: Person) -> None:
    """Ends all of the person's sessions and tokens upstream."""
    simulator.state.kill_tokens(person)
    simulator.state.kill_web_sessions(person)


def test_it_calls_upstream_every_five_minutes_at_most(
    clock: Any, path: str, simulator: Simulator
) -> None:
    for minutes, calls in ((0, 4), (4, 4), (2, 8), (4, 8), (2, 12)):
        clock(minutes=minutes)
        assert len(lessons(subscribed(path))) > 50
        assert simulator.requests.count("lessons") == calls


def test_it_works_after_the_web_session_has_ended(
    clock: Any, path: str, simulator: Simulator
) -> None:
    subscribed(path)
    for _ in range(3):
        clock(hours=2)
        assert notices(subscribed(path)) == []
    assert simulator.requests.count("login.session") == 3


def test_web_cookies_are_reused_while_they_are_valid(
    clock: Any, path: str, simulator: Simulator
) -> None:
    store.clear()
    subscribed(path)
    clock(minutes=6)
    subscribed(path)
    assert simulator.requests.count("login.session") == 1
    for web in simulator.state.web_sessions.all():
        assert web.jsessionid.encode() not in store_contents()


def test_it_does_not_count_as_a_use_of_the_login(clock: Any, path: str) -> None:
    signed_in_at = ServiceSession.objects.get().last_used_at
    clock(hours=3)
    subscribed(path)
    assert ServiceSession.objects.get().last_used_at == signed_in_at


@pytest.mark.django_db(transaction=True)
def test_simultaneous_reads_share_one_fetch(elsa: Caller, simulator: Simulator) -> None:
    path = new_feed(elsa)
    simulator.requests.clear()
    with crowd(5) as start, simulator.faults.hold("lessons") as held:
        running = [start(lambda: subscribed(path)) for _ in range(5)]
        held.wait_for(4)
        held.release()
        assert [one.result(20).status_code for one in running] == [200] * 5
    assert simulator.requests.count("lessons") == 4


def test_without_a_valid_token_it_shows_the_last_lessons_and_a_notice(
    clock: Any, path: str, simulator: Simulator, person: Person
) -> None:
    good = lessons(subscribed(path))
    kill(simulator, person)
    clock(hours=1)
    later = subscribed(path)
    assert lessons(later) == good
    assert notices(later) == [SIGNED_OUT]
    text = later.content.decode().replace("\r\n ", "")
    assert "DTSTART;VALUE=DATE:20260309" in text
    assert "Please sign in" in text
    assert "last updated: 2026-03-09 09:00" in text


def test_logging_out_everywhere_leaves_the_last_lessons(
    clock: Any, path: str, caller: Caller
) -> None:
    good = lessons(subscribed(path))
    caller.post("/api/logout")
    clock(minutes=6)
    assert lessons(subscribed(path)) == good
    assert notices(subscribed(path)) == [SIGNED_OUT]


def test_without_stored_lessons_it_has_the_notice_to_sign_in(path: str, caller: Caller) -> None:
    caller.post("/api/logout")
    assert lessons(subscribed(path)) == set()
    assert notices(subscribed(path)) == [SIGNED_OUT]


def test_it_recovers_when_its_owner_signs_in(
    clock: Any, path: str, caller: Caller, simulator: Simulator, person: Person
) -> None:
    subscribed(path)
    kill(simulator, person)
    clock(minutes=6)
    assert notices(subscribed(path)) == [SIGNED_OUT]
    caller.sign_in()
    clock(minutes=1, seconds=1)
    assert notices(subscribed(path)) == []


def test_it_tries_valid_logins_from_the_newest_on(
    clock: Any, path: str, simulator: Simulator, person: Person
) -> None:
    phone = Caller()
    clock(seconds=1)
    phone.sign_in()
    simulator.requests.clear()
    newest = ServiceSession.objects.order_by("-created_at")[0]
    newest.access_token = "revoked-by-them"
    newest.save()
    store.clear()
    clock(minutes=6)
    assert notices(subscribed(path)) == []
    assert simulator.requests.count("login.session") == 2
    phone.post("/api/logout")
    clock(minutes=6)
    assert notices(subscribed(path)) == []


def test_a_revoked_token_is_not_tried_on_every_read(
    clock: Any, path: str, simulator: Simulator, person: Person
) -> None:
    subscribed(path)
    kill(simulator, person)
    clock(hours=1)
    for _ in range(5):
        assert notices(subscribed(path)) == [SIGNED_OUT]
    assert simulator.requests.count("login.session") == 1


def test_an_expired_token_takes_no_call(clock: Any, path: str, simulator: Simulator) -> None:
    subscribed(path)
    simulator.requests.clear()
    clock(days=29, hours=23, minutes=59)
    record = ServiceSession.objects.get()
    record.token_expires_at = timezone.now().isoformat()
    record.save()
    assert notices(subscribed(path)) == [SIGNED_OUT]
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("fault", ["500", "429", "reset", "404", "403"])
def test_while_upstream_fails_it_shows_the_last_lessons_and_a_notice(
    clock: Any, path: str, simulator: Simulator, fault: str
) -> None:
    good = lessons(subscribed(path))
    simulator.faults.set("lessons", fault)
    clock(minutes=6)
    answer = subscribed(path)
    assert lessons(answer) == good
    assert notices(answer) == [UPSTREAM_AWAY]
    simulator.faults.clear()
    shared_client.reset()  # the breaker goes by a clock that no test can move
    assert notices(subscribed(path)) == [UPSTREAM_AWAY]
    clock(minutes=1, seconds=1)
    assert notices(subscribed(path)) == []


def test_in_a_total_outage_it_shows_them_too(clock: Any, path: str, simulator: Simulator) -> None:
    good = lessons(subscribed(path))
    simulator.faults.set("traffic", "500")
    clock(hours=2)
    assert lessons(subscribed(path)) == good
    assert notices(subscribed(path)) == [UPSTREAM_AWAY]


@pytest.mark.parametrize(("fault", "status"), [("500", 503), ("200-html", 200), ("not-json", 502)])
def test_without_stored_lessons_a_failure_is_an_error(
    path: str, simulator: Simulator, fault: str, status: int
) -> None:
    simulator.faults.set("lessons", fault)
    answer = subscribed(path)
    assert answer.status_code == status
    if status == 200:  # a login page: the session is dead, and that is said
        assert notices(answer) == [SIGNED_OUT]
    simulator.faults.clear()


def test_the_last_lessons_are_shown_for_thirty_days(
    clock: Any, path: str, simulator: Simulator, person: Person
) -> None:
    good = lessons(subscribed(path))
    kill(simulator, person)
    clock(days=29, hours=23)
    assert lessons(subscribed(path)) == good
    clock(hours=2)
    assert lessons(subscribed(path)) == set()
    assert notices(subscribed(path)) == [SIGNED_OUT]


def purge(*arguments: str) -> str:
    out = StringIO()
    call_command("purge_expired", *arguments, stdout=out)
    return out.getvalue()


def test_the_last_lessons_are_deleted_after_thirty_days(
    clock: Any, path: str, simulator: Simulator, person: Person
) -> None:
    subscribed(path)
    kill(simulator, person)
    clock(days=29, hours=23)
    assert "1 calendar feeds looked at, 0 emptied." in purge()
    clock(hours=2)
    assert "1 calendar feeds looked at, 1 would be emptied." in purge("--dry-run")
    assert CalendarFeed.objects.get().weeks is not None
    assert "1 calendar feeds looked at, 1 emptied." in purge()
    feed = CalendarFeed.objects.get()
    assert (feed.weeks, feed.weeks_at) == (None, None)
    assert subscribed(path).status_code == 200  # the address stays its owner's


def test_nothing_is_stored_when_the_cache_is_off(
    clock: Any, path: str, simulator: Simulator, settings: Settings
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    assert len(lessons(subscribed(path))) > 50
    assert CalendarFeed.objects.get().weeks is None
    simulator.faults.set("lessons", "500")
    clock(minutes=6)
    assert subscribed(path).status_code == 503


def test_lessons_that_cannot_be_decrypted_are_ignored(
    clock: Any, path: str, simulator: Simulator
) -> None:
    subscribed(path)
    CalendarFeed.objects.update(weeks=Ciphertext(b"encrypted with a key that is gone"))
    assert len(lessons(subscribed(path))) > 50
