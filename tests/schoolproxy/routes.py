"""The routes of school data, for the tests that all of them share."""

from dataclasses import dataclass
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.conftest import Caller
from upstream.simulator.assignments.data import of_week
from upstream.simulator.classes import class_of
from upstream.simulator.news import CLASS_LETTER
from upstream.simulator.plannings import planning_id
from upstream.simulator.server import Simulator
from upstream.simulator.subject_rooms.data import room_id

WEEK, YEAR = 11, 2026


@dataclass(frozen=True)
class Route:
    """A route, the operation of the simulator that it needs, the fields of its answer, and the
    queries of the database that an answer from the cache takes.

    In the path, `{room}`, `{assignment}`, `{planning}`, `{part}` (of that planning) and `{letter}`
    stand for ids of Elsa's class, `{message}` and `{assessed}` for one of her messages and
    assessments.
    """

    path: str
    operation: str
    fields: frozenset[str]
    queries: int = 0

    def of(self, simulator: Simulator, username: str = "elsa.nordvall") -> str:
        """The path with ids that this person may see."""
        return self.path.format(**numbers(simulator, username))


def _route(path: str, operation: str, *fields: str, queries: int = 0) -> Route:
    return Route(path, operation, frozenset({"success", *fields}), queries)


SCHEDULE = _route("/api/schedule?week=11", "lessons", "week", "year", "schedule", "shown")
LUNCH = _route("/api/lunch?week=11", "lunch", "week", "year", "data")
NEWS = _route("/api/news", "news", "data")
ARTICLES = _route("/api/news/articles", "news.page", "articles")
ARTICLE = _route("/api/news/{letter}", "news.page", "article")
INBOX = _route("/api/inbox", "inbox", "messages", "total", "next")
MESSAGE = _route("/api/inbox/{message}", "inbox", "message")
FEATURES = _route("/api/features", "menu", "features")
STAFF = _route("/api/school/staff", "staff", "staff")
FILES = _route("/api/files", "library", "sections")
SUBJECTS = _route("/api/subjects", "subjects", "subjects", queries=1)
SUBJECT = _route(
    "/api/subjects/{room}", "subjects.room", "subject", "overview", "assignments", queries=1
)
WEEK_ASSIGNMENTS = _route(
    "/api/assignments/week?week=11&year=2026", "assignments", "week", "year", "data", queries=1
)
_WHOLE = ("type", "assignment", "sections", "connectedPlannings", "assessment", "grading")
ASSIGNMENT = _route("/api/assignment/{assignment}", "assignment", *_WHOLE, queries=1)
PLANNING = _route("/api/assignment/{planning}?type=planning", "planning", *_WHOLE, queries=1)
MISSING = _route("/api/missing", "subjects.assignments", "missing", queries=1)
RESULTS = _route("/api/results", "results", "results", "next", "incomplete")
ASSESSMENTS = _route("/api/assessments", "assessments", "actionPlan", "assessments", "incomplete")
ASSESSMENT = _route("/api/assessments/{assessed}", "assessment", "assessment", "incomplete")
ATTENDANCE = _route("/api/attendance?week=11", "lessons", "week", "year", "days", "summary")
EXAMS = _route("/api/exams", "dated", "exams", "incomplete", queries=1)
WEEK_PLANNINGS = _route(
    "/api/plannings/week?week=11&year=2026", "subjects.plannings", "week", "year", "plannings"
)
PART = _route("/api/plannings/{part}", "planning.part", "planning", "incomplete", queries=1)
CALENDAR = _route("/api/calendar?include=events", "events", "from", "to", "items", "incomplete")
CLASS = _route("/api/people/class", "class", "students")

ROUTES = [
    SCHEDULE,
    LUNCH,
    NEWS,
    ARTICLES,
    ARTICLE,
    INBOX,
    MESSAGE,
    STAFF,
    FILES,
    SUBJECTS,
    SUBJECT,
    WEEK_ASSIGNMENTS,
    ASSIGNMENT,
    PLANNING,
    EXAMS,
    CALENDAR,
    MISSING,
    RESULTS,
    WEEK_PLANNINGS,
    PART,
    ASSESSMENTS,
    ASSESSMENT,
    ATTENDANCE,
    CLASS,
]
PERSONAL = [route for route in ROUTES if route not in (LUNCH, STAFF)]
each_route = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
each_personal_route = pytest.mark.parametrize("route", PERSONAL, ids=lambda route: route.path)


def numbers(simulator: Simulator, username: str = "elsa.nordvall") -> dict[str, int]:
    """Upstream's ids of a room, an assignment, a planning and the letter of a person's class,
    of a message, and of the first of a person's written assessments."""
    person = simulator.state.person("bjorkdalen", username)
    own = class_of(person, simulator.state)
    monday = date.fromisocalendar(YEAR, WEEK, 1)
    return {
        "room": room_id(own, 0),
        "assignment": of_week(own, monday)[0].id,
        "planning": planning_id(own, 0),
        "part": planning_id(own, 0) * 10 + 1,
        "letter": CLASS_LETTER + own.number,
        "message": person.user_id * 100 + 4,
        "assessed": person.user_id * 100,
    }


def queries_of(caller: Caller, path: str) -> int:
    """The number of database queries of a request."""
    with CaptureQueriesContext(connection) as queries:
        assert caller.get(path).status_code == 200
    return len(queries)
