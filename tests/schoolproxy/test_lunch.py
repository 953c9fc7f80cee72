"""GET /api/lunch: the menu, and its cache, which a school shares."""

from dataclasses import replace
from functools import partial

import orjson
import pytest
from pytest_django.fixtures import Settings

from accounts import callers
from schoolproxy.services.lunch import lunch_read
from schoolproxy.services.news import news_read
from stats import counters
from stats.totals import read_totals
from tests.concurrency import crowd
from tests.conftest import Caller, signed_in
from tests.schoolproxy.conftest import Clock
from upstream.records import Role, UpstreamSession, WebSession
from upstream.simulator.server import Simulator

PATH = "/api/lunch?week=11"
WEEK = [
    {
        "dayId": 1,
        "dishes": [
            {
                "dishType": "Dagens lunch",
                "dish": "Kåldolmar med lingon\r\n\r\nVegetarisk\r\nLinsbiffar med lingon\r\n",
            }
        ],
    },
    {"dayId": 3, "dishes": []},
]


def serve(simulator: Simulator, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("lunch", "answer", body=body, headers=headers)


def test_a_dish_has_its_text_and_its_alternatives(elsa: Caller, simulator: Simulator) -> None:
    serve(simulator, orjson.dumps(WEEK))
    body = elsa.get(PATH).json()
    assert (body["success"], body["week"]) == (True, 11)
    monday, wednesday = body["data"]
    assert wednesday == {"dayId": 3, "dishes": []}
    (dish,) = monday["dishes"]
    assert dish["dishType"] == "Dagens lunch"
    assert "\r" not in dish["dish"]
    assert dish["alternatives"] == [
        {"label": None, "text": "Kåldolmar med lingon"},
        {"label": "Vegetarisk", "text": "Linsbiffar med lingon"},
    ]


def test_one_call_serves_the_whole_school_for_an_hour(
    clock: Clock, elsa: Caller, simulator: Simulator
) -> None:
    first = elsa.get(PATH)
    for username in ("bo.ek", "alva.lind", "torbjörn.ekvik"):
        assert signed_in(username).get(PATH).content == first.content
    clock(25)
    assert elsa.get("/api/lunch?week=12").json()["week"] == 12
    assert simulator.requests.count("lunch") == 2
    clock(3601)
    assert signed_in("bo.ek").get(PATH).content == first.content
    assert simulator.requests.count("lunch") == 3


def test_another_school_has_another_menu(elsa: Caller, simulator: Simulator) -> None:
    mine = elsa.get(PATH).json()
    assert signed_in("zoe.åkerman", "nyvang").get(PATH).json() != mine
    assert simulator.requests.count("lunch") == 2


def test_schools_that_share_a_slug_do_not_share_a_menu(elsa: Caller, simulator: Simulator) -> None:
    """Several schools may share a slug; upstream's session answer has the school's number."""
    elsa.get(PATH)
    school = simulator.state.schools["bjorkdalen"]
    simulator.state.schools["bjorkdalen"] = replace(school, org_id=42)
    signed_in("bo.ek").get(PATH)
    assert simulator.requests.count("lunch") == 2


@pytest.mark.parametrize(
    ("role", "organization", "shared"),
    [("student", 41, True), ("teacher", 41, True), ("student", None, False),
     ("guardian", 41, False)],
)  # fmt: skip
def test_without_a_school_number_and_for_guardians_the_cache_is_personal(
    role: Role, organization: int | None, shared: bool
) -> None:
    answer = UpstreamSession(
        1, "elsa.nordvall", "Elsa", "Nordvall", "", organization, "Björkdalsskolan", role, None, ""
    )
    web = WebSession("jsessionid", "hash", None)
    caller = callers.Caller(
        1, "elsa.nordvall", None, "key", "cookie", "hash", "bjorkdalen", web, answer
    )
    entry, personal = lunch_read(week=11).entry(caller, None), news_read().entry(caller, None)
    assert entry.school_wide is shared
    assert (entry.owner == personal.owner) is not shared
    assert (entry.fresh_seconds == personal.fresh_seconds) is not shared


def test_a_menu_is_served_for_a_day_of_outage(
    clock: Clock, simulator: Simulator, settings: Settings, db: None
) -> None:
    settings.SESSION_CHECK_SECONDS = settings.OUTAGE_GRACE_SECONDS = 3 * 86_400
    elsa = signed_in("elsa.nordvall")
    good = elsa.get(PATH).json()
    simulator.faults.set("lunch", "500")
    clock(86_000)
    late = signed_in("bo.ek").get(PATH).json()
    assert late.pop("stale") is True
    assert late.pop("staleSince")
    assert late == good
    clock(87_000)
    assert signed_in("alva.lind").get(PATH).status_code == 503


def test_it_is_cached_when_the_personal_cache_is_off(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    for _ in range(3):
        assert elsa.get(PATH).status_code == 200
    assert simulator.requests.count("lunch") == 1


def test_it_stays_cached_when_somebody_logs_out(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    elsa.post("/api/logout")
    assert elsa.get(PATH).status_code == 401
    assert signed_in("bo.ek").get(PATH).status_code == 200
    assert simulator.requests.count("lunch") == 1


@pytest.mark.django_db(transaction=True)
def test_one_lost_session_does_not_sign_the_others_out(elsa: Caller, simulator: Simulator) -> None:
    bo = signed_in("bo.ek")
    for each in (elsa, bo):
        assert each.get("/api/session").status_code == 200
    simulator.state.kill_web_sessions(simulator.state.person("bjorkdalen", "elsa.nordvall"))
    with crowd(2) as start, simulator.faults.hold("lunch") as held:
        first = start(lambda: elsa.get(PATH).status_code)
        held.wait_for(1)
        second = start(lambda: bo.get(PATH).status_code)
        with pytest.raises(TimeoutError):
            held.wait_for(2, timeout=0.3)
        held.release()
        assert (first.result(10), second.result(10)) == (401, 200)


@pytest.mark.django_db(transaction=True)
def test_simultaneous_requests_of_a_school_share_one_call(simulator: Simulator) -> None:
    pupils = [signed_in(name) for name in ("elsa.nordvall", "bo.ek", "alva.lind")]
    with crowd(3) as start, simulator.faults.hold("lunch") as held:
        running = [start(partial(pupil.get, PATH)) for pupil in pupils]
        held.wait_for(1)
        held.release()
        assert [one.result(10).status_code for one in running] == [200] * 3
    assert simulator.requests.count("lunch") == 1


def test_each_request_is_counted(elsa: Caller, simulator: Simulator) -> None:
    counters.flush()
    before = read_totals()["totalLunchFetches"]
    for _ in range(2):
        elsa.get(PATH)
    counters.flush()
    assert read_totals()["totalLunchFetches"] == before + 2
