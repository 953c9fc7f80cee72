"""GET /api/assignment/{id}: one assignment with all of its parts."""

from datetime import date
from typing import Any

import pytest

from schoolproxy.services.assignments import assessment_of
from tests.conftest import Caller
from tests.schoolproxy.routes import ASSIGNMENT
from upstream.simulator.assignments.data import Assignment, beginning_in, week_number
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator

FIELDS = {
    "id",
    "title",
    "subTitle",
    "description",
    "status",
    "endDate",
    "endTime",
    "publishDate",
    "subjectNames",
    "subjectRoomId",
    "submissionStatus",
    "submission",
    "done",
    "resultReportStatus",
}
ASSESSMENT = {"review", "teacherComment", "studentComment", "partialMoments",
              "assessedCriteriaTabs"}  # fmt: skip


def assignment_of(simulator: Simulator, index: int, username: str = "elsa.nordvall") -> Assignment:
    """A past test (0), submission (1) or homework (2) of a person's class."""
    person = simulator.state.person("bjorkdalen", username)
    week = week_number(date.fromisocalendar(2026, 11, 1))
    return beginning_in(class_of(person, simulator.state), week)[index]


def read(caller: Caller, number: int) -> dict[str, Any]:
    answer = caller.get(f"/api/assignment/{number}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_it_has_the_fields_of_the_contract(elsa: Caller, simulator: Simulator) -> None:
    one = assignment_of(simulator, 0)
    body = read(elsa, one.id)
    assert body["type"] == "assignment"
    assert body["assignment"].keys() == FIELDS
    assert body["assignment"]["id"] == one.id
    assert body["assignment"]["title"] == one.title
    assert body["assignment"]["endTime"] == "08:20"
    assert body["assessment"].keys() == ASSESSMENT
    assert body["grading"].keys() == {"availableColumns", "selectedCriteria"}
    assert {section["type"] for section in body["sections"]} >= {"GRADECRITERIA"}
    assert len(body["connectedPlannings"]) == 2


def test_its_assessment_and_grading_are_there(elsa: Caller, simulator: Simulator) -> None:
    body = read(elsa, assignment_of(simulator, 0).id)
    assert body["assessment"]["review"] == "<p>Bra jobbat&nbsp;– fortsätt så!</p>"
    assert body["assessment"]["teacherComment"].startswith("Se över enheterna.")
    assert body["assessment"]["studentComment"] == ""
    assert body["assessment"]["partialMoments"][0]["points"] == 11
    assert body["assessment"]["assessedCriteriaTabs"]
    assert [column["name"] for column in body["grading"]["availableColumns"]]
    assert body["grading"]["selectedCriteria"]
    assert all(isinstance(row, dict) for row in body["grading"]["selectedCriteria"])


def test_fields_that_upstream_leaves_out_have_a_default(elsa: Caller, simulator: Simulator) -> None:
    body = read(elsa, assignment_of(simulator, 2).id)
    assert body["assignment"].keys() == FIELDS
    assert body["assignment"]["status"] == ""
    assert body["assignment"]["endDate"] is None
    assert body["assignment"]["subjectRoomId"] is None
    assert body["connectedPlannings"] == []
    assert body["assessment"] == {
        "review": "",
        "teacherComment": "",
        "studentComment": "",
        "partialMoments": [],
        "assessedCriteriaTabs": [],
    }


@pytest.mark.parametrize("odd", [None, 7, True, ["<b>x</b>"], {"text": "<b>x</b>"}])
def test_a_comment_that_is_not_text_becomes_empty(odd: object) -> None:
    names = ("review", "teacherComment", "studentComment")
    read = assessment_of(dict.fromkeys(names, odd))
    assert [read[name] for name in names] == ["", "", ""]


def test_its_html_is_sanitised_and_its_links_are_absolute(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.state.settings.set("descriptions", "script")
    text = read(elsa, assignment_of(simulator, 0).id)["assignment"]["description"]
    base = f"{simulator.url}/bjorkdalen/"
    assert "<li>Ta med linjal</li>" in text
    assert f'href="{base}right_student_planning.jsp?requestid=7&amp;type=1"' in text
    assert (
        f'<a href="{base}files/film.mp4" target="_blank" rel="noopener noreferrer">film.mp4' in text
    )
    assert '<a href="https://film.example/embed/4"' in text
    assert '<th colspan="2">' in text
    assert '<ol start="3">' in text
    assert f'src="{base}showFileImage.jsp?fileid=7741&amp;type=2"' in text
    assert f'href="{simulator.url}/bjorkdalen/jsp/student/right_student_library.jsp"' in text
    lowered = text.lower()
    for trace in ("script", "onerror", "onclick", "style=", "iframe", "svg", "data:", "http-equiv"):
        assert trace not in lowered, trace


@pytest.mark.parametrize("form", ["plain", "null"])
def test_a_description_may_be_plain_or_missing(
    elsa: Caller, simulator: Simulator, form: str
) -> None:
    simulator.state.settings.set("descriptions", form)
    text = read(elsa, assignment_of(simulator, 0).id)["assignment"]["description"]
    assert text == (None if form == "null" else "Läs kapitel 4.<br>Svara på frågorna.")


@pytest.mark.parametrize("answer", ["404", "403", "empty"])
def test_parts_that_upstream_does_not_have_are_empty(
    elsa: Caller, simulator: Simulator, answer: str
) -> None:
    simulator.state.settings.set("missing_parts", answer)
    body = read(elsa, assignment_of(simulator, 0).id)
    assert body["assignment"]["title"]
    assert (body["sections"], body["connectedPlannings"]) == ([], [])
    assert body["assessment"]["partialMoments"] == []
    assert body["grading"] == {"availableColumns": [], "selectedCriteria": []}


def test_one_that_is_missing_forbidden_or_empty_is_404(elsa: Caller, simulator: Simulator) -> None:
    nothing = elsa.get("/api/assignment/1")
    assert (nothing.status_code, nothing.json()["code"]) == (404, "not_found")
    foreign = assignment_of(simulator, 0, "alva.lind").id
    assert elsa.get(f"/api/assignment/{foreign}").content == nothing.content
    for fault in ("403", "empty", "204"):
        simulator.faults.set("assignment", fault)
        answer = elsa.get(ASSIGNMENT.of(simulator))
        assert (answer.status_code, answer.content) == (404, nothing.content)
    assert elsa.get("/api/session").status_code == 200


def test_it_takes_two_round_trips(elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    read(elsa, assignment_of(simulator, 0).id)
    assert simulator.requests.count("assignment.criteria") >= 1
    assert len(simulator.requests) == 5 + simulator.requests.count("assignment.criteria")


def test_unknown_status_words_are_passed_on(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("enums", "unknown")
    assignment = read(elsa, assignment_of(simulator, 0).id)["assignment"]
    assert (assignment["status"], assignment["submissionStatus"]) == ("POSTPONED", 3)
