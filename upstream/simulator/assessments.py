"""Written assessments of subjects as JSON: published ones, drafts, and none at all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from upstream.simulator.access import Handler, json_endpoint
from upstream.simulator.assignments import data as assignments
from upstream.simulator.assignments.results import review_of
from upstream.simulator.classes import class_of
from upstream.simulator.http_exchange import FORBIDDEN, NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.subject_rooms.data import subject_of

KNOWLEDGE, COMMENTS, WARNING = "KNOWLEDGE_DEVELOPMENT", "FORMATIVE_COMMENT", "SUBJECT_WARNING"


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a subject has. `code` is in the list of options only; `warning` is whether it is
    published, None for no warning."""

    text: str
    published: bool = True
    code: str | None = None
    sections: tuple[str, ...] = ()
    warning: bool | None = None
    exists: bool = True


# By the index of the room.
_ASSESSMENTS = (
    Assessment("Mer än godtagbara kunskaper", code="MA", sections=(KNOWLEDGE, COMMENTS)),
    Assessment(
        "Insatser behövs – risk att inte nå målen",
        code="SV",
        sections=(KNOWLEDGE, COMMENTS, WARNING),
        warning=True,
    ),
    # The warning is a draft.
    Assessment("Når målen", code="EN", sections=(KNOWLEDGE, WARNING), warning=False),
    # Nothing is published, and the draft has an id all the same.
    Assessment("Utkast", published=False, sections=(KNOWLEDGE, COMMENTS), warning=True),
    Assessment("Ingen bedömning publicerad", published=False, exists=False),
    Assessment("Når målen"),
)

AssessmentHandler = Callable[[Assessment, int, Person, State], Any]


def assessment_id(person: Person, index: int) -> int:
    """The person's number followed by two digits."""
    return person.user_id * 100 + index


@json_endpoint
def rows(_request: Request, _state: State, person: Person) -> Response:
    return as_json(
        [_row(assessment, index, person) for index, assessment in enumerate(_ASSESSMENTS)]
    )


def _row(assessment: Assessment, index: int, person: Person) -> dict[str, Any]:
    row: dict[str, Any] = {
        "title": subject_of(index),
        "subTitle": assessment.text,
        "subjectWarning": assessment.warning is not None,
        "updatedAt": "2026-01-08T16:40:12" if assessment.exists else "-",
        "friendlyUpdatedAt": "8 jan. 2026" if assessment.exists else "-",
        "holisticAssessmentId": assessment_id(person, index) if assessment.exists else -1,
        "published": assessment.published,
        # What is not published counts as unread, too.
        "read": assessment.published and index > 0,
    }
    if assessment.published:
        row |= {"color": "#9fe2a0", "publishedAt": "2026-01-09T07:00:00"}
        row["friendlyPublishedAt"] = "9 jan. 2026"
    return row


@json_endpoint
def overview(_request: Request, _state: State, person: Person) -> Response:
    """Every second pupil has an action plan."""
    has_one = not person.user_id % 2
    return as_json(
        {
            "isActionPlan": has_one,
            "actionPlanTitle": "Åtgärder i svenska" if has_one else "",
            "actionPlanText": "<p>Läs 20 min om dagen.<script>alert(1)</script></p>",
        }
    )


@json_endpoint
def options(_request: Request, _state: State, person: Person) -> Response:
    """The ids are texts here, and not every label has a code."""
    return as_json(
        [
            {
                "id": str(assessment_id(person, index)),
                "path": f"#/parent/holistic_assessment/{assessment_id(person, index)}",
                "label": f"{subject_of(index)} ({assessment.code})"
                if assessment.code
                else subject_of(index),
            }
            for index, assessment in enumerate(_ASSESSMENTS)
            if assessment.exists
        ]
    )


