"""POST /api/login: the answer, the cookies, and what is stored."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Account, Profile, ServiceSession
from tests.accounts.stored_data import store_contents, tables
from tests.conftest import ELSA, Caller, signed_in
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

LIFETIME = 2_592_000
COOKIES = ["hash", "jsessionid", "school", "username", "usertype"]


def test_it_answers_as_the_contract_says(caller: Caller) -> None:
    answer = caller.post("/api/login", ELSA)
    body = answer.json()
    assert answer.status_code == 200
    assert len(body.pop("token")) > 200
    jsessionid, hash_, usertype = body.pop("cookies")
    assert jsessionid == f"JSESSIONID={caller.cookies['jsessionid']}; Path=/; HttpOnly"
    assert hash_ == f"hash={caller.cookies['hash']}; Path=/; HttpOnly"
    assert usertype == "usertype=1; Path=/; HttpOnly"
    assert body == {
        "success": True,
        "message": "Signed in.",
        "token_type": "Bearer",
        "expires_in": LIFETIME,
        "user": {
            "username": "elsa.nordvall",
            "firstName": "Elsa",
            "lastName": "Nordvall",
            "email": "elsa.nordvall@bjorkdalen.example",
            "school": "bjorkdalen",
            "schoolName": "Björkdalsskolan",
            "userType": "student",
        },
    }
    assert answer.headers["Cache-Control"] == "no-store"
    assert {"Cookie", "Authorization"} <= set(answer.headers["Vary"].split(", "))


def test_it_sets_five_cookies_until_the_token_expires(caller: Caller) -> None:
    answer = caller.post("/api/login", ELSA)
    assert sorted(answer.cookies) == [f"wrapper_{name}" for name in COOKIES]
    expected = {"httponly": True, "samesite": "Lax", "path": "/", "domain": "", "secure": ""}
    for morsel in answer.cookies.values():
        assert dict(morsel) | expected | {"max-age": LIFETIME} == dict(morsel)
    assert caller.cookies["usertype"] == "1"
    assert caller.cookies["school"] == "bjorkdalen"
    assert caller.cookies["username"] == "elsa.nordvall"


def test_cookies_are_secure_over_https_from_a_trusted_proxy(
    simulator: Simulator, db: None, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES = ["10.1.0.0/16"]
    for address, secure in (("10.1.2.3", True), ("10.2.2.3", "")):
        forwarded = {"X-Forwarded-Proto": "https"}
        answer = Caller(REMOTE_ADDR=address).post("/api/login", ELSA, **forwarded)
        assert [morsel["secure"] for morsel in answer.cookies.values()] == [secure] * 5


def test_the_cookie_prefix_is_a_setting(caller: Caller, settings: Settings) -> None:
    settings.COOKIE_PREFIX = "min_"
    caller.sign_in()
    assert sorted(caller.http.cookies) == [f"min_{name}" for name in COOKIES]
    assert caller.get("/api/session").status_code == 200


def test_the_lifetime_is_the_one_that_upstream_says(caller: Caller, simulator: Simulator) -> None:
    simulator.state.settings.token_seconds = 86_400
    answer = caller.sign_in()
    assert answer.json()["expires_in"] == 86_400
    assert {morsel["max-age"] for morsel in answer.cookies.values()} == {86_400}


def test_it_reads_every_known_form_of_a_grant(caller: Caller, simulator: Simulator) -> None:
    for form in ("no-lifetime", "bare-string", "type-expires"):
        simulator.faults.set("login.token", form)
        # Where the answer does not say it, it is what is left of the token.
        assert LIFETIME - 10 < caller.sign_in().json()["expires_in"] <= LIFETIME, form


def test_it_creates_account_profile_and_record(elsa: Caller) -> None:
    account = Account.objects.get()
    assert (account.school, account.upstream_user_id) == ("bjorkdalen", 730214)
    profile = Profile.objects.get()
    assert (profile.first_name, profile.last_name) == ("Elsa", "Nordvall")
    assert profile.email == "elsa.nordvall@bjorkdalen.example"
    assert (profile.school_name, profile.user_type) == ("Björkdalsskolan", "student")
    record = ServiceSession.objects.get()
    assert record.school == "bjorkdalen"
    assert record.upstream_user_id == "730214"


def test_a_later_login_brings_the_profile_up_to_date(elsa: Caller, simulator: Simulator) -> None:
    old = simulator.state.person("bjorkdalen", "elsa.nordvall")
    simulator.state.schools["bjorkdalen"].add(
        Person(
            "bjorkdalen", 730214, old.username, old.password, "Elsa", "Sundin", email="e@b.example"
        )
    )
    Caller().sign_in()
    profile = Profile.objects.get()
    assert (profile.last_name, profile.email) == ("Sundin", "e@b.example")
    assert profile.display_name == "Elsa Sundin"  # it was never changed by hand


def test_an_account_keeps_its_name_when_upstream_renames_the_person(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.state.schools["bjorkdalen"].add(
        Person("bjorkdalen", 730214, "Elsa.Sundin", "elsa-demo", "Elsa", "Sundin")
    )
    renamed = Caller()
    assert renamed.sign_in("elsa.sundin").json()["user"]["username"] == "elsa.nordvall"
    assert renamed.cookies["username"] == "elsa.sundin"
    assert renamed.get("/api/session").status_code == 200


def test_a_name_outside_ascii_is_percent_encoded_in_its_cookie(zoe: Caller) -> None:
    assert zoe.cookies["username"] == "zoe.%C3%A5kerman"
    body = zoe.get("/api/session").json()
    assert body["session"]["username"] == "zoe.åkerman"
    assert body["session"]["user"]["userName"] == "Zoe.Åkerman"


def test_one_user_id_at_two_schools_is_two_accounts(caller: Caller) -> None:
    caller.sign_in("elsa.nordvall", "bjorkdalen")
    Caller().sign_in("nils.bergqvist", "nyvang")
    people = set(Account.objects.values_list("school", "upstream_user_id"))
    assert people == {("bjorkdalen", 730214), ("nyvang", 730214)}


@pytest.mark.parametrize(
    ("username", "role", "usertype"),
    [("torbjörn.ekvik", "teacher", "2"), ("gun.nordvall", "guardian", "3")],
)
def test_the_role_comes_from_upstream(
    caller: Caller, username: str, role: str, usertype: str
) -> None:
    body = {"username": username, "school": "bjorkdalen", "usertype": 1}
    body["password"] = f"{username.split('.', maxsplit=1)[0]}-demo"
    assert caller.post("/api/login", body).json()["user"]["userType"] == role
    assert caller.cookies["usertype"] == usertype


def test_a_user_type_in_the_body_is_accepted_and_ignored(caller: Caller) -> None:
    usertypes: list[Any] = [0, "elev", None, [1], {"id": 2}]
    for usertype in usertypes:
        answer = caller.post("/api/login", ELSA | {"usertype": usertype})
        assert answer.status_code == 200, usertype


def test_the_school_may_come_in_a_header_unless_the_body_has_one(caller: Caller) -> None:
    body = {name: ELSA[name] for name in ("username", "password")}
    for sent, header in ((body, "bjorkdalen"), (ELSA, "nyvang")):
        answer = caller.post("/api/login", sent, **{"x-school": header})
        assert answer.json()["user"]["school"] == "bjorkdalen"


def test_the_operator_may_name_a_default_school(caller: Caller, settings: Settings) -> None:
    body = {name: ELSA[name] for name in ("username", "password")}
    answer = caller.post("/api/login", body)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["school"]
    settings.DEFAULT_SCHOOL = "bjorkdalen"
    assert caller.post("/api/login", body).status_code == 200


@pytest.mark.parametrize("dialect", ["specified", "observed"])
def test_the_orgid_of_a_client_is_ignored(caller: Caller, settings: Settings, dialect: str) -> None:
    settings.UPSTREAM_DIALECT = {"": dialect}
    ids: list[Any] = ["57", "junk", 41, None, ["x"]]
    for orgid in ids:
        answer = caller.post("/api/login", ELSA | {"orgid": orgid})
        assert (answer.status_code, answer.json()["user"]["school"]) == (200, "bjorkdalen"), orgid


@pytest.mark.parametrize("bearer", [True, False])
@pytest.mark.parametrize("without_child", ["refused", "accepted"])
def test_the_other_dialect_signs_in_too(
    caller: Caller, simulator: Simulator, settings: Settings, bearer: bool, without_child: str
) -> None:
    settings.UPSTREAM_DIALECT = {"": "observed"}
    simulator.state.settings.bearer_session = bearer
    simulator.state.settings.set("bridge_without_child", without_child)
    answer = caller.sign_in("gun.nordvall").json()
    assert (answer["user"]["userType"], answer["expires_in"]) == ("guardian", 900)
    assert caller.cookies["usertype"] == "2"
    assert caller.get("/api/session").json()["role"] == "guardian"


def test_one_school_may_use_the_other_dialect(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.UPSTREAM_DIALECT = {"": "specified", "nyvang": "observed"}
    caller.sign_in("zoe.åkerman", "nyvang")
    assert caller.get("/api/schedule?week=11").json()["schedule"]
    assert simulator.requests.count("/nyvang/eva-apps/auth/login/student") == 1
    signed_in()
    assert simulator.requests.count("/bjorkdalen/eva-apps") == 0


def test_a_body_is_json_whatever_its_content_type_says(caller: Caller) -> None:
    text = '{"username":"elsa.nordvall","password":"elsa-demo","school":"bjorkdalen"}'
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "image/png"):
        answer = caller.http.post("/api/login", text, content_type=content_type)
        assert answer.status_code == 200


def test_the_typed_credentials_are_stored_nowhere(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    typed = {"username": "ELSA.NordVall", "password": "elsa-demo", "school": "bjorkdalen"}
    token = caller.post("/api/login", typed).json()["token"]
    caller.post("/api/login", typed | {"password": "wrong-canary"})
    caller.get("/api/schedule?week=11")
    sinks = tables() + store_contents() + caplog.text.encode()
    for record in caplog.records:
        sinks += repr(record.__dict__).encode()
    secrets = [*typed.values(), "wrong-canary", token, caller.cookies["jsessionid"]]
    secrets.append(caller.cookies["hash"])
    secrets.remove("bjorkdalen")
    assert [secret for secret in secrets if secret.encode() in sinks] == []
