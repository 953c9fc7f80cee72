"""The laws of the house that a tool can check (wrapper_project/README.md)."""

import ast

from tests.architecture.sources import APPS, ELSEWHERE, Source, length, sources

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "core"}
EXCUSE = "may be long"
FILE_LINES, TEST_FILE_LINES, FUNCTION_LINES = 260, 310, 42


def _excused(node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return EXCUSE in (ast.get_docstring(node) or "")


def _is_view(source: Source) -> bool:
    return "api" in source.path.parts or source.path.name in {"api.py", "pages.py", "health.py"}


def test_law_1_apps_import_downwards_only() -> None:
    """import-linter says it in full; here, that nobody below imports the roof."""
    below = [s for s in sources(*APPS) if not s.name.startswith("wrapper_project/")]
    roof = {s.name: {i for i in s.imports() if i.startswith("wrapper_project")} for s in below}
    assert {name: found for name, found in roof.items() if found} == {}


def test_law_4_a_view_decides_at_most_once() -> None:
    handlers = {
        f"{s.name}:{function.lineno}": sum(isinstance(node, ast.If) for node in ast.walk(function))
        for s in sources(*APPS)
        if _is_view(s)
        for function in s.functions()
        if function.name in {"get", "post", "put", "patch", "delete"}
    }
    assert handlers
    assert {name: ifs for name, ifs in handlers.items() if ifs > 1} == {}


def test_law_5_no_view_touches_the_database_itself() -> None:
    views = [s for s in sources(*APPS) if _is_view(s)]
    assert views
    assert [s.name for s in views if "objects" in s.attributes()] == []


def test_law_7_only_upstream_speaks_http_outward() -> None:
    clients = ("requests", "urllib3", "httpx", "aiohttp", "http.client", "urllib.request")
    offenders = [
        s.name
        for s in sources(*APPS)
        if not s.name.startswith("upstream/")
        and any(name == c or name.startswith(f"{c}.") for name in s.imports() for c in clients)
    ]
    assert offenders == []


def test_upstream_is_a_library_without_django() -> None:
    rooms = ("upstream/shared_client.py", "upstream/management/")
    offenders = [
        s.name
        for s in sources("upstream")
        if not s.name.startswith(rooms) and any(i.split(".")[0] == "django" for i in s.imports())
    ]
    assert offenders == []


def test_the_simulator_shares_nothing_with_us_but_the_addresses() -> None:
    ours = tuple(f"{app}." for app in APPS)
    shared = {
        name
        for s in sources("upstream/simulator")
        for name in s.imports()
        if name.startswith(ours) and not name.startswith("upstream.simulator")
    }
    assert all(name.startswith("upstream.endpoints") for name in shared), shared


def test_law_7_only_realtime_touches_the_channel_layer() -> None:
    offenders = [
        s.name
        for s in sources(*APPS)
        if not s.name.startswith("social/realtime/")
        and any(name.startswith(("channels.layers", "channels_redis")) for name in s.imports())
    ]
    assert offenders == []


def test_law_7_only_one_module_touches_our_cookies() -> None:
    touching = {"COOKIES", "set_cookie", "delete_cookie", "set_signed_cookie"}
    offenders = [
        s.name
        for s in sources(*APPS)
        # The simulator sets upstream's cookies, not ours.
        if s.name != "accounts/cookies.py" and not s.name.startswith("upstream/simulator/")
        if touching & s.attributes()
    ]
    assert offenders == []


def test_law_9_files_are_short() -> None:
    code = {s.name: s.lines for s in sources(*APPS, "benchmarks", "deploy") if not _excused(s.tree)}
    tests = {s.name: s.lines for s in sources("tests") if not _excused(s.tree)}
    assert {name: lines for name, lines in code.items() if lines > FILE_LINES} == {}
    assert {name: lines for name, lines in tests.items() if lines > TEST_FILE_LINES} == {}


def test_law_9_functions_are_short() -> None:
    long = {
        f"{s.name}:{function.name}": length(function)
        for s in sources(*APPS, *ELSEWHERE)
        for function in s.functions()
        if length(function) > FUNCTION_LINES and not _excused(function)
    }
    assert long == {}


def test_law_10_no_module_is_an_attic() -> None:
    attics = [
        s.name
        for s in sources(*APPS, *ELSEWHERE)
        if {part.removesuffix(".py") for part in s.name.split("/")} & FORBIDDEN_NAMES
    ]
    assert attics == []
