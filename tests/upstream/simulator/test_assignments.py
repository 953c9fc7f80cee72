"""Assignments and plannings: of a week, and one with all its parts."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.upstream.simulator.visitor import Visitor
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


class Desk:
    """What somebody who has signed in finds below `ps`."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.cookies = visitor.sign_in()

    def status(self, path: str) -> int:
        return self.visitor.open(self.cookies, f"{PS}/{path}").status_code

    def read(self, path: str) -> Any:
        return self.visitor.open(self.cookies, f"{PS}/{path}").json()

    def week(self, number: int = 11, year: int = 2026) -> list[Any]:
        rows: list[Any] = self.read(f"assignments/start-page?week={number}&year={year}")
        return rows

    def begun(self) -> list[int]:
        """The ids of a test, something to hand in, and homework, that begin in week 11."""
        return [row["id"] for row in self.week()[-3:]]


@pytest.fixture
def desk(simulator: Simulator, visitor: Visitor) -> Desk:
    simulator.state.clock.set(datetime(2026, 3, 10, 12, tzinfo=UTC))
    return Desk(visitor)


def test_a_week_lists_what_overlaps_it(desk: Desk) -> None:
    rows = desk.week()
    assert rows[0]["sortDate"] < "2026-03-20"
    grids = [
        row
        for room in {row["activityId"] for row in rows}
        for row in desk.read(f"subjectroom/{room}/assignments/grid/rows")
    ]
    days = {row["assignmentId"]: (row["startDate"], row["endDate"]) for row in grids}
    overlapping = {
        number
        for number, (start, end) in days.items()
        if start < "2026-03-16" and end >= "2026-03-09"
    }
    assert {row["id"] for row in rows} == overlapping
    assert any(days[row["id"]][0] < "2026-03-09" for row in rows), "none began before the week"


def test_rows_have_the_prose_of_the_real_ones(desk: Desk) -> None:
    row = desk.week()[-3]
    assert row["subTitle"].startswith("mån 09 mars 00:00 - ")
    assert row["subTitle"].split(", ")[1] == "Prov"
    assert desk.week()[-3:] == desk.week()[-3:]
    teasers = [row["subTitle"] for week in range(2, 12) for row in desk.week(week)]
    assert "" in teasers
    assert any(teaser.startswith("Hand-in due") for teaser in teasers)


def test_week_and_year_are_optional_and_checked(simulator: Simulator, desk: Desk) -> None:
    assert desk.read("assignments/start-page") == desk.week()
    assert desk.status("assignments/start-page?week=54&year=2026") == 400
    assert desk.status("assignments/start-page?week=x") == 400
    assert desk.week(53, 2025) == []
    assert desk.week(30) == []
    simulator.state.knobs.bad_week = "empty"
    assert desk.week(54) == []


def test_a_week_can_be_empty_or_odd(simulator: Simulator, desk: Desk) -> None:
    simulator.state.knobs.week_assignments = "none"
    assert desk.week() == []
    simulator.state.knobs.week_assignments = "odd"
    rows = desk.week()
    assert None in rows
    objects = [row for row in rows if row is not None]
    assert {type(row.get("id")) for row in objects} == {int, str, type(None)}
    assert {"", None, "2026-03-17", "2026-03-17T08:20:00", 1_773_732_000_000} < {
        row["sortDate"] for row in objects
    }
    assert 3 in [row["submissionStatus"] for row in objects]
    assert None in [row["title"] for row in objects]


def test_a_view_says_everything_about_a_test(desk: Desk) -> None:
    test, handed_in, homework = desk.begun()
    view = desk.read(f"assignments/{test}/view")
    assert view["id"] == test
    assert view["subTitle"].startswith("måndag 09 mars 2026 00:00 - ")
    assert (view["publishDate"], view["endTime"]) == ("8 mars 14:05", "08:20")
    assert "<script>" in view["description"]
    assert "onerror=" in view["description"]
    assert "right_student_planning.jsp?requestid=7&type=1" in view["description"]
    assert desk.read(f"assignments/{handed_in}/view")["description"].startswith("L&auml;s")
    short = desk.read(f"assignments/{homework}/view")
    assert short["description"] is None
    assert "status" not in short


def test_descriptions_and_words_can_be_turned(simulator: Simulator, desk: Desk) -> None:
    homework = desk.begun()[2]
    simulator.state.knobs.descriptions = "script"
    simulator.state.knobs.enums = "unknown"
    view = desk.read(f"assignments/{homework}/view")
    assert "JaVa&#9;ScRiPt:" in view["description"]
    assert (view["submissionStatus"], view["resultReportStatus"]) == (3, "ARCHIVED")
    assert {row["submissionStatus"] for row in desk.week()} == {3}


