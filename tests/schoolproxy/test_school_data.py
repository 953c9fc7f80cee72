"""What all routes of school data share: access, errors, ETags, the cache, outages."""

import pytest
from pytest_django.fixtures import Settings

from tests.conftest import Caller, signed_in
from tests.schoolproxy.conftest import Clock
from tests.schoolproxy.routes import (
    ASSIGNMENT,
    LUNCH,
    NEWS,
    PLANNING,
    ROUTES,
    SCHEDULE,
    SUBJECT,
    SUBJECTS,
    WEEK_ASSIGNMENTS,
    Route,
    each_personal_route,
    each_route,
    queries_of,
)
from upstream import shared_client
from upstream.simulator.server import Simulator


@each_route
def test_it_answers_with_the_fields_of_the_contract(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    answer = elsa.get(route.of(simulator))
    assert answer.status_code == 200, answer.content
    assert answer.json().keys() == route.fields
    assert answer.json()["success"] is True
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "Authorization"} <= set(answer.headers["Vary"].split(", "))


@each_route
def test_without_a_session_it_is_401(route: Route, caller: Caller, simulator: Simulator) -> None:
    answer = caller.get(route.of(simulator))
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert not simulator.requests.count(route.operation)


@each_route
def test_native_apps_get_the_same_answer(route: Route, elsa: Caller, simulator: Simulator) -> None:
    token = Caller().sign_in().json()["token"]
    answer = Caller().get(route.of(simulator), Authorization=f"Bearer {token}")
    assert answer.status_code == 200
    assert answer.json() == elsa.get(route.of(simulator)).json()


