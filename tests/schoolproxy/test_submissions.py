"""`submission`: where an assignment stands, in the lists and in the assignment itself."""

from typing import Any

import pytest

from schoolproxy.services.submissions import submission_of
from tests.conftest import Caller
from tests.schoolproxy.routes import SUBJECT, WEEK_ASSIGNMENTS
from tests.schoolproxy.test_assignment import assignment_of
from upstream.simulator.server import Simulator


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("NO_STATUS", "not_required"),
        ("NOT_SUBMITTED", "open"),
        ("SUBMITTED", "submitted"),
        ("FINISHED", "submitted"),
        ("EXPIRED_SUBMITTED", "submitted"),
        ("LATE", "late"),
        ("EXPIRED_NOT_SUBMITTED", "missing"),
        ("RETURNED", "unknown"),
        ("late", "unknown"),
        ("", "unknown"),
        (3, "unknown"),
        (None, "unknown"),
        ({"submitted": True}, "unknown"),
    ],
)
def test_each_status_of_upstream_has_a_word(status: object, word: str) -> None:
    assert submission_of(status) == word


def read(caller: Caller, path: str) -> dict[str, Any]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_the_list_of_a_week_has_it(elsa: Caller, simulator: Simulator) -> None:
    rows = read(elsa, WEEK_ASSIGNMENTS.path)["data"]
    words = {row["submission"] for row in rows}
    assert words > {"not_required"}
    assert words <= {"not_required", "submitted", "late", "missing"}
    assert all(row["submission"] == submission_of(row["submissionStatus"]) for row in rows)


def test_a_room_has_it_in_its_table_and_in_its_short_rows(
    elsa: Caller, simulator: Simulator
) -> None:
    body = read(elsa, SUBJECT.of(simulator))
    table = {row["id"]: row for row in body["assignments"] if row["entityType"] == "ASSIGNMENT"}
    assert all(
        row["submission"] == submission_of(row["submissionStatus"]) for row in table.values()
    )
    short = [*body["overview"]["examinations"], *body["overview"]["submissions"]]
    assert {row["submission"] for row in short} > {"not_required"}
    assert all(row["submission"] == table[row["id"]]["submission"] for row in short)
    plannings = [row for row in body["assignments"] if row["entityType"] == "PLANNING"]
    assert plannings
    assert not any("submission" in row for row in plannings)


def test_without_its_table_the_short_rows_of_a_room_are_unknown(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("subjects.rows", "404")
    overview = read(elsa, SUBJECT.of(simulator))["overview"]
    assert {row["submission"] for row in overview["submissions"]} == {"unknown"}


def test_the_entities_of_all_rooms_do_not_say_it(elsa: Caller, simulator: Simulator) -> None:
    subjects = read(elsa, "/api/subjects")["subjects"]
    rows = [row for subject in subjects for row in subject["entities"]]
    words = {row["entityType"]: row.get("submission") for row in rows}
    assert words == {"ASSIGNMENT": "unknown", "PLANNING": None}


def test_an_assignment_has_it_and_a_planning_is_not_handed_in(
    elsa: Caller, simulator: Simulator
) -> None:
    for index, words in ((0, {"not_required"}), (1, {"submitted", "late", "missing"})):
        number = assignment_of(simulator, index).id
        assert read(elsa, f"/api/assignment/{number}")["assignment"]["submission"] in words
    simulator.state.settings.set("enums", "unknown")
    number = assignment_of(simulator, 2).id
    assert read(elsa, f"/api/assignment/{number}")["assignment"]["submission"] == "unknown"
    planning = read(elsa, "/api/assignment/412007?type=planning")
    assert planning["assignment"]["submission"] == "not_required"
