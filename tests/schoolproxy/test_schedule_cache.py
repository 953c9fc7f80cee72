"""GET /api/schedule: the number of calls to upstream, and the answer when it fails."""

from datetime import datetime
from typing import Any

import pytest

import store
from tests.accounts import stored_data
from tests.concurrency import crowd
from tests.conftest import Caller, signed_in
from tests.schoolproxy.conftest import Clock
from upstream.simulator.server import Simulator

NO_CACHE = {"Cache-Control": "no-cache"}
PATH = "/api/schedule?week=12"


def fetched(simulator: Simulator) -> int:
    """The number of calls for lessons."""
    return simulator.requests.count("lessons")


def test_a_week_is_fetched_once_a_minute(clock: Clock, elsa: Caller, simulator: Simulator) -> None:
    first = elsa.get(PATH)
    for seconds, calls in ((1, 1), (59, 1), (61, 2), (100, 2), (122, 3)):
        clock(seconds)
        assert elsa.get(PATH).content == first.content
        assert fetched(simulator) == calls


def test_each_week_has_its_own_cache_entry_for_both_forms(
    elsa: Caller, simulator: Simulator
) -> None:
    for _ in range(2):
        for query in ("week=12", "week=13", "week=12&parallel=keep", "week=12&parallel=off"):
            assert elsa.get(f"/api/schedule?{query}").status_code == 200
    assert elsa.get("/api/schedule?week=12").json() != elsa.get("/api/schedule?week=13").json()
    assert fetched(simulator) == 2


def test_a_large_answer_is_stored_compressed(elsa: Caller) -> None:
    answer = elsa.get("/api/subjects")
    assert len(answer.content) > 8192
    assert elsa.get("/api/subjects").content == answer.content
    (stored,) = [value for key, value in stored_data.entries() if ":answer:" in key]
    assert len(stored) < len(answer.content) / 2


def test_two_logins_of_one_person_share_an_entry(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    phone = signed_in()
    assert phone.get("/api/session").status_code == 200
    assert phone.get(PATH).json() == elsa.get(PATH).json()
    assert fetched(simulator) == 1


def test_two_logins_of_a_guardian_share_an_entry(caller: Caller, simulator: Simulator) -> None:
    """It is of the account and the child, whichever web session read it."""
    phone = Caller()
    for device in (caller, phone):
        device.sign_in("gun.nordvall")
        # From now on the cached answer is looked up together with the session.
        assert device.get("/api/session").status_code == 200
    for device in (caller, phone, caller, phone):
        assert device.get(PATH).status_code == 200
    assert fetched(simulator) == 1


def test_a_client_may_bypass_the_cache(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    for header in ("no-cache", "max-age=0, No-Cache"):
        assert elsa.get(PATH, **{"Cache-Control": header}).status_code == 200
    assert fetched(simulator) == 3
    elsa.get(PATH, **{"Cache-Control": "max-age=0"})
    assert fetched(simulator) == 3


@pytest.mark.parametrize(
    "fault", ["500", "502", "429", "reset", "cut", "not-json", "huge", "a page"]
)
def test_in_an_outage_the_stale_answer_is_served(
    clock: Clock, elsa: Caller, simulator: Simulator, fault: str
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
    clock: Clock, elsa: Caller, simulator: Simulator
) -> None:
    good = elsa.get(PATH).json()
    simulator.faults.set("lessons", "500")
    clock(61)
    assert elsa.get(PATH).json()["stale"] is True
    simulator.faults.clear()
    assert elsa.get(PATH).json() == good


def test_bypassing_the_cache_in_an_outage_gets_the_stale_answer(
    elsa: Caller, simulator: Simulator
) -> None:
    good = elsa.get(PATH).json()
    simulator.faults.set("lessons", "500")
    assert elsa.get(PATH, **NO_CACHE).json()["schedule"] == good["schedule"]


def test_a_dead_session_gets_no_stale_answer(
    clock: Clock, elsa: Caller, simulator: Simulator
) -> None:
    elsa.get(PATH)
    simulator.faults.set("lessons", "401")
    clock(61)
    assert elsa.get(PATH).status_code == 401


@pytest.mark.django_db(transaction=True)
def test_ten_simultaneous_requests_share_one_call(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    with crowd(11) as start, simulator.faults.hold("lessons") as held:
        running = [start(lambda: elsa.twin().get(PATH)) for _ in range(10)]
        held.wait_for(1)
        other = start(lambda: elsa.twin().get("/api/schedule?week=13"))
        held.wait_for(2)
        with pytest.raises(TimeoutError):
            held.wait_for(3, timeout=0.3)
        held.release()
        answers = [one.result(10) for one in running]
        assert other.result(10).status_code == 200
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert fetched(simulator) == 2


@pytest.mark.django_db(transaction=True)
def test_a_failed_fetch_fails_for_all_and_the_next_request_tries_again(
    elsa: Caller, simulator: Simulator
) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("lessons", "500")
    with crowd(4) as start, simulator.faults.hold("lessons") as held:
        running = [start(lambda: elsa.twin().get(PATH)) for _ in range(4)]
        held.wait_for(1)
        held.release()
        assert [one.result(10).status_code for one in running] == [503] * 4
    simulator.faults.clear()
    assert elsa.get(PATH).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_fetch_during_logout_stores_nothing(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    with crowd(1) as start, simulator.faults.hold("lessons", after=True) as held:
        running = start(lambda: elsa.twin().get(PATH))
        held.wait_for(1)
        elsa.post("/api/logout")
        held.release()
        running.result(10)
    elsa.sign_in()
    simulator.faults.set("lessons", "500")
    assert elsa.get(PATH).status_code == 503


def test_a_week_that_is_not_cached_takes_one_call_and_no_query(
    elsa: Caller, simulator: Simulator, django_assert_num_queries: Any
) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    with django_assert_num_queries(0):
        assert elsa.get(PATH).status_code == 200
    assert len(simulator.requests) == 1


@pytest.mark.parametrize(("checked", "queries", "calls"), [(True, 0, 1), (False, 4, 2)])
def test_the_first_request_of_a_session_takes_few_queries(
    elsa: Caller,
    simulator: Simulator,
    django_assert_num_queries: Any,
    checked: bool,
    queries: int,
    calls: int,
) -> None:
    """A login has checked the session. Else whose session it is: the record before the turn, in it
    and after upstream's answer, and the role."""
    if not checked:
        store.clear()
    simulator.requests.clear()
    with django_assert_num_queries(queries):
        assert elsa.get(PATH).status_code == 200
    assert len(simulator.requests) == calls
