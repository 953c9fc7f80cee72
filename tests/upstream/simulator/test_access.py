"""Access: sessions, roles, the child in focus, and refusals of pages."""

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator
from upstream.simulator.settings import Expired

STUDENT = "/jsp/student/right_student_"
PAGES = [
    f"{STUDENT}{name}.jsp"
    for name in ("lunchmenu", "startpage", "news", "class", "staff", "app_blocked")
]
ROOMS = "/rest-api/{}/ps/subjectroom/all"
ASSIGNMENT = "/rest-api/{}/ps/assignments/41206180/view"
BY_ROLE = [
    "/rest-api/{}/calendar/lessons/week/11",
    ROOMS,
    "/rest-api/{}/ps/subjectroom/unread_entities",
    "/rest-api/{}/ps/assignments/start-page",
    "/rest-api/{}/ps/planning_parts/start-page",
    ASSIGNMENT,
    "/rest-api/{}/ps/submission/412061810",
    "/rest-api/{}/ps/plannings/412007/view",
    "/rest-api/{}/ps/planning_parts/4120071/view",
]
PEOPLE = {"student": "elsa.nordvall", "parent": "gun.nordvall", "teacher": "torbjörn.ekvik"}
CHILD = "/rest-api/parent/header/parent"


@pytest.mark.parametrize("path", BY_ROLE)
def test_the_role_in_the_path_must_be_the_callers(client: PlainClient, path: str) -> None:
    for own, username in PEOPLE.items():
        cookies = client.sign_in(username)
        for role in PEOPLE:
            status = client.open(cookies, path.format(role)).status_code
            # The teacher belongs to another class, so these ids are forbidden.
            expected = 403 if role != own or (role == "teacher" and "/41" in path) else 200
            assert status == expected
    assert client.open("", path.format("student")).status_code == 401


@pytest.mark.parametrize("path", PAGES)
def test_everyone_with_a_session_reads_the_pages(client: PlainClient, path: str) -> None:
    for username in PEOPLE.values():
        page = client.open(client.sign_in(username), path).content
        assert b'id="logout"' in page or b'id="inactiveWarning"' in page
        assert b"sspassword" not in page


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("value", "location"),
    [
        ("302-login", "{url}/bjorkdalen/jsp/Login.jsp"),
        ("302-login-relative", "Login.jsp"),
        ("302-saml", "{url}/bjorkdalen/jsp/samlLogin.jsp"),
        ("302-old", "/bjorkdalen/html/redirect_login.htm"),
    ],
)
def test_without_a_session_a_page_redirects_to_the_login(
    simulator: Simulator, client: PlainClient, path: str, value: Expired, location: str
) -> None:
    simulator.state.settings.jsp_expired = value
    answer = client.open("JSESSIONID=0; hash=0", path)
    assert answer.status_code == 302
    assert answer.headers["Location"] == location.format(url=simulator.url)


def test_without_a_session_a_page_can_be_the_login_page(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.state.settings.jsp_expired = "200-html"
    assert b'id="ssusername"' in client.open("", PAGES[0]).content


def test_following_the_redirect_with_cookies_ends_the_session(client: PlainClient) -> None:
    cookies = client.sign_in()
    assert client.open(cookies, PAGES[1]).status_code == 200
    client.open(cookies, "/jsp/Login.jsp")
    assert client.open(cookies, PAGES[1]).status_code == 302


def test_a_session_expires_for_pages_too(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in()
    simulator.state.clock.advance(3601)
    assert client.open(cookies, PAGES[1]).status_code == 302
    assert client.open(cookies, ROOMS.format("student")).status_code == 401


def test_documents_can_be_html_unless_accept_names_json(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.state.settings.accept = "needed"
    headers = {"Cookie": client.sign_in()}
    path = "/bjorkdalen" + ROOMS.format("student")
    assert client.get(path, headers=headers).text.startswith("<html>")
    as_json = client.get(path, headers=headers | {"Accept": "application/json"})
    assert len(as_json.json()) == 12


def test_pages_can_be_forbidden_for_teachers(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.teacher_pages = "403"
    assert client.open(client.sign_in(PEOPLE["teacher"]), PAGES[3]).status_code == 403
    assert client.open(client.sign_in(), PAGES[3]).status_code == 200


def test_a_page_can_be_blocked_for_apps(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in()
    simulator.faults.set("class", "302-blocked")
    answer = client.open(cookies, f"{STUDENT}class.jsp")
    assert answer.headers["Location"] == "right_student_app_blocked.jsp"
    assert client.session(cookies).status_code == 200
    assert b"inte tillg&auml;nglig" in client.open(cookies, PAGES[-1]).content


@pytest.mark.parametrize(("setting", "status"), [("ignored", 200), ("404", 404)])
def test_somebody_who_is_not_a_child_cannot_be_chosen(
    simulator: Simulator, client: PlainClient, setting: str, status: int
) -> None:
    simulator.state.settings.set("unknown_child", setting)
    guardian = client.sign_in("gun.nordvall")
    for wrong in ("500101", "730216", "x", ""):
        path = f"/bjorkdalen{CHILD}?childId={wrong}"
        assert client.send("PUT", path, headers={"Cookie": guardian}).status_code == status
        assert client.open(guardian, CHILD).json()["currentChildId"] == 730214
    assert client.open(client.sign_in(), CHILD).status_code == 403
    assert client.open("", CHILD).status_code == 401


def test_without_a_child_in_focus_lists_are_empty(
    simulator: Simulator, client: PlainClient
) -> None:
    guardian = client.sign_in("gun.nordvall")
    simulator.state.focus(simulator.state.person("bjorkdalen", "gun.nordvall"), None)
    assert client.open(guardian, ROOMS.format("parent")).json() == []
    assert client.lessons(guardian, role="parent").json() == []
    assert client.open(guardian, ASSIGNMENT.format("parent")).status_code == 404
    assert client.open(guardian, CHILD).json()["currentChildId"] is None
