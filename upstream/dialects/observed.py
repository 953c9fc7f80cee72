"""The login that public clients of the real system were seen to use.

Warning: the password request is a GET with the password in its query. That URL must go to upstream
over TLS and nowhere else: we never log it, no error holds it, and `timed_connections.py` silences
urllib3's log lines because of it.
"""

from typing import Final

from upstream import pkce
from upstream.dialects.roles import role_of_name
from upstream.endpoints import AUTHORIZE, BRIDGE, TOKEN, build_url, with_query
from upstream.records import Role
from upstream.transport import HEADERS, Request

CLIENT_ID: Final = "eApp"
# English, so that type names and error texts come in one language.
LANG: Final = 2
_ROLES: Final[dict[int, Role]] = {1: "student", 2: "guardian", 3: "teacher"}
# The word for each role in the path of the bridge. "staff" is assumed from the sign-in page.
_WORDS: Final[dict[Role, str]] = {"student": "student", "guardian": "parent", "teacher": "staff"}


class Observed:
    """Sends values in query strings, and gets cookies from the "bridge"."""

    name = "observed"
    redirect_uri = "com.schoolsoftplus.app://"
    echoes_redirect = False
    wants_identity = True
    # Whether the translation can name a guardian's child, so that the web session is made for it.
    names_child = True

    def authorization(self, base: str, school: str, **fields: str) -> Request:
        """`fields` are as in the specified dialect."""
        url = with_query(
            build_url(base, school, AUTHORIZE),
            **fields,
            code_challenge_method=pkce.METHOD,
            client_id=CLIENT_ID,
            redirect_uri=self.redirect_uri,
            lang=LANG,
        )
        return Request("GET", url, dict(HEADERS))

    def code_exchange(self, base: str, school: str, *, code: str, verifier: str) -> Request:
        return _token_request(base, school, grantType="code", code=code, codeVerifier=verifier)

    def refresh(self, base: str, school: str, *, refresh_token: str) -> Request:
        return _token_request(base, school, grantType="refresh_token", refreshToken=refresh_token)

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
        headers = {
            **HEADERS,
            "token": access_token,
            "redirecturl": f"/{school}/jsp/student/right_student_startpage.jsp",
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
        url = build_url(base, school, BRIDGE, role=_WORDS[role or "student"])
        return Request("GET", url, headers)

    def role(self, type_id: int | None, type_name: str) -> Role | None:
        """By name, since sources disagree on the numbers; else 1 student, 2 guardian, 3 teacher."""
        return role_of_name(type_name) or _ROLES.get(type_id or 0)


def _token_request(base: str, school: str, **values: str) -> Request:
    url = with_query(build_url(base, school, TOKEN), clientId=CLIENT_ID, **values)
    return Request("POST", url, {**HEADERS, "Content-Length": "0"})
