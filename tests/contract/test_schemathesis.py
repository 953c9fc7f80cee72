"""The service against its own OpenAPI document, with every check of schemathesis.

One caller with cookies and one with a Bearer token run all operations, and nobody runs those that
need no session. They send the same requests on every run: a third of those at the boundaries of
each operation's values, and with `make soak` all. `expected_findings.py` lists every finding that
is accepted, and why.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any, Literal
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import connections
from hypothesis.internal.cache import LRUCache
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from pytest_django.fixtures import Settings
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.engine import events, from_schema
from schemathesis.generation.meta import TestPhase
from schemathesis.transport.wsgi import WSGITransport

from tests.conftest import Caller, signed_in
from tests.contract.expected_findings import EXPECTED, Case
from tests.contract.openapi_links import LINKS
from upstream.simulator.server import Simulator
from wrapper_project import docs

Who = Literal["nobody", "cookies", "bearer"]
# Of as many values at the boundaries of an operation one is sent.
ONE_IN = 1 if os.environ.get("SOAK") else 3

CONFIG: dict[str, Any] = {
    "seed": 20260309,
    "continue-on-failure": True,
    "generation": {
        "deterministic": True,
        "database": "none",
        "max-examples": 1,
        "no-shrink": True,
    },
    "phases": {
        # test_error_body.py sends every method to every route.
        "coverage": {"unexpected-methods": []},
        "stateful": {"enabled": True, "generation": {"max-examples": 6}},
    },
}
# What the other callers have already asked is not asked again: whatever comes after the
# authentication is the same for both of its kinds.
LEFT_OUT = {"nobody": {"stateful"}, "cookies": set(), "bearer": {"coverage", "stateful"}}
# These need a password, or a code with its state, or a guardian.
NEVER_FINE = {
    # They answer with a redirect.
    "GET /api/v2/authorize",
    "GET /api/v2/callback",
    "GET /api/children",
    "PUT /api/children/default",
    "POST /api/login",
    "POST /api/v2/initiate",
    "POST /api/v2/callback",
    "DELETE /api/account",
}
# These succeed only if a link provides an id, which differs between runs; so does every operation
# with an id in its path. They have their own tests.
BY_CHANCE = {"PATCH /api/group-invites", "POST /api/group-invites"}
ENDS_THE_SESSION = {"POST /api/logout", "DELETE /api/sessions/{session_id}"}


# Of each union of rich text a few: every pair of all kinds would be 40,000 requests. All of them
# are in tests/notes/test_richtext_json_schema.py.
FEW_KINDS = {
    "BlockNode": ["ParagraphNode"],
    "InlineNode": ["TextNode"],
    "Mark": ["LinkMark"],
}


# Schemathesis writes the longest length into a bare `\S`. `^\S{1,8192}$` takes 25 MB, in each of
# some forty compiled schemas. It leaves the second one alone, which means the same.
NOT_BLANK = r"\S"
NOT_BLANK_EITHER = r"(?=\S)\S"


class SignedIn:
    """Sends a session with every request; signs in again after it may have ended."""

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


def small_patterns(schema: dict[str, Any]) -> dict[str, Any]:
    """For `json.loads`: the same schema with `NOT_BLANK_EITHER`."""
    if schema.get("pattern") == NOT_BLANK:
        schema["pattern"] = NOT_BLANK_EITHER
    return schema


def document() -> dict[str, Any]:
    """The served OpenAPI document, with the links added, `FEW_KINDS` and `NOT_BLANK_EITHER`. Each
    operation has the statuses of its errors in place of `default`, so that no other one passes."""
    served: dict[str, Any] = json.loads(docs.document(as_yaml=False), object_hook=small_patterns)
    for union, kinds in FEW_KINDS.items():
        few = [{"$ref": f"#/components/schemas/{kind}"} for kind in kinds]
        assert all(one in served["components"]["schemas"][union]["oneOf"] for one in few)
        served["components"]["schemas"][union] = {"oneOf": few}
    for methods in served["paths"].values():
        for operation in methods.values():
            answers = operation["responses"]
            error = answers.pop("default")
            answers |= dict.fromkeys(operation["x-error-codes"], error)
    for method, path, linked, parameters in LINKS:
        answers = served["paths"][path][method]["responses"]
        status = "200" if "200" in answers else "201"
        if "$ref" in answers[status]:  # each operation has links of its own
            name = answers[status]["$ref"].rpartition("/")[2]
            answers[status] = deepcopy(served["components"]["responses"][name])
        links = answers[status].setdefault("links", {})
        links[linked] = {"operationId": linked, "parameters": parameters}
    return served


def operations() -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, methods in document()["paths"].items()
        for method in methods
    }


def service() -> WSGIApplication:
    """The application; closes connections, because the tool's thread never does."""
    application = get_wsgi_application()

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        try:
            return application(environ, start)
        finally:
            connections.close_all()

    return answer


