"""Sessions, roles and refusals: whose cookies open what."""

import pytest

from tests.upstream.simulator.plain_client import PlainClient, cookie_header
from upstream.simulator.server import Simulator

PAGES = [
    f"/jsp/student/right_student_{name}.jsp"
    for name in ("lunchmenu", "startpage", "news", "class", "staff", "app_blocked")
]
ROOMS = "/rest-api/{}/ps/subjectroom/all"
BY_ROLE = [
    "/rest-api/{}/calendar/lessons/week/11",
    ROOMS,
    "/rest-api/{}/ps/assignments/start-page",
    "/rest-api/{}/ps/planning_parts/start-page",
    "/rest-api/{}/ps/assignments/41206180/view",
    "/rest-api/{}/ps/plannings/412007/view",
    "/rest-api/{}/ps/planning_parts/4120071/view",
]
PEOPLE = {"student": "elsa.nordvall", "parent": "gun.nordvall", "teacher": "torbjörn.ekvik"}
CHILD = "/rest-api/parent/header/parent"


def test_the_role_in_the_path_must_be_the_callers(client: PlainClient) -> None:
    for own, username in PEOPLE.items():
        cookies = client.sign_in(username)
        for path in BY_ROLE:
            for role in PEOPLE:
                status = client.open(cookies, path.format(role)).status_code
                # The teacher belongs to another class, so these ids are forbidden.
                expected = 403 if role != own or (role == "teacher" and "/41" in path) else 200
                assert status == expected, (username, path, role)
    for path in BY_ROLE:
        assert client.open("", path.format("student")).status_code == 401


def test_a_page_is_for_everyone_with_a_session(client: PlainClient) -> None:
    for username in PEOPLE.values():
        cookies = client.sign_in(username)
        for path in PAGES:
            page = client.open(cookies, path).content
            assert b'id="logout"' in page, path
            assert b"sspassword" not in page
    for path in PAGES:
        answer = client.open("JSESSIONID=0; hash=0", path)
        assert answer.headers["Location"] == f"{client.url}/bjorkdalen/jsp/Login.jsp"


@pytest.mark.parametrize("query", ["", "?action=logout"])
def test_the_login_page_ends_the_session_but_not_the_token(client: PlainClient, query: str) -> None:
    token = client.log_in()["access_token"]
    cookies = cookie_header(client.translate(token))
    page = client.open(cookies, f"/jsp/Login.jsp{query}")
    assert 'name="sspassword"' in page.text
    assert client.session(cookies).status_code == 401
    assert client.translate(token).status_code == 200


def test_cookies_are_a_session_of_an_hour_at_one_school(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in("alva.lind")
    alone = cookies.partition(";")[0]
    assert client.session(alone).status_code == 401
    assert client.session(f"{alone}; hash=0; xhash=1").status_code == 401
    assert client.session(cookies, "nyvang").status_code == 401
    simulator.state.clock.advance(3599)
    assert client.session(cookies).status_code == 200
    simulator.state.clock.advance(2)
    assert client.session(cookies).status_code == 401


def test_a_token_is_of_one_school_for_thirty_days(
    simulator: Simulator, client: PlainClient
) -> None:
    token = client.log_in("alva.lind")["access_token"]
    assert client.translate(token, "nyvang").status_code == 401
    simulator.state.clock.advance(2592000 - 60)
    assert client.translate(token).status_code == 200
    simulator.state.clock.advance(61)
    assert client.translate(token).status_code == 401


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
    assert client.open(guardian, BY_ROLE[4].format("parent")).status_code == 404
    assert client.open(guardian, CHILD).json()["currentChildId"] is None


@pytest.mark.parametrize(
    "path",
    ["/", "/atlantis/rest-api/session", "/Bjorkdalen/rest-api/session", "/bjorkdalen/rest-api/no"],
)
def test_an_unknown_address_is_a_page_with_404(client: PlainClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "text/html; charset=ISO-8859-1"


def test_a_wrong_method_gets_the_allowed_ones(client: PlainClient) -> None:
    answer = client.get("/bjorkdalen/rest-api/login/token")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