@each_route
def test_a_cached_answer_takes_no_call_and_at_most_the_query_for_ticks(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    path = route.of(simulator)
    first = elsa.get(path)
    simulator.requests.clear()
    assert queries_of(elsa, path) == route.queries
    assert elsa.get(path).content == first.content
    assert len(simulator.requests) == 0


@each_route
def test_an_unchanged_answer_is_304(route: Route, elsa: Caller, simulator: Simulator) -> None:
    path = route.of(simulator)
    first = elsa.get(path)
    tag = first.headers["ETag"]
    assert tag.startswith('"')
    assert elsa.get(path).headers["ETag"] == tag
    for given in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = elsa.get(path, **{"If-None-Match": given})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["ETag"] == tag
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Cookie" in answer.headers["Vary"]
        assert "Content-Length" not in answer.headers
        assert "Content-Type" not in answer.headers
    for given in ('"other"', tag.strip('"'), ""):
        answer = elsa.get(path, **{"If-None-Match": given})
        assert (answer.status_code, answer.content) == (200, first.content)


@each_personal_route
def test_in_an_outage_the_stale_answer_is_served_with_its_own_etag(
    route: Route, clock: Clock, elsa: Caller, simulator: Simulator
) -> None:
    path = route.of(simulator)
    good = elsa.get(path)
    simulator.faults.set("traffic", "500")
    clock(61)
    stale = elsa.get(path, **{"If-None-Match": good.headers["ETag"]})
    assert stale.status_code == 200
    body = stale.json()
    assert body.pop("stale") is True
    assert isinstance(body.pop("staleSince"), int)
    assert body == good.json()
    assert elsa.get(path, **{"If-None-Match": stale.headers["ETag"]}).status_code == 304


@each_route
def test_without_a_cached_answer_an_upstream_failure_is_5xx(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    faults = {"500": 503, "429": 503, "reset": 503, "400": 502, "redirect-elsewhere": 502}
    for fault, status in faults.items():
        simulator.faults.set(route.operation, fault)
        answer = elsa.get(route.of(simulator))
        assert answer.status_code == status, (fault, answer.content)
        assert answer.json()["success"] is False
        assert ("Retry-After" in answer.headers) is (status == 503)
        shared_client.reset()  # or the circuit opens


@pytest.mark.parametrize(
    ("route", "part"),
    [
        (SUBJECT, "subjects.examinations"),
        (SUBJECT, "subjects.submissions"),
        (SUBJECT, "subjects.rows"),
        (ASSIGNMENT, "assignment.sections"),
        (ASSIGNMENT, "assignment.plannings"),
        (ASSIGNMENT, "assignment.assessment"),
        (ASSIGNMENT, "assignment.columns"),
        (ASSIGNMENT, "assignment.criteria"),
        (PLANNING, "planning.tabs"),
        (PLANNING, "planning.part"),
        (PLANNING, "planning.sections"),
    ],
)
def test_a_failing_part_is_an_error_not_an_empty_part(
    route: Route, part: str, elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set(part, "500")
    assert elsa.get(route.of(simulator)).status_code == 503


@pytest.mark.parametrize("route", [SCHEDULE, LUNCH, SUBJECTS, WEEK_ASSIGNMENTS])
def test_null_where_a_list_belongs_is_502_and_not_cached(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    headers = {"Content-Type": "application/json"}
    simulator.faults.set(route.operation, "answer", body=b"null", headers=headers)
    answer = elsa.get(route.of(simulator))
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_changed")
    simulator.faults.clear()
    body = elsa.get(route.of(simulator)).json()
    assert "stale" not in body
    assert all(body[name] for name in route.fields)


@each_route
@pytest.mark.parametrize("fault", ["401", "302-login", "302-login-relative", "200-html"])
def test_an_ended_session_is_401_and_never_an_empty_list(
    route: Route, fault: str, elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set(route.operation, fault)
    answer = elsa.get(route.of(simulator))
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


@each_personal_route
def test_nobody_gets_the_cached_answer_of_another(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    path = route.of(simulator)
    assert elsa.get(path).status_code == 200
    simulator.faults.set(route.operation, "500")
    for username in ("alva.lind", "gun.nordvall"):
        other = signed_in(username)
        assert other.get(path).status_code in (503, 404)


@each_personal_route
def test_logout_deletes_cached_answers(route: Route, elsa: Caller, simulator: Simulator) -> None:
    path = route.of(simulator)
    assert elsa.get(path).status_code == 200
    elsa.post("/api/logout")
    assert elsa.get(path).status_code == 401
    elsa.sign_in()
    simulator.faults.set(route.operation, "500")
    assert elsa.get(path).status_code == 503


@each_personal_route
def test_the_operator_can_turn_the_personal_cache_off(
    route: Route, elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    path = route.of(simulator)
    for calls in (1, 2):
        answer = elsa.get(path)
        assert answer.status_code == 200
        assert simulator.requests.count(route.operation) >= calls
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert elsa.get(path, **tag).status_code == 304
    simulator.faults.set(route.operation, "500")
    assert elsa.get(path).status_code == 503


@each_route
def test_bypassing_the_cache_is_limited(
    route: Route, elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.LIMITS = {"fresh_reads": "2/86400"}
    path = route.of(simulator)
    assert elsa.get(path).status_code == 200
    simulator.requests.clear()
    answers = [elsa.get(path, **{"Cache-Control": "no-cache"}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert len(simulator.requests) > 0
    assert elsa.get(path).status_code == 200


@pytest.mark.parametrize("route", [SCHEDULE, LUNCH, SUBJECTS, WEEK_ASSIGNMENTS])
@pytest.mark.parametrize("fault", ["empty-list", "empty", "204"])
def test_nothing_is_an_empty_list(
    route: Route, fault: str, elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set(route.operation, fault)
    answer = elsa.get(route.of(simulator))
    assert answer.status_code == 200
    lists = [value for value in answer.json().values() if isinstance(value, list)]
    assert lists
    assert not any(lists)


@pytest.mark.parametrize("route", [SCHEDULE, WEEK_ASSIGNMENTS], ids=lambda route: route.path)
def test_a_document_that_is_nested_too_deeply_is_502(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    body = '[{"startDate": "2026-03-09T08:20", "a": ' + "[" * 600 + "]" * 600 + "}]"
    headers = {"Content-Type": "application/json"}
    simulator.faults.set(route.operation, "answer", body=body, headers=headers)
    answer = elsa.get(route.path)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_invalid")


def test_an_invalid_query_is_400(elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/session")
    calls = len(simulator.requests)
    for path in (
        "/api/schedule?week=nonsense",
        "/api/schedule.ics?week=0",
        "/api/lunch?week=54",
        "/api/assignments/week?week=x",
        "/api/assignments/week?year=1999",
        "/api/assignments/week?year=26",
        "/api/assignments/week?year=2100",
        "/api/assignments/week?year=%D9%A2%D9%A0%D9%A2%D9%A6",
        "/api/assignment/1?type=test",
        "/api/assignment/1?type=",
        "/api/assignment/1?type=Planning",
    ):
        answer = elsa.get(path)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), path
        (name,) = answer.json()["fields"]
        assert name in path
        assert Caller().get(path).status_code == 401
    assert len(simulator.requests) == calls


def test_the_request_limit_comes_before_an_invalid_query(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"reads": "2/86400"}
    statuses = [elsa.get("/api/lunch?week=0").status_code for _ in range(3)]
    assert statuses == [400, 400, 429]


@pytest.mark.parametrize("path", ["/api/subjects/{}", "/api/assignment/{}"])
def test_an_invalid_upstream_id_in_the_path_is_404(
    path: str, elsa: Caller, simulator: Simulator
) -> None:
    calls = len(simulator.requests)
    for number in ("x", "-1", "1.0", "%31%20", "0", "01", str(2**63), "9" * 20, "9" * 5000):
        answer = elsa.get(path.format(number))
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), number
    assert len(simulator.requests) == calls


def test_a_role_that_upstream_refuses_keeps_its_session(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    for route in ROUTES:
        simulator.faults.set(route.operation, "403")
    for route in (NEWS, SUBJECTS):
        answer = torbjorn.get(route.path)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_for_this_role")
    assert torbjorn.get("/api/session").status_code == 200


def test_too_many_parameters_are_401_without_a_session_and_then_400(elsa: Caller) -> None:
    path = "/api/lunch?" + "&".join(["a=1"] * 1_001)
    assert Caller().get(path).status_code == 401
    assert elsa.get(path).status_code == 400
