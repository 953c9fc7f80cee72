"""Written assessments of subjects: only what the school has published."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import orjson

from schoolproxy.cache import CachedAnswer, Question, ask
from schoolproxy.errors import SchoolItemUnknown
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.school_texts import readable
from schoolproxy.services.results import gather_few, plain
from upstream.calls import assessments
from upstream.errors import NotForThisRole, UpstreamError, UpstreamNotFound
from upstream.fan_out import gather, value_or_raise
from upstream.records import ProvenSession
from upstream.result_records import ActionPlan, AssessedSubject, AssessedWork, SubjectWarning
from upstream.shared_client import client

# Part of an assessment -> the type of section that the school has to have published, and the call.
_SECTIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "supportMeasures": ("KNOWLEDGE_DEVELOPMENT", assessments.fetch_support_measures),
    "comments": ("FORMATIVE_COMMENT", assessments.fetch_comments),
    "warning": ("SUBJECT_WARNING", assessments.fetch_warning),
}
_EMPTY: Final[Fields] = {"supportMeasures": "", "comments": [], "warning": None, "work": [],
                         "history": []}  # fmt: skip


def assessments_read() -> SchoolRead:
    """The published assessments. What fails beside the list is named in `incomplete`."""
    return SchoolRead("assessments", _fetch_list, for_teachers=False, feature="assessments")


def one_assessment(question: Question, number: int) -> CachedAnswer:
    """A published assessment in full. Raises: SchoolItemUnknown for one that is not in the list,
    and as `answer_through_cache`."""
    # One request bypasses the cache once.
    answer = ask(question._replace(bypass_cache=False), assessments_read())
    fields: Fields = orjson.loads(answer.body)
    listed = [row for row in fields["assessments"] if row["id"] == str(number)]
    if not listed:
        raise SchoolItemUnknown
    fetch = partial(_fetch_one, number=number)
    read = SchoolRead(f"assessment-{number}", fetch, for_teachers=False, feature="assessments")
    return ask(question, read).changed(partial(_with_row, row=listed[0]))


def _with_row(fields: Fields, *, row: Fields) -> Fields:
    whole = {name: row[name] for name in ("id", "subject", "text")} | fields["assessment"]
    return fields | {"assessment": whole}


def _fetch_list(web: ProvenSession) -> Fields:
    calls: list[Callable[[], Any]] = [
        partial(fetch, client(), web=web)
        for fetch in (
            assessments.fetch_assessed_subjects,
            assessments.fetch_action_plan,
            assessments.fetch_subject_codes,
        )
    ]
    found, plan, codes = gather(client(), web.school, calls)
    rows: list[AssessedSubject] = value_or_raise(found)
    warnings = _warnings(web, rows)
    parts = (("actionPlan", [plan]), ("code", [codes]), ("warning", warnings.values()))
    return {
        "actionPlan": _plan_fields(_value(plan, None), web.school),
        "assessments": [
            {
                "id": str(row.id),
                "subject": row.subject,
                "code": _value(codes, {}).get(row.id),
                "text": row.text,
                "warning": _value(warnings.get(row.id), None) is not None,
                "publishedAt": row.published,
                "unread": row.unread,
            }
            for row in rows
        ],
        "incomplete": [name for name, results in parts if any(map(_failed, results))],
    }


def _warnings(web: ProvenSession, rows: Sequence[AssessedSubject]) -> dict[int, Any]:
    """What is published of the warnings that the rows hint at: each may be a teacher's draft."""
    numbers = [row.id for row in rows if row.may_warn]
    calls = [partial(assessments.fetch_warning, client(), web=web, number=one) for one in numbers]
    return dict(zip(numbers, gather_few(web, calls), strict=True))


def _fetch_one(web: ProvenSession, *, number: int) -> Fields:
    """In two round trips: what is published, then those parts."""

    def call(fetch: Callable[..., Any]) -> Callable[[], Any]:
        return partial(fetch, client(), web=web, number=number)

    first = (
        assessments.fetch_group,
        assessments.fetch_published_sections,
        assessments.fetch_work,
        assessments.fetch_history,
    )
    group, sections, work, history = gather(client(), web.school, [*map(call, first)])
    parts: dict[str, Any] = {"work": work, "history": history}
    shown = value_or_raise(group)
    types = _value(sections, frozenset())
    wanted = {name: fetch for name, (kind, fetch) in _SECTIONS.items() if kind in types}
    parts |= zip(wanted, gather(client(), web.school, [*map(call, wanted.values())]), strict=True)
    incomplete = [name for name, result in parts.items() if _failed(result)]
    if _failed(sections):
        # Nobody knows what is published of these.
        incomplete += _SECTIONS
    values = {name: _value(parts.get(name), empty) for name, empty in _EMPTY.items()}
    assessment = {"group": shown} | _part_fields(values, web.school)
    return {"assessment": assessment, "incomplete": incomplete}


def _part_fields(values: Fields, school: str) -> Fields:
    comments = [readable(html, school=school)[0] for html in values["comments"]]
    return {
        "supportMeasures": readable(values["supportMeasures"], school=school)[0] or None,
        "comments": [html for html in comments if html],
        "warning": _warning_fields(values["warning"], school),
        "work": [_work_fields(one, school) for one in values["work"]],
        "history": [
            {"id": _id(one.id), "term": one.term, "current": one.current}
            for one in values["history"]
        ],
    }


def _warning_fields(warning: SubjectWarning | None, school: str) -> Fields | None:
    if warning is None:
        return None
    return {"text": plain(warning.text, school) or "", "updatedAt": warning.updated}


def _work_fields(work: AssessedWork, school: str) -> Fields:
    return {
        "assignmentId": _id(work.assignment_id),
        "title": work.title,
        "type": work.type,
        "review": plain(work.review, school),
        "points": work.points,
        "comment": plain(work.comment, school),
    }


def _plan_fields(plan: ActionPlan | None, school: str) -> Fields | None:
    if plan is None:
        return None
    return {"title": plan.title, "html": readable(plan.html, school=school)[0]}


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)


def _failed(result: Any) -> bool:
    """Whether a part could not be read. What the school does not have is only empty."""
    missing = isinstance(result, NotForThisRole | UpstreamNotFound)
    return isinstance(result, UpstreamError) and not missing


def _value(result: Any, empty: Any) -> Any:
    return empty if result is None or isinstance(result, UpstreamError) else result
