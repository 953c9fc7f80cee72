"""Lessons, the session document and logout, over a real socket."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.upstream.conftest import SCHOOL, MakeClient
from tests.upstream.raw_server import RawServer, always, http, in_turn
from upstream.calls.lessons import fetch_lessons
from upstream.calls.session import end_session, fetch_session
from upstream.client import UpstreamClient
from upstream.errors import SessionDead, UpstreamFailing, UpstreamInvalid
from upstream.records import ProvenSession, Role, UpstreamSession
from upstream.set_cookie import cookie_header

DOCUMENT: dict[str, Any] = {
    "organization": {"id": 41, "name": " Björkdalsskolan ", "school": True},
    "userType": {"id": 1, "name": "student"},
    "user": {
        "id": 730214,
        "firstName": "Elsa",
        "lastName": "Nordvall",
        "userName": "Elsa.Nordvall",
        "email": "elsa@bjorkdalen.example",
    },
    "somethingNew": {"x": 1},
}
LessonsOf = Callable[..., list[dict[str, Any]]]
SessionOf = Callable[[object], UpstreamSession]
LESSON = {"eventId": 1, "startDate": "2026-03-09T08:20", "odd": [None]}


@pytest.fixture
def lessons_of(client: UpstreamClient, server: RawServer, web: ProvenSession) -> LessonsOf:
    """The lessons that are read from a response."""

    def read(response: bytes, role: Role = "student") -> list[dict[str, Any]]:
        server.script = always(response)
        return fetch_lessons(client, web=replace(web, role=role), week=11)

    return read


@pytest.fixture
def session_of(client: UpstreamClient, server: RawServer, web: ProvenSession) -> SessionOf:
    """The session that is read from a document."""

    def read(document: object) -> UpstreamSession:
        server.respond(document)
        return fetch_session(client, school=SCHOOL, web=web)

    return read


# --- Lessons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"", []),
        (b"[]", []),
        (b"{}", []),
        (b"[null]", []),
        (json.dumps([LESSON, LESSON]).encode(), [LESSON, LESSON]),
        (json.dumps({"b": LESSON, "a": 7, "c": None}).encode(), [LESSON]),
        (json.dumps([1, "x", None, [], LESSON]).encode(), [LESSON]),
    ],
)
def test_lessons_are_read_in_every_known_form(
    lessons_of: LessonsOf, body: bytes, found: object
) -> None:
    assert lessons_of(http(body)) == found


def test_a_204_is_an_empty_list_of_lessons(lessons_of: LessonsOf) -> None:
    assert lessons_of(b"HTTP/1.1 204 No Content\r\n\r\n") == []


@pytest.mark.parametrize(
    "body", [b"7", b'"x"', b"true", b"[1]", b'{"status":500,"message":"Internal error"}']
)
def test_lessons_that_are_not_a_list_are_invalid(lessons_of: LessonsOf, body: bytes) -> None:
    with pytest.raises(UpstreamInvalid):
        lessons_of(http(body))


@pytest.mark.parametrize(
    ("role", "word"), [("student", "student"), ("guardian", "parent"), ("teacher", "teacher")]
)
def test_each_role_has_its_path(
    lessons_of: LessonsOf, server: RawServer, role: Role, word: str
) -> None:
    lessons_of(http(b"[]"), role)
    assert server.targets == [f"/{SCHOOL}/rest-api/{word}/calendar/lessons/week/11"]


# --- Session -------------------------------------------------------------------------------------


def test_the_session_document_becomes_a_record(session_of: SessionOf) -> None:
    assert session_of(DOCUMENT) == UpstreamSession(
        user_id=730214,
        user_name="Elsa.Nordvall",
        first_name="Elsa",
        last_name="Nordvall",
        email="elsa@bjorkdalen.example",
        organization_id=41,
        organization_name="Björkdalsskolan",
        role="student",
        user_type_id=1,
        user_type_name="student",
    )


def test_a_user_name_may_have_marks_that_change_the_direction_of_text(
    session_of: SessionOf,
) -> None:
    document = DOCUMENT | {"user": DOCUMENT["user"] | {"userName": "a\u202eb"}}
    assert session_of(document).user_name == "a\u202eb"


def test_optional_fields_may_be_missing(session_of: SessionOf) -> None:
    document = {"user": {"id": "7", "userName": "a", "email": None}, "userType": "student"}
    who = session_of(document)
    assert (who.user_id, who.user_name, who.email, who.first_name) == (7, "a", "", "")
    assert (who.organization_id, who.organization_name) == (None, "")
    assert (who.role, who.user_type_id, who.user_type_name) == ("student", None, "student")


@pytest.mark.parametrize(
    "user",
    [
        {"id": None}, {"id": True}, {"id": 1.5}, {"id": -1}, {"id": "x"}, {"id": "１"},
        {"id": 2**63}, {"id": "9" * 5000}, {"id": []}, {"userName": ""}, {"userName": "  "},
        {"userName": None}, {"userName": 7}, {"userName": "a\x00b"}, {"userName": "a\nb"},
        {"userName": "x" * 201}, {"firstName": "a\u202eb"}, {"email": "a\x7f"},
        {"lastName": "x" * 201},
    ],
)  # fmt: skip
def test_a_session_document_without_an_identity_is_invalid(
    session_of: SessionOf, user: dict[str, object]
) -> None:
    document = DOCUMENT | {"user": DOCUMENT["user"] | user}
    with pytest.raises(UpstreamInvalid):
        session_of(document)


def test_a_lone_surrogate_is_invalid(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(http(json.dumps(DOCUMENT).replace("Elsa", "\\ud800").encode()))
    with pytest.raises(UpstreamInvalid):
        fetch_session(client, school=SCHOOL, web=web)


@pytest.mark.parametrize(
    ("dialect", "user_type", "role"),
    [
        ("specified", {"id": 1, "name": "student"}, "student"),
        ("specified", {"id": 2, "name": "parent"}, "teacher"),
        ("specified", {"id": 3}, "guardian"),
        ("specified", {"id": 0, "name": "Personal"}, "teacher"),
        ("specified", "Vårdnadshavare", "guardian"),
        ("specified", 2, "teacher"),
        ("observed", {"id": 2, "name": "parent"}, "guardian"),
        ("observed", {"id": 2, "name": "teacher"}, "teacher"),
        ("observed", {"id": 2}, "guardian"),
        ("observed", {"id": 3, "name": "?"}, "teacher"),
        ("observed", {"id": "1"}, "student"),
        ("observed", "elev", "student"),
        ("observed", {"id": 9, "name": "Lärare"}, "teacher"),
    ],
)
def test_each_dialect_has_its_own_user_type_numbers(
    make_client: MakeClient,
    server: RawServer,
    web: ProvenSession,
    dialect: str,
    user_type: object,
    role: Role,
) -> None:
    client = make_client(server.url, dialects={"": dialect})
    server.respond(DOCUMENT | {"userType": user_type})
    assert fetch_session(client, school=SCHOOL, web=web).role == role


@pytest.mark.parametrize("user_type", [None, {}, {"id": 0}, {"id": 9, "name": "robot"}, [], True])
def test_an_unknown_user_type_is_never_a_pupil(session_of: SessionOf, user_type: object) -> None:
    with pytest.raises(UpstreamInvalid):
        session_of(DOCUMENT | {"userType": user_type})


def test_a_dead_session_is_recognised(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = in_turn(http(status=302, Location="../jsp/Login.jsp"))
    with pytest.raises(SessionDead):
        fetch_session(client, school=SCHOOL, web=web)


# --- Logout --------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 302, 401, 404])
def test_ending_a_session_accepts_any_response(
    client: UpstreamClient, server: RawServer, web: ProvenSession, status: int
) -> None:
    server.script = always(http(b"<html>", status=status, kind="text/html"))
    end_session(client, school=SCHOOL, web=web)
    assert server.targets == [f"/{SCHOOL}/jsp/Login.jsp?action=logout"]
    assert server.requests[0].headers["cookie"] == cookie_header(web)


def test_a_failure_to_end_a_session_is_raised(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(http(status=500))
    with pytest.raises(UpstreamFailing):
        end_session(client, school=SCHOOL, web=web)
