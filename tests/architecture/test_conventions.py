"""The conventions (CONTRIBUTING.md) that a tool can check."""

import ast
from textwrap import dedent

import pytest

from tests.architecture.decisions import decisions_of_views
from tests.architecture.sources import APPS, ELSEWHERE, ROOT, Source, length, sources

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "core"}
EXCUSE = "may be long"
FILE_LINES, TEST_FILE_LINES, FUNCTION_LINES = 260, 310, 42
VIEW_FILES = {"api.py", "pages.py", "health.py", "docs.py", "metrics_view.py"}


def _excused(node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return EXCUSE in (ast.get_docstring(node) or "")


def _is_view(source: Source) -> bool:
    return "api" in source.name.split("/") or source.path.name in VIEW_FILES


def test_no_app_imports_the_project_package() -> None:
    """import-linter holds the layers; this one also sees imports inside functions."""
    below = [s for s in sources(*APPS) if not s.name.startswith("wrapper_project/")]
    found = {s.name: {i for i in s.imports() if i.startswith("wrapper_project")} for s in below}
    assert {name: imports for name, imports in found.items() if imports} == {}


def test_a_view_decides_at_most_once() -> None:
    handlers: dict[str, int] = {}
    for source in filter(_is_view, sources(*APPS)):
        handlers |= decisions_of_views(source)
    assert len(handlers) > 70
    assert {name for name, count in handlers.items() if count > 1} == set()


@pytest.mark.parametrize(
    ("decisions", "code"),
    [
        (0, "if 'a' not in body:\n raise InvalidInput({})"),
        (0, "return Response(status=201 if created else 200)"),
        (0, "week = read_week(body)"),
        (1, "if body and is_new(body):\n return 1\nreturn 2"),
        (1, "return body['card'] or None"),
        (2, "if body:\n return 1\nelif created:\n return 2"),
        (2, "return decide(body)"),
        (2, "return respond(body, self.later)"),
    ],
)
def test_a_decision_in_a_helper_of_the_same_file_counts(decisions: int, code: str) -> None:
    body = "\n".join(f"        {line}" for line in code.splitlines())
    text = f"""
def read_week(body): return int(body["week"]) if "week" in body else None
def is_new(body) -> bool: return body and True
def decide(body):
    if body: return 1
    return later(body)
def later(body): return body or 2
class Base:
    def later(self, body): return decide(body)
class View(Base):
    def get(self, body):
{body}
"""
    source = Source(ROOT / "made_up.py", "made_up.py", 0, ast.parse(dedent(text)))
    assert decisions_of_views(source) == {"made_up.py:View.get": decisions}


def test_no_view_touches_the_database_itself() -> None:
    views = [s for s in sources(*APPS) if _is_view(s)]
    assert views
    assert [s.name for s in views if "objects" in s.attributes()] == []


def test_one_module_proves_whose_data_a_web_session_shows() -> None:
    """The calls for school data take a `ProvenSession`, which the type checker holds; here, that
    nobody else makes one. `check_upstream` counts lessons and shows none."""
    makers = [
        source.name
        for source in sources(*APPS)
        if "upstream/simulator" not in source.name
        and any(_makes_a_proven_session(node) for node in ast.walk(source.tree))
    ]
    allowed = ["schoolproxy/proven_sessions.py", "upstream/management/commands/check_upstream.py"]
    assert sorted(makers) == allowed


def _makes_a_proven_session(node: ast.AST) -> bool:
    """A call of the class, or a cast to it."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func).rpartition(".")[2]
    casts_to = ast.unparse(node.args[0]).strip("\"'") if name == "cast" and node.args else ""
    return "ProvenSession" in (name, casts_to)


# The doctor asks our own proxy.
SPEAK_HTTP = ("upstream/", "notifications/push/client.py", "wrapper_project/doctor_machine.py")


def test_only_upstream_and_the_client_of_pushes_speak_http_outward() -> None:
    clients = ("requests", "urllib3", "httpx", "aiohttp", "http.client", "urllib.request")
    offenders = [
        s.name
        for s in sources(*APPS)
        if not s.name.startswith(SPEAK_HTTP)
        and any(name == c or name.startswith(f"{c}.") for name in s.imports() for c in clients)
    ]
    assert offenders == []


def test_upstream_is_a_library_without_django() -> None:
    allowed = ("upstream/shared_client.py", "upstream/management/")
    offenders = [
        s.name
        for s in sources("upstream")
        if not s.name.startswith(allowed) and any(i.split(".")[0] == "django" for i in s.imports())
    ]
    assert offenders == []


def test_the_simulator_imports_nothing_of_ours_but_the_endpoints() -> None:
    ours = tuple(f"{app}." for app in APPS)
    shared = {
        name
        for s in sources("upstream/simulator")
        for name in s.imports()
        if name.startswith(ours) and not name.startswith("upstream.simulator")
    }
    assert all(name.startswith("upstream.endpoints") for name in shared), shared


def test_no_test_reaches_into_the_simulator() -> None:
    """It has public words for whatever a test wants to know."""
    private = {
        f"{s.name}: {ast.unparse(node)}"
        for s in sources("tests", "benchmarks")
        for node in ast.walk(s.tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_")
        if "simulator" in ast.unparse(node.value)
    }
    assert private == set()


def test_only_realtime_touches_the_channel_layer() -> None:
    offenders = [
        s.name
        for s in sources(*APPS)
        if not s.name.startswith("social/realtime/")
        and any(name.startswith(("channels.layers", "channels_redis")) for name in s.imports())
    ]
    assert offenders == []


def test_only_one_module_touches_our_cookies() -> None:
    touching = {"COOKIES", "set_cookie", "delete_cookie", "set_signed_cookie"}
    offenders = [
        s.name
        for s in sources(*APPS)
        # The simulator sets upstream's cookies, not ours.
        if s.name != "accounts/cookies.py" and not s.name.startswith("upstream/simulator/")
        if touching & s.attributes()
    ]
    assert offenders == []


def test_only_one_module_takes_an_identity_from_upstream() -> None:
    """It compares the organisation, and no path may go around that."""
    fetchers = {"fetch_session", "fetch_session_with_header"}
    users = [
        s.name
        for s in sources(*APPS)
        if not s.name.startswith("upstream/")
        if fetchers & ({name.rpartition(".")[2] for name in s.imports()} | s.attributes())
    ]
    assert users == ["accounts/services/session_answers.py"]


def test_files_are_short() -> None:
    code = {s.name: s.lines for s in sources(*APPS, "benchmarks", "deploy") if not _excused(s.tree)}
    tests = {s.name: s.lines for s in sources("tests") if not _excused(s.tree)}
    assert {name: lines for name, lines in code.items() if lines > FILE_LINES} == {}
    assert {name: lines for name, lines in tests.items() if lines > TEST_FILE_LINES} == {}


def test_functions_are_short() -> None:
    long = {
        f"{s.name}:{function.name}": length(function)
        for s in sources(*APPS, *ELSEWHERE)
        for function in s.functions()
        if length(function) > FUNCTION_LINES and not _excused(function)
    }
    assert long == {}


def test_no_module_collects_what_belongs_elsewhere() -> None:
    offenders = [
        s.name
        for s in sources(*APPS, *ELSEWHERE)
        if {part.removesuffix(".py") for part in s.name.split("/")} & FORBIDDEN_NAMES
    ]
    assert offenders == []
