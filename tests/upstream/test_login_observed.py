"""The login that public clients of the real system were seen to use."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.upstream.conftest import SCHOOL, MakeClient
from tests.upstream.raw_server import RawServer, always, http, in_turn
from upstream.calls import login
from upstream.calls.web_sessions import translate_token
from upstream.client import UpstreamClient
from upstream.errors import CredentialsRefused, SessionDead, UpstreamError, UpstreamInvalid
from upstream.records import WebSession

STATE = "5b1e0c7d9a3f42e8b6a1c2d3e4f50617"
PASSWORD = "canary&pass=å#/?"
WHO = {
    "user": {"id": 820301, "userName": "gun.nordvall"},
    "organization": {"id": 41},
    "userType": {"id": 2, "name": "parent"},
}
PARENT = {
    "userId": 820301,
    "children": [
        {"studentId": 730215, "schools": []},
        {"studentId": 730214, "schools": [{"orgId": 43, "name": "x"}]},
    ],
}
COOKIES = "JSESSIONID=A; Path=/, hash=b; Path=/, usertype=2; Path=/, clientType=eApp"


@pytest.fixture
def client(make_client: MakeClient, server: RawServer) -> UpstreamClient:
    return make_client(server.url, dialects={"": "specified", SCHOOL: "observed"})


def authorize(client: UpstreamClient, **changes: object) -> str:
    arguments: dict[str, object] = {
        "school": SCHOOL,
        "username": "elsa.nordvall",
        "password": PASSWORD,
        "challenge": "challenge",
        "state": STATE,
    }
    return login.authorize(client, **(arguments | changes))  # type: ignore[arg-type]


def sent(server: RawServer, number: int = 0) -> tuple[str, str, dict[str, str]]:
    """Method, path and query of a request."""
    received = server.requests[number]
    parts = urlsplit(received.target)
    values = parse_qs(parts.query, strict_parsing=bool(parts.query))
    return received.method, parts.path, {name: value for name, (value,) in values.items()}


def test_the_password_request_is_a_get_with_everything_in_the_query(
    client: UpstreamClient, server: RawServer
) -> None:
    server.respond({"code": "c", "state": STATE})
    assert authorize(client, orgid=41) == "c"
    assert sent(server) == (
        "GET",
        f"/{SCHOOL}/rest-api/login/student/password",
        {
            "username": "elsa.nordvall",
            "password": PASSWORD,
            "code_challenge": "challenge",
            "code_challenge_method": "S256",
            "client_id": "eApp",
            "redirect_uri": "com.schoolsoftplus.app://",
            "state": STATE,
            "orgid": "41",
            "lang": "2",
        },
    )


def test_without_a_school_number_the_slug_is_sent(
    client: UpstreamClient, server: RawServer
) -> None:
    server.respond({"code": "c", "state": STATE})
    authorize(client)
    assert sent(server)[2]["orgid"] == SCHOOL


@pytest.mark.parametrize(
    "echo",
    [{"code": "c"}, {"code": "c", "state": "x"}, {"state": STATE},
     {"code": "c", "state": STATE, "redirect_uri": "eapp://login"}],
)  # fmt: skip
def test_an_invalid_code_state_or_redirect_uri_is_rejected(
    client: UpstreamClient, server: RawServer, echo: dict[str, object]
) -> None:
    server.respond(echo)
    with pytest.raises(UpstreamInvalid):
        authorize(client)


def test_it_is_never_retried_and_no_error_shows_the_url(
    client: UpstreamClient, server: RawServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.script = always(b"")
    with caplog.at_level("DEBUG"), pytest.raises(UpstreamError) as caught:
        authorize(client)
    assert len(server.requests) == 1
    assert "canary" not in caplog.text
    assert "canary" not in "".join(map(repr, (caught.value, caught.value.__context__)))


def test_a_wrong_password_is_refused(client: UpstreamClient, server: RawServer) -> None:
    server.script = always(http(status=401))
    with pytest.raises(CredentialsRefused):
        authorize(client)


def test_the_token_request_has_its_own_parameter_names(
    client: UpstreamClient, server: RawServer
) -> None:
    server.respond({"access_token": "t", "refresh_token": "r", "type": "Bearer", "expires": 900})
    grant = login.exchange_code(client, school=SCHOOL, code="c", verifier="v")
    assert (grant.expires_in, grant.refresh_token) == (900, "r")
    query = {"clientId": "eApp", "grantType": "code", "code": "c", "codeVerifier": "v"}
    assert sent(server) == ("POST", f"/{SCHOOL}/rest-api/login/token", query)
    assert server.requests[0].headers["content-length"] == "0"


def test_the_refresh_request_has_its_own_parameter_names(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = always(http(b'{"access_token":"t","refresh_token":"r2"}'))
    login.refresh_token(client, school=SCHOOL, refresh_token="r1")
    query = {"clientId": "eApp", "grantType": "refresh_token", "refreshToken": "r1"}
    assert sent(server) == ("POST", f"/{SCHOOL}/rest-api/login/token", query)


def test_the_bridge_request_has_the_ids_of_the_owner_and_of_a_child(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = in_turn(
        http(json.dumps(WHO).encode()),
        http(json.dumps(PARENT).encode()),
        http(status=303, Set_Cookie=COOKIES, Location="/x"),
    )
    web = translate_token(client, school=SCHOOL, access_token="tok")
    assert web == WebSession(jsessionid="A", hash="b", usertype="2")
    assert sent(server, 1)[:2] == ("GET", f"/{SCHOOL}/eva/api/v1/parent")
    for number in (0, 1):
        assert server.requests[number].headers["authorization"] == "Bearer tok"
    assert sent(server, 2)[:2] == ("GET", f"/{SCHOOL}/eva-apps/auth/login/parent")
    headers = server.requests[2].headers
    assert (headers["token"], headers["userid"], headers["orgid"]) == ("tok", "820301", "43")
    assert headers["childinfocus"] == "730214"
    assert "authorization" not in headers


def test_a_guardian_whom_upstream_shows_no_children_is_tried_without(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = in_turn(
        http(json.dumps(WHO).encode()), http(status=404), http(status=303, Set_Cookie=COOKIES)
    )
    assert translate_token(client, school=SCHOOL, access_token="tok").usertype == "2"
    headers = server.requests[2].headers
    assert (headers["userid"], headers["orgid"]) == ("820301", "41")
    assert "childinfocus" not in headers


def test_the_bridge_is_tried_without_ids_if_they_are_unknown(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = in_turn(http(status=401), http(status=303, Set_Cookie=COOKIES))
    translate_token(client, school=SCHOOL, access_token="tok")
    assert sent(server, 1)[1] == f"/{SCHOOL}/eva-apps/auth/login/student"
    assert "userid" not in server.requests[1].headers


def test_every_endpoint_of_the_bridge_is_tried_if_the_role_is_unknown(
    client: UpstreamClient, server: RawServer
) -> None:
    closed = http(status=303, Location="/x?error=other")
    server.script = in_turn(http(status=401), closed, http(status=303, Set_Cookie=COOKIES))
    assert translate_token(client, school=SCHOOL, access_token="tok").usertype == "2"
    server.script = in_turn(http(status=401), closed)
    with pytest.raises(SessionDead):
        translate_token(client, school=SCHOOL, access_token="tok")
    words = [target.rpartition("/")[2] for target in server.targets if "/eva-apps/" in target]
    assert words == ["student", "parent", "student", "parent", "staff"]


def test_the_number_of_the_caller_is_used_if_the_school_tells_none(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = in_turn(http(status=401), http(status=303, Set_Cookie=COOKIES))
    translate_token(client, school=SCHOOL, access_token="tok", user_id=5)
    assert server.requests[1].headers["userid"] == "5"


def test_a_redirect_without_cookies_is_a_dead_token(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = in_turn(http(status=401), http(status=303, Location="/x?error=other"))
    with pytest.raises(SessionDead):
        translate_token(client, school=SCHOOL, access_token="tok")


def test_other_schools_keep_their_own_dialect(client: UpstreamClient, server: RawServer) -> None:
    server.script = always(http(b'{"access_token":"t"}'))
    login.exchange_code(client, school="nyvang", code="c", verifier="v")
    assert json.loads(server.requests[0].body)["code_verifier"] == "v"
