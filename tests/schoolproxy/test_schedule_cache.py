"""GET /api/schedule: how often upstream is asked, and what a client gets when it fails."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.conftest import Caller
from tests.crowd import crowd
from upstream.simulator.server import Simulator

AFRESH = {"Cache-Control": "no-cache"}
PATH = "/api/schedule?week=12"


@pytest.fixture
def clock() -> Iterator[Any]:
    """Time stands still; `clock(seconds)` moves it on from where it stood."""
    start = timezone.now()
    with time_machine.travel(start, tick=False) as traveller:
        yield lambda seconds: traveller.move_to(start + timedelta(seconds=seconds))


def fetched(simulator: Simulator) -> int:
    """How often lessons were asked for."""
    return simulator.requests.count("lessons")


def twin(caller: Caller) -> Caller:
    other = Caller()
    for name, value in caller.cookies.items():
        other.set_cookie(name, value)
    return other


def test_a_week_is_fetched_once_a_minute(clock: Any, elsa: Caller, simulator: Simulator) -> None:
    first = elsa.get(PATH)
    for seconds, calls in ((1, 1), (59, 1), (61, 2), (100, 2), (122, 3)):
        clock(seconds)
        assert elsa.get(PATH).content == first.content
        assert fetched(simulator) == calls


def test_each_week_and_form_is_a_copy_of_its_own(elsa: Caller, simulator: Simulator) -> None:
    for _ in range(2):
        for query in ("week=12", "week=13", "week=12&parallel=keep", "week=12&parallel=off"):
            assert elsa.get(f"/api/schedule?{query}").status_code == 200
    assert elsa.get("/api/schedule?week=12").json() != elsa.get("/api/schedule?week=13").json()
    assert fetched(simulator) == 3


def test_another_login_of_the_same_person_shares_it(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    phone = Caller()
    phone.sign_in()
    assert phone.get("/api/session").status_code == 200
    assert phone.get(PATH).json() == elsa.get(PATH).json()
    assert fetched(simulator) == 1


def test_a_guardians_copies_belong_to_the_session(caller: Caller, simulator: Simulator) -> None:
    """Upstream remembers for each session which child was chosen."""
    phone = Caller()
    for device in (caller, phone):
        device.sign_in("gun.nordvall")
        device.get(PATH)
        device.get(PATH)
    assert fetched(simulator) == 2


def test_nobody_gets_the_copy_of_another(elsa: Caller, simulator: Simulator) -> None:
    mine = elsa.get(PATH).json()
    bo = Caller()
    bo.sign_in("bo.ek")
    assert bo.get(PATH).json() != mine
    simulator.faults.set("lessons", "500")
    zoe = Caller()
    zoe.sign_in("zoe.åkerman", "nyvang")
    assert zoe.get(PATH).status_code == 503


def test_the_operator_may_have_nothing_kept(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    for _ in range(3):
        assert elsa.get(PATH).status_code == 200
    assert fetched(simulator) == 3
    simulator.faults.set("lessons", "500")
    assert elsa.get(PATH).status_code == 503


def test_a_client_may_ask_afresh(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    for header in ("no-cache", "max-age=0, No-Cache"):
        assert elsa.get(PATH, **{"Cache-Control": header}).status_code == 200
    assert fetched(simulator) == 3
    elsa.get(PATH, **{"Cache-Control": "max-age=0"})
    assert fetched(simulator) == 3


def test_asking_afresh_is_limited(elsa: Caller, simulator: Simulator, settings: Settings) -> None:
    settings.LIMITS = {"fresh_reads": "2/60"}
    answers = [elsa.get(PATH, **AFRESH).status_code for _ in range(4)]
    assert answers == [200, 200, 429, 429]
    assert fetched(simulator) == 2
    assert elsa.get(PATH).status_code == 200


@pytest.mark.parametrize(
    "fault", ["500", "502", "429", "reset", "cut", "not-json", "huge", "a page"]
)
def test_an_outage_is_bridged_by_a_copy_that_says_so(
    clock: Any, elsa: Caller, simulator: Simulator, fault: str
) -> None:
    good = elsa.get(PATH).json()
    first = datetime.now().astimezone().timestamp()
    if fault == "a page":
        page: dict[str, Any] = {
            "headers": {"Content-Type": "text/html"},
            "body": "<html>Busy</html>",
        }
        simulator.faults.set("lessons", "answer", **page)
    else:
        simulator.faults.set("lessons", fault)
    for seconds in (61, 300, 899):
        clock(seconds)
        answer = elsa.get(PATH)
        assert answer.status_code == 200
        body = answer.json()
        assert (body.pop("stale"), body.pop("staleSince")) == (True, int((first + 60) * 1000))
        assert body == good
    clock(901)
    assert elsa.get(PATH).status_code in (502, 503)


def test_after_an_outage_the_answer_is_fresh_again(
    clock: Any, elsa: Caller, simulator: Simulator
) -> None:
    good = elsa.get(PATH).json()
    simulator.faults.set("lessons", "500")
    clock(61)
    assert elsa.get(PATH).json()["stale"] is True
    simulator.faults.clear()
    assert elsa.get(PATH).json() == good


def test_a_total_outage_is_bridged_too(clock: Any, elsa: Caller, simulator: Simulator) -> None:
    good = elsa.get(PATH).json()
    simulator.faults.set("traffic", "500")
    clock(600)
    assert elsa.get(PATH).json() == good | {
        "stale": True,
        "staleSince": elsa.get(PATH).json()["staleSince"],
    }
    assert elsa.get("/api/schedule?week=13").status_code == 503


def test_asking_afresh_in_an_outage_gets_the_copy(elsa: Caller, simulator: Simulator) -> None:
    good = elsa.get(PATH).json()
    simulator.faults.set("lessons", "500")
    assert elsa.get(PATH, **AFRESH).json()["schedule"] == good["schedule"]


def test_nothing_stale_outlives_the_logout(clock: Any, elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    elsa.post("/api/logout")
    elsa.sign_in()
    simulator.faults.set("lessons", "500")
    clock(61)
    assert elsa.get(PATH).status_code == 503


def test_a_dead_session_gets_no_stale_copy(clock: Any, elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    simulator.faults.set("lessons", "401")
    clock(61)
    assert elsa.get(PATH).status_code == 401


@pytest.mark.django_db(transaction=True)
def test_ten_identical_requests_at_once_are_one_call(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    with crowd(11) as start, simulator.faults.hold("lessons") as gate:
        running = [start(lambda: twin(elsa).get(PATH)) for _ in range(10)]
        gate.wait_for(1)
        other = start(lambda: twin(elsa).get("/api/schedule?week=13"))
        gate.wait_for(2)
        with pytest.raises(TimeoutError):
            gate.wait_for(3, timeout=0.3)
        gate.release()
        answers = [one.result(10) for one in running]
        assert other.result(10).status_code == 200
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert fetched(simulator) == 2


@pytest.mark.django_db(transaction=True)
def test_one_that_fails_fails_for_all_and_the_next_tries_again(
    elsa: Caller, simulator: Simulator
) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("lessons", "500")
    with crowd(4) as start, simulator.faults.hold("lessons") as gate:
        running = [start(lambda: twin(elsa).get(PATH)) for _ in range(4)]
        gate.wait_for(1)
        gate.release()
        assert [one.result(10).status_code for one in running] == [503] * 4
    simulator.faults.clear()
    assert elsa.get(PATH).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_fetch_in_flight_leaves_no_copy_after_the_logout(
    elsa: Caller, simulator: Simulator
) -> None:
    assert elsa.get("/api/session").status_code == 200
    with crowd(1) as start, simulator.faults.hold("lessons", after=True) as gate:
        running = start(lambda: twin(elsa).get(PATH))
        gate.wait_for(1)
        elsa.post("/api/logout")
        gate.release()
        running.result(10)
    elsa.sign_in()
    simulator.faults.set("lessons", "500")
    assert elsa.get(PATH).status_code == 503


def test_a_kept_week_costs_no_query_and_no_call(
    elsa: Caller, simulator: Simulator, django_assert_num_queries: Any
) -> None:
    elsa.get(PATH)
    simulator.requests.clear()
    with django_assert_num_queries(0):
        assert elsa.get(PATH).status_code == 200
    assert len(simulator.requests) == 0


def test_a_week_that_is_not_kept_costs_one_call_and_no_query(
    elsa: Caller, simulator: Simulator, django_assert_num_queries: Any
) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    with django_assert_num_queries(0):
        assert elsa.get(PATH).status_code == 200
    assert len(simulator.requests) == 1


def test_the_first_request_of_a_session_costs_one_query(
    elsa: Caller, simulator: Simulator, django_assert_max_num_queries: Any
) -> None:
    simulator.requests.clear()
    captured: CaptureQueriesContext
    with django_assert_max_num_queries(1) as captured:
        assert elsa.get(PATH).status_code == 200
    assert len(captured.captured_queries) == 1
    assert len(simulator.requests) == 2  # whose session it is, and the lessons
