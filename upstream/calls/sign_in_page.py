"""The school's own sign-in page: its address, and the ways to sign in that the school has.

The page is upstream's, and people open it in their browser. What comes back to us is a code, for
`exchange_code` with the dialect of the kind of person (`PAGE_DIALECTS`).
"""

from typing import Any, Final

from upstream import pkce, responses
from upstream.calls.json_values import whole_number
from upstream.client import UpstreamClient
from upstream.dialects import PAGE_DIALECTS
from upstream.endpoints import LOGIN_METHODS, SIGN_IN_PAGE, with_query
from upstream.errors import SessionDead, UpstreamInvalid, UpstreamNotFound
from upstream.records import SEGMENTS, PageKind
from upstream.transport import HEADERS, Request

# The numbers of the ways to sign in: 4 is the app's password. 0 is assumed to be the password of
# the school's web pages; all others (3 SAML, 11 BankID) have pages of their own.
PASSWORD: Final = 4
_PASSWORDS: Final = frozenset({0, PASSWORD})


def sign_in_url(
    client: UpstreamClient,
    *,
    school: str,
    kind: PageKind,
    redirect_uri: str,
    state: str,
    challenge: str,
) -> str:
    """Where a person of this kind signs in. The browser comes back to `redirect_uri` with a code
    and our state, or not at all: upstream shows most failures on its own page."""
    return with_query(
        client.url(school, SIGN_IN_PAGE) + f"#/login/{SEGMENTS[kind]}",
        client_id=PAGE_DIALECTS[kind].client_id,
        redirect_uri=redirect_uri,
        state=state,
        code_challenge=challenge,
        code_challenge_method=pkce.METHOD,
        response_type="code",
    )


def fetch_login_methods(
    client: UpstreamClient, *, school: str, kind: PageKind
) -> frozenset[int] | None:
    """The numbers of the ways that the school offers to this kind of person; None where upstream
    does not say.

    Raises: UpstreamTimeout, UpstreamUnavailable.
    """
    values = {"client_id": PAGE_DIALECTS[kind].client_id, "usertype": SEGMENTS[kind]}
    url = with_query(client.url(school, LOGIN_METHODS), **values)
    response = client.send(Request("GET", url, dict(HEADERS)), school=school, untrusted=True)
    try:
        data = responses.read_data(response, url)
    except (SessionDead, UpstreamInvalid, UpstreamNotFound):
        return None
    if not isinstance(data, list):
        return None
    numbers = frozenset(number for number in map(_number, data) if number is not None)
    return numbers or None


def has_page(methods: frozenset[int]) -> bool:
    """Whether one of these ways is a page of the school's own."""
    return bool(methods - _PASSWORDS)


def _number(value: Any) -> int | None:
    """A number, a text of digits, or an object with one of them as `id` or `type`."""
    if isinstance(value, dict):
        value = value.get("id", value.get("type"))
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value[:9])
    return whole_number(value)
