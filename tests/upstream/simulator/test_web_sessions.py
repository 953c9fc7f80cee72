"""Tokens become cookies; cookies live for an hour."""

import pytest

from tests.upstream.simulator.visitor import Visitor, cookie_header, set_cookies
from upstream.simulator.server import Simulator


def test_a_token_becomes_three_cookies(visitor: Visitor) -> None:
    answer = visitor.translate(visitor.grant()["access_token"])
    assert answer.status_code == 200
    names = [line.partition("=")[0] for line in set_cookies(answer)]
    assert names == ["JSESSIONID", "hash", "usertype"]


def test_a_token_of_another_school_or_of_nobody_is_refused(visitor: Visitor) -> None:
    token = visitor.grant("alva.lind")["access_token"]
    assert visitor.translate(token, "nyvang").status_code == 401
    assert visitor.translate("nonsense").status_code == 401


def test_a_token_lives_for_thirty_days(simulator: Simulator, visitor: Visitor) -> None:
    token = visitor.grant()["access_token"]
    simulator.state.clock.advance(2592000 - 60)
    assert visitor.translate(token).status_code == 200
    simulator.state.clock.advance(61)
    assert visitor.translate(token).status_code == 401


def test_refresh_tokens_can_be_turned_on(simulator: Simulator, visitor: Visitor) -> None:
    simulator.state.knobs.refresh_tokens = True
    first = visitor.grant()["refresh_token"]
    second = visitor.refresh(first).json()
    assert second["expires_in"] == 2592000
    assert visitor.refresh(first).status_code == 400
    assert visitor.refresh(second["refresh_token"]).status_code == 200


def test_the_session_says_who_the_caller_is(visitor: Visitor) -> None:
    document = visitor.session(visitor.sign_in()).json()
    assert document["user"] == {
        "id": 730214,
        "firstName": "Elsa",
        "lastName": "Nordvall",
        "userName": "Elsa.Nordvall",
        "email": "elsa.nordvall@bjorkdalen.example",
    }
    assert document["organization"] == {"id": 41, "name": "Björkdalsskolan", "school": True}
    assert document["userType"] == {"id": 1, "name": "student"}


def test_teachers_are_two_and_guardians_three(visitor: Visitor) -> None:
    for username, user_type in (("torbjörn.ekvik", 2), ("gun.nordvall", 3)):
        assert visitor.session(visitor.sign_in(username)).json()["userType"]["id"] == user_type


def test_one_name_and_one_id_belong_to_different_people(visitor: Visitor) -> None:
    here = visitor.session(visitor.sign_in("alva.lind")).json()["user"]["id"]
    there = visitor.session(visitor.sign_in("alva.lind", "nyvang"), "nyvang").json()["user"]["id"]
    assert here != there
    nils = visitor.session(visitor.sign_in("nils.bergqvist", "nyvang"), "nyvang").json()["user"]
    assert nils["id"] == 730214


@pytest.mark.parametrize("school", ["nyvang", "granskolan"])
def test_cookies_open_nothing_at_another_school(visitor: Visitor, school: str) -> None:
    assert visitor.session(visitor.sign_in(), school).status_code == 401


def test_the_hash_counts_unless_told_otherwise(simulator: Simulator, visitor: Visitor) -> None:
    cookies = visitor.sign_in()
    alone = cookies.partition(";")[0]
    assert visitor.session(alone).status_code == 401
    assert visitor.session(f"{alone}; hash=0; xhash=1").status_code == 401
    simulator.state.knobs.strict_hash = False
    assert visitor.session(alone).status_code == 200


def test_a_session_ends_after_an_hour_however_much_it_is_used(
    simulator: Simulator, visitor: Visitor
) -> None:
    cookies = visitor.sign_in()
    simulator.state.clock.advance(3500)
    assert visitor.session(cookies).status_code == 200
    simulator.state.clock.advance(101)
    assert visitor.session(cookies).status_code == 401


def test_an_idle_limit_is_extended_by_use(simulator: Simulator, visitor: Visitor) -> None:
    simulator.state.knobs.session_limit = "idle"
    cookies = visitor.sign_in()
    for _ in range(3):
        simulator.state.clock.advance(3500)
        assert visitor.session(cookies).status_code == 200
    simulator.state.clock.advance(3601)
    assert visitor.session(cookies).status_code == 401


@pytest.mark.parametrize("query", ["", "?action=logout"])
def test_the_login_page_ends_the_session_and_spares_the_token(visitor: Visitor, query: str) -> None:
    token = visitor.grant()["access_token"]
    cookies = cookie_header(visitor.translate(token))
    page = visitor.get(f"/bjorkdalen/jsp/Login.jsp{query}", headers={"Cookie": cookies})
    assert page.status_code == 200
    assert 'name="sspassword"' in page.text
    assert visitor.session(cookies).status_code == 401
    assert visitor.translate(token).status_code == 200


def test_sessions_and_tokens_can_be_revoked(simulator: Simulator, visitor: Visitor) -> None:
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    token, bystander = visitor.grant()["access_token"], visitor.sign_in("alva.lind")
    cookies = cookie_header(visitor.translate(token))
    simulator.state.kill_web_sessions(elsa)
    assert visitor.session(cookies).status_code == 401
    assert visitor.translate(token).status_code == 200
    simulator.state.kill_tokens(elsa)
    assert visitor.translate(token).status_code == 401
    assert visitor.session(bystander).status_code == 200


def test_the_web_login_redirects_with_cookies_or_shows_the_form(visitor: Visitor) -> None:
    path = "/bjorkdalen/jsp/Login.jsp"
    form = {"action": "login", "ssusername": "elsa.nordvall", "sspassword": "elsa-demo"}
    welcome = visitor.send("POST", path, data=form)
    assert welcome.status_code == 302
    assert visitor.session(cookie_header(welcome)).status_code == 200
    refused = visitor.send("POST", path, data=form | {"sspassword": "wrong"})
    assert refused.status_code == 200
    assert "Felaktigt" in refused.text


def test_a_bearer_token_opens_the_session_only_where_that_is_allowed(
    simulator: Simulator, visitor: Visitor
) -> None:
    headers = {"Authorization": f"Bearer {visitor.grant()['access_token']}"}
    assert visitor.get("/bjorkdalen/rest-api/session", headers=headers).status_code == 401
    simulator.state.knobs.bearer_session = True
    assert visitor.get("/bjorkdalen/rest-api/session", headers=headers).status_code == 200
