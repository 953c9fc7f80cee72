"""The fault script."""

from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient, cookie_header, set_cookies
from upstream.simulator.server import Simulator


def test_a_fault_lasts_until_it_is_removed(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in()
    simulator.faults.set("session", "401")
    assert [client.session(cookies).status_code for _ in range(2)] == [401, 401]
    simulator.faults.set("session", "ok")
    assert client.session(cookies).status_code == 200


def test_a_fault_can_apply_to_a_number_of_requests(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    simulator.faults.set("session", "500", times=2)
    assert [client.session(cookies).status_code for _ in range(3)] == [500, 500, 200]


def test_a_fault_can_apply_to_one_school(simulator: Simulator, client: PlainClient) -> None:
    simulator.faults.set("login.password", "503", school="nyvang")
    assert client.authorize().status_code == 200
    assert client.authorize("zoe.åkerman", "nyvang").status_code == 503


def test_traffic_is_everything_that_has_no_fault_of_its_own(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    simulator.faults.set("traffic", "502")
    simulator.faults.set("session", "403")
    assert client.session(cookies).status_code == 403
    assert client.lessons(cookies).status_code == 502


@pytest.mark.parametrize(
    ("operation", "value", "options"),
    [
        ("logout", "401", {}),
        ("session", "418", {}),
        ("session", "slow", {"second": 1}),
        ("session", "401", {"seconds": 1}),
        ("login.token", "scope", {"seconds": 1}),
    ],
)
def test_a_name_that_does_not_exist_is_an_error(
    simulator: Simulator, operation: str, value: str, options: dict[str, Any]
) -> None:
    with pytest.raises(ValueError):
        simulator.faults.set(operation, value, **options)


def test_retry_after_comes_in_both_forms(simulator: Simulator, client: PlainClient) -> None:
    simulator.faults.set("login.password", "429", retry_after=12)
    assert client.authorize().headers["Retry-After"] == "12"
    simulator.faults.set("login.password", "429", retry_after=None)
    assert "Retry-After" not in client.authorize().headers
    simulator.faults.set("login.password", "429-date", seconds=30)
    answer = client.authorize()
    assert answer.status_code == 429
    assert parsedate_to_datetime(answer.headers["Retry-After"])


@pytest.mark.parametrize(
    ("value", "location"),
    [
        ("302-login", "{url}/bjorkdalen/jsp/Login.jsp"),
        ("302-login-relative", "Login.jsp"),
        ("302-saml", "{url}/bjorkdalen/jsp/samlLogin.jsp"),
        ("redirect-elsewhere", "http://elsewhere.example/bjorkdalen/"),
        ("303-error", "/bjorkdalen/react/#/login/student?error=other"),
    ],
)
def test_redirects_go_where_they_say(
    simulator: Simulator, client: PlainClient, value: str, location: str
) -> None:
    simulator.faults.set("session", value)
    answer = client.session("")
    assert answer.status_code in (302, 303)
    assert answer.headers["Location"] == location.format(url=simulator.url)


@pytest.mark.parametrize(
    ("value", "status", "body"),
    [
        ("200-html", 200, 'name="sspassword"'),
        ("200-no-user", 200, '"user":null'),
        ("204", 204, ""),
        ("empty", 200, ""),
        ("not-json", 200, "{not json"),
        ("500", 500, "<html>"),
        ("404", 404, "Not Found"),
    ],
)
def test_a_replacement_is_sent_instead_of_calling_the_handler(
    simulator: Simulator, client: PlainClient, value: str, status: int, body: str
) -> None:
    simulator.faults.set("session", value)
    answer = client.session("")
    assert answer.status_code == status
    assert body in answer.text


def test_a_response_can_be_given_exactly(simulator: Simulator, client: PlainClient) -> None:
    simulator.faults.set("session", "answer", status=207, headers={"X-Odd": "1"}, body="[7]")
    answer = client.session("")
    assert (answer.status_code, answer.headers["X-Odd"], answer.json()) == (207, "1", [7])


def test_cookies_come_in_odd_shapes(simulator: Simulator, client: PlainClient) -> None:
    token = client.log_in()["access_token"]

    def lines(value: str) -> tuple[int, list[str]]:
        simulator.faults.set("login.session", value)
        answer = client.translate(token)
        return answer.status_code, set_cookies(answer)

    def names(value: str) -> tuple[int, list[str]]:
        status, cookies = lines(value)
        return status, [cookie.partition("=")[0] for cookie in cookies]

    assert names("cookies-204") == (204, ["JSESSIONID", "hash", "usertype"])
    assert names("cookies-303") == (303, ["JSESSIONID", "hash", "usertype"])
    assert names("missing-hash") == (200, ["JSESSIONID", "usertype"])
    assert names("missing-usertype") == (200, ["JSESSIONID", "hash"])
    assert names("extra-cookies")[1][:2] == ["locale", "xhash"]
    assert len(lines("folded-cookies")[1]) == 1
    assert '"' in lines("bad-cookie-value")[1][0]
    assert all("Domain=elsewhere" in line for line in lines("odd-cookie-attributes")[1])


def test_extra_cookies_do_not_change_the_session(simulator: Simulator, client: PlainClient) -> None:
    simulator.faults.set("login.session", "extra-cookies")
    cookies = cookie_header(client.translate(client.log_in()["access_token"]))
    assert client.session(cookies).status_code == 200


def test_documents_come_in_odd_shapes(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in()
    simulator.faults.set("lessons", "bom")
    assert client.lessons(cookies).content.startswith(b"\xef\xbb\xbf")
    simulator.faults.set("session", "user-type-text")
    assert client.session(cookies).json()["userType"] == "student"
