"""Rooms, assignments and menus as upstream sends them: all JSON except lessons.

Each document has a slot for the mark of the account that it is sent to.
"""

import json
from functools import cache
from typing import Any

from benchmarks.fake_upstream.lessons import OWNER_SLOT, owner_mark

ROOMS = 12
FIRST_ROOM = 1204
ASSIGNMENT = 88121
DISH = "Kåldolmar med lingon"  # the first of every week
_SUBJECTS = ["Matematik", "Svenska & retorik", "Engelska", "Idrott och hälsa", "Fysik", "Kemi",
             "Bild", "Slöjd", "Historia", "Musik", "Spanska", "Biologi"]  # fmt: skip
_TEXT = (
    '<p class="tinymce-p">R&auml;kna sid 84&ndash;91.&nbsp;Öva på <strong>allt</strong>.</p>'
    '<ul><li>Ta med <a href="showFile.jsp?id=5">räknare</a></li><li>Linjal</li></ul>'
)
_MARK = OWNER_SLOT.decode()


def rooms(_: int) -> list[dict[str, Any]]:
    """Every room of a user."""
    return [room(FIRST_ROOM + index) for index in range(ROOMS)]


def room(number: int) -> dict[str, Any]:
    """One room."""
    return {
        "activityId": number,
        "subject": _SUBJECTS[(number - FIRST_ROOM) % len(_SUBJECTS)],
        "groupNames": ["8C"],
        "color": "#9fe2a0",
        "isPreSchool": False,
        "access": True,
        "isSubjectRoom": True,
        "hiddenForStudents": False,
    }


def entities(number: int) -> list[dict[str, Any]]:
    """Six assignments and two plannings of a room: about 3 kB, with some HTML of a teacher."""
    return [
        {
            "id": ASSIGNMENT + index,
            "assignmentId": ASSIGNMENT + index,
            "planningId": 41077 + index if index > 5 else None,
            "activityId": number,
            "title": f"Prov kap {index}, {_MARK}" if index == 0 else f"Prov kap {index}",
            "subTitle": "tis 17 mars 08:20, Prov, Matematik",
            "description": _TEXT if index % 3 == 0 else None,
            "sortDate": "2026-03-17 08:20",
            "read": index % 2 == 0,
            "status": "ONGOING",
        }
        for index in range(8)
    ]


def unread(number: int) -> Any:
    """A number or an object."""
    return {"assignments": 2, "plannings": 1, "results": 0, "sum": 3} if number % 2 else 3


def teachers(_: int) -> list[dict[str, Any]]:
    """Two teachers, one of them twice."""
    ekvik = {"id": 902, "firstName": "Torbjörn", "lastName": "Ekvik", "role": "Mentor"}
    return [ekvik, {"id": 903, "firstName": "Åsa", "lastName": None, "role": None}, ekvik]


def rows(number: int) -> list[dict[str, Any]]:
    """The table of a room; also its tests, and the assignments of a week."""
    return [
        {
            "id": ASSIGNMENT + index,
            "partId": None,
            "entityType": "ASSIGNMENT",
            "activityId": number,
            "title": f"Prov kap {index}, {_MARK}" if index == 0 else f"Prov kap {index}",
            "subTitle": "tis 10 mars 00:00 - tis 17 mars 08:20, Prov, Matematik",
            "sortDate": "2026-03-17 08:20",
            "submissionStatus": "NO_STATUS",
            "resultReportStatus": "NOT_REPORTED",
            "status": "UPCOMING",
            "read": False,
        }
        for index in range(6)
    ]


def assignment(number: int) -> dict[str, Any]:
    """The view of an assignment."""
    return {
        "id": number,
        "title": f"Prov kap 4, {_MARK}",
        "type": "Prov",
        "subTitle": "tisdag 10 mars 2026 00:00 - tisdag 17 mars 2026 08:20",
        "subjectNames": "Matematik",
        "description": _TEXT,
        "status": "UPCOMING",
        "endDate": "2026-03-17",
        "endTime": "08:20",
        "subjectRoomId": FIRST_ROOM,
    }


def sections(_: int) -> list[dict[str, Any]]:
    return [{"id": 5121, "type": "SUBMISSION"}, {"id": 5123, "type": "GRADECRITERIA", "typeId": 7}]


def assessment(_: int) -> dict[str, Any]:
    moments = [{"id": 31, "name": "Del A", "points": 11, "max": 16}]
    return {"review": "", "teacherComment": None, "assessmentPartialMoments": moments}


def criteria(_: int) -> list[dict[str, Any]]:
    return [{"gradeStep": "C", "text": "Eleven räknar"}]


def menu(_: int) -> list[dict[str, Any]]:
    """Five days of three dishes, about 2 kB; the same for everyone."""
    dishes = [
        {"dishType": "Dagens lunch", "dish": f"{DISH}\r\n\r\nVegetarisk\r\nLinsbiffar\r\n"},
        {"dishType": "Lunch 2", "dish": "Fiskgratäng med dill \r\n\r\nVeg:\r\nGrönsaksgratäng"},
        {"dishType": "Sallad", "dish": "Rotfrukter, bulgur, yoghurt\r\n"},
    ]
    return [{"dayId": day, "dishes": dishes} for day in range(1, 6)]


def nothing(_: int) -> list[dict[str, Any]]:
    return []


# The end of the path, with "*" for a number; the kind of call; the function that makes the JSON.
DOCUMENTS = [
    ("/ps/subjectroom/all", "rooms", rooms),
    ("/ps/subjectroom/*", "room", room),
    ("/ps/subjectroom/*/entities", "entities", entities),
    ("/ps/subjectroom/*/unread_entities", "unread", unread),
    ("/ps/subjectroom/*/teachers", "teachers", teachers),
    ("/ps/subjectroom/*/table/rows", "rows", rows),
    ("/ps/assignments/examinations", "examinations", rows),
    ("/ps/assignments/submissions", "submissions", nothing),
    ("/ps/assignments/start-page", "assignments", rows),
    ("/ps/assignments/*/view", "assignment", assignment),
    ("/ps/assignments/*/sections", "sections", sections),
    ("/ps/assignments/*/connected_plannings", "plannings", nothing),
    ("/ps/assignment/*/assessment", "assessment", assessment),
    ("/ps/assignment/*/assessment/grid/available-columns", "columns", nothing),
    ("/ps/grade_subject/*/grade_criteria/*/selected", "criteria", criteria),
    ("/lunchmenu/week/*", "lunch", menu),
]
_BY_ENDING = {ending: (kind, make) for ending, kind, make in DOCUMENTS}


def kind_of(path: str) -> str | None:
    """The kind of call of a path; None if it is not in DOCUMENTS."""
    found = _BY_ENDING.get(_pattern(path))
    return found[0] if found else None


def document(path: str, user_id: int) -> bytes:
    """The JSON for a path in DOCUMENTS and one account."""
    numbers = [int(part) for part in path.split("/") if part.isdecimal()]
    return _encoded(_pattern(path), numbers[0] if numbers else 0).replace(
        OWNER_SLOT, owner_mark(user_id)
    )


@cache
def _encoded(pattern: str, number: int) -> bytes:
    _, make = _BY_ENDING[pattern]
    return json.dumps(make(number), ensure_ascii=False).encode()


def _pattern(path: str) -> str:
    """`/x/eva/rest-api/student/ps/subjectroom/7` -> `/ps/subjectroom/*`"""
    _, _, inside = path.partition("/rest-api/")
    role, _, rest = inside.partition("/")
    below = inside if role == "lunchmenu" else rest
    return "/" + "/".join("*" if part.isdecimal() else part for part in below.split("/"))