def test_every_section_opens_what_it_names(desk: Desk) -> None:
    test, handed_in, homework = desk.begun()
    sections = desk.read(f"assignments/{test}/sections")
    sections += desk.read(f"assignments/{handed_in}/sections")
    assert {section["type"] for section in sections} == {*OF_SECTIONS, "RESULTREPORT", "PODCAST"}
    assert [s.get("typeId") for s in sections if s["type"] == "GRADECRITERIA"] == [77, None]
    for section in sections:
        for kind, paths in OF_SECTIONS.items():
            expected = 200 if section["type"] == kind else 404
            for path in paths:
                assert desk.status(path.format(section["id"])) == expected, path
    assert desk.read(f"assignments/{homework}/sections") == []


def test_parts_have_their_shapes(desk: Desk) -> None:
    _, handed_in, homework = desk.begun()
    sections = desk.read(f"assignments/{handed_in}/sections")
    ids = {section["type"]: section["id"] for section in sections}
    submission = desk.read(f"submission/{ids['SUBMISSION']}?groupwork_id=0")
    assert (submission["closeDate"], submission["groupHandIn"]) == ("", False)
    assert "T08:20" in submission["expireDate"]
    assert desk.read(f"material/{ids['MATERIAL']}/file")[0]["fileName"].endswith(".pdf")
    criteria = desk.read(f"grade_subject/77/grade_criteria/{ids['GRADECRITERIA']}/selected")
    assert [] in criteria
    plannings = desk.read(f"assignments/{handed_in}/connected_plannings")
    assert [planning["planningId"] is None for planning in plannings] == [False, True]
    empty = desk.visitor.open(desk.cookies, f"{PS}/assignments/{homework}/connected_plannings")
    assert (empty.status_code, empty.content) == (200, b"")


def test_an_assessment_comes_when_it_is_over(simulator: Simulator, desk: Desk) -> None:
    test, _, homework = desk.begun()
    assert desk.read(f"assignment/{test}/assessment")["assessedCriteriaTabs"] == []
    simulator.state.clock.advance(20 * 86_400)
    desk.cookies = desk.visitor.sign_in()
    full = desk.read(f"assignment/{test}/assessment")
    assert full["studentComment"] is None
    assert full["assessedCriteriaTabs"][0]["assessedCriteria"][0]["level"]["levelEnum"] == "C"
    assert [moment.get("id") for moment in full["assessmentPartialMoments"]] == [31, None]
    assert desk.status(f"assignment/{homework}/assessment") == 404
    assert len(desk.read(f"assignment/{test}/assessment/grid/available-columns")) == 3


@pytest.mark.parametrize("position", ["404", "403", "empty"])
def test_parts_can_be_missing_where_the_view_is_not(
    simulator: Simulator, desk: Desk, position: str
) -> None:
    test = desk.begun()[0]
    simulator.state.knobs.turn("missing_parts", position)
    answers = {desk.status(path.format(test)) for path in PARTS}
    answers |= {desk.status(f"material/{test}2/file")}
    assert answers == {200 if position == "empty" else int(position)}
    assert desk.status(f"assignments/{test}/view") == 200


@pytest.mark.parametrize("path", ["assignments/{}/view", *PARTS, "material/{}2/file"])
def test_another_classes_assignment_is_forbidden_and_nobodys_unknown(desk: Desk, path: str) -> None:
    own = desk.begun()[0]
    other = own - 100_000
    assert desk.status(path.format(own)) == 200
    assert desk.status(path.format(other)) == 403
    for nobodys in (own + 3, own + 5_000_000, 88121, "x"):
        assert desk.status(path.format(nobodys)) == 404


def test_plannings_of_a_week_glue_their_kind_with_a_blank(desk: Desk) -> None:
    rows = desk.read("planning_parts/start-page?week=11&year=2026")
    assert len(rows) == 10
    assert " Planering, Matematik" in rows[0]["subTitle"]
    assert ", Planering" not in rows[0]["subTitle"]


def test_a_planning_has_tabs_and_parts(desk: Desk) -> None:
    planning = desk.read("planning_parts/start-page?week=11&year=2026")[0]["planningId"]
    view = desk.read(f"plannings/{planning}/view")
    assert view["subjectNames"] == "Matematik"
    tabs = desk.read(f"plannings/{planning}/planning_parts/tabs")
    assert [tab["order"] for tab in tabs] == [3, 2, 1], "tabs come in order"
    part = tabs[-1]["id"]
    document = desk.read(f"planning_parts/{part}/view")
    assert document["subtitle"]
    assert "subTitle" not in document
    assert "<script>" in document["description"]
    assert len(desk.read(f"planning_parts/{part}/sections")) == 2
    assert desk.read(f"planning_parts/{part}/connected_assignments")
    for path in ("plannings/{}/view", "plannings/{}/planning_parts/tabs"):
        assert desk.status(path.format(planning - 1000)) == 403
        assert desk.status(path.format(planning + 1)) == 404
    assert desk.status(f"planning_parts/{part + 6}/view") == 404
    assert desk.status(f"planning_parts/{part - 10_000}/view") == 403
