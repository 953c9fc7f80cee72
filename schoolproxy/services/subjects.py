"""Subject rooms: a list of all with their contents, or one in detail."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.submissions import with_submissions
from schoolproxy.upstream_html import with_safe_html
from upstream.calls import subjects
from upstream.client import UpstreamClient
from upstream.errors import (
    NotForThisRole,
    UpstreamError,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.fan_out import gather, value_or_empty, value_or_raise
from upstream.records import ProvenSession
from upstream.shared_client import client

Row = dict[str, Any]
Part = Any


def _fetch_teachers(upstream: UpstreamClient, **where: Any) -> list[Row]:
    """The teachers of a room; a name or role that upstream leaves out is an empty text."""
    texts = ("firstName", "lastName", "role")
    rows = subjects.fetch_teachers(upstream, **where)
    return [row | {name: row.get(name) or "" for name in texts} for row in rows]


# Field of a subject -> the call that fetches it, and its value when the call fails.
_PARTS: Final[dict[str, tuple[Callable[..., Part], Part]]] = {
    "entities": (subjects.fetch_entities, []),
    "unreadEntities": (subjects.fetch_unread, None),
    "teachers": (_fetch_teachers, []),
}
_DETAILS: Final[tuple[Callable[..., Part], ...]] = (
    subjects.fetch_room,
    subjects.fetch_examinations,
    subjects.fetch_submissions,
    subjects.fetch_room_rows,
)


def subjects_read() -> SchoolRead:
    """Every room with its entities, unread count and teachers, in upstream's order.

    Rooms that are not subjects (`isSubjectRoom` false) are among them. A part that fails is empty
    and named in `incomplete`; when all parts of all rooms fail, that is an error.
    """
    return SchoolRead("subjects", _fetch_subjects)


def _fetch_subjects(web: ProvenSession) -> Fields:
    # Two round trips: all rooms, then all parts of all rooms at once.
    rooms = subjects.fetch_rooms(client(), web=web)
    calls = [
        partial(fetch, client(), web=web, room=room["activityId"])
        for room in rooms
        for fetch, _ in _PARTS.values()
    ]
    parts = gather(client(), web.school, calls)
    _raise_if_all_failed(parts)
    width = len(_PARTS)
    return {
        "subjects": [
            _subject(room, parts[index * width : (index + 1) * width], web.school)
            for index, room in enumerate(rooms)
        ]
    }


def _raise_if_all_failed(parts: Sequence[Part]) -> None:
    """Raises an error when all parts failed: `UpstreamInvalid` if upstream answered any of the
    calls, otherwise the first error."""
    failures = [part for part in parts if isinstance(part, UpstreamError)]
    if not failures or len(failures) < len(parts):
        return
    for failure in failures:
        unanswered = isinstance(failure, UpstreamUnavailable | UpstreamTimeout)
        if not unanswered or isinstance(failure, UpstreamFailing):
            raise UpstreamInvalid("all parts of all rooms failed")
    raise failures[0]


def _subject(room: Row, parts: Sequence[Part], school: str) -> Row:
    subject: Row = {**room, "id": str(room["activityId"])}
    incomplete = []
    for (field, (_, empty)), part in zip(_PARTS.items(), parts, strict=True):
        if isinstance(part, UpstreamError):
            incomplete.append(field)
        subject[field] = empty if isinstance(part, UpstreamError) else part
    subject["entities"] = with_submissions(
        {**entity, "entityType": "PLANNING" if entity.get("planningId") else "ASSIGNMENT"}
        for entity in subject["entities"]
    )
    safe: Row = with_safe_html(subject, school=school)
    return safe | {"incomplete": incomplete}


def subject_read(*, room: int) -> SchoolRead:
    """One room: its tests, submissions, and the table of all its assignments."""
    return SchoolRead(f"subject-{room}", partial(_fetch_subject, room=room))


def _fetch_subject(web: ProvenSession, *, room: int) -> Fields:
    calls = [partial(fetch, client(), web=web, room=room) for fetch in _DETAILS]
    subject, examinations, submissions, rows = gather(client(), web.school, calls)
    if isinstance(subject, NotForThisRole) and web.role != "teacher":
        # The role may see rooms, so the refusal means that this one is not the caller's.
        raise UpstreamNotFound("not a room of this person")
    table = with_submissions(value_or_empty(rows, []))
    fields: Fields = {
        "subject": value_or_raise(subject) | {"id": str(room)},
        "overview": {
            "examinations": _as_in(table, value_or_empty(examinations, [])),
            "submissions": _as_in(table, value_or_empty(submissions, [])),
        },
        "assignments": table,
    }
    safe: Fields = with_safe_html(fields, school=web.school)
    return safe


def _as_in(table: list[Row], rows: list[Row]) -> list[Row]:
    """The short rows of a room, each with the `submission` that the table has for its id."""
    known = {
        str(row.get("id")): row["submission"] for row in table if row.get("submission") is not None
    }
    return [row | {"submission": known.get(str(row.get("id")), "unknown")} for row in rows]
