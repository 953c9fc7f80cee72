"""The two dialects of the login: `specified` and `observed`, what public clients were seen to send.

The operator chooses the dialect of each school (`UPSTREAM_DIALECT`). What was signed in through the
school's own page is in the observed dialect at every school (`PAGE_DIALECTS`). Everything after the
login is the same in both. A dialect builds requests; it sends nothing and reads no response.
"""

from typing import Final

import orjson

from upstream import pkce
from upstream.endpoints import AUTHORIZE, BRIDGE, TOKEN, TRANSLATE, build_url, with_query
from upstream.records import PageKind, Role
from upstream.transport import HEADERS, Request

CLIENT_ID: Final = "eApp"
# Upstream's names for the three roles.
_ROLE_NAMES: Final[dict[str, Role]] = {
    "student": "student",
    "elev": "student",
    "teacher": "teacher",
    "staff": "teacher",
    "lärare": "teacher",
    "personal": "teacher",
    "guardian": "guardian",
    "parent": "guardian",
    "vårdnadshavare": "guardian",
}


def _role_of_name(name: str) -> Role | None:
    """The role of a user type's name; None for an unknown name."""
    return _ROLE_NAMES.get(name.strip().casefold())


# --- specified ---

_SPECIFIED_ROLES: Final[dict[int, Role]] = {1: "student", 2: "teacher", 3: "guardian"}


class Specified:
    """The login protocol of the specification: JSON bodies, the school's slug as `orgid`."""

    redirect_uri = "eapp://login"
    # Whether the response to the password request repeats the redirect URI.
    echoes_redirect = True
    # Whether the translation of a token needs the ids and the role of its owner.
    wants_identity = False
    names_child = False
    kind: PageKind | None = None

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
        return self._token_request(
            base, school, grantType="code", code=code, code_verifier=verifier
        )

    def refresh(self, base: str, school: str, *, refresh_token: str) -> Request:
        return self._token_request(
            base, school, grantType="refresh_token", refreshToken=refresh_token
        )

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
        return _SPECIFIED_ROLES.get(type_id or 0) or _role_of_name(type_name)

    def _token_request(self, base: str, school: str, **fields: str) -> Request:
        return _post(build_url(base, school, TOKEN), {"clientId": CLIENT_ID, **fields})


def _post(url: str, fields: dict[str, str]) -> Request:
    body = orjson.dumps(fields)
    headers = {**HEADERS, "Content-Type": "application/json", "Content-Length": str(len(body))}
    return Request("POST", url, headers, body)


# --- observed ---

# English, so that type names and error texts come in one language.
_LANG: Final = 2
_OBSERVED_ROLES: Final[dict[int, Role]] = {1: "student", 2: "guardian", 3: "teacher"}
# The word for each role in the path of the bridge. "staff" is assumed from the sign-in page.
_BRIDGE_WORDS: Final[dict[Role, str]] = {
    "student": "student",
    "guardian": "parent",
    "teacher": "staff",
}


class Observed:
    """The login that public clients of the real system were seen to use: values in query strings,
    and cookies from the "bridge".

    Warning: the password request is a GET with the password in its query. That URL must go to
    upstream over TLS and nowhere else: we never log it, no error holds it, and
    `timed_connections.py` silences urllib3's log lines because of it.
    """

    redirect_uri = "com.schoolsoftplus.app://"
    echoes_redirect = False
    wants_identity = True
    # Whether the translation can name a guardian's child, so that the web session is made for it.
    names_child = True

    def __init__(self, client_id: str = CLIENT_ID, kind: PageKind | None = None) -> None:
        """`kind`: whose tokens these are, where it was chosen before the sign-in."""
        self.client_id = client_id
        self.kind = kind

    def authorization(self, base: str, school: str, **fields: str) -> Request:
        """`fields` are as in the specified dialect."""
        url = with_query(
            build_url(base, school, AUTHORIZE),
            **fields,
            code_challenge_method=pkce.METHOD,
            client_id=self.client_id,
            redirect_uri=self.redirect_uri,
            lang=_LANG,
        )
        return Request("GET", url, dict(HEADERS))

    def code_exchange(self, base: str, school: str, *, code: str, verifier: str) -> Request:
        return self._token_request(base, school, grantType="code", code=code, codeVerifier=verifier)

    def refresh(self, base: str, school: str, *, refresh_token: str) -> Request:
        return self._token_request(
            base, school, grantType="refresh_token", refreshToken=refresh_token
        )

    def translation(
        self,
        base: str,
        school: str,
        *,
        access_token: str,
        user_id: int | None,
        org_id: int | None,
        role: Role | None,
        child_id: int | None = None,
    ) -> Request:
        word = _BRIDGE_WORDS[role or "student"]
        headers = {
            **HEADERS,
            "token": access_token,
            "redirecturl": f"{base}/{school}/react/#/{word}/subjectrooms",
            "language": "en",
            "theme": "light",
            "useros": "web",
        }
        if user_id is not None:
            headers["userid"] = str(user_id)
        if org_id is not None:
            headers["orgid"] = str(org_id)
        if child_id is not None:
            headers["childInFocus"] = str(child_id)
        return Request("GET", build_url(base, school, BRIDGE, role=word), headers)

    def role(self, type_id: int | None, type_name: str) -> Role | None:
        """By name, since sources disagree on the numbers; else 1 student, 2 guardian, 3 teacher."""
        return _role_of_name(type_name) or _OBSERVED_ROLES.get(type_id or 0)

    def _token_request(self, base: str, school: str, **values: str) -> Request:
        url = with_query(build_url(base, school, TOKEN), clientId=self.client_id, **values)
        return Request("POST", url, {**HEADERS, "Content-Length": "0"})


Dialect = Specified | Observed
DIALECTS: Final[dict[str, Dialect]] = {"specified": Specified(), "observed": Observed()}

# Whoever signs in through the school's own page is a pupil or a guardian, and so is the token.
PAGE_DIALECTS: Final[dict[PageKind, Observed]] = {
    "student": Observed(CLIENT_ID, "student"),
    "guardian": Observed("vApp", "guardian"),
}
