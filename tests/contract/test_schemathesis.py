"""The service against its own OpenAPI document, with every check that schemathesis has.

Three callers go through all operations: nobody, one with cookies, one with a Bearer token. What
they send is the same at every run. `EXPECTED` is the whole list of what is let pass, and why.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson
import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import connections
from pytest_django.fixtures import Settings
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.engine import events, from_schema
from schemathesis.generation.case import Case as AnyCase
from schemathesis.transport.wsgi import WSGITransport

from tests.conftest import Caller
from upstream.simulator.server import Simulator
from wrapper_project import docs
from wrapper_project.json_door import NUMBER_LIMIT

Case = AnyCase[Any]
Who = Literal["nobody", "cookies", "bearer"]


@dataclass(frozen=True)
class Expected:
    """A finding that is as it should be; `when` narrows it as far as it goes."""

    operation: str
    check: str
    reason: str
    when: Callable[[Case, Response], bool]


def code_of(response: Response) -> str:
    code: str = response.json()["code"]
    return code


def beyond_the_door(value: Any) -> bool:
    """Whether a document holds NUL or a number beyond 64 bits."""
    if isinstance(value, dict):
        return any(beyond_the_door(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(beyond_the_door(part) for part in value)
    if isinstance(value, str):
        return "\0" in value
    return isinstance(value, int | float) and not -NUMBER_LIMIT < value < NUMBER_LIMIT


def has_orgid(case: Case) -> bool:
    return isinstance(case.body, dict) and "orgid" in case.body


EXPECTED = (
    Expected(
        "any",
        "positive_data_acceptance",
        "NUL and numbers beyond 64 bits are refused anywhere, also in fields that nobody knows.",
        lambda case, response: code_of(response) == "invalid_json" and beyond_the_door(case.body),
    ),
    Expected(
        "POST /api/v2/callback",
        "positive_data_acceptance",
        "A code and a state that nobody gave out are of the right form, and 400 all the same.",
        lambda case, response: code_of(response) == "invalid_attempt",
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "No form of text says that it is one emoji, or a date of these years.",
        lambda case, response: (
            "/api/countdowns" in case.operation.path
            and code_of(response) == "invalid_input"
            and set(response.json()["fields"]) <= {"emoji", "targetDate"}
        ),
    ),
    Expected(
        "any",
        "positive_data_acceptance",
        "Which node may stand in which is said in words: made-up documents are seldom documents.",
        lambda case, response: (
            "/api/notes" in case.operation.path
            and isinstance(case.body, dict)
            and isinstance(case.body.get("content"), dict)
            and set(response.json().get("fields", ())) == {"content"}
        ),
    ),
    Expected(
        "POST /api/login",
        "not_a_server_error",
        "`orgid` goes upstream as it is; what the school's system then answers is not ours.",
        lambda case, response: has_orgid(case) and code_of(response) == "upstream_invalid",
    ),
)

CONFIG: dict[str, Any] = {
    "seed": 20260309,
    "continue-on-failure": True,
    "generation": {
        "deterministic": True,
        "database": "none",
        "max-examples": 2,
        "no-shrink": True,
    },
    "phases": {"stateful": {"enabled": True, "generation": {"max-examples": 20}}},
}
COUNTDOWN = "$response.body#/countdown/id"
NOTE = "$response.body#/note/id"
LISTED_NOTE = "$response.body#/notes/0/id"
SHARE_TOKEN = "$response.body#/token"
LISTED_COUNTDOWN = "$response.body#/countdowns/0/id"
# How one answer leads to the next question, so that there is something to find and to take away.
LINKS = (
    ("get", "/api/sessions", "sessions_end", {"session_id": "$response.body#/sessions/0/id"}),
    ("get", "/api/subjects", "subject", {"room": "$response.body#/subjects/0/id"}),
    ("get", "/api/assignments/week", "assignment", {"number": "$response.body#/data/0/id"}),
    (
        "post",
        "/api/schedule/feed",
        "feed",
        {"token": r"$response.body#/url#regex:/feeds/([^.]+)\.ics"},
    ),
    ("post", "/api/notes", "note", {"note_id": NOTE}),
    ("post", "/api/notes", "note_put", {"note_id": NOTE}),
    ("post", "/api/notes", "note_change", {"note_id": NOTE}),
    ("post", "/api/notes", "note_change_by_query", {"id": NOTE}),
    ("post", "/api/notes", "note_share", {"note_id": NOTE}),
    ("post", "/api/notes/{note_id}/share", "note_shared", {"token": SHARE_TOKEN}),
    ("get", "/api/notes", "note_unshare", {"note_id": LISTED_NOTE}),
    ("get", "/api/notes", "note_remove", {"note_id": LISTED_NOTE}),
    ("get", "/api/notes", "note_remove_by_query", {"id": LISTED_NOTE}),
    ("post", "/api/countdowns", "countdown_change", {"countdown_id": COUNTDOWN}),
    ("post", "/api/countdowns", "countdown_change_by_query", {"id": COUNTDOWN}),
    ("get", "/api/countdowns", "countdown_remove", {"countdown_id": LISTED_COUNTDOWN}),
    ("get", "/api/countdowns", "countdown_remove_by_query", {"id": LISTED_COUNTDOWN}),
)
# Nobody guesses a password, or a code with its state.
NEVER_FINE = {"POST /api/login", "POST /api/v2/initiate", "POST /api/v2/callback"}
ENDS_THE_SESSION = {"POST /api/logout", "DELETE /api/sessions/{session_id}"}


class SignedIn:
    """Shows a live session with every request; signs in again after one that may have ended it."""

    who: Who

    def __init__(self) -> None:
        self.caller: Caller | None = None
        self.token = ""

    def get(self, case: Case, context: Any) -> Caller:
        if self.caller is None:
            self.caller = Caller()
            self.token = self.caller.sign_in().json()["token"]
        return self.caller

    def set(self, case: Case, caller: Caller, context: Any) -> None:
        if self.who == "bearer":
            case.headers["Authorization"] = f"Bearer {self.token}"
        else:
            case.cookies.update({f"wrapper_{name}": v for name, v in caller.cookies.items()})
        if case.operation.label in ENDS_THE_SESSION:
            self.caller = None


def document() -> dict[str, Any]:
    """The document as it is served, and the links."""
    served: dict[str, Any] = orjson.loads(docs.document(as_yaml=False))
    for method, path, operation, parameters in LINKS:
        answers = served["paths"][path][method]["responses"]
        answer = answers.get("200") or answers["201"]
        links = answer.setdefault("links", {})
        links[operation] = {"operationId": operation, "parameters": parameters}
    return served


def operations() -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, methods in document()["paths"].items()
        for method in methods
    }


def service() -> WSGIApplication:
    """The application, for a thread of the tool that never gives its database connection back."""
    application = get_wsgi_application()

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        try:
            return application(environ, start)
        finally:
            connections.close_all()

    return answer


def run(who: Who) -> Iterator[events.ScenarioFinished]:
    """Every scenario of one caller. Raises what the tool itself could not do."""
    config = SchemathesisConfig.from_dict(CONFIG)
    schema = schemathesis.openapi.from_dict(document(), config=config)
    schema.app = service()
    if who != "nobody":
        provider = type("Provider", (SignedIn,), {"who": who})
        schema.auth(refresh_interval=None)(provider)
    for event in from_schema(schema).execute():
        if isinstance(event, events.NonFatalError):
            raise event.value
        if isinstance(event, events.FatalError):
            raise event.exception
        if isinstance(event, events.ScenarioFinished):
            yield event


def asked(scenario: events.ScenarioFinished) -> Iterator[tuple[Case, Response]]:
    for case_id, interaction in scenario.recorder.interactions.items():
        if interaction.response is not None:
            yield scenario.recorder.cases[case_id].value, interaction.response


def findings(scenario: events.ScenarioFinished) -> Iterator[tuple[str, Failure, Case, Response]]:
    for case_id, checks in scenario.recorder.checks.items():
        for check in checks:
            if check.failure_info is not None:
                interaction = scenario.recorder.interactions[case_id]
                assert interaction.response is not None
                case = scenario.recorder.cases[case_id].value
                yield check.name, check.failure_info.failure, case, interaction.response


def is_expected(name: str, case: Case, response: Response) -> bool:
    return any(
        name == one.check
        and one.operation in ("any", case.operation.label)
        and one.when(case, response)
        for one in EXPECTED
    )


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their probes of `ignored_auth` hand an application what only a network call takes."""
    send = WSGITransport.send

    def send_without(transport: WSGITransport, case: Case, **words: Any) -> Response:
        for name in ("max_redirects", "verify", "cert", "proxies"):
            words.pop(name, None)
        return send(transport, case, **words)

    monkeypatch.setattr(WSGITransport, "send", send_without)


@pytest.mark.parametrize("who", ["nobody", "cookies", "bearer"])
def test_the_service_does_what_its_document_says(
    who: Who, transactional_db: None, simulator: Simulator, settings: Settings
) -> None:
    settings.RATE_LIMITS = False
    settings.DEFAULT_SCHOOL = "bjorkdalen"
    found: list[str] = []
    fine: set[str] = set()
    for scenario in run(who):
        fine |= {
            f"{answer.request.method} {case.operation.path}"
            for case, answer in asked(scenario)
            if answer.status_code < 300
        }
        found += [
            f"{name}: {case.as_curl_command()}\n{failure}\n{response.status_code}"
            for name, failure, case, response in findings(scenario)
            if not is_expected(name, case, response)
        ]
    assert not found, "\n\n".join(found[:20])
    if who != "nobody":
        assert operations() - fine == NEVER_FINE


def test_every_check_is_on() -> None:
    config = SchemathesisConfig.from_dict(CONFIG).projects.get_default().checks
    for check in CHECKS.get_all():
        assert config.get_by_name(name=check.__name__).enabled
