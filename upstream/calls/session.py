"""Who the caller is, and the end of a web session."""

import contextlib
import re
from typing import Any, Final

from upstream import responses
from upstream.client import UpstreamClient
from upstream.endpoints import LOGIN_PAGE, SESSION, with_query
from upstream.errors import UpstreamInvalid
from upstream.records import UpstreamSession, WebSession
from upstream.set_cookie import cookie_header
from upstream.transport import HEADERS, Request

MAX_TEXT: Final = 200
_MAX_ID: Final = 2**63
# C0, DEL, C1, line and paragraph separators, and the marks that turn the direction of text.
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def fetch_session(
    client: UpstreamClient, *, school: str, web: WebSession, stranger: bool = False
) -> UpstreamSession:
    """Ask upstream whose web session this is: the only source of identity.

    `stranger`: nobody has shown yet that these cookies are anybody's. Trouble with them says
    nothing about the school (see `UpstreamClient.send`).

    Raises: SessionDead, UpstreamInvalid (a document that names nobody, or nobody we can serve),
    UpstreamNotFound, UpstreamTimeout, UpstreamAway.
    """
    return ask(client, school=school, header="Cookie", value=cookie_header(web), stranger=stranger)


def ask(
    client: UpstreamClient, *, school: str, header: str, value: str, stranger: bool = False
) -> UpstreamSession:
    """The same with any header that proves who asks; a Bearer token works at some schools."""
    url = client.url(school, SESSION)
    request = Request("GET", url, {**HEADERS, header: value})
    response = client.send(request, school=school, untrusted=stranger)
    return _read(client, school, responses.read_session(response, url))


def end_session(
    client: UpstreamClient, *, school: str, web: WebSession, stranger: bool = False
) -> None:
    """End the web session upstream. Any answer will do: there is no better way to ask.

    `stranger`: as in `fetch_session`.

    Raises: UpstreamInvalid, UpstreamTimeout, UpstreamAway; the caller's own logout goes on.
    """
    url = with_query(client.url(school, LOGIN_PAGE), action="logout")
    headers = {**HEADERS, "Accept": "text/html", "Cookie": cookie_header(web)}
    client.send(Request("GET", url, headers), school=school, untrusted=stranger)


def _read(client: UpstreamClient, school: str, document: dict[str, Any]) -> UpstreamSession:
    user = document["user"]
    if not isinstance(user, dict):
        raise UpstreamInvalid("a user that is no object")
    user_id = whole_number(user.get("id"))
    user_name = text(user.get("userName"))
    if user_id is None or not user_name:
        raise UpstreamInvalid("a user without a number or a name")
    organization = document.get("organization")
    if not isinstance(organization, dict):
        organization = {}
    type_id, type_name = _user_type(document.get("userType"))
    role = client.dialect(school).role(type_id, type_name)
    if role is None:
        raise UpstreamInvalid("a user type that is not known")
    return UpstreamSession(
        user_id=user_id,
        user_name=user_name,
        first_name=text(user.get("firstName")),
        last_name=text(user.get("lastName")),
        email=text(user.get("email")),
        organization_id=whole_number(organization.get("id")),
        organization_name=text(organization.get("name")),
        role=role,
        user_type_id=type_id,
        user_type_name=type_name,
    )


def _user_type(value: Any) -> tuple[int | None, str]:
    """An object with a number and a name, or only one of the two."""
    if isinstance(value, dict):
        return whole_number(value.get("id")), text(value.get("name"))
    number = whole_number(value)
    return (number, "") if number is not None else (None, text(value))


def whole_number(value: Any) -> int | None:
    """A whole number, or one written as text; None for anything else, also for true."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        with contextlib.suppress(ValueError):  # thousands of digits
            value = int(value)
    return value if type(value) is int and 0 <= value < _MAX_ID else None


def text(value: Any) -> str:
    """Trimmed text; empty for null, a missing field or another type.

    Over-long text is refused and not cut: a cut name is another name. So is text with control
    characters or marks that turn its direction.

    Raises: UpstreamInvalid.
    """
    if not isinstance(value, str):
        return ""
    trimmed: str = value.strip()
    if len(trimmed) > MAX_TEXT or _UNPRINTABLE.search(trimmed):
        raise UpstreamInvalid("a text that cannot be a name")
    return trimmed
