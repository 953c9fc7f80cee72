"""The table of contents: which request is which operation, and who answers it."""

import re
from dataclasses import dataclass, replace

from upstream import endpoints as at
from upstream.simulator.answers import (
    assignments,
    calendar,
    child,
    grading,
    login_page,
    lunch,
    password,
    plannings,
    rooms,
    school_lists,
    sections,
    session,
    token,
    translation,
)
from upstream.simulator.answers.access import Handler
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.pages import blocked, class_list, news, staff, start
from upstream.simulator.pages import lunch as lunch_page
from upstream.simulator.state import State


@dataclass(frozen=True, slots=True)
class Route:
    """One line of the table. `operation` is the name that faults and gates use."""

    method: str
    pattern: re.Pattern[str]
    operation: str
    answer: Handler


def _route(method: str, template: str, operation: str, answer: Handler) -> Route:
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template))
    return Route(method, re.compile(pattern + r"\Z"), operation, answer)


def _in_school(method: str, template: str, operation: str, answer: Handler) -> Route:
    return _route(method, "/{school}" + template, operation, answer)


# Addresses that only other clients ask for.
_CHILD = "/rest-api/parent/header/parent"
_EVERY_UNREAD = "/rest-api/{role}/ps/subjectroom/unread_entities"
_OLD_CRITERIA = "/rest-api/{role}/ps/grade_subject/grade_criteria/{section}/selected"

_PAGES: list[tuple[str, str, Handler]] = [
    (at.LUNCH_PAGE, "lunch.page", lunch_page.show),
    (at.START_PAGE, "news", start.show),
    (at.NEWS_PAGE, "news.page", news.show),
    (at.CLASS_PAGE, "class", class_list.show),
    (at.STAFF_PAGE, "staff", staff.show),
    (at.BLOCKED_PAGE, "blocked", blocked.show),
]

# What is constant in a path stands before what is a number.
_DOCUMENTS: list[tuple[str, str, Handler]] = [
    (at.SESSION, "session", session.session),
    (at.BEARER_SCHEDULE, "schedule", calendar.bearer_schedule),
    (at.LESSONS, "lessons", calendar.week),
    (at.LUNCH, "lunch", lunch.week),
    (at.SUBJECT_ROOMS, "subjects", rooms.every),
    (_EVERY_UNREAD, "subjects.unread", rooms.every_unread),
    (at.SUBJECT_ROOM, "subjects.room", rooms.one),
    (at.ROOM_ENTITIES, "subjects.entities", rooms.entities),
    (at.ROOM_UNREAD, "subjects.unread", rooms.unread),
    (at.ROOM_TEACHERS, "subjects.teachers", rooms.teachers),
    (at.ROOM_ROWS, "subjects.rows", rooms.table),
    (at.ROOM_ASSIGNMENTS, "subjects.grids", rooms.assignment_grid),
    (at.ROOM_PLANNINGS, "subjects.grids", rooms.planning_grid),
    (at.ROOM_RESULTS, "subjects.grids", rooms.results),
    (at.ROOM_INFORMATION, "subjects.information", rooms.information),
    (at.EXAMINATIONS, "subjects.examinations", rooms.examinations),
    (at.SUBMISSIONS, "subjects.submissions", rooms.submissions),
    (at.WEEK_ASSIGNMENTS, "assignments", assignments.of_week),
    (at.ASSIGNMENT, "assignment", assignments.view),
    (at.ASSIGNMENT_SECTIONS, "assignment.sections", sections.sections),
    (at.ASSIGNMENT_PLANNINGS, "assignment.plannings", assignments.connected_plannings),
    (at.ASSESSMENT, "assignment.assessment", grading.assessment),
    (at.ASSESSMENT_COLUMNS, "assignment.columns", grading.columns),
    (_OLD_CRITERIA, "assignment.criteria", sections.criteria),
    (at.GRADE_CRITERIA, "assignment.criteria", sections.criteria),
    (at.CENTRAL_CONTENT, "assignment.curriculum", sections.central_content),
    (at.SUBJECT_DESCRIPTION, "assignment.curriculum", sections.subject_description),
    (at.SUBMISSION, "assignment.submission", sections.submission),
    (at.MATERIAL_FILES, "assignment.material", sections.files),
    (at.MATERIAL_LINKS, "assignment.material", sections.links),
    (at.WEEK_PLANNINGS, "plannings", plannings.of_week),
    (at.PLANNING, "planning", plannings.view),
    (at.PLANNING_TABS, "planning.tabs", plannings.tabs),
    (at.PLANNING_PART, "planning.part", plannings.part_view),
    (at.PLANNING_PART_SECTIONS, "planning.sections", plannings.part_sections),
    (at.PLANNING_PART_ASSIGNMENTS, "planning.assignments", plannings.part_assignments),
]

ROUTES = [
    _in_school("POST", at.AUTHORIZE, "login.password", password.specified),
    _in_school("GET", at.AUTHORIZE, "login.password", password.observed),
    _in_school("POST", at.TOKEN, "login.token", token.token),
    _in_school("POST", at.TRANSLATE, "login.session", translation.login_session),
    _in_school("GET", at.BRIDGE, "login.session", translation.bridge),
    _in_school("GET", at.LOGIN_PAGE, "login.page", login_page.show),
    _in_school("POST", at.LOGIN_PAGE, "login.page", login_page.sign_in),
    _in_school("GET", _CHILD, "child", child.show),
    _in_school("PUT", _CHILD, "child", child.switch),
    *(_in_school("GET", path, operation, answer) for path, operation, answer in _DOCUMENTS),
    *(_in_school("GET", path, operation, answer) for path, operation, answer in _PAGES),
    _route("GET", at.SCHOOL_LIST, "schools", school_lists.internal),
    _route("GET", at.SCHOOL_LOGIN_METHODS, "schools", school_lists.app),
]


def _not_found(_request: Request, _state: State) -> Response:
    return NOT_FOUND


def _not_allowed(methods: set[str]) -> Handler:
    refusal = as_json({"error": "Method Not Allowed"}, 405)
    refusal = refusal.with_headers(("Allow", ", ".join(sorted(methods))))
    return lambda _request, _state: refusal


def find(request: Request, state: State) -> tuple[Request, str, Handler]:
    """The request with the parts of its path, its operation, and who answers.

    What nobody knows is the operation `traffic`.
    """
    methods: set[str] = set()
    for route in ROUTES:
        match = route.pattern.match(request.path)
        if match is None:
            continue
        if request.method == route.method:
            named = replace(request, args=match.groupdict())
            known = "school" not in named.args or named.school in state.schools
            return named, route.operation, route.answer if known else _not_found
        methods.add(route.method)
    return request, "traffic", _not_allowed(methods) if methods else _not_found
