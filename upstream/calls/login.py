"""The login: password to code, code to token, token to cookies. Nothing here is ever retried.

Secrets pass through as arguments and end in a `Request`, which never shows them. Names that held
a password or a verifier are deleted before anything is sent, so that no frame of a later
exception has them.
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
# Words of a `userMessage`, in lower case. The first set was seen; the second is assumed.
_NOBODY: Final = ("hitta användaren", "felaktigt användarnamn", "felaktigt lösenord")
_ELSEWHERE: Final = ("saml", "bankid", "lösenordsinloggning", "password login")


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

    `orgid` goes upstream as it is; without one the slug does.

    Raises: CredentialsRefused, PasswordLoginDisabled, UpstreamNotFound (no such school),
    UpstreamInvalid (no code; another `state` or `redirect_uri` than ours: perhaps a forgery),
    UpstreamTimeout, UpstreamAway.
    """
    dialect = client.dialect(school)
    request = dialect.authorization(
        client.config.base_url,
        school,
        username=username,
        password=password,
        challenge=challenge,
        state=state,
        orgid=None if orgid is None else str(orgid),
    )
    del username, password
    response = client.send(request, school=school, untrusted=True)
    if response.status != 200:
        raise _refusal(response)
    echo = _object(response)
    if not _same(echo.get("state"), state):
        raise UpstreamInvalid("an answer with another state")
    redirect = echo.get("redirect_uri")
    if (dialect.echoes_redirect or redirect is not None) and not _same(
        redirect, dialect.redirect_uri
    ):
        raise UpstreamInvalid("an answer with another redirect URI")
    code = echo.get("code")
    if not isinstance(code, str) or len(code) > MAX_CODE or not _VISIBLE.match(code):
        raise UpstreamInvalid("an answer without a code")
    return code


def exchange_code(client: UpstreamClient, *, school: str, code: str, verifier: str) -> TokenGrant:
    """Turn a code into a token. A wrong verifier leaves the code as it was, a right one burns it.

    Raises: GrantRefused, UpstreamInvalid, UpstreamTimeout, UpstreamAway.
    """
    request = client.dialect(school).code_exchange(
        client.config.base_url, school, code=code, verifier=verifier
    )
    del code, verifier
    return _granted(client.send(request, school=school, untrusted=True))


def refresh_token(client: UpstreamClient, *, school: str, refresh_token: str) -> TokenGrant:
    """A new token for a refresh token, which upstream replaces at the same moment.

    Raises: GrantRefused, UpstreamInvalid, UpstreamTimeout, UpstreamAway.
    """
    request = client.dialect(school).refresh(
        client.config.base_url, school, refresh_token=refresh_token
    )
    del refresh_token
    return _granted(client.send(request, school=school, untrusted=True))


def translate_token(
    client: UpstreamClient,
    *,
    school: str,
    access_token: str,
    user_id: int | None = None,
    role: Role | None = None,
) -> WebSession:
    """Turn a token into the cookies of a web session. Only the cookies count, not the status.

    Raises: SessionDead (the token is over), UpstreamNotFound, UpstreamInvalid (an illegal cookie
    value), UpstreamTimeout, UpstreamAway.
    """
    if not is_token(access_token):
        raise SessionDead("a token that cannot be one")
    dialect = client.dialect(school)
    org_id: int | None = None
    if dialect.wants_identity:
        # The bridge refuses wrong ids. Where the school does not answer, it may do without.
        with contextlib.suppress(SessionDead, UpstreamInvalid):
            who = fetch_session_with_header(
                client, school=school, header="Authorization", value=f"Bearer {access_token}"
            )
            user_id, org_id, role = who.user_id, who.organization_id, who.role
    # The bridge has a door for each role and refuses at the others: knock where nobody says which.
    roles = _ROLES if dialect.wants_identity and role is None else (role,)
    for door in roles:
        request = dialect.translation(
            client.config.base_url,
            school,
            access_token=access_token,
            user_id=user_id,
            org_id=org_id,
            role=door,
        )
        web = _read_cookies(client.send(request, school=school, untrusted=True))
        if web is not None:
            return web
    raise SessionDead("the token brought no cookies")


def _read_cookies(response: UpstreamResponse) -> WebSession | None:
    if response.status == 404:
        raise UpstreamNotFound("no way from a token to cookies here")
    return (
        read_web_session(response.headers.getlist("Set-Cookie")) if response.status < 400 else None
    )


def _granted(response: UpstreamResponse) -> TokenGrant:
    if response.status in (400, 401, 403, 404):
        raise GrantRefused(f"answered {response.status}")
    if response.status != 200:
        raise UpstreamInvalid(f"answered {response.status}")
    return read_grant(response)


def _refusal(response: UpstreamResponse) -> UpstreamError:
    """What a password request without success means.

    401 and 404 are plain. Of 400 and 403 the `userMessage` decides (PROTOCOL.md): nobody was
    found, or passwords are not used here. A bare 403 is read as the latter, a bare 400 as ours.
    """
    status = response.status
    message = _user_message(response)
    if status in (400, 403) and any(words in message for words in _NOBODY):
        return CredentialsRefused("not found at this school")
    if status in (400, 401, 403) and any(words in message for words in _ELSEWHERE):
        return PasswordLoginDisabled("this school signs in elsewhere")
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


def _object(response: UpstreamResponse) -> dict[str, Any]:
    try:
        document = responses.read_json(response)
    except SessionDead:
        document = None
    if not isinstance(document, dict):
        raise UpstreamInvalid("an answer to a login that is no object")
    return document


def _same(theirs: Any, ours: str) -> bool:
    """Compare in constant time; what is missing or no text is different."""
    return isinstance(theirs, str) and hmac.compare_digest(theirs.encode(), ours.encode())