def _of_assessment(handler: AssessmentHandler) -> Handler:
    """An address of an assessment: 403 for one of somebody else, 404 for an unknown one."""

    @json_endpoint
    def handle(request: Request, state: State, person: Person) -> Response:
        text = request.args["number"]
        if not text.isdecimal():
            return NOT_FOUND
        owner, index = divmod(int(text), 100)
        if owner != person.user_id:
            return FORBIDDEN if 700_000 < owner < 800_000 else NOT_FOUND
        if index >= len(_ASSESSMENTS) or not _ASSESSMENTS[index].exists:
            return NOT_FOUND
        return as_json(handler(_ASSESSMENTS[index], index, person, state))

    return handle


@_of_assessment
def one(assessment: Assessment, index: int, person: Person, state: State) -> dict[str, Any]:
    return {
        "id": assessment_id(person, index),
        "activityName": subject_of(index),
        "groupName": f"{class_of(person, state).name} {subject_of(index)}",
        "studentName": f"{person.first_name} {person.last_name}",
        "studentId": person.user_id,
        "publishDate": "2026-01-09" if assessment.published else None,
        "publishStatus": "PUBLISHED" if assessment.published else "NOT_PUBLISHED",
    }


@_of_assessment
def sections(assessment: Assessment, index: int, _person: Person, _state: State) -> list[Any]:
    """Objects, or bare words."""
    kinds = ("ATTENDANCE", *assessment.sections)
    return [kind if index % 2 else {"id": place, "type": kind} for place, kind in enumerate(kinds)]


@_of_assessment
def knowledge(assessment: Assessment, index: int, _person: Person, _state: State) -> Any:
    measures = "<p>Extra l&auml;xhj&auml;lp p&aring; <b>tisdagar</b></p>" if index == 1 else ""
    return {
        "value": assessment.text,
        "supportMeasures": measures,
        "updatedByInfo": "Åsa Lindroos 8 jan.",
    }


@_of_assessment
def comments(_assessment: Assessment, index: int, _person: Person, _state: State) -> list[Any]:
    """Texts, and objects of three kinds."""
    if index == 0:
        return ["<p>Du resonerar v&auml;l.</p>", {"comment": "Visa hur du tänker."}, ""]
    return [{"text": "Läs mer\r\nhemma."}, {"value": "<p>Skriv varje dag.</p>"}, {"text": None}]


@_of_assessment
def warning(assessment: Assessment, index: int, person: Person, _state: State) -> Any:
    if assessment.warning is None:
        return None
    return {
        "active": True,
        "comment": "Risk att inte nå målen i läsförståelse.",
        "createdAt": "2025-11-20T10:00:00",
        "holisticAssessmentId": assessment_id(person, index),
        "lastUpdatedAt": "2026-01-07T11:30:00",
        "lastUpdatedBy": "Åsa Lindroos",
        "published": assessment.warning,
        "publishedAt": "2026-01-09T07:00:00" if assessment.warning else None,
    }


@_of_assessment
def work(_assessment: Assessment, index: int, person: Person, state: State) -> list[Any]:
    today = state.clock.today()
    return [
        {
            "id": assignment.id,
            "activityId": None,
            "name": assignment.title,
            "type": assignment.kind,
            "review": review_of(assignment),
            "points": "",
            "formativeComment": "Bra <i>struktur</i>." if assignment.index else None,
            "assessedCriteria": [],
            "gridColumnInfo": {"isReview": True},
        }
        for assignment in assignments.of_room(class_of(person, state), index, today)
        if assignment.is_over(today) and assignment.index < 2
    ]


@_of_assessment
def history(_assessment: Assessment, index: int, person: Person, _state: State) -> list[Any]:
    """This term, one of before, and one without a name."""
    autumn = {"occasion": "2025-12-19", "name": "HT 25"}
    spring = {"occasion": "2025-06-05", "name": "VT 25"}
    own = assessment_id(person, index)
    return [
        {"assessmentId": own, "current": True, "reportingOccasion": autumn},
        {"assessmentId": own + 50, "current": False, "reportingOccasion": spring},
        {"assessmentId": None, "current": False, "reportingOccasion": None},
    ]
