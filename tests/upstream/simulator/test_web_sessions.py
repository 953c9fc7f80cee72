"""Web sessions: tokens are exchanged for cookies, which live for an hour."""

import pytest

from tests.upstream.simulator.plain_client import PlainClient, cookie_header, set_cookies
from upstream.simulator.server import Simulator


def test_a_token_becomes_three_cookies(client: PlainClient) -> None:
    answer = client.translate(client.log_in()["access_token"])
    assert answer.status_code == 200
    names = [line.partition("=")[0] for line in set_cookies(answer)]
    assert names == ["JSESSIONID", "hash", "usertype"]


def test_an_unknown_token_or_one_of_another_school_is_refused(client: PlainClient) -> None:
    token = client.log_in("alva.lind")["access_token"]
    assert client.translate(token, "nyvang").status_code == 401
    assert client.translate("nonsense").status_code == 401


def test_a_token_lives_for_thirty_days(simulator: Simulator, client: PlainClient) -> None:
    token = client.log_in()["access_token"]
    simulator.state.clock.advance(2592000 - 60)
    assert client.translate(token).status_code == 200
    simulator.state.clock.advance(61)
    assert client.translate(token).status_code == 401


def test_refresh_tokens_can_be_turned_on(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.refresh_tokens = True
    first = client.log_in()["refresh_token"]
    second = client.refresh(first).json()
    assert second["expires_in"] == 2592000
    assert client.refresh(first).status_code == 400
    assert client.refresh(second["refresh_token"]).status_code == 200


def test_the_session_document_names_the_caller(client: PlainClient) -> None:
    document = client.session(client.sign_in()).json()
    assert document["user"] == {
        "id": 730214,
        "firstName": "Elsa",
        "lastName": "Nordvall",
        "userName": "Elsa.Nordvall",
        "email": "elsa.nordvall@bjorkdalen.example",
    }
    assert document["organization"] == {"id": 41, "name": "Björkdalsskolan", "school": True}
    assert document["userType"] == {"id": 1, "name": "student"}


def test_the_user_type_of_teachers_is_two_and_of_guardians_three(client: PlainClient) -> None:
    for username, user_type in (("torbjörn.ekvik", 2), ("gun.nordvall", 3)):
        assert client.session(client.sign_in(username)).json()["userType"]["id"] == user_type


def test_one_name_and_one_id_belong_to_different_people(client: PlainClient) -> None:
    here = client.session(client.sign_in("alva.lind")).json()["user"]["id"]
    there = client.session(client.sign_in("alva.lind", "nyvang"), "nyvang").json()["user"]["id"]
    assert here != there
    nils = client.session(client.sign_in("nils.bergqvist", "nyvang"), "nyvang").json()["user"]
    assert nils["id"] == 730214


@pytest.mark.parametrize("school", ["nyvang", "granskolan"])
def test_cookies_open_nothing_at_another_school(client: PlainClient, school: str) -> None:
    assert client.session(client.sign_in(), school).status_code == 401


def test_the_hash_is_checked_unless_the_setting_is_off(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    alone = cookies.partition(";")[0]
    assert client.session(alone).status_code == 401
    assert client.session(f"{alone}; hash=0; xhash=1").status_code == 401
    simulator.state.settings.strict_hash = False
    assert client.session(alone).status_code == 200


def test_a_session_ends_after_an_hour_however_much_it_is_used(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    simulator.state.clock.advance(3500)
    assert client.session(cookies).status_code == 200
    simulator.state.clock.advance(101)
    assert client.session(cookies).status_code == 401


def test_an_idle_limit_is_extended_by_use(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.session_limit = "idle"
    cookies = client.sign_in()
    for _ in range(3):
        simulator.state.clock.advance(3500)
        assert client.session(cookies).status_code == 200
    simulator.state.clock.advance(3601)
    assert client.session(cookies).status_code == 401


@pytest.mark.parametrize("query", ["", "?action=logout"])
def test_the_login_page_ends_the_session_but_not_the_token(client: PlainClient, query: str) -> None:
    token = client.log_in()["access_token"]
    cookies = cookie_header(client.translate(token))
    page = client.get(f"/bjorkdalen/jsp/Login.jsp{query}", headers={"Cookie": cookies})
    assert page.status_code == 200
    assert 'name="sspassword"' in page.text
    assert client.session(cookies).status_code == 401
    assert client.translate(token).status_code == 200


def test_sessions_and_tokens_can_be_revoked(simulator: Simulator, client: PlainClient) -> None:
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    token, bystander = client.log_in()["access_token"], client.sign_in("alva.lind")
    cookies = cookie_header(client.translate(token))
    simulator.state.kill_web_sessions(elsa)
    assert client.session(cookies).status_code == 401
    assert client.translate(token).status_code == 200
    simulator.state.kill_tokens(elsa)
    assert client.translate(token).status_code == 401
    assert client.session(bystander).status_code == 200


def test_the_web_login_redirects_with_cookies_or_shows_the_form(client: PlainClient) -> None:
    path = "/bjorkdalen/jsp/Login.jsp"
    form = {"action": "login", "ssusername": "elsa.nordvall", "sspassword": "elsa-demo"}
    welcome = client.send("POST", path, data=form)
    assert welcome.status_code == 302
    assert client.session(cookie_header(welcome)).status_code == 200
    refused = client.send("POST", path, data=form | {"sspassword": "wrong"})
    assert refused.status_code == 200
    assert "Felaktigt" in refused.text


def test_a_bearer_token_reads_the_session_only_if_the_setting_allows_it(
    simulator: Simulator, client: PlainClient
) -> None:
    headers = {"Authorization": f"Bearer {client.log_in()['access_token']}"}
    assert client.get("/bjorkdalen/rest-api/session", headers=headers).status_code == 401
    simulator.state.settings.bearer_session = True
    assert client.get("/bjorkdalen/rest-api/session", headers=headers).status_code == 200
