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
from upstream.simulator.tokens import UnknownCode, WrongVerifier
from upstream.simulator.web_sessions import Dialect, WebSession

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_FIXED = {"client_id": "eApp", "code_challenge_method": "S256"}
_REDIRECT_URI = "eapp://login"
_OBSERVED_REDIRECT_URI = "com.schoolsoftplus.app://"
_OBSERVED_TOKEN_SECONDS = 900
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
    if expected is None or set(data) != expected or data["clientId"] != "eApp":
        return _refuse("Felaktig begäran.")
    if data["grantType"] == "refresh_token":
        person = state.tokens.redeem_refresh_token(school, data["refreshToken"])
        if person is None:
            return _refuse("Ogiltig refresh token.")
        return as_json(_token_response(person, dialect, state))
    try:
        person = state.tokens.redeem_code(school, data["code"], data[verifier])
    except UnknownCode:
        return _refuse("Ingen aktiv inloggnings-session", 404)
    except WrongVerifier:
        return _refuse("Felaktig code_verifier.")
    return as_json(_token_response(person, dialect, state))


def _token_response(person: Person, dialect: Dialect, state: State) -> dict[str, str | int]:
    settings, tokens = state.settings, state.tokens
    answer: dict[str, str | int]
    if dialect == "specified":
        answer = {
            "access_token": tokens.issue_token(person, settings.token_seconds),
            "token_type": "Bearer",
            "expires_in": settings.token_seconds,
        }
    else:
        answer = {
            "access_token": tokens.issue_token(person, _OBSERVED_TOKEN_SECONDS),
            "type": "Bearer",
            "expires": _OBSERVED_TOKEN_SECONDS,
        }
    if state.issues_refresh_tokens(dialect):
        answer["refresh_token"] = tokens.issue_refresh_token(person)
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

    A guardian may name the child that the new session is for, in `childInFocus`.
    """
    school = state.schools[request.school]
    person = state.tokens.person_of(school.slug, request.headers.get("token"))
    word = request.args["role"]
    org_ids = {str(each) for each in _org_ids(person, school, state)}
    if (
        person is None
        or word not in _BRIDGE_WORDS[person.role]
        or request.headers.get("orgid", school.slug) not in {school.slug, *org_ids}
        or request.headers.get("userid", str(person.user_id)) != str(person.user_id)
    ):
        return redirect(f"/{school.slug}/react/#/login/{word}?error=other", 303)
    session = state.open_web_session(person, "observed")
    child = request.headers.get("childinfocus")
    if child is not None and state.settings.bridge_child == "heeded":
        state.focus_session(session, child, request.headers.get("orgid", ""))
    landing = f"/{school.slug}/react/#/{word}/subjectrooms"
    return redirect(landing, 303).with_headers(
        *set_cookies(session), ("Set-Cookie", f"clientType=eApp; Path=/{school.slug}")
    )


def _org_ids(person: Person | None, school: School, state: State) -> set[int]:
    """The organisations that a person may sign in for: a guardian also for the children's."""
    children = [] if person is None else state.children_of(person)
    return {school.org_id}.union(*(state.org_ids(child) for child in children))


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
