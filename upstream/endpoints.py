"""The path of every upstream endpoint, and `build_url`, which makes URLs of them.

This is the only module that the simulator shares with the client: the two sides must agree on
paths and on nothing else.

A template has constant segments, `{name}` fields for whole numbers, and `{role}` for one word of
`ROLE_SEGMENTS`. So a URL may be wrong, but it cannot leave the host or the school.
"""

import re
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

SLUG: Final = re.compile(r"^[a-z0-9][a-z0-9_-]{0,62}\Z")
ROLE_SEGMENTS: Final = frozenset({"student", "parent", "teacher", "staff"})

# --- Login and session --------------------------------------------------------------------------
AUTHORIZE: Final = "/rest-api/login/student/password"
TOKEN: Final = "/rest-api/login/token"  # noqa: S105, a path
TRANSLATE: Final = "/rest-api/login/session"
SESSION: Final = "/rest-api/session"
LOGIN_PAGE: Final = "/jsp/Login.jsp"
# A guardian's children and which of them this web session shows; PUT chooses another.
PARENT_HEADER: Final = "/rest-api/parent/header/parent"
# The dialect `observed` requests its cookies here, instead of TRANSLATE.
BRIDGE: Final = "/eva-apps/auth/login/{role}"
# The school's own sign-in page, for browsers. What it is asked stands after the `#`.
SIGN_IN_PAGE: Final = "/react/"
LOGIN_METHODS: Final = "/rest-api/login/methods/"
# A guardian and the children, for a Bearer token.
PARENT: Final = "/eva/api/v1/parent"

# --- Calendar and lunch -------------------------------------------------------------------------
LESSONS: Final = "/rest-api/{role}/calendar/lessons/week/{week}"
# Everything with a date in all rooms: tests, homework, plannings.
DATED_ENTITIES: Final = "/rest-api/{role}/calendar/subject_room/ps_entities"
# The school's own calendar, from `start_date` to `end_date`.
EVENTS: Final = "/rest-api/{role}/calendar/event/agenda"
LUNCH: Final = "/rest-api/lunchmenu/week/{week}"
LUNCH_PAGE: Final = "/jsp/student/right_student_lunchmenu.jsp"

# --- The menu: groups of sections of items -------------------------------------------------------
MENU: Final = "/rest-api/{role}/sidebar/sectiongroups"

# --- Pages --------------------------------------------------------------------------------------
START_PAGE: Final = "/jsp/student/right_student_startpage.jsp"
NEWS_PAGE: Final = "/jsp/student/right_student_news.jsp"
# With `action=view` it marks a message as read. That is never sent.
MESSAGE_PAGE: Final = "/jsp/student/right_student_message.jsp"
# Redirects once, to FILES of the same host.
FILE_PAGE: Final = "/jsp/student/right_student_file_download.jsp"
FILES: Final = "/files/"
CLASS_PAGE: Final = "/jsp/student/right_student_class.jsp"
LIBRARY_PAGE: Final = "/jsp/student/right_student_library.jsp"
LIBRARY_FILE: Final = "/jsp/student/right_student_library_download.jsp"
STAFF_PAGE: Final = "/jsp/student/right_student_staff.jsp"
BLOCKED_PAGE: Final = "/jsp/student/right_student_app_blocked.jsp"

# --- Subject rooms ------------------------------------------------------------------------------
SUBJECT_ROOMS: Final = "/rest-api/{role}/ps/subjectroom/all"
SUBJECT_ROOM: Final = "/rest-api/{role}/ps/subjectroom/{room}"
ROOM_ENTITIES: Final = "/rest-api/{role}/ps/subjectroom/{room}/entities"
ROOM_UNREAD: Final = "/rest-api/{role}/ps/subjectroom/{room}/unread_entities"
ROOM_TEACHERS: Final = "/rest-api/{role}/ps/subjectroom/{room}/teachers"
ROOM_ROWS: Final = "/rest-api/{role}/ps/subjectroom/{room}/table/rows"
ROOM_ASSIGNMENTS: Final = "/rest-api/{role}/ps/subjectroom/{room}/assignments/grid/rows"
ROOM_RESULTS: Final = "/rest-api/{role}/ps/subjectroom/{room}/results/grid/rows"
# The same of all rooms.
ALL_ASSIGNMENTS: Final = "/rest-api/{role}/ps/subjectroom/assignments/grid/rows"
ALL_PLANNINGS: Final = "/rest-api/{role}/ps/subjectroom/plannings/grid/rows"
ALL_RESULTS: Final = "/rest-api/{role}/ps/subjectroom/results/grid/rows"
ROOM_PLANNINGS: Final = "/rest-api/{role}/ps/subjectroom/{room}/plannings/grid/rows"
# These two take the room as `activityId` in the query.
EXAMINATIONS: Final = "/rest-api/{role}/ps/assignments/examinations"
SUBMISSIONS: Final = "/rest-api/{role}/ps/assignments/submissions"

