"""The routes: which request is which operation, and which handler answers it."""

import re
from dataclasses import dataclass, replace

from upstream import endpoints as at
from upstream.simulator import (
    articles,
    assessments,
    contact_pages,
    files,
    lessons,
    library,
    login,
    lunch,
    menu,
    messages,
    page_frame,
    plannings,
    school_calendar,
    school_lists,
    session,
    sign_in_page,
    start_page,
)
from upstream.simulator.access import Handler
from upstream.simulator.assignments import answers as assignments
from upstream.simulator.assignments import parts, results
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.state import State
from upstream.simulator.subject_rooms import answers as rooms


@dataclass(frozen=True, slots=True)
class Route:
    """One route. `operation` is the name that faults and holds use."""

    method: str
    pattern: re.Pattern[str]
    operation: str
    handler: Handler


def _route(method: str, template: str, operation: str, handler: Handler) -> Route:
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template))
    return Route(method, re.compile(pattern + r"\Z"), operation, handler)


def _in_school(method: str, template: str, operation: str, handler: Handler) -> Route:
    return _route(method, "/{school}" + template, operation, handler)


_PAGES: list[tuple[str, str, Handler]] = [
    (at.LUNCH_PAGE, "lunch.page", lunch.lunch_page),
    (at.START_PAGE, "news", start_page.start_page),
    (at.NEWS_PAGE, "news.page", articles.news_page),
    (at.MESSAGE_PAGE, "inbox", messages.message_page),
    (at.FILE_PAGE, "file", files.download),
    (at.CLASS_PAGE, "class", contact_pages.class_page),
    (at.LIBRARY_PAGE, "library", library.library_page),
    (at.LIBRARY_FILE, "file", library.download),
    (at.STAFF_PAGE, "staff", contact_pages.staff_page),
    (at.BLOCKED_PAGE, "blocked", page_frame.blocked_page),
]

# Constant paths come before those with a parameter.
_DOCUMENTS: list[tuple[str, str, Handler]] = [
    (at.SESSION, "session", session.session),
    (at.MENU, "menu", menu.section_groups),
    (at.LESSONS, "lessons", lessons.week_lessons),
    (at.DATED_ENTITIES, "dated", school_calendar.dated_entities),
    (at.EVENTS, "events", school_calendar.events),
    (at.LUNCH, "lunch", lunch.week_menu),
    (at.SUBJECT_ROOMS, "subjects", rooms.list_rooms),
    (at.SUBJECT_ROOM, "subjects.room", rooms.one),
    (at.ROOM_ENTITIES, "subjects.entities", rooms.entities),
    (at.ROOM_UNREAD, "subjects.unread", rooms.unread),
    (at.ROOM_TEACHERS, "subjects.teachers", rooms.teachers),
    (at.ROOM_ROWS, "subjects.rows", rooms.table),
    (at.ROOM_ASSIGNMENTS, "subjects.grids", rooms.assignment_grid),
    (at.ALL_ASSIGNMENTS, "subjects.assignments", rooms.all_assignments),
    (at.ALL_PLANNINGS, "subjects.plannings", rooms.all_plannings),
    (at.ROOM_PLANNINGS, "subjects.grids", rooms.planning_grid),
    (at.ROOM_RESULTS, "subjects.grids", rooms.results),
    (at.ALL_RESULTS, "results", results.of_all_rooms),
    (at.ASSESSMENT_ROWS, "assessments", assessments.rows),
    (at.ASSESSMENT_OVERVIEW, "assessments.overview", assessments.overview),
    (at.ASSESSMENT_OPTIONS, "assessments.options", assessments.options),
    (at.SUBJECT_ASSESSMENT, "assessment", assessments.one),
    (at.ASSESSMENT_SECTIONS, "assessment.sections", assessments.sections),
    (at.ASSESSMENT_KNOWLEDGE, "assessment.knowledge", assessments.knowledge),
    (at.ASSESSMENT_COMMENTS, "assessment.comments", assessments.comments),
    (at.ASSESSMENT_WARNING, "assessment.warning", assessments.warning),
    (at.ASSESSMENT_WORK, "assessment.work", assessments.work),
    (at.ASSESSMENT_HISTORY, "assessment.history", assessments.history),
    (at.EXAMINATIONS, "subjects.examinations", rooms.examinations),
    (at.SUBMISSIONS, "subjects.submissions", rooms.submissions),
    (at.WEEK_ASSIGNMENTS, "assignments", assignments.of_week),
    (at.ASSIGNMENT, "assignment", assignments.view),
    (at.ASSIGNMENT_SECTIONS, "assignment.sections", parts.sections),
    (at.ASSIGNMENT_PLANNINGS, "assignment.plannings", parts.connected_plannings),
    (at.ASSESSMENT, "assignment.assessment", parts.assessment),
    (at.ASSESSMENT_COLUMNS, "assignment.columns", parts.columns),
    (at.PLAIN_GRADE_CRITERIA, "assignment.criteria", parts.criteria),
    (at.GRADE_CRITERIA, "assignment.criteria", parts.criteria),
    (at.MATERIAL_FILES, "assignment.material", plannings.material(plannings.files, parts.files)),
    (at.MATERIAL_LINKS, "assignment.material", plannings.material(plannings.links, parts.links)),
    (at.MATERIAL_FILE, "file", plannings.file),
    (at.WEEK_PLANNINGS, "plannings", plannings.of_week),
    (at.PLANNING, "planning", plannings.view),
    (at.PLANNING_TABS, "planning.tabs", plannings.tabs),
    (at.PLANNING_PART, "planning.part", plannings.part_view),
    (at.PLANNING_PART_SECTIONS, "planning.sections", plannings.part_sections),
    (at.PLANNING_PART_ASSIGNMENTS, "planning.assignments", plannings.part_assignments),
]

