"""The menu as JSON: what is switched off has no address."""

from typing import Any

from upstream.simulator.access import json_endpoint
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State

# Section, and the id, label and address of its items. Labels differ from school to school.
_SECTIONS: list[tuple[str, list[tuple[str, str, str]]]] = [
    (
        "SCHOOL_INFO",
        [
            ("NEWS", "Aktuellt", "right_student_news.jsp?menu=1"),
            ("MESSAGES", "Meddelanden", "right_student_message.jsp?menu=2"),
            ("STAFF_LIST", "Kontaktlistor", "right_student_staff.jsp?menu=3"),
            ("", "Skolbiblioteket", "https://bibliotek.example/"),
        ],
    ),
    ("PRESENCE", [("", "Frånvaro", "right_student_absence.jsp?menu=4")]),
    ("SUBJECTS", [("RESULTS", "Resultat", "react/#/student/subjectrooms/results")]),
    ("LESSON", [("", "Planeringar", "react/#/student/subjectrooms/plannings")]),
    ("REVIEW", [("", "Omdömen", "react/#/student/review")]),
    ("FILE", [("", "Filer & länkar", "right_student_library.jsp?menu=5")]),
    ("UNICORN", [("7", "Nytt", "right_student_unicorn.jsp")]),
]


@json_endpoint
def section_groups(_request: Request, state: State, _person: Person) -> Response:
    if state.settings.menu == "none":
        return as_json([])
    off = state.switched_off

    def items(section: str, rows: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
        return [
            {"label": label, "id": key or None, "target": "_self"}
            | ({} if key in off or section in off else {"url": url})
            for key, label, url in rows
        ]

    sections = [
        {"label": key.title(), "key": key, "items": items(key, rows)} for key, rows in _SECTIONS
    ]
    return as_json([{"label": "Min skola", "key": "MY_SCHOOL", "sections": sections}])
