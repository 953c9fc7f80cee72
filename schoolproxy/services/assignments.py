"""The assignments of a week, and one assignment or planning with all of its parts."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any, Final, Literal

from accounts.callers import Caller
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.submissions import submission_of, with_submissions
from schoolproxy.services.watch import own_reads
from schoolproxy.upstream_html import with_line_breaks, with_safe_html
from upstream.calls import assignments
from upstream.calls.json_values import whole_number
from upstream.errors import UpstreamNotFound
from upstream.fan_out import gather, value_or_empty, value_or_raise
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client

Kind = Literal["assignment", "planning"]
# The most that one request fetches; no assignment with as many has been seen.
MAX_SECTIONS: Final = 20
MAX_PARTS: Final = 20
Row = dict[str, Any]
Calls = list[Callable[[], Any]]

# The fields of the answer, and their values when upstream leaves them out or sends null.
_VIEW: Final[dict[str, Any]] = {
    "title": "",
    "subTitle": None,
    "description": None,
    "status": "",
    "endDate": None,
    "endTime": None,
    "publishDate": None,
    "subjectNames": "",
    "subjectRoomId": None,
    "submissionStatus": "NO_STATUS",
    "resultReportStatus": "NO_STATUS",
}


def week_assignments_read(*, week: int, year: int) -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        rows = assignments.fetch_week_assignments(client(), web=web, week=week, year=year)
        safe = with_submissions(with_safe_html(rows, school=web.school))
        data = [row | {"type": "ASSIGNMENT"} for row in safe]
        return {"week": week, "year": year, "data": data}

    def after_fetch(caller: Caller, child: ChosenChild | None, fields: Fields) -> None:
        own_reads.compare(caller, child, "assignments", fields["data"], week, year)

    key = f"assignments-{year}-{week}"
    return SchoolRead(key, fetch, counter="assignment_fetch", after_fetch=after_fetch)


def assignment_read(*, kind: Kind, number: int) -> SchoolRead:
    """One assignment or planning; `UpstreamNotFound` when it is missing or not the caller's."""
    fetch_fields = _fetch_planning if kind == "planning" else _fetch_assignment

    def fetch(web: ProvenSession) -> Fields:
        fields: Fields = with_safe_html(fetch_fields(number, web), school=web.school)
        return {"type": kind} | fields

    return SchoolRead(f"{kind}-{number}", fetch, counter="assignment_fetch")


def _fetch_assignment(number: int, web: ProvenSession) -> Fields:
    """The fields of an assignment, with HTML as upstream sent it, in two round trips."""
    calls: Calls = [
        partial(fetch, client(), web=web, assignment=number)
        for fetch in (
            assignments.fetch_assignment,
            assignments.fetch_sections,
            assignments.fetch_connected_plannings,
            assignments.fetch_assessment,
            assignments.fetch_columns,
        )
    ]
    view, sections, plannings, assessment, columns = gather(client(), web.school, calls)
    fields: Row = value_or_raise(view)
    answer = _answer(number, fields, value_or_empty(sections, []))
    answer["assignment"]["submission"] = submission_of(fields.get("submissionStatus"))
    answer["connectedPlannings"] = value_or_empty(plannings, [])
    answer["assessment"] = assessment_of(value_or_empty(assessment, {}))
    answer["grading"] = {
        "availableColumns": value_or_empty(columns, []),
        "selectedCriteria": _selected_criteria(web, answer["sections"]),
    }
    return answer


def _fetch_planning(number: int, web: ProvenSession) -> Fields:
    """The same for a planning, with the descriptions of its parts joined."""
    calls: Calls = [
        partial(assignments.fetch_planning, client(), web=web, planning=number),
        partial(assignments.fetch_planning_tabs, client(), web=web, planning=number),
    ]
    view, tabs = gather(client(), web.school, calls)
    parts = _parts(value_or_empty(tabs, []))
    planning: Row = value_or_raise(view)
    if not parts:
        raise UpstreamNotFound("a planning without parts")
    calls = [
        partial(fetch, client(), web=web, part=part)
        for part, _ in parts
        for fetch in (assignments.fetch_planning_part, assignments.fetch_part_sections)
    ]
    answers = gather(client(), web.school, calls)
    views = [value_or_empty(part, {}) for part in answers[::2]]
    sections = [section for part in answers[1::2] for section in value_or_empty(part, [])]
    first = views[0]
    merged = first | {"subTitle": first.get("subTitle") or first.get("subtitle")} | planning
    merged["title"] = planning.get("title") or first.get("title") or parts[0][1]
    merged["description"] = _description([title for _, title in parts], views)
    return _answer(number, merged, sections)


def _answer(number: int, view: Row, sections: list[Row]) -> Fields:
    """An answer whose plannings, assessment and grading are empty."""
    shown = {name: view.get(name) for name in _VIEW}
    shown = {name: _VIEW[name] if value is None else value for name, value in shown.items()}
    return {
        "assignment": {"id": number} | shown | {"submission": "not_required"},
        "sections": sections,
        "connectedPlannings": [],
        "assessment": assessment_of({}),
        "grading": {"availableColumns": [], "selectedCriteria": []},
    }


def assessment_of(answer: Row) -> Row:
    """The teacher's assessment. A comment that is not text becomes empty."""
    moments, tabs = answer.get("assessmentPartialMoments"), answer.get("assessedCriteriaTabs")
    return {
        **{
            name: _text(answer.get(name)) for name in ("review", "teacherComment", "studentComment")
        },
        "partialMoments": moments if isinstance(moments, list) else [],
        "assessedCriteriaTabs": tabs if isinstance(tabs, list) else [],
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _selected_criteria(web: ProvenSession, sections: list[Row]) -> list[Row]:
    calls = [
        partial(
            assignments.fetch_selected_criteria,
            client(),
            web=web,
            grade_type=whole_number(section.get("typeId")),
            section=number,
        )
        for section in sections
        if section.get("type") == "GRADECRITERIA"
        and (number := whole_number(section.get("id"))) is not None
    ]
    if not calls:
        return []
    answers = gather(client(), web.school, calls[:MAX_SECTIONS])
    return [row for part in answers for row in value_or_empty(part, [])]


def _parts(tabs: list[Row]) -> list[tuple[int, str]]:
    """The (id, title) of each part, in upstream's order."""
    parts = [
        (number, str(tab.get("title") or ""))
        for tab in sorted(tabs, key=lambda tab: whole_number(tab.get("order")) or 0)
        if (number := whole_number(tab.get("id"))) is not None
    ]
    return parts[:MAX_PARTS]


def _description(titles: Sequence[str], views: Sequence[Row]) -> str | None:
    """The descriptions of all parts. If there are several, each has its title as a heading."""
    texts = [with_line_breaks(_text(view.get("description"))) for view in views]
    if len(texts) == 1:
        return texts[0] or None
    return "".join(
        f"<h3>{escape(title)}</h3>{text}" for title, text in zip(titles, texts, strict=True)
    )