ROUTES = [
    _in_school("POST", at.AUTHORIZE, "login.password", login.specified_password),
    _in_school("GET", at.AUTHORIZE, "login.password", login.observed_password),
    _in_school("POST", at.TOKEN, "login.token", login.token),
    _in_school("POST", at.TRANSLATE, "login.session", login.login_session),
    _in_school("GET", at.BRIDGE, "login.session", login.bridge),
    _in_school("GET", at.LOGIN_PAGE, "login.page", login.show_login_page),
    _in_school("GET", at.LOGIN_METHODS, "login.methods", sign_in_page.methods),
    _in_school("GET", at.SIGN_IN_PAGE, "sign-in", sign_in_page.script_page),
    _in_school("GET", sign_in_page.PAGE, "sign-in", sign_in_page.page),
    _in_school("POST", sign_in_page.PASSWORD, "sign-in", sign_in_page.password),
    _in_school("GET", sign_in_page.EXTERNAL, "sign-in", sign_in_page.external),
    _in_school("GET", sign_in_page.SAML_START, "sign-in", sign_in_page.saml_start),
    _in_school("GET", at.PARENT, "parent", sign_in_page.parent),
    _in_school("GET", at.PARENT_HEADER, "child", session.show_child),
    _in_school("PUT", at.PARENT_HEADER, "child.switch", session.switch_child),
    *(_in_school("GET", path, operation, handler) for path, operation, handler in _DOCUMENTS),
    *(_in_school("GET", path, operation, handler) for path, operation, handler in _PAGES),
    _route("GET", at.FILES + "{school}/{name}", "file.bytes", files.content),
    _route("GET", sign_in_page.PROVIDER, "sign-in", sign_in_page.provider),
    _route("POST", sign_in_page.ASSERTION, "sign-in", sign_in_page.assertion),
    _route("GET", at.SCHOOL_LIST, "schools", school_lists.school_list),
    _route("GET", at.SCHOOL_LOGIN_METHODS, "schools", school_lists.login_methods),
]


def _not_found(_request: Request, _state: State) -> Response:
    return NOT_FOUND


def _not_allowed(methods: set[str]) -> Handler:
    refusal = as_json({"error": "Method Not Allowed"}, 405)
    refusal = refusal.with_headers(("Allow", ", ".join(sorted(methods))))
    return lambda _request, _state: refusal


def find(request: Request, state: State) -> tuple[Request, str, Handler]:
    """The request with the parameters of its path, its operation, and its handler.

    The operation of an unknown address is `traffic`.
    """
    methods: set[str] = set()
    for route in ROUTES:
        match = route.pattern.match(request.path)
        if match is None:
            continue
        if request.method == route.method:
            named = replace(request, args=match.groupdict())
            known = "school" not in named.args or named.school in state.schools
            return named, route.operation, route.handler if known else _not_found
        methods.add(route.method)
    return request, "traffic", _not_allowed(methods) if methods else _not_found
