"""The documentation agrees with the code."""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from django.urls import URLPattern

from accounts.registry import rate_limits
from tests.architecture.sources import APPS, ROOT, sources
from wrapper_project import error_table, urls
from wrapper_project.management.commands import demo

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (`[^|]*`) \|", re.MULTILINE)
# Variables read directly, before the settings are loaded.
DIRECT = re.compile(r"(?:positive_integer|_port|environ\.get)\(\s*['\"]([A-Z][A-Z_]+)['\"]")

DEMO_ONLY = {"PORT", "SIMULATOR_PORT"}
# Variable -> why compose.yaml does not pass it.
NOT_IN_COMPOSE = {
    "DEBUG": "only for a developer's own machine",
    "ALLOW_INSECURE_UPSTREAM": "never in production",
    "ALLOW_UNLIMITED": "never in production",
    "RATE_LIMITS": "never off in production",
    "DATA_DIR": "the image sets it to its volume",
    "BIND_HOST": "a container listens on every address",
    "WEB_PORT": "fixed inside the network of the containers",
    "SOCKETS_PORT": "fixed inside the network of the containers",
}


def read(name: str) -> str:
    return (ROOT / name).read_text()


@cache
def listed_files(*patterns: str) -> list[str]:
    """The names of all files that are or will be part of the project."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return sorted(name for name in listed.split("\n") if name and (ROOT / name).is_file())


@cache
def documents() -> list[Path]:
    """Every Markdown file of the project."""
    found = [ROOT / name for name in listed_files("*.md")]
    if not found:  # an archive without its history
        found = [path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0][0] != "."]
    return found


def section(text: str, title: str) -> str:
    """A second-level section of a document."""
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> set[str]:
    """The words in code marks in the first column of the tables."""
    return {word for cell in ROW.findall(text) for word in re.findall(r"`([^`]+)`", cell)}


def variables_of_settings() -> Iterator[str]:
    (settings,) = (s for s in sources("wrapper_project") if s.path.name == "settings.py")
    for node in ast.walk(settings.tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "env"
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            yield str(node.args[0].value)


def variables_read_directly() -> Iterator[str]:
    for source in sources(*APPS, "deploy"):
        for name in DIRECT.findall(source.path.read_text()):
            yield name.removesuffix("_FILE")


def every_variable() -> set[str]:
    """Every environment variable that the service reads."""
    known = {*variables_of_settings(), *variables_read_directly()} - {"DJANGO_SETTINGS_MODULE"}
    assert {"SECRET_KEY", "WEB_PORT"} <= known
    return known


def test_every_variable_is_in_the_operators_table_and_no_other() -> None:
    assert first_column(section(read("docs/operations.md"), "Environment")) == every_variable()


def test_every_variable_is_in_the_example_environment_and_no_other() -> None:
    named = set(re.findall(r"^#?([A-Z][A-Z_]+)=", read(".env.example"), re.MULTILINE))
    assert named == every_variable() - DEMO_ONLY


def test_every_variable_is_in_compose_unless_it_makes_no_sense_there() -> None:
    compose = yaml.safe_load(read("deploy/compose.yaml"))
    for name in ("web", "sockets"):
        given = set(compose["services"][name]["environment"]) - {"HEALTH_PORT", "PGPASSWORD"}
        assert given == every_variable() - NOT_IN_COMPOSE.keys() - DEMO_ONLY


def route_shapes(text: str) -> set[str]:
    """The addresses in code marks, with every argument written as `{}`."""
    paths = re.findall(r"`(?:[A-Z]+ )?(/[^`?\s]*)", text)
    return {re.sub(r"\{\w+\}", "{}", path) for path in paths}


def test_every_route_is_in_the_clients_table_and_no_other() -> None:
    routes = {
        "/" + re.sub(r"<[^>]+>", "{}", str(pattern.pattern))
        for pattern in urls.urlpatterns
        if isinstance(pattern, URLPattern) and pattern.name != "not-found"
    }
    assert len(routes) > 50
    listed = route_shapes(section(read("docs/api.md"), "The routes"))
    assert listed == routes | {"/ws"}


def test_every_command_of_ours_is_in_the_operators_table() -> None:
    ours = {
        path.stem
        for app in APPS
        for path in (ROOT / app).glob("management/commands/*.py")
        if path.stem != "__init__"
    }
    assert ours
    listed = first_column(section(read("docs/operations.md"), "Commands"))
    assert listed - {"migrate", "check"} == ours


def test_every_check_is_in_the_operators_table() -> None:
    checks = set(re.findall(r'"(wrapper\.[EW]\d{3})"', read("wrapper_project/checks.py")))
    listed = first_column(section(read("docs/operations.md"), "What is refused at start"))
    assert listed == checks


def test_every_error_code_is_in_the_clients_table_with_its_status() -> None:
    rows = {row for row in vars(error_table).values() if isinstance(row, error_table.Row)}
    rows |= set(error_table.TABLE.values())
    text = section(read("docs/api.md"), "Errors")
    listed = set(re.findall(r"^\| `([a-z_]+)` \| (\d{3}) \|", text, re.MULTILINE))
    assert listed == {(row.code, str(row.status)) for row in rows}


def test_every_limit_is_in_the_clients_table() -> None:
    assert first_column(section(read("docs/api.md"), "Limits")) == set(rate_limits())


def test_the_first_lines_of_the_readme_are_those_that_the_demo_prints() -> None:
    printed = [
        line.strip()
        for line in demo._introduction(8000, 8901).splitlines()
        if line.strip().startswith("curl ")
    ]
    assert len(printed) == 3
    assert "\n".join(printed) in read("README.md")


def test_every_version_says_what_an_upgrade_asks_for() -> None:
    versions = read("CHANGELOG.md").split("\n## ")[1:]
    assert versions
    assert [text.partition("\n")[0] for text in versions if "\n### Upgrade\n" not in text] == []


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a document."""
    titles = re.findall(r"^#{1,6} (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    text = document.read_text()
    broken = []
    for link in LINK.findall(FENCE.sub("", text)):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("document", ["docs/security.md", "docs/asvs.md"])
def test_every_test_that_is_named_is_there(document: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", read(document))
    assert len(named) > 50
    missing = [
        f"{path}::{test}"
        for path, test in named
        if not (ROOT / path).exists() or (test and f"def {test}(" not in read(path))
    ]
    assert missing == []


# Section of ASVS 5.0.0 -> how many requirements it has on levels 1 and 2, which come first; 6.7 has
# none. Of the chapters that are not listed by requirement, the sections.
ASVS_REQUIREMENTS = {
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4,
    "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2,
    "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1,
    "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3,
    "14.1": 2, "14.2": 4, "14.3": 3,
}  # fmt: skip
ASVS_SECTIONS = [
    *("1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "2.2", "2.3", "2.4", "3.2", "3.3", "3.4", "3.5"),
    *("3.7", "4.1", "4.2", "4.3", "4.4", "5.1", "5.2", "5.3", "5.4", "9.1", "9.2", "11.1", "11.2"),
    *("11.3", "11.4", "11.5", "11.6", "12.1", "12.2", "12.3", "13.1", "13.2", "13.3", "13.4"),
    *("15.1", "15.2", "15.3", "16.1", "16.2", "16.3", "16.4", "16.5", "17.1", "17.2", "17.3"),
]


def test_every_requirement_of_asvs_has_a_test_or_a_reason() -> None:
    rows = re.findall(
        r"^\| ([\d.]+) \| (.+) \| (\S+) \| (.+) \|$", read("docs/asvs.md"), re.MULTILINE
    )
    wanted = [f"{name}.{n}" for name, most in ASVS_REQUIREMENTS.items() for n in range(1, most + 1)]
    assert [number for number, *_ in rows] == wanted + ASVS_SECTIONS
    assert {word for _, _, word, _ in rows} == {"yes", "partly", "–"}
