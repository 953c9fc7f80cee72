"""A code or a refresh token becomes an access token, in both dialects."""

from upstream.simulator.answers.password import refusal
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.tokens import UnknownCode, WrongVerifier
from upstream.simulator.web_sessions import Dialect


def token(request: Request, state: State) -> Response:
    """Values in the query are the dialect of public clients; a JSON body is as specified."""
    if request.query:
        return _grant(request.query, "codeVerifier", "observed", request.school, state)
    data = request.json_object()
    if data is None or not all(isinstance(value, str) for value in data.values()):
        return refusal("Felaktig begäran.")
    return _grant(data, "code_verifier", "specified", request.school, state)


def _grant(
    data: dict[str, str], verifier: str, dialect: Dialect, school: str, state: State
) -> Response:
    wanted = {
        "code": {"clientId", "grantType", "code", verifier},
        "refresh_token": {"clientId", "grantType", "refreshToken"},
    }.get(data.get("grantType", ""))
    if wanted is None or set(data) != wanted or data["clientId"] != "eApp":
        return refusal("Felaktig begäran.")
    if data["grantType"] == "refresh_token":
        person = state.tokens.redeem_refresh_token(school, data["refreshToken"])
        if person is None:
            return refusal("Ogiltig refresh token.")
        return as_json(_token_for(person, dialect, state))
    try:
        person = state.tokens.redeem_code(school, data["code"], data[verifier])
    except UnknownCode:
        return refusal("Ingen aktiv inloggnings-session", 404)
    except WrongVerifier:
        return refusal("Felaktig code_verifier.")
    return as_json(_token_for(person, dialect, state))


def _token_for(person: Person, dialect: Dialect, state: State) -> dict[str, str | int]:
    settings, grants = state.settings, state.tokens
    answer: dict[str, str | int]
    if dialect == "specified":
        answer = {
            "access_token": grants.issue_token(person, settings.token_seconds),
            "token_type": "Bearer",
            "expires_in": settings.token_seconds,
        }
    else:
        answer = {
            "access_token": grants.issue_token(person, settings.observed_token_seconds),
            "type": "Bearer",
            "expires": settings.observed_token_seconds,
        }
    if state.issues_refresh_tokens(dialect):
        answer["refresh_token"] = grants.issue_refresh_token(person)
    return answer
