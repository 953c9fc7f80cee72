"""Subject rooms of a class, with the gaps of the real ones.

Some have no group names, null or an empty list, some have no colour, `access` false, or no
`isSubjectRoom`. `Fritidshem` is after-school care, with `isSubjectRoom` false.
"""

from typing import Any

from upstream.simulator.classes import SchoolClass

SUBJECTS = [
    "Matematik",
    "Svenska & retorik",
    "Engelska ",
    "Idrott och hälsa",
    "Fysik",
    "Kemi  laboration",
    "Hem- och konsumentkunskap",
    "Bild",
    "Slöjd",
    "Historia",
    "Musik",
    "Fritidshem",
    "Spanska",
    "Tyska",
    "Franska",
    "Biologi",
    "Geografi",
    "Samhällskunskap",
    "Religionskunskap",
    "Teknik",
]
_COLOURS = ["#9fe2a0", "", "#6fa8dc", "#ffd966", "#f6b26b"]
_FIRST = 4
_TEACHERS = [
    (902, "Torbjörn", "Ekvik"),
    (903, "Åsa", "Lindroos"),
    (904, "Per-Olof", "Hägg"),
    (905, "Mårten", "Öberg"),
]


def room_id(school_class: SchoolClass, index: int) -> int:
    """`activityId`: the number of the class followed by two digits."""
    return school_class.number * 100 + _FIRST + index


def parse_room_id(activity_id: int) -> tuple[int, int]:
    """The number of the class and the index of the room, which may be out of range."""
    number, rest = divmod(activity_id, 100)
    return number, rest - _FIRST


def subject_of(index: int) -> str:
    return SUBJECTS[index % len(SUBJECTS)]


def rooms_of(school_class: SchoolClass, count: int) -> list[dict[str, Any]]:
    """The first `count` rooms, at most one for each subject."""
    return [room(school_class, index) for index in range(min(count, len(SUBJECTS)))]


def room(school_class: SchoolClass, index: int) -> dict[str, Any]:
    """One room, as in the list."""
    data: dict[str, Any] = {
        "activityId": room_id(school_class, index),
        "subject": subject_of(index),
        "groupNames": [school_class.name],
        "color": _COLOURS[index % len(_COLOURS)],
        "isPreSchool": False,
        "access": index % 4 != 3,
        "isSubjectRoom": subject_of(index) != "Fritidshem",
        "hiddenForStudents": False,
    }
    if index == 2:
        data["groupNames"] = [f"{school_class.name}/En", "8ABC Engelska"]
    elif index == 4:
        data["groupNames"] = []
    elif index == 5:
        del data["groupNames"]
    elif index == 8:
        data |= {"groupNames": None, "color": ""}
        del data["isSubjectRoom"]
    return data


def unread_of(index: int) -> Any:
    """The number of unread items: a number, an object, or a text."""
    assignments, plannings = index % 4, index % 2
    total = assignments + plannings
    parts = {"assignments": assignments, "plannings": plannings, "results": 0, "sum": total}
    return (total, parts, str(total))[index % 3]


def teachers_of(index: int, variant: str) -> list[dict[str, Any]] | None:
    """By default the second room has a teacher twice, the third one without last name and role,
    the fourth none."""
    if variant == "null":
        return None
    first = _teacher(index, "Undervisande lärare")
    second = _teacher(index + 1, ("Mentor", "TEACHER")[index % 2])
    if variant == "mixed" and index == 3:
        return []
    if variant == "duplicate" or (variant == "mixed" and index == 1):
        return [first, second, first]
    if variant == "mixed" and index == 2:
        return [first | {"lastName": None, "role": None}]
    return [first, second] if index % 2 else [first]


def _teacher(number: int, role: str) -> dict[str, Any]:
    teacher_id, first, last = _TEACHERS[number % len(_TEACHERS)]
    return {"id": teacher_id, "firstName": first, "lastName": last, "role": role}
