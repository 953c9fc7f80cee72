"""GET /api/assessments: written assessments of subjects, only what the school has published."""

from typing import Any

import orjson
import pytest

from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, NAMES, outcome
from upstream.calls.assessments import read_subjects
from upstream.simulator.server import Simulator

PATH = "/api/assessments"
# Elsa's: maths, Swedish (a warning), English (the draft of a warning), a draft, home economics.
MATHS, SWEDISH, ENGLISH, DRAFT, HOME = (str(73021400 + index) for index in (0, 1, 2, 3, 5))
ROW = {
    "title": "Teknik",
    "subTitle": "Når målen",
    "subjectWarning": True,
    "publishedAt": "2026-01-09T07:00:00",
    "holisticAssessmentId": 50,
    "published": True,
    "read": False,
}


def listed(caller: Caller, query: str = "") -> dict[str, Any]:
    answer = caller.get(PATH + query)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def whole(caller: Caller, number: str, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"{PATH}/{number}{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_the_list_has_what_is_published(elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/features")
    simulator.requests.clear()
    body = listed(elsa)
    rows = body["assessments"]
    assert [(row["id"], row["code"], row["warning"], row["unread"]) for row in rows] == [
        (MATHS, "MA", False, True),
        (SWEDISH, "SV", True, False),
        (ENGLISH, "EN", False, False),
        (HOME, None, False, False),
    ]
    assert rows[0] == {
        "id": MATHS,
        "subject": "Matematik",
        "code": "MA",
        "text": "Mer än godtagbara kunskaper",
        "warning": False,
        "publishedAt": "2026-01-09T07:00:00",
        "unread": True,
    }
    assert body["actionPlan"] == {
        "title": "Åtgärder i svenska",
        "html": "<p>Läs 20 min om dagen.</p>",
    }
    assert body["incomplete"] == []
    assert "Utkast" not in str(body)
    # The list, the plan, the codes, and the two warnings that the list hints at.
    assert len(simulator.requests) == 5


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({}, (50, "2026-01-09T07:00:00", True)),
        ({"holisticAssessmentId": "50", "publishedAt": "-"}, (50, None, True)),
        ({"publishedAt": None, "read": None}, (50, None, False)),
        ({"holisticAssessmentId": -1}, None),
        ({"holisticAssessmentId": None}, None),
        ({"published": False}, None),
        ({"published": None}, None),
        ({"published": "false"}, None),
    ],
)
def test_a_row_that_is_not_clearly_published_is_left_out(
    change: dict[str, Any], shown: tuple[Any, ...] | None
) -> None:
    found = [(row.id, row.published, row.unread) for row in read_subjects([ROW | change])]
    assert found == ([shown] if shown else [])


def test_one_in_full(elsa: Caller) -> None:
    body = whole(elsa, SWEDISH)
    assessment = body["assessment"]
    work = assessment.pop("work")
    assert assessment == {
        "id": SWEDISH,
        "subject": "Svenska & retorik",
        "group": "8C Svenska & retorik",
        "text": "Insatser behövs – risk att inte nå målen",
        "supportMeasures": "<p>Extra läxhjälp på <b>tisdagar</b></p>",
        "comments": ["Läs mer<br>hemma.", "<p>Skriv varje dag.</p>"],
        "warning": {
            "text": "Risk att inte nå målen i läsförståelse.",
            "updatedAt": "2026-01-07T11:30:00",
        },
        "history": [
            {"id": SWEDISH, "term": "HT 25", "current": True},
            {"id": str(int(SWEDISH) + 50), "term": "VT 25", "current": False},
            {"id": None, "term": None, "current": False},
        ],
    }
    assert body["incomplete"] == []
    assert {each["comment"] for each in work} <= {None, "Bra struktur."}
    assert all(each["title"] and each["type"] and each["points"] is None for each in work)
    assert elsa.get(f"/api/assignment/{work[0]['assignmentId']}").status_code == 200
    first = whole(elsa, MATHS)["assessment"]
    assert first["comments"] == ["<p>Du resonerar väl.</p>", "Visa hur du tänker."]
    assert (first["supportMeasures"], first["warning"]) == (None, None)


def test_a_draft_of_a_warning_is_shown_nowhere(elsa: Caller, simulator: Simulator) -> None:
    assert whole(elsa, ENGLISH)["assessment"]["warning"] is None
    assert [row["warning"] for row in listed(elsa)["assessments"]] == [False, True, False, False]


