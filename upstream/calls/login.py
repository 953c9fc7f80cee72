"""The login: password to code, code to token. Neither is ever retried.

Secrets are put into a `Request`, whose `repr` hides them. Local names for a password or verifier
are deleted before anything is sent, so that no frame of a later traceback holds them.
"""

import contextlib
import hmac
import re
from typing import Any, Final

import orjson

from upstream import responses
from upstream.calls.tokens import read_grant
from upstream.client import UpstreamClient
from upstream.dialects import Dialect
from upstream.errors import (
    CredentialsRefused,
    GrantRefused,
    PasswordLoginDisabled,
    SessionDead,
    UpstreamError,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.records import TokenGrant
from upstream.transport import UpstreamResponse

MAX_CODE: Final = 8192
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


def exchange_code(
    client: UpstreamClient,
    *,
    school: str,
    code: str,
    verifier: str,
    dialect: Dialect | None = None,
) -> TokenGrant:
    """Exchange a code for a token. Only the right verifier uses the code up. `dialect` is that of
    the login, if it is not the school's.

    Raises: GrantRefused, UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    request = (dialect or client.dialect(school)).code_exchange(
        client.config.base_url, school, code=code, verifier=verifier
    )
    del code, verifier
    return _read_grant_response(client.send(request, school=school, untrusted=True))


def refresh_token(
    client: UpstreamClient, *, school: str, refresh_token: str, dialect: Dialect | None = None
) -> TokenGrant:
    """A new token for a refresh token, which upstream replaces at the same time. `dialect` is that
    of the login, if it is not the school's.

    Raises: GrantRefused, UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    request = (dialect or client.dialect(school)).refresh(
        client.config.base_url, school, refresh_token=refresh_token
    )
    del refresh_token
    response = client.send(request, school=school, untrusted=True)
    if response.status == 403:  # of a firewall, rather than about the token
        raise UpstreamInvalid("answered 403")
    return _read_grant_response(response)


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
