"""Credentials become an authorization code, in both dialects."""

import hmac
import re
from typing import Any

from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person, School
from upstream.simulator.state import State

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_FIXED = {"client_id": "eApp", "code_challenge_method": "S256"}
_REDIRECT_URI = "eapp://login"
_OBSERVED_REDIRECT_URI = "com.schoolsoftplus.app://"
_FREE = {"username", "password", "code_challenge", "state"}


def specified(request: Request, state: State) -> Response:
    """The specified POST: a JSON object with nine fields, no more and no less."""
    data = request.json_object()
    if data is None or not _is_json(request):
        return refusal("Felaktig begäran.")
    school = state.schools[request.school]
    fixed = {
        **_FIXED,
        "redirect_uri": _REDIRECT_URI,
        "response_type": "code",
        "orgid": school.slug,
    }
    if set(data) != {*fixed, *_FREE}:
        return refusal("Fält saknas eller är okända.")
    return _authorize(data, fixed, school, state)


def observed(request: Request, state: State) -> Response:
    """The GET of public clients: everything in the query, `orgid` a number, no response type."""
    data: dict[str, Any] = {k: v for k, v in request.query.items() if k != "lang"}
    school = state.schools[request.school]
    fixed = {**_FIXED, "redirect_uri": _OBSERVED_REDIRECT_URI}
    if data.setdefault("response_type", "code") != "code":
        return refusal("Okänt response_type.")
    if data.setdefault("orgid", school.slug) not in (school.slug, str(school.org_id)):
        return refusal("Skolan stämmer inte.")
    if set(data) != {*fixed, *_FREE, "response_type", "orgid"}:
        return refusal("Fält saknas eller är okända.")
    return _authorize(data, fixed, school, state)


def refusal(sentence: str, status: int = 400) -> Response:
    """Their error body."""
    return as_json({"userMessage": sentence}, status)


def _authorize(
    data: dict[str, Any], fixed: dict[str, str], school: School, state: State
) -> Response:
    wrong = [name for name, value in fixed.items() if data[name] != value]
    if wrong:
        return refusal(f"Fel värde: {', '.join(wrong)}.")
    if not all(isinstance(data[name], str) and data[name] for name in _FREE):
        return refusal("Fält är tomma.")
    if not _CHALLENGE.match(data["code_challenge"]):
        return refusal("Felaktig code_challenge.")
    if not school.password_login:
        return refusal("Skolan tillåter inte inloggning med lösenord.", 403)
    person = authenticate(school, data["username"], data["password"])
    if person is None:
        return refusal("Felaktigt användarnamn eller lösenord.", 401)
    code = state.tokens.issue_code(person, data["code_challenge"], state.settings.code_seconds)
    echo = {"state": data["state"], "redirect_uri": data["redirect_uri"]}
    return as_json({"code": code, **echo})


def authenticate(school: School, username: str, password: str) -> Person | None:
    """The person whose name and password these are."""
    person = school.person(username)
    if person is None or not hmac.compare_digest(person.password.encode(), password.encode()):
        return None
    return person


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").split(";")[0].strip() == "application/json"
