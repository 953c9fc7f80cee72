"""GET /api/plannings/week and /api/plannings/{id}: what is planned."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine

from schoolproxy.services.plannings import in_week, plannings_of
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, GUARDIAN, NAMES
from tests.schoolproxy.routes import PART, WEEK_PLANNINGS
from upstream.simulator.classes import class_of
from upstream.simulator.plannings import parts_of_week, planning_id
from upstream.simulator.server import Simulator

WEEK = WEEK_PLANNINGS.path
ONE = "/api/plannings/4120071"
NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)
ROW: dict[str, Any] = {
    "planningPartId": 4120071,
    "planningId": 412007,
    "planningTitle": "",
    "planningPartTitle": "Geometri",
    "subjects": [{"name": "Matematik"}],
    "teacher": "Åsa Lindroos",
    "startDate": "2026-03-09",
    "endDate": "2026-04-02",
    "read": False,
}


def simulated(simulator: Simulator, username: str) -> set[str]:
    person = simulator.state.person("bjorkdalen", username)
    own = class_of(person, simulator.state)
    return {str(part.id) for part in parts_of_week(own, date(2026, 3, 9))}


def test_a_week_has_what_overlaps_it_from_one_call(simulator: Simulator, db: None) -> None:
    with time_machine.travel(NOW, tick=False):
        elsa = signed_in()
        assert elsa.get("/api/features").status_code == 200
        simulator.requests.clear()
        body = elsa.get(WEEK).json()
        assert elsa.get("/api/plannings/week?week=12&year=2026").status_code == 200
        assert len(simulator.requests) == 1
        assert (body["week"], body["year"]) == (11, 2026)
        shown = [row["id"] for row in body["plannings"]]
        assert set(shown) == simulated(simulator, "elsa.nordvall")
        assert len(shown) == len(set(shown)) == 10
        assert {row["unread"] for row in body["plannings"]} == {True, False}
        assert elsa.get(f"/api/plannings/{shown[0]}").status_code == 200


@pytest.mark.parametrize(
    ("start", "end", "week", "year", "shown"),
    [
        ("2026-03-15", "2026-03-15", 11, 2026, True),  # the Sunday
        ("2026-03-16", "2026-03-20", 11, 2026, False),
        ("2026-01-12", "2026-06-05", 11, 2026, True),
        ("2026-01-12", "", 26, 2026, True),  # until the end of the half-year
        ("2026-01-12", "", 27, 2026, False),
        ("2026-01-12", "snart", 11, 2027, False),
        ("2026-09-07", None, 53, 2026, True),
        ("2026-09-07", None, 1, 2027, False),
        ("2026-12-28", "2027-01-08", 53, 2026, True),
        ("2026-12-28", "2027-01-08", 1, 2027, True),
        ("2026-03-29 02:30", "2026-03-29 03:30", 13, 2026, True),  # the night of summer time
        ("2026-03-10", "2020-01-01", 11, 2026, True),
        ("2026-03-10", "9999-12-31", 26, 2026, True),  # no end
        ("2026-03-10", "9999-12-31", 27, 2026, False),
    ],
)
def test_what_overlaps_a_week(start: str, end: object, week: int, year: int, shown: bool) -> None:
    rows = plannings_of([ROW | {"startDate": start, "endDate": end}])
    assert bool(in_week({"plannings": rows}, week=week, year=year)["plannings"]) is shown


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"read": None}, {"unread": None}),
        ({"read": "false"}, {"unread": None}),
        ({"planningId": -1, "teacher": " "}, {"planningId": None, "teacher": None}),
        ({"subjects": None, "planningPartTitle": None}, {"subjects": [], "partTitle": ""}),
        ({"planningPartId": "4120071"}, {"id": "4120071"}),
    ],
)
def test_odd_values_are_null(change: dict[str, Any], shown: dict[str, Any]) -> None:
    (row,) = plannings_of([ROW | change])
    assert shown.items() <= row.items()


def test_what_nobody_could_open_is_left_out_and_the_same_part_is_there_once() -> None:
    days = ("", None, "9999-12-31", "0001-01-01")
    odd = [ROW | {"planningPartId": -1}, *(ROW | {"startDate": day} for day in days)]
    assert plannings_of(odd) == []
    assert len(plannings_of([ROW, dict(ROW)])) == 1


def test_one_part_has_all_that_belongs_to_it(elsa: Caller) -> None:
    body = elsa.get(ONE).json()
    planning = body["planning"]
    assert body["incomplete"] == []
    assert (planning["id"], planning["planningId"]) == ("4120071", "412007")
    assert "<table>" in planning["html"]
    assert not {"<script", "<img", "onerror", "javascript:"} & set(planning["html"].split())
    assert "<img" not in planning["html"]
    assert "elsewhere.example/?" not in planning["html"]
    assert [one["type"] for one in planning["sections"]] == ["GRADECRITERIA", "CENTRALCONTENT"]
    assert planning["links"] == [{"title": "Film om bråk", "url": "https://larande.example/"}]
    assert [file["name"] for file in planning["files"]] == ["Planering åk 8.pdf", "Karta <ny>.docx"]
    assert [file["type"] for file in planning["files"]] == ["pdf", "document"]
    assert planning["assignments"]
    number = planning["assignments"][0]["id"]
    assert elsa.put(f"/api/assignments/{number}/done", {"done": True}).status_code == 200
    assert elsa.get(ONE).json()["planning"]["assignments"][0]["done"] is True


def test_its_files_are_passed_on(elsa: Caller, simulator: Simulator) -> None:
    for file in elsa.get(ONE).json()["planning"]["files"]:
        answer = elsa.get(file["url"].removeprefix("http://testserver"))
        assert answer.status_code == 200
        assert b"".join(answer.streaming_content).startswith((b"%PDF", b"PK"))
        assert "nosniff" in answer.headers["X-Content-Type-Options"]
    simulator.requests.clear()
    assert elsa.get(f"{ONE}/attachments/5").status_code == 404
    assert len(simulator.requests) == 0
    simulator.faults.set("file", "403")
    assert elsa.get(f"{ONE}/attachments/41200711").status_code == 404
    assert elsa.get("/api/session").status_code == 200


@pytest.mark.parametrize(
    ("operation", "fault", "missing"),
    [
        ("planning.sections", "500", ["sections"]),
        ("planning.assignments", "not-json", ["assignments"]),
        ("assignment.material", "500", ["files", "links"]),
        ("subjects.plannings", "500", ["planningId"]),
        ("planning.sections", "404", []),
        ("assignment.material", "403", []),
        ("planning.assignments", "empty", []),
    ],
)
def test_what_fails_is_named_and_the_rest_is_shown(
    elsa: Caller, simulator: Simulator, operation: str, fault: str, missing: list[str]
) -> None:
    simulator.faults.set(operation, fault)
    body = elsa.get(ONE).json()
    assert body["incomplete"] == missing
    assert body["planning"]["title"]


@pytest.mark.parametrize(
    ("fault", "outcome"), [("500", 503), ("not-json", 502), ("404", 404), ("403", 404)]
)
def test_without_its_view_there_is_no_part(
    elsa: Caller, simulator: Simulator, fault: str, outcome: int
) -> None:
    simulator.faults.set(PART.operation, fault)
    assert elsa.get(ONE).status_code == outcome


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("500", 503), ("not-json", 502), ("empty-list", 200), ("404", 404), ("403", 403)],
)
def test_a_week_that_upstream_fails_to_give_is_never_empty(
    elsa: Caller, simulator: Simulator, fault: str, outcome: int
) -> None:
    simulator.faults.set(WEEK_PLANNINGS.operation, fault)
    assert elsa.get(WEEK).status_code == outcome


def test_a_school_without_plannings_says_so(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.switched_off.add("LESSON")
    for path in (WEEK, ONE, f"{ONE}/attachments/41200711"):
        answer = elsa.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "switched_off")


def test_teachers_have_none(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    assert torbjorn.get("/api/session").status_code == 200
    simulator.requests.clear()
    for path in (WEEK, ONE, f"{ONE}/attachments/41200711"):
        answer = torbjorn.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


def test_a_guardian_reads_one_child_at_a_time(simulator: Simulator, db: None) -> None:
    with time_machine.travel(NOW, tick=False):
        eva = signed_in(GUARDIAN)
        for child, name in ((BO, "bo.ek"), (ALVA, "alva.lind"), (BO, "bo.ek")):
            body = eva.get(f"{WEEK}&child={child}").json()
            assert body["child"] == {"id": child, "name": NAMES[child]}
            assert {row["id"] for row in body["plannings"]} == simulated(simulator, name)
            person = simulator.state.person("bjorkdalen", name)
            own = planning_id(class_of(person, simulator.state), 0) * 10 + 1
            path = f"/api/plannings/{own}?child={child}"
            file = eva.get(path).json()["planning"]["files"][0]
            assert eva.get(file["url"].removeprefix("http://testserver")).status_code == 200
            other = ALVA if child == BO else BO
            assert eva.get(f"/api/plannings/{own}?child={other}").status_code == 404
        assert eva.get(WEEK).json()["code"] == "child_required"


@pytest.mark.parametrize("query", ["week=54", "week=x", "year=1999", "week=11&year="])
def test_another_week_is_400(elsa: Caller, query: str) -> None:
    assert elsa.get(f"/api/plannings/week?{query}").status_code == 400
