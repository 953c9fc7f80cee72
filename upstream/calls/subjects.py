"""Subject rooms and their contents, as raw JSON objects in upstream's order."""

from typing import Any, Final

from upstream import endpoints as at
from upstream.calls.json_values import read_object, read_rows, whole_number
from upstream.client import UpstreamClient
from upstream.errors import UpstreamNotFound
from upstream.records import ProvenSession

Row = dict[str, Any]
_UNREAD_PARTS: Final = ("assignments", "plannings", "results")


def fetch_rooms(client: UpstreamClient, *, web: ProvenSession) -> list[Row]:
    """Every subject room of the person, with a whole number as `activityId` and a `subject`.

    Rooms without an `activityId` are dropped; a missing `subject` is copied from `name`.

    Raises: as `UpstreamClient.fetch_json`. So do all functions of this module.
    """
    rooms = client.fetch_json(at.SUBJECT_ROOMS, web=web)
    return [room for room in map(_room, read_rows(rooms)) if room is not None]


def fetch_room(client: UpstreamClient, *, web: ProvenSession, room: int) -> Row:
    """One room. An empty response raises UpstreamNotFound."""
    view = client.fetch_json(at.SUBJECT_ROOM, web=web, room=room)
    subject = _room({"activityId": room} | read_object(view)) if view else None
    if subject is None:
        raise UpstreamNotFound("an empty room")
    return subject


def fetch_entities(client: UpstreamClient, *, web: ProvenSession, room: int) -> list[Row]:
    """Assignments and plannings of a room; a planning has a `planningId`."""
    return read_rows(client.fetch_json(at.ROOM_ENTITIES, web=web, room=room))


def fetch_unread(client: UpstreamClient, *, web: ProvenSession, room: int) -> int:
    """The number of unread items in a room; 0 if the response does not say."""
    return read_unread(client.fetch_json(at.ROOM_UNREAD, web=web, room=room))


def read_unread(data: Any) -> int:
    """The count in a number, a text, an object with a `sum`, or one with the parts of the sum."""
    if isinstance(data, dict):
        total = whole_number(data.get("sum"))
        if total is not None:
            return total
        return sum(whole_number(data.get(part)) or 0 for part in _UNREAD_PARTS)
    if isinstance(data, str):
        data = data.strip()
    return whole_number(data) or 0


def fetch_teachers(client: UpstreamClient, *, web: ProvenSession, room: int) -> list[Row]:
    """The teachers of a room, each once: upstream repeats a teacher of several groups."""
    teacher_rows = client.fetch_json(at.ROOM_TEACHERS, web=web, room=room)
    teachers: dict[object, Row] = {}
    for teacher in read_rows(teacher_rows or ""):  # null is a known form of nobody
        number = whole_number(teacher.get("id"))
        name = (str(teacher.get("firstName")), str(teacher.get("lastName")))
        teachers.setdefault(name if number is None else number, teacher)
    return list(teachers.values())


def fetch_examinations(client: UpstreamClient, *, web: ProvenSession, room: int) -> list[Row]:
    """The tests of a room."""
    query = {"activityId": room}
    return read_rows(client.fetch_json(at.EXAMINATIONS, web=web, query=query))


def fetch_submissions(client: UpstreamClient, *, web: ProvenSession, room: int) -> list[Row]:
    """The assignments to hand in of a room."""
    query = {"activityId": room}
    return read_rows(client.fetch_json(at.SUBMISSIONS, web=web, query=query))


def fetch_room_rows(client: UpstreamClient, *, web: ProvenSession, room: int) -> list[Row]:
    """The table of a room: one row per assignment or planning, with its status."""
    return read_rows(client.fetch_json(at.ROOM_ROWS, web=web, room=room))


def _room(room: Row) -> Row | None:
    number = whole_number(room.get("activityId"))
    if number is None:
        return None
    return {**room, "activityId": number, "subject": room.get("subject") or room.get("name")}
