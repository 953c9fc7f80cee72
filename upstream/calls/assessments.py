"""The written assessments of subjects. What the school has not published is left out here.

Raises of every `fetch_*`: as `UpstreamClient.fetch_json`.
"""

import re
from typing import Any, Final

from upstream import endpoints as at
from upstream.calls.json_values import is_number, read_object, read_rows, text_of, whole_number
from upstream.client import UpstreamClient
from upstream.errors import UpstreamInvalid, UpstreamNotFound
from upstream.records import ProvenSession
from upstream.result_records import (
    ActionPlan,
    AssessedSubject,
    AssessedWork,
    EarlierAssessment,
    SubjectWarning,
)

# "Matematik (MA)" in a list to choose from.
_CODE: Final = re.compile(r"\(([^()]{1,20})\)\s*\Z")
Row = dict[str, Any]


def fetch_assessed_subjects(client: UpstreamClient, *, web: ProvenSession) -> list[AssessedSubject]:
    """The published rows, in the school's order."""
    return read_subjects(read_rows(client.fetch_json(at.ASSESSMENT_ROWS, web=web)))


def read_subjects(rows: list[Row]) -> list[AssessedSubject]:
    """The rows that are published. The number -1 means that there is no assessment."""
    return [
        AssessedSubject(
            number,
            text_of(row.get("title")) or "",
            text_of(row.get("subTitle")) or "",
            _date(row.get("publishedAt")),
            unread=row.get("read") is False,
            may_warn=row.get("subjectWarning") is True,
        )
        for row in rows
        if row.get("published") is True
        and (number := whole_number(row.get("holisticAssessmentId"))) is not None
    ]


def fetch_action_plan(client: UpstreamClient, *, web: ProvenSession) -> ActionPlan | None:
    overview = read_object(client.fetch_json(at.ASSESSMENT_OVERVIEW, web=web))
    title, html = text_of(overview.get("actionPlanTitle")), text_of(overview.get("actionPlanText"))
    if overview.get("isActionPlan") is not True or not (title or html):
        return None
    return ActionPlan(title or "", html or "")


def fetch_subject_codes(client: UpstreamClient, *, web: ProvenSession) -> dict[int, str]:
    """The code of a subject, such as MA, by the number of the assessment. Not all have one."""
    codes = {}
    for row in read_rows(client.fetch_json(at.ASSESSMENT_OPTIONS, web=web)):
        number, code = whole_number(row.get("id")), _CODE.search(text_of(row.get("label")) or "")
        if number is not None and code:
            codes[number] = code[1].strip()
    return codes


def fetch_group(client: UpstreamClient, *, web: ProvenSession, number: int) -> str | None:
    """The group that an assessment is about. An empty answer is UpstreamNotFound."""
    grade = read_object(client.fetch_json(at.SUBJECT_ASSESSMENT, web=web, number=number))
    if not grade:
        raise UpstreamNotFound("an empty assessment")
    return text_of(grade.get("groupName"))


def fetch_published_sections(
    client: UpstreamClient, *, web: ProvenSession, number: int
) -> frozenset[str]:
    """The types of the parts that the school has published, such as FORMATIVE_COMMENT."""
    sections = _list(client.fetch_json(at.ASSESSMENT_SECTIONS, web=web, number=number))
    types = [section.get("type") if isinstance(section, dict) else section for section in sections]
    return frozenset(kind.strip().upper() for kind in types if isinstance(kind, str))


def fetch_support_measures(client: UpstreamClient, *, web: ProvenSession, number: int) -> str:
    """What the school does to help, as HTML; empty where nothing is said."""
    answer = client.fetch_json(at.ASSESSMENT_KNOWLEDGE, web=web, number=number)
    return text_of(read_object(answer).get("supportMeasures")) or ""


def fetch_comments(client: UpstreamClient, *, web: ProvenSession, number: int) -> list[str]:
    """The teachers' comments, as HTML: texts, or objects with one."""
    rows = _list(client.fetch_json(at.ASSESSMENT_COMMENTS, web=web, number=number))
    return [text for text in map(_comment, rows) if text]


def fetch_warning(
    client: UpstreamClient, *, web: ProvenSession, number: int
) -> SubjectWarning | None:
    """The warning, if there is one and the school has published it. Without that it is a
    teacher's draft, which nobody may see."""
    warning = read_object(client.fetch_json(at.ASSESSMENT_WARNING, web=web, number=number))
    if warning.get("active") is not True or warning.get("published") is not True:
        return None
    return SubjectWarning(
        text_of(warning.get("comment")) or "", _date(warning.get("lastUpdatedAt"))
    )


def fetch_work(client: UpstreamClient, *, web: ProvenSession, number: int) -> list[AssessedWork]:
    """The assignments behind an assessment."""
    return [
        AssessedWork(
            whole_number(row.get("id")),
            text_of(row.get("name")) or "",
            text_of(row.get("type")),
            text_of(row.get("review")) or "",
            _points(row.get("points")),
            text_of(row.get("formativeComment")) or "",
        )
        for row in read_rows(client.fetch_json(at.ASSESSMENT_WORK, web=web, number=number))
    ]


def fetch_history(
    client: UpstreamClient, *, web: ProvenSession, number: int
) -> list[EarlierAssessment]:
    """The assessments of the same subject in this and earlier terms."""
    earlier = []
    for row in read_rows(client.fetch_json(at.ASSESSMENT_HISTORY, web=web, number=number)):
        occasion = row.get("reportingOccasion")
        term = text_of(occasion.get("name")) if isinstance(occasion, dict) else None
        current = row.get("current") is True
        earlier.append(EarlierAssessment(whole_number(row.get("assessmentId")), term, current))
    return earlier


def _comment(item: Any) -> str | None:
    if not isinstance(item, dict):
        return text_of(item)
    texts = (text_of(item.get(name)) for name in ("comment", "text", "value"))
    return next((text for text in texts if text), None)


def _list(value: Any) -> list[Any]:
    if value == "":  # an empty body
        return []
    if not isinstance(value, list):
        raise UpstreamInvalid("not a list")
    return value


def _date(value: Any) -> str | None:
    """Upstream's date; `-` means none."""
    text = text_of(value)
    return None if text == "-" else text


def _points(value: Any) -> str | None:
    return f"{value}" if is_number(value) else text_of(value)
