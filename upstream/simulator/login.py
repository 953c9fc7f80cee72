"""The login: password to code, code to token, token to cookies, and the page Login.jsp."""

import re
from typing import Any

from upstream.simulator.http_exchange import (
    UNAUTHORIZED,
    Request,
    Response,
    as_html,
    as_json,
    redirect,
)
from upstream.simulator.people import Person, School
from upstream.simulator.state import State
from upstream.simulator.tokens import IssuedSecret, UnknownCode, WrongVerifier
from upstream.simulator.web_sessions import Dialect, WebSession

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_FIXED = {"client_id": "eApp", "code_challenge_method": "S256"}
_REDIRECT_URI = "eapp://login"
_OBSERVED_REDIRECT_URI = "com.schoolsoftplus.app://"
_OBSERVED_TOKEN_SECONDS = 900
_CLIENT_IDS: dict[Dialect, set[str]] = {"specified": {"eApp"}, "observed": {"eApp", "vApp"}}
_FREE = {"username", "password", "code_challenge", "state"}


# --- Password to code ---


def specified_password(request: Request, state: State) -> Response:
    """The specified POST: a JSON object with exactly nine fields."""
    data = request.json_object()
    if data is None or not _is_json(request):
        return _refuse("Felaktig begäran.")
    school = state.schools[request.school]
    fixed = {
        **_FIXED,
        "redirect_uri": _REDIRECT_URI,
        "response_type": "code",
        "orgid": school.slug,
    }
    if set(data) != {*fixed, *_FREE}:
        return _refuse("Fält saknas eller är okända.")
    return _authorize(data, fixed, school, state)


def observed_password(request: Request, state: State) -> Response:
    """The GET of public clients: everything in the query, `orgid` a number, no response type."""
    data: dict[str, Any] = {k: v for k, v in request.query.items() if k != "lang"}
    school = state.schools[request.school]
    fixed = {**_FIXED, "redirect_uri": _OBSERVED_REDIRECT_URI}
    if data.setdefault("response_type", "code") != "code":
        return _refuse("Okänt response_type.")
    if data.setdefault("orgid", school.slug) not in (school.slug, str(school.org_id)):
        return _refuse("Skolan stämmer inte.")
    if set(data) != {*fixed, *_FREE, "response_type", "orgid"}:
        return _refuse("Fält saknas eller är okända.")
    return _authorize(data, fixed, school, state)


def _refuse(sentence: str, status: int = 400) -> Response:
    return as_json({"userMessage": sentence}, status)


def _authorize(
    data: dict[str, Any], fixed: dict[str, str], school: School, state: State
) -> Response:
    wrong = [name for name, value in fixed.items() if data[name] != value]
    if wrong:
        return _refuse(f"Fel värde: {', '.join(wrong)}.")
    if not all(isinstance(data[name], str) and data[name] for name in _FREE):
        return _refuse("Fält är tomma.")
    if not _CHALLENGE.match(data["code_challenge"]):
        return _refuse("Felaktig code_challenge.")
    if not school.password_login:
        return _refuse("Skolan tillåter inte inloggning med lösenord.", 403)
    person = school.person(data["username"])
    if person is None or person.password != data["password"]:
        return _refuse("Felaktigt användarnamn eller lösenord.", 401)
    code = state.tokens.issue_code(person, data["code_challenge"], state.settings.code_seconds)
    echo = {"state": data["state"], "redirect_uri": data["redirect_uri"]}
    return as_json({"code": code, **echo})


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").split(";")[0].strip() == "application/json"


# --- Code to token ---


def token(request: Request, state: State) -> Response:
    """Parameters in the query are the dialect of public clients; a JSON body is as specified."""
    if request.query:
        return _issue_for(request.query, "codeVerifier", "observed", request.school, state)
    data = request.json_object()
    if data is None or not all(isinstance(value, str) for value in data.values()):
        return _refuse("Felaktig begäran.")
    return _issue_for(data, "code_verifier", "specified", request.school, state)


def _issue_for(
    data: dict[str, str], verifier: str, dialect: Dialect, school: str, state: State
) -> Response:
    expected = {
        "code": {"clientId", "grantType", "code", verifier},
        "refresh_token": {"clientId", "grantType", "refreshToken"},
    }.get(data.get("grantType", ""))
    if expected is None or set(data) != expected or data["clientId"] not in _CLIENT_IDS[dialect]:
        return _refuse("Felaktig begäran.")
    if data["grantType"] == "refresh_token":
        issued = state.tokens.redeem_refresh_token(
            school, data["refreshToken"], state.settings.refresh_reuse
        )
        if issued is None:
            return _refuse("Ogiltig refresh token.")
        return as_json(_token_response(issued, dialect, state))
    try:
        issued = state.tokens.redeem_code(school, data["code"], data[verifier], data["clientId"])
    except UnknownCode:
        return _refuse("Ingen aktiv inloggnings-session", 404)
    except WrongVerifier:
        return _refuse("Felaktig code_verifier.")
    return as_json(_token_response(issued, dialect, state))


