"""Signing in through the school's own page, against the simulator: code, token, cookies."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.school_page import callback_values, cancel_at_school, sign_in_at_school
from tests.upstream.conftest import MakeClient
from upstream import pkce
from upstream.calls.login import exchange_code, refresh_token
from upstream.calls.session import fetch_session
from upstream.calls.sign_in_page import fetch_login_methods, has_page, sign_in_url
from upstream.calls.web_sessions import fetch_guardian, translate_token
from upstream.client import UpstreamClient
from upstream.dialects import PAGE_DIALECTS
from upstream.errors import GrantRefused, NotForThisRole, UpstreamInvalid, WrongKind
from upstream.records import PageKind, TokenGrant
from upstream.simulator.server import Simulator

SCHOOL = "granskolan"
CALLBACK = "https://app.example/api/v2/callback"


@pytest.fixture
def school(simulator: Simulator, make_client: MakeClient) -> UpstreamClient:
    """A client of the simulator, whose schools are of the specified dialect."""
    return make_client(simulator.url)


def address_of(client: UpstreamClient, kind: PageKind, pair: pkce.PkcePair) -> str:
    return sign_in_url(
        client,
        school=SCHOOL,
        kind=kind,
        redirect_uri=CALLBACK,
        state="s-1",
        challenge=pair.challenge,
    )


def grant_of(client: UpstreamClient, kind: PageKind, username: str) -> TokenGrant:
    pair = pkce.make_pair()
    values = callback_values(sign_in_at_school(address_of(client, kind, pair), username))
    assert values["state"] == "s-1"
    return exchange_code(
        client,
        school=SCHOOL,
        code=values["code"],
        verifier=pair.verifier,
        dialect=PAGE_DIALECTS[kind],
    )


def change(simulator: Simulator, username: str, **fields: Any) -> None:
    school = simulator.state.schools[SCHOOL]
    school.add(replace(school.people[username], **fields))


def test_the_question_stands_behind_the_hash(school: UpstreamClient) -> None:
    pair = pkce.make_pair()
    parts = urlsplit(address_of(school, "guardian", pair))
    assert (parts.path, parts.query) == ("/granskolan/react/", "")
    route, _, query = parts.fragment.partition("?")
    assert route == "/login/parent"
    assert dict(parse_qsl(query)) == {
        "client_id": "vApp",
        "redirect_uri": CALLBACK,
        "state": "s-1",
        "code_challenge": pair.challenge,
        "code_challenge_method": "S256",
        "response_type": "code",
    }


@pytest.mark.parametrize(
    ("kind", "username", "user_id", "role"),
    [
        ("student", "tove.gran", 640001, "student"),
        ("guardian", "moa.gran", 640301, "guardian"),
    ],
)
def test_a_code_becomes_a_token_and_a_web_session_of_the_person(
    school: UpstreamClient, kind: PageKind, username: str, user_id: int, role: str
) -> None:
    grant = grant_of(school, kind, username)
    assert grant.refresh_token
    assert grant.expires_in == 900
    dialect = PAGE_DIALECTS[kind]
    web = translate_token(
        school,
        school=SCHOOL,
        access_token=grant.access_token,
        org_ids=(63,),
        dialect=dialect,
    )
    who = fetch_session(school, school=SCHOOL, web=web, dialect=dialect)
    assert (who.user_id, who.role) == (user_id, role)


def test_a_pupil_is_looked_for_at_three_organisations(
    simulator: Simulator, school: UpstreamClient
) -> None:
    change(simulator, "tove.gran", org_ids=(67,))
    token = grant_of(school, "student", "tove.gran").access_token
    simulator.requests.clear()
    dialect = PAGE_DIALECTS["student"]
    translate = {"school": SCHOOL, "access_token": token, "dialect": dialect}
    web = translate_token(school, org_ids=(65, 66, 67), **translate)  # type: ignore[arg-type]
    assert fetch_session(school, school=SCHOOL, web=web).organization_id == 67
    with pytest.raises(WrongKind):
        translate_token(school, org_ids=(64, 65, 66, 67), **translate)  # type: ignore[arg-type]
    assert simulator.requests.count_operation("login.session") == 6


@pytest.mark.parametrize("location", ["relative", "http"])
def test_the_redirect_of_the_bridge_is_not_followed(
    simulator: Simulator, school: UpstreamClient, location: str
) -> None:
    simulator.state.settings.set("bridge_location", location)
    token = grant_of(school, "guardian", "moa.gran").access_token
    simulator.requests.clear()
    translate_token(school, school=SCHOOL, access_token=token, dialect=PAGE_DIALECTS["guardian"])
    assert simulator.requests.count_operation("parent") == 1
    assert simulator.requests.count_operation("login.session") == 1
    assert len(simulator.requests) == 2


def test_a_guardian_without_children_is_of_the_wrong_kind(
    simulator: Simulator, school: UpstreamClient
) -> None:
    change(simulator, "moa.gran", children=())
    token = grant_of(school, "guardian", "moa.gran").access_token
    with pytest.raises(WrongKind):
        translate_token(
            school, school=SCHOOL, access_token=token, dialect=PAGE_DIALECTS["guardian"]
        )


def test_a_pupils_token_is_no_guardians(school: UpstreamClient) -> None:
    token = grant_of(school, "student", "tove.gran").access_token
    with pytest.raises(NotForThisRole):
        fetch_guardian(school, school=SCHOOL, access_token=token)
    with pytest.raises(WrongKind):
        translate_token(
            school, school=SCHOOL, access_token=token, dialect=PAGE_DIALECTS["guardian"]
        )


@pytest.mark.parametrize("kind", ["STUDENT", "PARENT", "none"])
def test_the_token_says_of_which_kind_it_is(
    simulator: Simulator, school: UpstreamClient, kind: str
) -> None:
    simulator.state.settings.set("token_kind", kind)
    grant = grant_of(school, "student", "tove.gran")
    assert grant.user_type == ("" if kind == "none" else kind)


@pytest.mark.parametrize(("fault", "seconds"), [("no-lifetime", 900), ("endless-token", 2_592_000)])
def test_a_missing_lifetime_is_that_of_the_token(
    simulator: Simulator, school: UpstreamClient, fault: str, seconds: int
) -> None:
    simulator.faults.set("login.token", fault)
    assert seconds - 5 <= grant_of(school, "student", "tove.gran").expires_in <= seconds


@pytest.mark.parametrize("fault", ["past-token", "truncated", "200-html", "not-json"])
def test_a_token_that_has_ended_or_cannot_be_read_is_invalid(
    simulator: Simulator, school: UpstreamClient, fault: str
) -> None:
    simulator.faults.set("login.token", fault)
    with pytest.raises(UpstreamInvalid):
        grant_of(school, "student", "tove.gran")


def test_a_token_may_come_as_text(simulator: Simulator, school: UpstreamClient) -> None:
    simulator.faults.set("login.token", "as-text")
    assert grant_of(school, "student", "tove.gran").expires_in == 900


@pytest.mark.parametrize("reuse", ["refused", "tolerated", "kills"])
def test_a_refresh_token_brings_both_anew(
    simulator: Simulator, school: UpstreamClient, reuse: str
) -> None:
    simulator.state.settings.set("refresh_reuse", reuse)
    first = grant_of(school, "guardian", "moa.gran")

    def refresh(token: str | None) -> TokenGrant:
        dialect = PAGE_DIALECTS["guardian"]
        return refresh_token(school, school=SCHOOL, refresh_token=token or "", dialect=dialect)

    second = refresh(first.refresh_token)
    assert second.refresh_token not in (None, first.refresh_token)
    if reuse == "tolerated":
        assert refresh(first.refresh_token).access_token
        simulator.state.clock.advance(31)
    with pytest.raises(GrantRefused):
        refresh(first.refresh_token)
    if reuse == "kills":
        with pytest.raises(GrantRefused):
            refresh(second.refresh_token)
    else:
        assert refresh(second.refresh_token).access_token


@pytest.mark.parametrize(
    ("setting", "value"), [("authorize", "no-callback"), ("saml", "refused"),
                           ("saml", "no-relay-state")],
)  # fmt: skip
def test_most_failures_bring_no_callback(
    simulator: Simulator, school: UpstreamClient, setting: str, value: str
) -> None:
    simulator.state.settings.set(setting, value)
    address = address_of(school, "student", pkce.make_pair())
    assert sign_in_at_school(address, "tove.gran") is None


def test_a_person_of_the_other_kind_stays_on_the_page(school: UpstreamClient) -> None:
    assert sign_in_at_school(address_of(school, "student", pkce.make_pair()), "moa.gran") is None


def test_who_cancels_comes_back_with_an_error(school: UpstreamClient) -> None:
    callback = cancel_at_school(address_of(school, "student", pkce.make_pair()))
    assert callback_values(callback) == {"error": "access_denied", "state": "s-1"}


@pytest.mark.parametrize("form", ["numbers", "texts", "objects"])
@pytest.mark.parametrize(
    ("slug", "numbers", "page"),
    [("granskolan", {3}, True), ("bjorkdalen", {0, 4}, False), ("nyvang", {4, 11}, True)],
)
def test_a_school_says_how_its_people_sign_in(
    simulator: Simulator,
    school: UpstreamClient,
    form: str,
    slug: str,
    numbers: set[int],
    page: bool,
) -> None:
    simulator.state.settings.set("methods_form", form)
    found = fetch_login_methods(school, school=slug, kind="guardian")
    assert found is not None
    assert set(found) == numbers
    assert has_page(found) is page


@pytest.mark.parametrize("fault", ["404", "401", "200-html", "truncated", "empty", "not-json"])
def test_a_school_may_not_say_it(simulator: Simulator, school: UpstreamClient, fault: str) -> None:
    simulator.faults.set("login.methods", fault)
    assert fetch_login_methods(school, school=SCHOOL, kind="student") is None