def phases(who: Who) -> dict[str, Any]:
    found: dict[str, Any] = deepcopy(CONFIG["phases"])
    return found | {name: {"enabled": False} for name in LEFT_OUT[who]}


def chosen() -> Callable[[Any, Case], bool]:
    """For the hook `filter_case`: whether a case is sent, counted for each operation."""
    numbers: Counter[str] = Counter()

    def is_sent(context: Any, case: Case) -> bool:
        if case.meta is None or case.meta.phase.name != TestPhase.COVERAGE:
            return True
        numbers[case.operation.label] += 1
        return numbers[case.operation.label] % ONE_IN == 1 % ONE_IN

    return is_sent


def run(who: Who) -> Iterator[events.ScenarioFinished]:
    """Every scenario of one caller. Raises errors of the tool itself."""
    config = SchemathesisConfig.from_dict(CONFIG | {"phases": phases(who)})
    schema = schemathesis.openapi.from_dict(document(), config=config)
    schema.app = service()
    schema.hook("filter_case")(chosen())
    if who == "nobody":
        # The check `ignored_auth` and the permission matrix ask the others without a session.
        schema.filter_set.include(lambda each: "security" not in each.operation.definition.raw)
    else:
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
    """The check `ignored_auth` passes arguments that an in-process call does not accept."""
    send = WSGITransport.send

    def send_without(transport: WSGITransport, case: Case, **words: Any) -> Response:
        for name in ("max_redirects", "verify", "cert", "proxies"):
            words.pop(name, None)
        return send(transport, case, **words)

    monkeypatch.setattr(WSGITransport, "send", send_without)


@pytest.fixture(autouse=True)
def same_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis borrows values from the modules that are loaded, so from the tests before this."""
    monkeypatch.setattr(providers, "_get_local_constants", Constants)
    monkeypatch.setattr(providers, "CONSTANTS_CACHE", LRUCache(1024))


def create_people() -> None:
    """Create the people that the examples name, and a friend request."""
    Caller().sign_in()
    Caller().sign_in("bo.ek")
    Caller().sign_in("ömer.sjölin")
    alva = signed_in("alva.lind")
    assert alva.post("/api/friends", {"targetUsername": "elsa.nordvall"}).status_code == 201


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("who", ["nobody", "cookies", "bearer"])
def test_the_service_does_what_its_document_says(
    who: Who, transactional_db: None, simulator: Simulator, settings: Settings
) -> None:
    settings.RATE_LIMITS = False
    settings.DEFAULT_SCHOOL = "bjorkdalen"
    create_people()
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
    if who == "cookies":
        missed = operations() - fine
        assert missed >= NEVER_FINE
        assert {one for one in missed if "{" not in one} <= NEVER_FINE | BY_CHANCE


def test_every_check_is_on() -> None:
    config = SchemathesisConfig.from_dict(CONFIG).projects.get_default().checks
    for check in CHECKS.get_all():
        assert config.get_by_name(name=check.__name__).enabled