def _token_response(issued: IssuedSecret, dialect: Dialect, state: State) -> dict[str, str | int]:
    settings, tokens = state.settings, state.tokens
    person, client_id = issued.person, issued.client_id
    kind = {"own": "", "none": None}.get(settings.token_kind, settings.token_kind)
    answer: dict[str, str | int]
    if dialect == "specified":
        answer = {
            "access_token": tokens.issue_token(person, settings.token_seconds, user_type=kind),
            "token_type": "Bearer",
            "expires_in": settings.token_seconds,
        }
    else:
        answer = {
            "access_token": tokens.issue_token(person, _OBSERVED_TOKEN_SECONDS, client_id, kind),
            "type": "Bearer",
            "expires": _OBSERVED_TOKEN_SECONDS,
        }
    if state.issues_refresh_tokens(dialect):
        answer["refresh_token"] = tokens.issue_refresh_token(person, client_id)
    return answer


# --- Token to cookies ---

# The words that the bridge's path may have for each role.
_BRIDGE_WORDS = {"student": {"student"}, "guardian": {"parent"}, "teacher": {"teacher", "staff"}}


def login_session(request: Request, state: State) -> Response:
    """The specified POST with an Authorization header."""
    person = state.tokens.person_of(request.school, request.bearer)
    if person is None:
        return UNAUTHORIZED
    session = state.open_web_session(person, "specified")
    return as_json({}).with_headers(*set_cookies(session))


def bridge(request: Request, state: State) -> Response:
    """The GET of public clients: the token in its own header, always answered by a redirect.

    A guardian names the child that the new session is for, in `childInFocus`.
    """
    school, headers = state.schools[request.school], request.headers
    person = state.tokens.person_of(school.slug, headers.get("token"))
    word, child = request.args["role"], headers.get("childinfocus")
    if person is None or not _bridges(person, word, headers, state):
        return redirect(f"/{school.slug}/react/#/login/{word}?error=other", 303)
    session = state.open_web_session(person, "observed")
    org_id = headers.get("orgid", "")
    if person.role != "guardian":
        session.org_id = next((number for number in person.org_ids if str(number) == org_id), None)
    elif child is not None and state.settings.bridge_child == "heeded":
        state.focus_session(session, child, org_id)
    landing = f"/{school.slug}/react/#/{word}/subjectrooms"
    if state.settings.bridge_location == "http":
        landing = f"http://{headers.get('host', '')}{landing}"
    return redirect(landing, 303).with_headers(
        *set_cookies(session), ("Set-Cookie", f"clientType=eApp; Path=/{school.slug}")
    )


def _bridges(person: Person, word: str, headers: dict[str, str], state: State) -> bool:
    """Whether the bridge accepts the headers of a live token's owner."""
    settings, school = state.settings, state.schools[person.school]
    org_ids = {school.slug, *map(str, _org_ids(person, school, state))}
    user_id, child = headers.get("userid"), headers.get("childinfocus")
    if word not in _BRIDGE_WORDS[person.role] or user_id not in (None, str(person.user_id)):
        return False
    if settings.bridge_org == "checked" and headers.get("orgid", school.slug) not in org_ids:
        return False
    if person.role == "student":
        return user_id is not None or settings.bridge_userid == "unneeded"
    return person.role != "guardian" or bool(
        settings.bridge_without_child == "accepted" or (child and user_id)
    )


def _org_ids(person: Person, school: School, state: State) -> set[int]:
    """The organisations that a person may sign in for: a guardian also for the children's."""
    children = state.children_of(person)
    own = {school.org_id} if person.role != "student" else set(state.org_ids(person))
    return own.union(*(state.org_ids(child) for child in children))


def set_cookies(session: WebSession) -> list[tuple[str, str]]:
    """The three `Set-Cookie` headers of a session."""
    slug = session.person.school
    return [
        ("Set-Cookie", f"JSESSIONID={session.jsessionid}; Path=/{slug}; HttpOnly; Secure"),
        ("Set-Cookie", f"hash={session.hash}; Path=/"),
        ("Set-Cookie", f"usertype={session.user_type[0]}; Path=/"),
    ]


# --- Login.jsp ---

LOGIN_FORM = """<html><head>
<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">
<title>SchoolSoft</title></head><body>
<form name="login" method="post" action="Login.jsp">
<input type="hidden" name="action" value="login">
<input type="hidden" name="usertype" value="1">
<input id="ssusername" name="ssusername">
<input id="sspassword" name="sspassword" type="password">
<input type="submit" name="button" value="Logga in"></form>
</body></html>
"""


def show_login_page(request: Request, state: State) -> Response:
    """The form. Loading it with cookies ends their session, whether or not it asks for logout."""
    state.web_sessions.end(request.cookies.get("JSESSIONID", ""))
    return as_html(LOGIN_FORM)
