"""The login: password to code, code to token, token to cookies. None of these is ever retried.

Secrets are put into a `Request`, whose `repr` hides them. Local names for a password or verifier
are deleted before anything is sent, so that no frame of a later traceback holds them.
"""

import contextlib
import hmac
import re
from typing import Any, Final

import orjson

from upstream import responses
from upstream.calls.session import fetch_session_with_header
from upstream.calls.tokens import is_token, read_grant
from upstream.client import UpstreamClient
from upstream.errors import (
    CredentialsRefused,
    GrantRefused,
    PasswordLoginDisabled,
    SessionDead,
    UpstreamError,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.records import Role, TokenGrant, WebSession
from upstream.set_cookie import read_web_session
from upstream.transport import UpstreamResponse

MAX_CODE: Final = 8192
_ROLES: Final[tuple[Role, ...]] = ("student", "guardian", "teacher")
_VISIBLE: Final = re.compile(r"[\x21-\x7e]+\Z")
# Parts of a `userMessage`, in lower case. The first set was observed; the second is assumed.
_UNKNOWN_USER: Final = ("hitta användaren", "felaktigt användarnamn", "felaktigt lösenord")
_OTHER_LOGIN: Final = ("saml", "bankid", "lösenordsinloggning", "password login")


def authorize(
    client: UpstreamClient,
    *,
    school: str,
    username: str,
    password: str,
    challenge: str,
    state: str,
    orgid: str | int | None = None,
) -> str:
    """Send the credentials once and return the one-time code.

    `orgid` is sent as it is; without one the slug is sent.

    Raises: CredentialsRefused, PasswordLoginDisabled, UpstreamNotFound (no such school),
    UpstreamInvalid (no code, or another `state` or `redirect_uri` than ours: perhaps a forgery),
    UpstreamTimeout, UpstreamUnavailable.
    """
    dialect = client.dialect(school)
    request = dialect.authorization(
        client.config.base_url,
        school,
        username=username,
        password=password,
        code_challenge=challenge,
        state=state,
        orgid=str(orgid or school),
    )
    del username, password
    response = client.send(request, school=school, untrusted=True)
    if response.status != 200:
        raise _refusal(response)
    echo = _read_echo(response)
    if not _equal(echo.get("state"), state):
        raise UpstreamInvalid("a response with another state")
    redirect = echo.get("redirect_uri")
    if (dialect.echoes_redirect or redirect is not None) and not _equal(
        redirect, dialect.redirect_uri
    ):
        raise UpstreamInvalid("a response with another redirect URI")
    code = echo.get("code")
    if not isinstance(code, str) or len(code) > MAX_CODE or not _VISIBLE.match(code):
        raise UpstreamInvalid("a response without a code")
    return code


def exchange_code(client: UpstreamClient, *, school: str, code: str, verifier: str) -> TokenGrant:
    """Exchange a code for a token. Only the right verifier uses the code up.

    Raises: GrantRefused, UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    request = client.dialect(school).code_exchange(
        client.config.base_url, school, code=code, verifier=verifier
    )
    del code, verifier
    return _read_grant_response(client.send(request, school=school, untrusted=True))


def refresh_token(client: UpstreamClient, *, school: str, refresh_token: str) -> TokenGrant:
    """A new token for a refresh token, which upstream replaces at the same time.

    Raises: GrantRefused, UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    request = client.dialect(school).refresh(
        client.config.base_url, school, refresh_token=refresh_token
    )
    del refresh_token
    return _read_grant_response(client.send(request, school=school, untrusted=True))


def translate_token(
    client: UpstreamClient,
    *,
    school: str,
    access_token: str,
    user_id: int | None = None,
) -> WebSession:
    """The web session of a token. Any status below 400 is accepted if it sets the cookies.

    Raises: SessionDead (the token has ended), UpstreamNotFound, UpstreamInvalid (an illegal cookie
    value), UpstreamTimeout, UpstreamUnavailable.
    """
    if not is_token(access_token):
        raise SessionDead("not a valid token")
    dialect = client.dialect(school)
    org_id: int | None = None
    role: Role | None = None
    if dialect.wants_identity:
        # The bridge rejects wrong ids, but may work without any if the school does not tell them.
        with contextlib.suppress(SessionDead, UpstreamInvalid):
            who = fetch_session_with_header(
                client, school=school, header="Authorization", value=f"Bearer {access_token}"
            )
            user_id, org_id, role = who.user_id, who.organization_id, who.role
    # The bridge has one endpoint per role: try each if the school does not say which role it is.
    roles = _ROLES if dialect.wants_identity and role is None else (role,)
    for role in roles:
        request = dialect.translation(
            client.config.base_url,
            school,
            access_token=access_token,
            user_id=user_id,
            org_id=org_id,
            role=role,
        )
        web = read_cookies(client.send(request, school=school, untrusted=True))
        if web is not None:
            return web
    raise SessionDead("no cookies for this token")


def read_cookies(response: UpstreamResponse) -> WebSession | None:
    """The web session of a translated token; None where upstream refuses the token."""
    if response.status == 404:
        raise UpstreamNotFound("no endpoint that gives cookies for a token")
    if response.status >= 400:
        return None
    return read_web_session(response.headers.getlist("Set-Cookie"))


def _read_grant_response(response: UpstreamResponse) -> TokenGrant:
    if response.status in (400, 401, 403, 404):
        raise GrantRefused(f"answered {response.status}")
    if response.status != 200:
        raise UpstreamInvalid(f"answered {response.status}")
    return read_grant(response)


def _refusal(response: UpstreamResponse) -> UpstreamError:
    """The error for a failed password request; PROTOCOL.md says how each form is known."""
    status = response.status
    message = _user_message(response)
    if status in (400, 403) and any(words in message for words in _UNKNOWN_USER):
        return CredentialsRefused("unknown at this school")
    if status in (400, 401, 403) and any(words in message for words in _OTHER_LOGIN):
        return PasswordLoginDisabled("this school uses another login")
    if status == 401:
        return CredentialsRefused("answered 401")
    if status == 403:
        return PasswordLoginDisabled("answered 403")
    if status == 404:
        return UpstreamNotFound("answered 404")
    return UpstreamInvalid(f"answered {status}")


def _user_message(response: UpstreamResponse) -> str:
    try:
        document = orjson.loads(response.body())
    except (orjson.JSONDecodeError, UpstreamInvalid):
        return ""
    message = document.get("userMessage") if isinstance(document, dict) else None
    return message.lower() if isinstance(message, str) else ""


def _read_echo(response: UpstreamResponse) -> dict[str, Any]:
    with contextlib.suppress(SessionDead):
        document = responses.read_json(response)
        if isinstance(document, dict):
            return document
    raise UpstreamInvalid("a login response that is not an object")


def _equal(theirs: Any, ours: str) -> bool:
    """Compare in constant time."""
    return isinstance(theirs, str) and hmac.compare_digest(theirs.encode(), ours.encode())
