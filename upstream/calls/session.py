"""Identifies the caller, and ends a web session."""

from typing import Any

from upstream import responses
from upstream.calls.json_values import login_name, short_text, whole_number
from upstream.client import UpstreamClient
from upstream.dialects import Dialect
from upstream.endpoints import LOGIN_PAGE, SESSION, with_query
from upstream.errors import UpstreamInvalid
from upstream.records import UpstreamSession, WebSession
from upstream.set_cookie import cookie_header
from upstream.transport import HEADERS, Request


def fetch_session(
    client: UpstreamClient,
    *,
    school: str,
    web: WebSession,
    untrusted: bool = False,
    dialect: Dialect | None = None,
) -> UpstreamSession:
    """The person whose web session this is: the only source of identity.

    `dialect` is that of the login, if it is not the school's: it numbers the user types. Pass
    `untrusted` for cookies that were never validated (see `UpstreamClient.send`).

    Raises: SessionDead, UpstreamInvalid (no user, or a user type that we do not know),
    UpstreamNotFound, UpstreamTimeout, UpstreamUnavailable.
    """
    return fetch_session_with_header(
        client,
        school=school,
        header="Cookie",
        value=cookie_header(web),
        untrusted=untrusted,
        dialect=dialect,
    )


def fetch_session_with_header(
    client: UpstreamClient,
    *,
    school: str,
    header: str,
    value: str,
    untrusted: bool = False,
    dialect: Dialect | None = None,
) -> UpstreamSession:
    """Like `fetch_session`, with another header: some schools accept a Bearer token."""
    url = client.url(school, SESSION)
    request = Request("GET", url, {**HEADERS, header: value})
    response = client.send(request, school=school, untrusted=untrusted)
    return _read(dialect or client.dialect(school), responses.read_session(response, url))


def end_session(
    client: UpstreamClient, *, school: str, web: WebSession, untrusted: bool = False
) -> None:
    """End the web session upstream. Any response counts as success.

    Raises: UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    url = with_query(client.url(school, LOGIN_PAGE), action="logout")
    headers = {**HEADERS, "Accept": "text/html", "Cookie": cookie_header(web)}
    client.send(Request("GET", url, headers), school=school, untrusted=untrusted)


def _read(dialect: Dialect, document: dict[str, Any]) -> UpstreamSession:
    user = document["user"]
    if not isinstance(user, dict):
        raise UpstreamInvalid("a user that is not an object")
    user_id = whole_number(user.get("id"))
    user_name = login_name(user.get("userName"))
    if user_id is None or not user_name:
        raise UpstreamInvalid("a user without a number or a name")
    organization = document.get("organization")
    if not isinstance(organization, dict):
        organization = {}
    type_id, type_name = _user_type(document.get("userType"))
    role = dialect.role(type_id, type_name)
    if role is None:
        raise UpstreamInvalid("an unknown user type")
    return UpstreamSession(
        user_id=user_id,
        user_name=user_name,
        first_name=short_text(user.get("firstName")),
        last_name=short_text(user.get("lastName")),
        email=short_text(user.get("email")),
        organization_id=whole_number(organization.get("id")),
        organization_name=short_text(organization.get("name")),
        role=role,
        user_type_id=type_id,
        user_type_name=type_name,
    )


def _user_type(value: Any) -> tuple[int | None, str]:
    """The number and name of a user type: an object with both, or only one of them."""
    if isinstance(value, dict):
        return whole_number(value.get("id")), short_text(value.get("name"))
    number = whole_number(value)
    return (number, "") if number is not None else (None, short_text(value))
