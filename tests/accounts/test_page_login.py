"""Signing in through the school's own page, in a browser."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Account, ServiceSession
from tests.accounts.page_login import (
    SCHOOL,
    authorize,
    begin,
    signed_in_through_page,
    visit,
)
from tests.conftest import Caller
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "username", "user_id"),
    [("student", "tove.gran", 640001), ("guardian", "moa.gran", 640301)],
)
def test_it_signs_in_and_goes_on_to_where_it_began(
    simulator: Simulator, kind: str, username: str, user_id: int
) -> None:
    begun = visit(username, kind, **{"return": "/app/week?day=2"})
    answer = begun.finish()
    assert (answer.status_code, answer["Location"]) == (303, "/app/week?day=2")
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Cache-Control"] == "no-store"
    for name in ("jsessionid", "hash", "usertype", "school", "username"):
        morsel = answer.cookies[f"wrapper_{name}"]
        assert (morsel["httponly"], morsel["samesite"], morsel["path"]) == (True, "Lax", "/")
    assert answer.cookies["wrapper_login"].value == ""
    body = begun.browser.get("/api/session").json()
    assert (body["userId"], body["role"], body["school"]) == (user_id, kind, SCHOOL)
    record = ServiceSession.objects.get()
    assert record.page_kind == kind
    assert record.refresh_token


def test_a_guardian_reads_what_the_children_have(simulator: Simulator) -> None:
    browser = signed_in_through_page("moa.gran", "guardian")
    children = browser.get("/api/children").json()["children"]
    assert [each["name"] for each in children] == ["Tove Gran", "Olle Gran"]
    for child in children:
        answer = browser.get(f"/api/schedule?week=11&child={child['id']}")
        assert answer.status_code == 200, answer.content
        assert answer.json()["child"] == {"id": child["id"], "name": child["name"]}
        assert answer.json()["schedule"]


def test_a_pupil_reads_the_week(simulator: Simulator) -> None:
    browser = signed_in_through_page()
    assert browser.get("/api/schedule?week=11").json()["schedule"]


def test_the_cookie_of_the_attempt_is_for_this_browser_and_these_routes(
    simulator: Simulator,
) -> None:
    answer = authorize(Caller())
    morsel = answer.cookies["wrapper_login"]
    assert (morsel["httponly"], morsel["samesite"], morsel["path"], morsel["max-age"]) == (
        True,
        "Lax",
        "/api/v2",
        600,
    )
    assert morsel.value not in answer["Location"]
    secure = Caller().http.get(f"/api/v2/authorize?school={SCHOOL}&kind=student", secure=True)
    assert secure.cookies["wrapper_login"]["secure"]


def test_the_page_is_told_who_signs_in_and_where_to_return(
    simulator: Simulator, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://school.example"
    parts = urlsplit(begin(Caller(), "guardian"))
    assert f"{parts.scheme}://{parts.netloc}" == simulator.url
    route, _, query = parts.fragment.partition("?")
    values = dict(parse_qsl(query))
    assert (parts.path, route) == (f"/{SCHOOL}/react/", "/login/parent")
    assert values["client_id"] == "vApp"
    assert values["redirect_uri"] == "https://school.example/api/v2/callback"
    assert values["code_challenge_method"] == "S256"
    settings.LOGIN_CALLBACK_URL = "https://other.example/back"
    values = dict(parse_qsl(urlsplit(begin(Caller())).fragment.partition("?")[2]))
    assert values["redirect_uri"] == "https://other.example/back"


def test_a_program_gets_the_address_as_json(simulator: Simulator) -> None:
    browser = Caller()
    answer = browser.get(
        f"/api/v2/authorize?school={SCHOOL}&kind=student", Accept="application/json"
    )
    assert answer.status_code == 200
    assert answer.json()["url"].startswith(f"{simulator.url}/{SCHOOL}/react/#/login/student?")
    assert answer.json()["expiresIn"] == 600
    assert browser.cookies["login"]


@pytest.mark.parametrize("first", ["password", "page"])
@pytest.mark.parametrize("dialect", ["specified", "observed"])
def test_a_person_has_one_account_however_they_sign_in(
    simulator: Simulator, settings: Settings, first: str, dialect: str
) -> None:
    settings.UPSTREAM_DIALECT = {"": dialect}

    def through_page() -> None:
        done = visit("zoe.åkerman", "student", "nyvang")
        assert done.finish()["Location"] == "/app/"
        assert done.browser.get("/api/session").status_code == 200

    def with_password() -> None:
        Caller().sign_in("zoe.åkerman", "nyvang")

    ways = [with_password, through_page]
    for sign_in in ways if first == "password" else reversed(ways):
        sign_in()
    account = Account.objects.get()
    assert (account.school, account.upstream_user_id) == ("nyvang", 730300)
    assert account.sessions.count() == 2


def test_the_school_may_offer_its_own_form_for_a_password(simulator: Simulator) -> None:
    done = visit("zoe.åkerman", "student", "nyvang", password="zoe-demo")
    assert done.finish()["Location"] == "/app/"


@pytest.mark.parametrize("behaviour", ["more-parameters", "only-saml"])
def test_what_else_the_page_returns_does_not_matter(simulator: Simulator, behaviour: str) -> None:
    simulator.state.settings.set("authorize", behaviour)
    assert visit().finish()["Location"] == "/app/"


def test_a_pupil_of_a_later_organisation_is_asked_for_there_first(
    simulator: Simulator, settings: Settings
) -> None:
    """The list of schools gives 41, 42 and 43 for this slug."""
    settings.UPSTREAM_DIALECT = {"": "observed"}
    school = simulator.state.schools["bjorkdalen"]
    object.__setattr__(school, "login_methods", "3")
    object.__setattr__(school.people["bo.ek"], "org_ids", (43,))
    done = visit("bo.ek", "student", "bjorkdalen")
    assert done.finish()["Location"] == "/app/"
    assert Account.objects.get().organization_id == 43
    assert simulator.requests.count_operation("login.session") == 3
    simulator.requests.clear()
    assert done.browser.post("/api/refresh").status_code == 200
    assert simulator.requests.count_operation("login.session") == 1


def test_without_the_web_app_it_returns_to_the_start_page(
    simulator: Simulator, settings: Settings
) -> None:
    settings.WEB_APP = False
    assert visit().finish()["Location"] == "/"


@pytest.mark.parametrize(
    ("dest", "status"),
    [("document", 303), ("empty", 303), ("iframe", 403), ("image", 403), ("script", 403)],
)
def test_no_page_makes_its_visitor_start_one_unseen(
    simulator: Simulator, dest: str, status: int
) -> None:
    answer = Caller().get(
        f"/api/v2/authorize?school={SCHOOL}&kind=student", **{"Sec-Fetch-Dest": dest}
    )
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["code"] == "cross_origin"
        assert not answer.cookies


def test_the_password_login_of_such_a_school_names_the_page(simulator: Simulator) -> None:
    body = {"username": "tove.gran", "password": "x", "school": SCHOOL}
    for path in ("/api/login", "/api/v2/initiate"):
        answer = Caller().post(path, body)
        assert (answer.status_code, answer.json()["code"]) == (403, "password_login_disabled")
        assert answer.json()["redirect"] is True
