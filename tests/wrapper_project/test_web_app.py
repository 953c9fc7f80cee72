"""The web app: its start page, its files and their headers, and that it can be switched off."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.fixtures import Settings

from tests.wrapper_project.test_errors import is_error_body

# Closing a file ends a request, and that closes connections to the database.
pytestmark = pytest.mark.django_db

PAGE = b'<!doctype html><html lang="en"><title>School</title><div id="app"></div></html>'
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types web-app"
)
POLICY_OF_WORKER = (
    "default-src 'none'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
PAGES = ["/app/", "/app/messages", "/app/people/elsa.nordvall", "/app/notes/1/edit", "/app/sök/å"]
MISSING = [
    "/app/assets/app-00000000.js",
    "/app/assets/",
    "/app/assets",
    "/app/registerSW.js",
    "/app/service-worker.js.map",
    "/app/favicon.ico",
]
TRAVERSALS = [
    "/app/assets/../../../manage.py",
    "/app/assets/%2e%2e/%2e%2e/%2e%2e/manage.py",
    "/app/assets/..%2f..%2f..%2fmanage.py",
    "/app/assets/%252e%252e/%252e%252e/%252e%252e/manage.py",
    "/app/assets/..%5c..%5c..%5cmanage.py",
    "/app/..%2f..%2fmanage.py",
    "/app/../../manage.py",
    "/app/assets//etc/passwd",
    "/app/assets/app-1a2b3c4d.js%00.png",
]


@pytest.fixture
def build(tmp_path: Path, settings: Settings) -> Path:
    """A folder as `make webapp` fills it, and a file that is two folders above."""
    folder = tmp_path / "dist" / "app"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    for name in ("service-worker.js", "assets/app-1a2b3c4d.js"):
        (folder / name).write_text("export {};")
    (folder / "manifest.webmanifest").write_text("{}")
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "manage.py").write_text("secret")
    settings.WEB_APP, settings.WEB_APP_FILES = True, folder
    settings.WHITENOISE_ROOT = folder.parent
    return folder


@pytest.fixture
def without(build: Path, settings: Settings) -> None:
    """The service with `WEB_APP=off`."""
    settings.WEB_APP, settings.WHITENOISE_ROOT = False, None


def content(answer: Any) -> bytes:
    """The whole body, also of a file."""
    return bytes(answer.getvalue() if answer.streaming else answer.content)


def test_every_page_is_the_start_page(build: Path, client: Client) -> None:
    for path in PAGES:
        answer = client.get(path)
        assert (answer.status_code, answer.content) == (200, PAGE), path
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert not answer.cookies


def test_the_start_page_by_its_own_name_is_no_weaker(build: Path, client: Client) -> None:
    answer = client.get("/app/index.html")
    assert content(answer) == PAGE
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["Cache-Control"] == "no-cache"


def test_the_head_of_a_page_has_its_length(build: Path, client: Client) -> None:
    answer = client.head("/app/messages")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(PAGE))
    assert answer.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("path", ["/app/", "/app/service-worker.js"])
def test_what_is_unchanged_keeps_the_policy_that_the_browser_has(
    path: str, build: Path, client: Client
) -> None:
    """The headers of a 304 replace those that are stored."""
    answer = client.get(path)
    assert content(answer)
    again = client.get(path, headers={"if-none-match": answer.headers["ETag"]})
    assert (again.status_code, content(again)) == (304, b"")
    assert "Content-Security-Policy" not in again.headers
    assert again.headers["ETag"] == answer.headers["ETag"]
    other = client.get(path, headers={"if-none-match": '"another"'})
    assert (other.status_code, content(other)) == (200, content(client.get(path)))


def test_an_asset_is_kept_for_a_year(build: Path, client: Client) -> None:
    answer = client.get("/app/assets/app-1a2b3c4d.js")
    assert content(answer) == b"export {};"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Content-Type"].startswith("text/javascript")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("manifest.webmanifest", "application/manifest+json"), ("icon.svg", "image/svg+xml")],
)
def test_a_file_without_a_hash_is_kept_for_a_minute(
    name: str, kind: str, build: Path, client: Client
) -> None:
    answer = client.get(f"/app/{name}")
    assert content(answer)
    assert answer.headers["Cache-Control"] == "max-age=60, public"
    assert answer.headers["Content-Type"] == kind


def test_the_service_worker_has_a_policy_of_its_own(build: Path, client: Client) -> None:
    answer = client.get("/app/service-worker.js")
    assert content(answer) == b"export {};"
    assert answer.headers["Content-Security-Policy"] == POLICY_OF_WORKER
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Type"].startswith("text/javascript")


def test_a_missing_file_is_404_and_never_a_page(build: Path, client: Client) -> None:
    for path in MISSING:
        answer = client.get(path, headers={"accept": "*/*"})
        assert answer.status_code == 404, path
        assert is_error_body(answer.json())


@pytest.mark.parametrize("reads_the_folder", [False, True])
def test_no_file_outside_the_build_is_served(
    reads_the_folder: bool, build: Path, client: Client, settings: Settings
) -> None:
    settings.WHITENOISE_AUTOREFRESH = reads_the_folder  # as with DEBUG
    for path in TRAVERSALS:
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert b"secret" not in content(answer), path


@pytest.mark.parametrize("path", ["/", "/app"])
def test_other_addresses_lead_to_it(path: str, build: Path, client: Client) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/app/")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/app", "GET, HEAD, OPTIONS"),
        ("/app/", "GET, HEAD, OPTIONS"),
        ("/app/messages", "GET, HEAD, OPTIONS"),
        ("/app/service-worker.js", "GET, HEAD"),
    ],
)
def test_nothing_can_be_posted_to_it(path: str, allowed: str, build: Path, client: Client) -> None:
    answer = client.post(path)
    assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)


def test_without_it_there_is_nothing(without: None, client: Client) -> None:
    files = ("/app/service-worker.js", "/app/assets/app-1a2b3c4d.js")
    for path in ("/app", *PAGES, *MISSING, *files):
        assert client.get(path).status_code == 404, path


def test_the_operator_switches_it_off(settings: Settings) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", "from wrapper_project.settings import *; print(WHITENOISE_ROOT)"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "WEB_APP": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == "None\n"


def test_every_file_that_the_built_page_names_is_served(client: Client) -> None:
    """The build of the repository itself."""
    page = client.get("/app/").content.decode()
    named = re.findall(r'(?:src|href)="(/app/[^"]+)"', page)
    assert any(name.startswith("/app/assets/") for name in named)
    for name in [*named, "/app/service-worker.js"]:
        answer = client.get(name)
        assert (answer.status_code, bool(content(answer))) == (200, True), name


def test_only_a_page_that_is_shown_to_nobody_says_that_nobody_is_signed_in(
    build: Path, client: Client
) -> None:
    shown = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    names = ("jsessionid", "hash", "school")
    cookies = "; ".join(f"{settings.COOKIE_PREFIX}{name}=x" for name in names)
    nobody = client.get("/app/notes", headers=shown)
    assert nobody.content == PAGE.replace(b"<html ", b'<html data-signed-in="no" ')
    for headers in ({"accept": "*/*"}, {}, shown | {"cookie": cookies}):
        answer = client.get("/app/notes", headers=headers)
        assert answer.content == PAGE
        assert answer.headers["ETag"] != nobody.headers["ETag"]
    assert {"Accept", "Cookie"} <= set(nobody.headers["Vary"].split(", "))
    again = client.get(
        "/app/", headers=shown | {"cookie": cookies, "if-none-match": nobody.headers["ETag"]}
    )
    assert again.status_code == 200
