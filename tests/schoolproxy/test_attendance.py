"""GET /api/attendance: what the school has noted about the lessons of a week."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import orjson
import pytest
import time_machine

from schoolproxy.services.attendance import state_of
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, GUARDIAN, NAMES, starts_of
from tests.schoolproxy.routes import SCHEDULE
from upstream.simulator.lessons import lessons_of
from upstream.simulator.server import Simulator

PATH = "/api/attendance?week=11"
NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)


def attendance(caller: Caller, path: str = PATH) -> dict[str, Any]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def lessons_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [lesson for day in body["days"] for lesson in day["lessons"]]


def serve(simulator: Simulator, *lessons: Any) -> None:
    """Make these the lessons of every week."""
    body = orjson.dumps(lessons).decode()
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("lessons", "answer", body=body, headers=headers)


def lesson(said: Any = None, **fields: Any) -> dict[str, Any]:
    usual = {
        "eventId": 5,
        "name": "Ma",
        "startDate": "2026-03-10T08:20",
        "endDate": "2026-03-10T09:20",
        "status": 2,
    }
    return usual | {"studentLessonStatus": said} | fields


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (None, "none"),
        ({}, "none"),
        ({"status": None, "statusType": None, "absence": 0}, "none"),
        ({"status": 0, "statusType": 0}, "none"),
        ({"status": 0, "statusType": 3}, "none"),
        ({"status": 2, "statusType": 1}, "none"),
        ({"status": 2, "statusType": 3}, "excused"),
        ({"status": "4", "statusType": "4"}, "excused"),
        ({"status": 750, "statusType": 4}, "excused"),
        ({"status": 99, "statusType": 3}, "excused"),
        ({"status": 1, "statusType": 2, "absence": 10}, "absent"),
        ({"status": 1, "statusType": 2}, "unknown"),
        ({"status": 1}, "unknown"),
        ({"status": 2, "statusType": 2}, "absent"),
        ({"status": 2, "statusType": 0}, "absent"),
        ({"status": 3}, "absent"),
        ({"status": 4, "statusType": 9}, "absent"),
        ({"status": 750, "statusType": None}, "absent"),
        ({"status": 99, "statusType": 2}, "unknown"),
        ({"status": 5, "statusType": 0}, "unknown"),
        ({"status": None, "statusType": 2}, "unknown"),
        ({"status": True, "statusType": 2}, "unknown"),
        ({"status": -1, "statusType": 2}, "unknown"),
        ({"status": "absent"}, "unknown"),
        ("Frånvarande", "unknown"),
        ([], "unknown"),
        (0, "unknown"),
    ],
)
def test_a_state_is_what_upstream_says_and_never_a_guess(said: object, state: str) -> None:
    assert state_of(said) == state


def test_a_week_of_absence_has_each_lesson_once_by_day(simulator: Simulator, db: None) -> None:
    simulator.state.settings.set("attendance", "mixed")
    with time_machine.travel(NOW, tick=False):
        elsa = signed_in()
        body = attendance(elsa)
        person = simulator.state.person("bjorkdalen", "elsa.nordvall")
        raw = lessons_of(person, 11, simulator.state.clock.today())
    assert set(body) == {"success", "week", "year", "days", "summary"}
    assert (body["week"], body["year"]) == (11, 2026)
    assert [day["date"] for day in body["days"]] == [f"2026-03-{day:02}" for day in range(9, 14)]
    shown = lessons_in(body)
    expected = {(each["startDate"], each["name"].strip()) for each in raw if each["status"] != -1}
    assert {(each["start"], each["name"]) for each in shown} == expected
    assert len(shown) == len(expected)
    assert not {"Rast", "Lunch", "Promenad", "Lunchvakt"} & {each["name"] for each in shown}
    assert all(one["start"] <= other["start"] for one, other in pairwise(shown))
    assert {each["state"] for each in shown} == {"none", "absent", "excused", "unknown"}
    noted = [each for each in shown if each["state"] in ("absent", "excused")]
    assert body["summary"] == {
        "absent": sum(each["state"] == "absent" for each in shown),
        "excused": sum(each["state"] == "excused" for each in shown),
        "minutes": sum(each["minutes"] or 0 for each in noted),
    }
    assert {each["comment"] for each in noted} == {"Ring hem."}
    assert "Sjuk" in {each["reason"] for each in noted}


@pytest.mark.parametrize("query", ["", "&parallel=keep"])
def test_it_costs_no_call_beside_the_schedule(
    elsa: Caller, simulator: Simulator, query: str
) -> None:
    assert elsa.get("/api/features").status_code == 200  # kept for an hour
    assert elsa.get(SCHEDULE.path + query).status_code == 200
    simulator.requests.clear()
    attendance(elsa)
    assert len(simulator.requests) == 0


def test_parallel_lessons_that_the_schedule_leaves_out_count(
    elsa: Caller, simulator: Simulator
) -> None:
    absent = {"status": 2, "statusType": 2, "absence": 45}
    serve(simulator, lesson(None), lesson(absent, eventId=6, name="Ty"))
    assert len(elsa.get(SCHEDULE.path).json()["schedule"]) == 1
    body = attendance(elsa)
    assert [one["state"] for one in lessons_in(body)] == ["none", "absent"]
    assert body["summary"] == {"absent": 1, "excused": 0, "minutes": 45}


def test_a_lesson_that_comes_twice_counts_once(elsa: Caller, simulator: Simulator) -> None:
    absent = {"status": 2, "statusType": 2, "absence": 45}
    serve(simulator, lesson(absent), lesson(absent, eventColor="#fff"), lesson(absent, eventId=6))
    assert attendance(elsa)["summary"] == {"absent": 2, "excused": 0, "minutes": 90}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"absence": "40"}, {"minutes": 40}),
        ({"absence": -5}, {"minutes": None}),
        ({"absence": 2**62}, {"minutes": None}),
        ({"absence": 1.5}, {"minutes": None}),
        ({"comment": "  ", "reason": 7}, {"comment": None, "reason": None}),
        ({"comment": "<b>Ring</b><br>hem &amp; vila"}, {"comment": "Ring hem & vila"}),
        ({"reason": "Sjuk\u202e\n"}, {"reason": "Sjuk"}),
    ],
)
def test_odd_details_are_null(
    elsa: Caller, simulator: Simulator, said: dict[str, Any], shown: dict[str, Any]
) -> None:
    serve(simulator, lesson({"status": 2, "statusType": 2} | said))
    (one,) = lessons_in(attendance(elsa))
    assert shown.items() <= one.items()


def test_odd_lessons_do_no_harm(elsa: Caller, simulator: Simulator) -> None:
    serve(
        simulator,
        lesson(eventId=None, endDate=None, name=None),
        lesson(startDate="soon"),
        lesson(startDate=None),
        lesson(status=-1),
        lesson(status="-1"),
        lesson(status=[]),
    )
    shown = lessons_in(attendance(elsa))
    assert [(one["eventId"], one["name"], one["end"]) for one in shown] == [
        (None, "", None),
        ("5", "Ma", "2026-03-10T09:20"),
    ]


@pytest.mark.parametrize(
    ("moment", "query", "year"),
    [
        (NOW, "week=11", 2026),
        (NOW, "week=11&year=2026", 2026),
        (NOW, "week=50", 2025),  # nearer than the one of 2026
        (NOW, "week=30", 2026),  # no lessons, so they do not say it
        (NOW, "week=53", 2026),
        (datetime(2027, 1, 1, 12, tzinfo=UTC), "", 2026),
        (datetime(2026, 12, 31, 12, tzinfo=UTC), "week=1&year=2027", 2027),
        (datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "", 2026),  # the night of summer time
    ],
)
def test_the_year_is_of_the_week_that_upstream_means(
    simulator: Simulator, db: None, moment: datetime, query: str, year: int
) -> None:
    with time_machine.travel(moment, tick=False):
        body = attendance(signed_in(), f"/api/attendance?{query}")
        local = moment.astimezone().isocalendar()
        assert body["year"] == year
        if not query:
            assert body["week"] == local.week


@pytest.mark.parametrize(
    "query",
    ["week=11&year=2025", "week=11&year=2027", "week=30&year=2025", "week=53&year=2025",
     "week=11&year=1999", "week=11&year=x", "week=11&year=", "week=54", "week=x"],
)  # fmt: skip
def test_a_year_that_upstream_cannot_be_asked_for_is_400(
    simulator: Simulator, db: None, query: str
) -> None:
    with time_machine.travel(NOW, tick=False):
        answer = signed_in().get(f"/api/attendance?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
        assert set(answer.json()["fields"]) <= {"week", "year"}


def test_teachers_have_none(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    assert torbjorn.get(SCHEDULE.path).status_code == 200
    simulator.requests.clear()
    answer = torbjorn.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0
    assert torbjorn.get("/api/session").status_code == 200


def test_a_guardian_reads_one_child_at_a_time(simulator: Simulator, db: None) -> None:
    guardian = signed_in(GUARDIAN)
    for child in (BO, ALVA, BO):
        body = attendance(guardian, f"{PATH}&child={child}")
        assert body["child"] == {"id": child, "name": NAMES[child]}
        shown = {one["eventId"] for one in lessons_in(body)} - {None}
        assert shown
        assert shown <= {str(number) for number in starts_of(simulator, child)}
    assert guardian.get(PATH).json()["code"] == "child_required"
    assert guardian.get(f"{PATH}&child=730214").status_code == 404
