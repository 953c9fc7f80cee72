"""The socket, the addresses outside the login, and the request log."""

import logging

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator, run


def test_two_simulators_share_no_state(simulator: Simulator, client: PlainClient) -> None:
    with run() as other:
        assert other.url != simulator.url
        token = client.log_in()["access_token"]
        assert PlainClient(other.url).translate(token).status_code == 401


def test_a_state_can_be_passed_on(simulator: Simulator, client: PlainClient) -> None:
    with run(state=simulator.state) as other:
        assert PlainClient(other.url).translate(client.log_in()["access_token"]).status_code == 200


def test_a_taken_port_is_an_error(simulator: Simulator) -> None:
    taken = int(simulator.url.rpartition(":")[2])
    with pytest.raises(OSError, match="in use"), run(taken):
        pass


def test_a_reset_forgets_everything(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in()
    simulator.faults.set("session", "500")
    simulator.state.clock.advance(1000)
    simulator.reset()
    assert len(simulator.requests) == 0
    assert client.session(cookies).status_code == 401


def test_requests_are_logged_without_secrets(simulator: Simulator, client: PlainClient) -> None:
    client.sign_in()
    assert [call.operation for call in simulator.requests] == [
        "login.password",
        "login.token",
        "login.session",
    ]
    assert simulator.requests.count("/login/") == 3
    assert simulator.requests.count("login.token") == 1
    assert simulator.requests.count() == 3
    assert simulator.requests[2].school == "bjorkdalen"
    assert "authorization" in simulator.requests[2].header_names
    assert "elsa-demo" not in repr(list(simulator.requests))


def test_it_logs_nothing(
    simulator: Simulator, client: PlainClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        simulator.faults.set("session", "cut")
        with pytest.raises(OSError):
            client.session("")
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/bjorkdalen",
        "/atlantis/rest-api/session",
        "/Bjorkdalen/rest-api/session",
        "/bjorkdalen/rest-api/nothing",
        "/bjorkdalen/jsp/student/right_student_library.jsp",
        "/bjorkdalen/rest-api/parameters",
        "/atlantis/jsp/student/right_student_startpage.jsp",
    ],
)
def test_an_unknown_address_is_a_page_with_404(client: PlainClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "text/html; charset=ISO-8859-1"


def test_a_wrong_method_gets_the_allowed_ones(client: PlainClient) -> None:
    answer = client.get("/bjorkdalen/rest-api/login/token")
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"


def test_the_school_list_is_as_untidy_as_the_real_one(client: PlainClient) -> None:
    rows = client.get("/internal/rest-api/login/schoollist").json()
    names = [row["name"] for row in rows]
    assert names != sorted(names)
    assert any(name != name.strip() for name in names)
    assert any("  " in name for name in names)
    assert any("&" in name for name in names)
    assert any("evaUrl" not in row for row in rows)
    addresses = [row["evaUrl"] for row in rows if "evaUrl" in row]
    assert sum("/bjorkdalen/" in address for address in addresses) > 1


def test_the_other_list_has_the_login_methods(client: PlainClient) -> None:
    rows = client.get("/rest/app/schoollist/prod").json()
    methods = {row["name"]: row["studentLoginMethods"] for row in rows}
    assert methods["Björkdalsskolan"] == "0,4"
    assert methods["Granskolan"] == "3"
    assert "" in methods.values()