@pytest.mark.parametrize(
    ("warning", "is_shown"),
    [
        ({"active": True, "published": True, "comment": "Risk"}, True),
        ({"active": True, "published": False, "comment": "Risk"}, False),
        ({"active": False, "published": True, "comment": "Risk"}, False),
        ({"active": True, "comment": "Risk"}, False),
        ({"active": "true", "published": "true"}, False),
        (None, False),
    ],
)
def test_a_warning_is_shown_if_it_is_active_and_published(
    elsa: Caller, simulator: Simulator, warning: Any, is_shown: bool
) -> None:
    body = orjson.dumps(warning)
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("assessment.warning", "answer", body=body, headers=headers)
    [swedish] = [row for row in listed(elsa)["assessments"] if row["id"] == SWEDISH]
    assert swedish["warning"] is is_shown
    assert (whole(elsa, SWEDISH)["assessment"]["warning"] is not None) is is_shown


def test_a_part_is_asked_for_only_where_it_is_published(elsa: Caller, simulator: Simulator) -> None:
    whole(elsa, HOME)
    operations = {request.operation for request in simulator.requests}
    assert {"assessment.sections", "assessment.work", "assessment.history"} <= operations
    assert not {"assessment.knowledge", "assessment.comments"} & operations


@pytest.mark.parametrize(
    "number", [DRAFT, "73021404", "73021409", "73021451", "73021700", "1", "0", "9" * 19, "x"]
)
def test_what_is_not_published_is_404(elsa: Caller, simulator: Simulator, number: str) -> None:
    assert outcome(elsa.get(f"{PATH}/{number}")) == (404, "not_found")
    assert not simulator.requests.count_operation("assessment")


@pytest.mark.parametrize(
    ("operation", "incomplete"),
    [
        ("assessments.overview", ["actionPlan"]),
        ("assessments.options", ["code"]),
        ("assessment.warning", ["warning"]),
    ],
)
@pytest.mark.parametrize(
    ("fault", "is_failure"), [("500", True), ("not-json", True), ("404", False)]
)
def test_what_fails_beside_the_list_is_named(
    elsa: Caller,
    simulator: Simulator,
    operation: str,
    incomplete: list[str],
    fault: str,
    is_failure: bool,
) -> None:
    simulator.faults.set(operation, fault)
    body = listed(elsa)
    assert body["incomplete"] == (incomplete if is_failure else [])
    assert len(body["assessments"]) == 4
    assert (body["actionPlan"] is None) is ("actionPlan" in incomplete)
    assert body["assessments"][1]["warning"] is ("warning" not in incomplete)


@pytest.mark.parametrize(
    ("operation", "incomplete"),
    [
        ("assessment.sections", ["supportMeasures", "comments"]),
        ("assessment.knowledge", ["supportMeasures"]),
        ("assessment.comments", ["comments"]),
        ("assessment.work", ["work"]),
        ("assessment.history", ["history"]),
    ],
)
def test_a_part_that_fails_is_named(
    elsa: Caller, simulator: Simulator, operation: str, incomplete: list[str]
) -> None:
    simulator.faults.set(operation, "500")
    body = whole(elsa, SWEDISH)
    assert body["incomplete"] == incomplete
    assert body["assessment"]["group"] == "8C Svenska & retorik"
    assert [name for name in incomplete if body["assessment"][name]] == []


@pytest.mark.parametrize(
    ("fault", "status"), [("500", 503), ("404", 404), ("not-json", 502), ("empty", 404)]
)
def test_without_its_own_answer_there_is_no_assessment(
    elsa: Caller, simulator: Simulator, fault: str, status: int
) -> None:
    simulator.faults.set("assessment", fault)
    assert elsa.get(f"{PATH}/{MATHS}").status_code == status


def test_a_text_that_nobody_can_read_is_named(elsa: Caller, simulator: Simulator) -> None:
    body = orjson.dumps(["<b>x</b>" * 30_000])
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("assessment.comments", "answer", body=body, headers=headers)
    found = whole(elsa, SWEDISH)
    assert found["incomplete"] == ["comments"]
    assert found["assessment"]["supportMeasures"]


def test_teachers_are_refused_without_a_call(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    torbjorn.get("/api/session")
    simulator.requests.clear()
    for path in (PATH, f"{PATH}/{MATHS}"):
        assert outcome(torbjorn.get(path)) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


def test_two_children_interleaved(eva: Caller) -> None:
    for child, other in ((BO, ALVA), (ALVA, BO)) * 2:
        body = listed(eva, f"?child={child}")
        assert {row["id"][:6] for row in body["assessments"]} == {child}
        assert body["child"] == {"id": child, "name": NAMES[child]}
        assert (body["actionPlan"] is None) is (child == BO)
        own = f"{child}01"
        found = whole(eva, own, f"?child={child}")
        assert found["assessment"]["id"] == own
        assert found["child"]["id"] == child
        assert outcome(eva.get(f"{PATH}/{own}?child={other}")) == (404, "not_found")
