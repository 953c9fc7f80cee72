"""The login protocol of the specification: JSON bodies, the school's slug as `orgid`."""

from typing import Final

import orjson

from upstream import pkce
from upstream.dialects.roles import role_of_name
from upstream.endpoints import AUTHORIZE, TOKEN, TRANSLATE, build_url
from upstream.records import Role
from upstream.transport import HEADERS, Request

CLIENT_ID: Final = "eApp"
_ROLES: Final[dict[int, Role]] = {1: "student", 2: "teacher", 3: "guardian"}


class Specified:
    """Sends the password in a JSON body."""

    name = "specified"
    redirect_uri = "eapp://login"
    # Whether the response to the password request repeats the redirect URI.
    echoes_redirect = True
    # Whether the translation of a token needs the ids and the role of its owner.
    wants_identity = False
    names_child = False

    def authorization(self, base: str, school: str, **fields: str) -> Request:
        """`fields` are `username`, `password`, `code_challenge`, `state` and `orgid`."""
        fields |= {
            "code_challenge_method": pkce.METHOD,
            "client_id": CLIENT_ID,
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
        }
        return _post(build_url(base, school, AUTHORIZE), fields)

    def code_exchange(self, base: str, school: str, *, code: str, verifier: str) -> Request:
        return _token_request(base, school, grantType="code", code=code, code_verifier=verifier)

    def refresh(self, base: str, school: str, *, refresh_token: str) -> Request:
        return _token_request(base, school, grantType="refresh_token", refreshToken=refresh_token)

    def translation(
        self, base: str, school: str, *, access_token: str, **_identity: object
    ) -> Request:
        headers = {
            **HEADERS,
            "Authorization": f"Bearer {access_token}",
            "Content-Type": "application/json",
            "Content-Length": "0",
        }
        return Request("POST", build_url(base, school, TRANSLATE), headers)

    def role(self, type_id: int | None, type_name: str) -> Role | None:
        """By number (as specified: 1 student, 2 teacher, 3 guardian), else by name."""
        return _ROLES.get(type_id or 0) or role_of_name(type_name)


def _token_request(base: str, school: str, **fields: str) -> Request:
    return _post(build_url(base, school, TOKEN), {"clientId": CLIENT_ID, **fields})


def _post(url: str, fields: dict[str, str]) -> Request:
    body = orjson.dumps(fields)
    headers = {**HEADERS, "Content-Type": "application/json", "Content-Length": str(len(body))}
    return Request("POST", url, headers, body)
