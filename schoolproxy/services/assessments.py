"""Written assessments of subjects: only what the school has published."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

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
from upstream.result_records import AssessedSubject, AssessedWork, EarlierAssessment, SubjectWarning
from upstream.shared_client import client


class _Part(NamedTuple):
    """A field of an assessment: the section that the school has to have published for it (None:
    none), the call, how its answer is shown, and what is shown where there is none."""

    section: str | None
    fetch: Callable[..., Any]
    shown: Callable[[Any, str], Any]
    empty: Any


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
        partial(assessments.fetch_assessed_subjects, client(), web=web),
        partial(_fetch_plan, web),
        partial(assessments.fetch_subject_codes, client(), web=web),
    ]
    subjects, plan, codes = gather(client(), web.school, calls)
    rows: list[AssessedSubject] = value_or_raise(subjects)
    warnings = _warnings(web, rows)
    parts = (("actionPlan", [plan]), ("code", [codes]), ("warning", warnings.values()))
    return {
        "actionPlan": _value(plan, None),
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
    calls = [
        partial(assessments.fetch_warning, client(), web=web, number=number) for number in numbers
    ]
    return dict(zip(numbers, gather_few(web, calls), strict=True))


def _fetch_one(web: ProvenSession, *, number: int) -> Fields:
    """In two round trips: what is published, then those parts."""
    calls: list[Callable[[], Any]] = [
        partial(assessments.fetch_group, client(), web=web, number=number),
        partial(assessments.fetch_published_sections, client(), web=web, number=number),
        *(partial(_fetch_part, web, number, name) for name in _ALWAYS),
    ]
    group, sections, *answers = gather(client(), web.school, calls)
    shown = value_or_raise(group)
    parts: dict[str, Any] = dict(zip(_ALWAYS, answers, strict=True))
    types = _value(sections, frozenset())
    wanted = [name for name, part in _PARTS.items() if part.section in types]
    calls = [partial(_fetch_part, web, number, name) for name in wanted]
    parts |= zip(wanted, gather(client(), web.school, calls), strict=True)
    incomplete = [name for name, result in parts.items() if _failed(result)]
    if _failed(sections):
        # Nobody knows what is published of the others.
        incomplete += [name for name in _PARTS if name not in _ALWAYS]
    values = {name: _value(parts.get(name), part.empty) for name, part in _PARTS.items()}
    return {"assessment": {"group": shown} | values, "incomplete": incomplete}


def _fetch_part(web: ProvenSession, number: int, name: str) -> Any:
    """The field of an answer. Raises: as the calls, and UpstreamChanged for a text that nobody
    can read."""
    part = _PARTS[name]
    return part.shown(part.fetch(client(), web=web, number=number), web.school)


def _html(html: str, school: str) -> str | None:
    return readable(html, school=school)[0] or None


def _comments(comments: list[str], school: str) -> list[str]:
    return [html for html in (_html(comment, school) for comment in comments) if html]


def _warning_fields(warning: SubjectWarning | None, school: str) -> Fields | None:
    if warning is None:
        return None
    return {"text": plain(warning.text, school) or "", "updatedAt": warning.updated}


def _work(works: list[AssessedWork], school: str) -> list[Fields]:
    return [
        {
            "assignmentId": _id(work.assignment_id),
            "title": work.title,
            "type": work.type,
            "review": plain(work.review, school),
            "points": work.points,
            "comment": plain(work.comment, school),
        }
        for work in works
    ]


def _history(earlier: list[EarlierAssessment], _school: str) -> list[Fields]:
    return [
        {"id": _id(assessment.id), "term": assessment.term, "current": assessment.current}
        for assessment in earlier
    ]


def _fetch_plan(web: ProvenSession) -> Fields | None:
    plan = assessments.fetch_action_plan(client(), web=web)
    if plan is None:
        return None
    return {"title": plan.title, "html": readable(plan.html, school=web.school)[0]}


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)


def _failed(result: Any) -> bool:
    """Whether a part could not be read. What the school does not have is only empty."""
    missing = isinstance(result, NotForThisRole | UpstreamNotFound)
    return isinstance(result, UpstreamError) and not missing


def _value(result: Any, empty: Any) -> Any:
    return empty if result is None or isinstance(result, UpstreamError) else result


_PARTS: Final[dict[str, _Part]] = {
    "supportMeasures": _Part(
        "KNOWLEDGE_DEVELOPMENT", assessments.fetch_support_measures, _html, None
    ),
    "comments": _Part("FORMATIVE_COMMENT", assessments.fetch_comments, _comments, []),
    # It says itself whether it is published, here as in the list.
    "warning": _Part(None, assessments.fetch_warning, _warning_fields, None),
    "work": _Part(None, assessments.fetch_work, _work, []),
    "history": _Part(None, assessments.fetch_history, _history, []),
}
_ALWAYS: Final = [name for name, part in _PARTS.items() if part.section is None]