# --- Assignments --------------------------------------------------------------------------------
WEEK_ASSIGNMENTS: Final = "/rest-api/{role}/ps/assignments/start-page"
ASSIGNMENT: Final = "/rest-api/{role}/ps/assignments/{assignment}/view"
ASSIGNMENT_SECTIONS: Final = "/rest-api/{role}/ps/assignments/{assignment}/sections"
ASSIGNMENT_PLANNINGS: Final = "/rest-api/{role}/ps/assignments/{assignment}/connected_plannings"
ASSESSMENT: Final = "/rest-api/{role}/ps/assignment/{assignment}/assessment"
ASSESSMENT_COLUMNS: Final = (
    "/rest-api/{role}/ps/assignment/{assignment}/assessment/grid/available-columns"
)
GRADE_CRITERIA: Final = (
    "/rest-api/{role}/ps/grade_subject/{grade_type}/grade_criteria/{section}/selected"
)
# The same where the kind of subject is not known.
PLAIN_GRADE_CRITERIA: Final = "/rest-api/{role}/ps/grade_subject/grade_criteria/{section}/selected"
MATERIAL_FILES: Final = "/rest-api/{role}/ps/material/{section}/file"
# The bytes of one, without a redirect.
MATERIAL_FILE: Final = "/rest-api/{role}/ps/material/{section}/file/{file}"
MATERIAL_LINKS: Final = "/rest-api/{role}/ps/material/{section}/link"

# --- Written assessments of subjects -------------------------------------------------------------
ASSESSMENT_ROWS: Final = "/rest-api/{role}/holistic_assessment/rows"
ASSESSMENT_OVERVIEW: Final = "/rest-api/{role}/holistic_assessment/overview"
ASSESSMENT_OPTIONS: Final = "/rest-api/{role}/holistic_assessment/options"
SUBJECT_ASSESSMENT: Final = "/rest-api/{role}/holistic_assessment/{number}"
ASSESSMENT_SECTIONS: Final = "/rest-api/{role}/holistic_assessment/{number}/sections/published"
ASSESSMENT_KNOWLEDGE: Final = (
    "/rest-api/{role}/holistic_assessment/{number}/knowledge_development/view"
)
ASSESSMENT_COMMENTS: Final = "/rest-api/{role}/holistic_assessment/{number}/formative_comments"
# A POST to `confirm` below it tells the school that it was read. That is never sent.
ASSESSMENT_WARNING: Final = "/rest-api/{role}/holistic_assessment/{number}/subject_warning"
ASSESSMENT_WORK: Final = "/rest-api/{role}/holistic_assessment/{number}/assessed_assignments"
ASSESSMENT_HISTORY: Final = (
    "/rest-api/{role}/holistic_assessment/{number}/reporting_occasion_assessment"
)

# --- Plannings ----------------------------------------------------------------------------------
WEEK_PLANNINGS: Final = "/rest-api/{role}/ps/planning_parts/start-page"
PLANNING: Final = "/rest-api/{role}/ps/plannings/{planning}/view"
PLANNING_TABS: Final = "/rest-api/{role}/ps/plannings/{planning}/planning_parts/tabs"
PLANNING_PART: Final = "/rest-api/{role}/ps/planning_parts/{part}/view"
PLANNING_PART_SECTIONS: Final = "/rest-api/{role}/ps/planning_parts/{part}/sections"
PLANNING_PART_ASSIGNMENTS: Final = "/rest-api/{role}/ps/planning_parts/{part}/connected_assignments"

# --- Outside the slug: pass None as the school ------------------------------------------------
SCHOOL_LIST: Final = "/internal/rest-api/login/schoollist"
SCHOOL_LOGIN_METHODS: Final = "/rest/app/schoollist/prod"


class IllegalUrl(ValueError):
    """A URL that would not be under the configured host and school. Nothing was sent."""


def is_slug(text: object) -> bool:
    """Whether this has the form of a school slug; the school may still be unknown."""
    return isinstance(text, str) and SLUG.match(text) is not None


def build_url(base: str, school: str | None, path: str, *, role: str = "", **ints: int) -> str:
    """`{base}/{school}{path}`, where `path` is a template of this module.

    `base` is scheme, host and perhaps a prefix, without a final slash. `school` is None for the
    two school lists. `role` is a word of `ROLE_SEGMENTS`; the other fields take whole numbers
    that are not negative. Raises: IllegalUrl.
    """
    if school is not None and not is_slug(school):
        raise IllegalUrl("not a school slug")
    if role and role not in ROLE_SEGMENTS:
        raise IllegalUrl("not a role of the school system")
    for name, value in ints.items():
        if type(value) is not int or not 0 <= value < 2**63:
            raise IllegalUrl(f"{name} is not a whole number")
    try:
        # A `{role}` that was not given remains in the URL, and the check below rejects it.
        filled = path.format(role=role or "{role}", **ints)
    except (KeyError, IndexError, ValueError):
        raise IllegalUrl("a field of the path was not filled") from None
    prefix = base if school is None else f"{base}/{school}"
    url = prefix + filled
    _assert_inside(url, base, prefix)
    return url


def with_query(url: str, /, **values: str | int) -> str:
    """The URL with these values as its query, each percent-encoded."""
    return f"{url}?{urlencode(values, quote_via=quote)}"


def _assert_inside(url: str, base: str, prefix: str) -> None:
    """Parse the URL again and check scheme, host and port, and that it is under the prefix."""
    ours, theirs = urlsplit(base), urlsplit(url)
    if (
        (theirs.scheme, theirs.netloc) != (ours.scheme, ours.netloc)
        or not theirs.netloc
        or not theirs.path.startswith(urlsplit(prefix).path + "/")
        or theirs.geturl() != url
        or any(sign in theirs.path for sign in ("..", "//", "\\", "%", "{", "}"))
        or theirs.query
        or theirs.fragment
    ):
        raise IllegalUrl("outside the configured host and school")
