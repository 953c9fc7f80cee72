"""Assignments and plannings: the list of a week, and one with all its parts."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

PS = "/rest-api/student/ps"
PARTS = [
    "assignments/{}/sections",
    "assignments/{}/connected_plannings",
    "assignment/{}/assessment",
    "assignment/{}/assessment/grid/available-columns",
]
OF_SECTIONS = {
    "SUBMISSION": ["submission/{}?groupwork_id=0"],
    "MATERIAL": ["material/{}/file", "material/{}/link"],
    "GRADECRITERIA": [
        "grade_subject/77/grade_criteria/{}/selected",
        "grade_subject/grade_criteria/{}/selected",
    ],
    "CENTRALCONTENT": ["grade_subject/{}/central_content"],
    "SUBJECTDESCRIPTION": ["grade_subject/{}/subject_description"],
}


class Student:
    """A signed-in student who reads paths below `ps`."""

    def __init__(self, client: PlainClient) -> None:
        self.client = client
        self.cookies = client.sign_in()

    def status(self, path: str) -> int:
        return self.client.open(self.cookies, f"{PS}/{path}").status_code

    def read(self, path: str) -> Any:
        return self.client.open(self.cookies, f"{PS}/{path}").json()

    def week(self, number: int = 11, year: int = 2026) -> list[Any]:
        rows: list[Any] = self.read(f"assignments/start-page?week={number}&year={year}")
        return rows

    def begun(self) -> list[int]:
        """The ids of a test, a submission and homework that begin in week 11."""
        return [row["id"] for row in self.week()[-3:]]


@pytest.fixture
def student(simulator: Simulator, client: PlainClient) -> Student:
    simulator.state.clock.set(datetime(2026, 3, 10, 12, tzinfo=UTC))
    return Student(client)


def test_a_week_lists_what_overlaps_it(student: Student) -> None:
    rows = student.week()
    assert rows[0]["sortDate"] < "2026-03-20"
    grids = [
        row
        for room in {row["activityId"] for row in rows}
        for row in student.read(f"subjectroom/{room}/assignments/grid/rows")
    ]
    days = {row["assignmentId"]: (row["startDate"], row["endDate"]) for row in grids}
    overlapping = {
        number
        for number, (start, end) in days.items()
        if start < "2026-03-16" and end >= "2026-03-09"
    }
    assert {row["id"] for row in rows} == overlapping
    assert any(days[row["id"]][0] < "2026-03-09" for row in rows), "none began before the week"


def test_rows_have_subtitles_like_the_real_ones(student: Student) -> None:
    row = student.week()[-3]
    assert row["subTitle"].startswith("mån 09 mars 00:00 - ")
    assert row["subTitle"].split(", ")[1] == "Prov"
    assert student.week()[-3:] == student.week()[-3:]
    teasers = [row["subTitle"] for week in range(2, 12) for row in student.week(week)]
    assert "" in teasers
    assert any(teaser.startswith("Hand-in due") for teaser in teasers)


def test_week_and_year_are_optional_and_checked(simulator: Simulator, student: Student) -> None:
    assert student.read("assignments/start-page") == student.week()
    assert student.status("assignments/start-page?week=54&year=2026") == 400
    assert student.status("assignments/start-page?week=x") == 400
    assert student.week(53, 2025) == []
    assert student.week(30) == []
    simulator.state.settings.bad_week = "empty"
    assert student.week(54) == []


def test_a_week_can_be_empty_or_odd(simulator: Simulator, student: Student) -> None:
    simulator.state.settings.week_assignments = "none"
    assert student.week() == []
    simulator.state.settings.week_assignments = "odd"
    rows = student.week()
    assert None in rows
    objects = [row for row in rows if row is not None]
    assert {type(row.get("id")) for row in objects} == {int, str, type(None)}
    assert {"", None, "2026-03-17", "2026-03-17T08:20:00", 1_773_732_000_000} < {
        row["sortDate"] for row in objects
    }
    assert 3 in [row["submissionStatus"] for row in objects]
    assert None in [row["title"] for row in objects]


def test_a_view_has_all_details_of_a_test(student: Student) -> None:
    test, handed_in, homework = student.begun()
    view = student.read(f"assignments/{test}/view")
    assert view["id"] == test
    assert view["subTitle"].startswith("måndag 09 mars 2026 00:00 - ")
    assert (view["publishDate"], view["endTime"]) == ("8 mars 14:05", "08:20")
    assert "<script>" in view["description"]
    assert "onerror=" in view["description"]
    assert "right_student_planning.jsp?requestid=7&type=1" in view["description"]
    assert student.read(f"assignments/{handed_in}/view")["description"].startswith("L&auml;s")
    short = student.read(f"assignments/{homework}/view")
    assert short["description"] is None
    assert "status" not in short


def test_descriptions_and_enum_values_can_be_set(simulator: Simulator, student: Student) -> None:
    homework = student.begun()[2]
    simulator.state.settings.descriptions = "script"
    simulator.state.settings.enums = "unknown"
    view = student.read(f"assignments/{homework}/view")
    assert "JaVa&#9;ScRiPt:" in view["description"]
    assert (view["submissionStatus"], view["resultReportStatus"]) == (3, "ARCHIVED")
    assert {row["submissionStatus"] for row in student.week()} == {3}


def test_every_section_answers_only_the_paths_of_its_type(student: Student) -> None:
    test, handed_in, homework = student.begun()
    sections = student.read(f"assignments/{test}/sections")
    sections += student.read(f"assignments/{handed_in}/sections")
    assert {section["type"] for section in sections} == {*OF_SECTIONS, "RESULTREPORT", "PODCAST"}
    assert [s.get("typeId") for s in sections if s["type"] == "GRADECRITERIA"] == [77, None]
    for section in sections:
        for kind, paths in OF_SECTIONS.items():
            expected = 200 if section["type"] == kind else 404
            for path in paths:
                assert student.status(path.format(section["id"])) == expected, path
    assert student.read(f"assignments/{homework}/sections") == []


def test_parts_have_the_documented_fields(student: Student) -> None:
    _, handed_in, homework = student.begun()
    sections = student.read(f"assignments/{handed_in}/sections")
    ids = {section["type"]: section["id"] for section in sections}
    submission = student.read(f"submission/{ids['SUBMISSION']}?groupwork_id=0")
    assert (submission["closeDate"], submission["groupHandIn"]) == ("", False)
    assert "T08:20" in submission["expireDate"]
    assert student.read(f"material/{ids['MATERIAL']}/file")[0]["fileName"].endswith(".pdf")
    criteria = student.read(f"grade_subject/77/grade_criteria/{ids['GRADECRITERIA']}/selected")
    assert [] in criteria
    plannings = student.read(f"assignments/{handed_in}/connected_plannings")
    assert [planning["planningId"] is None for planning in plannings] == [False, True]
    empty = student.client.open(student.cookies, f"{PS}/assignments/{homework}/connected_plannings")
    assert (empty.status_code, empty.content) == (200, b"")


def test_an_assessment_is_filled_in_when_the_assignment_is_over(
    simulator: Simulator, student: Student
) -> None:
    test, _, homework = student.begun()
    assert student.read(f"assignment/{test}/assessment")["assessedCriteriaTabs"] == []
    simulator.state.clock.advance(20 * 86_400)
    student.cookies = student.client.sign_in()
    full = student.read(f"assignment/{test}/assessment")
    assert full["studentComment"] is None
    assert (
        full["assessedCriteriaTabs"][0]["assessedCriteria"][0]["level"]["levelEnum"]
        == "MEET_C_LEVEL"
    )
    assert [moment.get("id") for moment in full["assessmentPartialMoments"]] == [31, None]
    assert student.status(f"assignment/{homework}/assessment") == 404
    assert len(student.read(f"assignment/{test}/assessment/grid/available-columns")) == 3


@pytest.mark.parametrize("value", ["404", "403", "empty"])
def test_parts_can_be_missing_when_the_view_is_there(
    simulator: Simulator, student: Student, value: str
) -> None:
    test = student.begun()[0]
    simulator.state.settings.set("missing_parts", value)
    answers = {student.status(path.format(test)) for path in PARTS}
    answers |= {student.status(f"material/{test}2/file")}
    assert answers == {200 if value == "empty" else int(value)}
    assert student.status(f"assignments/{test}/view") == 200


@pytest.mark.parametrize("path", ["assignments/{}/view", *PARTS, "material/{}2/file"])
def test_an_assignment_of_another_class_is_forbidden_and_an_unknown_one_not_found(
    student: Student, path: str
) -> None:
    own = student.begun()[0]
    other = own - 100_000
    assert student.status(path.format(own)) == 200
    assert student.status(path.format(other)) == 403
    for unknown in (own + 3, own + 5_000_000, 88121, "x"):
        assert student.status(path.format(unknown)) == 404


def test_subtitles_of_plannings_have_a_blank_before_the_kind(student: Student) -> None:
    rows = student.read("planning_parts/start-page?week=11&year=2026")
    assert len(rows) == 10
    assert " Planering, Matematik" in rows[0]["subTitle"]
    assert ", Planering" not in rows[0]["subTitle"]


def test_a_planning_has_tabs_and_parts(student: Student) -> None:
    planning = student.read("planning_parts/start-page?week=11&year=2026")[0]["planningId"]
    view = student.read(f"plannings/{planning}/view")
    assert view["subjectNames"] == "Matematik"
    tabs = student.read(f"plannings/{planning}/planning_parts/tabs")
    assert [tab["order"] for tab in tabs] == [3, 2, 1], "tabs come in order"
    part = tabs[-1]["id"]
    document = student.read(f"planning_parts/{part}/view")
    assert document["subtitle"]
    assert "subTitle" not in document
    assert "<script>" in document["description"]
    assert len(student.read(f"planning_parts/{part}/sections")) == 2
    assert student.read(f"planning_parts/{part}/connected_assignments")
    for path in ("plannings/{}/view", "plannings/{}/planning_parts/tabs"):
        assert student.status(path.format(planning - 1000)) == 403
        assert student.status(path.format(planning + 1)) == 404
    assert student.status(f"planning_parts/{part + 6}/view") == 404
    assert student.status(f"planning_parts/{part - 10_000}/view") == 403
