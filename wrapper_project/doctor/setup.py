"""Checks the settings: values, addresses, files, workers."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.http.request import validate_host

from wrapper_project import checks
from wrapper_project.doctor import database
from wrapper_project.doctor.findings import Finding, fail, ok, warn

SECRET_FILES = ("secret_key", "field_encryption_key")
LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
WORKERS_A_CORE = 4


def check_settings() -> Iterator[Finding]:
    """The system checks that a server runs at start, and DEBUG."""
    reasons = [str(found.msg) for found in checks.check_settings()]
    for reason in reasons:
        yield fail("settings", reason, "No server process starts until it is fixed.")
    if not reasons:
        yield ok("settings", "no problem that prevents a start.")
    if settings.DEBUG:
        yield warn("settings", "DEBUG is on.", "Only for a developer's own machine.")


def check_addresses() -> Iterator[Finding]:
    """Whether the public URL, the hosts and the proxies fit together."""
    found = [*_public_url(), *_hosts(), *_proxies()]
    yield from found
    if not found:
        yield ok("addresses", "PUBLIC_URL, ALLOWED_HOSTS and TRUSTED_PROXIES are set.")


def _public_url() -> Iterator[Finding]:
    url = settings.PUBLIC_URL
    if not url:
        hint = "Set it, or links use the host of each request."
        yield warn("addresses", "PUBLIC_URL is not set.", hint)
        return
    if urlsplit(url).scheme != "https" and not settings.DEBUG:
        yield warn("addresses", "PUBLIC_URL is plain http.", "Use https for links.")
    if not validate_host((urlsplit(url).hostname or "").lower(), settings.ALLOWED_HOSTS):
        hint = "Add it, or every request to it gets a 400."
        yield fail("addresses", "the host of PUBLIC_URL is not in ALLOWED_HOSTS.", hint)


def _hosts() -> Iterator[Finding]:
    if not settings.DEBUG and set(settings.ALLOWED_HOSTS) <= LOOPBACK:
        hint = "Name the hosts that browsers use."
        yield warn("addresses", "ALLOWED_HOSTS has only this machine.", hint)


def _proxies() -> Iterator[Finding]:
    if not settings.TRUSTED_PROXIES and not settings.DEBUG:
        hint = "Behind a proxy, every client would have its address, and cookies would lack Secure."
        yield warn("addresses", "TRUSTED_PROXIES is empty.", hint)
    if wide := {"0.0.0.0/0", "::/0"} & set(settings.TRUSTED_PROXIES):
        hint = "Anyone could then forge their address. Name the proxy."
        yield fail("addresses", f"TRUSTED_PROXIES trusts everyone ({min(wide)}).", hint)


def check_files() -> Iterator[Finding]:
    """Whether DATA_DIR can be written by us, and its secrets not be read by others."""
    folder: Path = settings.DATA_DIR
    needed = not settings.REDIS_URL or connection.vendor == "sqlite"
    if not folder.is_dir():
        text, hint = f"DATA_DIR {folder} does not exist.", "Create it for the service's user."
        yield fail("files", text, hint) if needed else ok("files", "DATA_DIR is not needed.")
        return
    if needed and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield fail(
            "files", f"DATA_DIR {folder} cannot be written.", "Make the service's user its owner."
        )
    for file in sorted(folder.iterdir()):
        secret = file.name in SECRET_FILES
        if secret and file.stat().st_mode & 0o077:
            yield fail("files", f"{file.name} can be read by others.", f"`chmod 600 {file}`.")
        elif file.name.startswith("db.sqlite3") and file.stat().st_mode & 0o007:
            if not folder.stat().st_mode & 0o007:
                continue
            yield warn("files", f"{file.name} can be read by everyone.", f"`chmod 700 {folder}`.")
    yield ok("files", f"DATA_DIR is {folder}.")


def check_workers() -> Iterator[Finding]:
    """Whether the limits of processes, threads, connections and calls fit together."""
    found = [*_calls(), *_cores(), *_connections()]
    yield from found
    if not found:
        shape = f"{settings.WEB_WORKERS} × {settings.WEB_THREADS} threads"
        yield ok(
            "workers", f"{shape}, {settings.UPSTREAM_MAX_IN_FLIGHT} concurrent calls a school."
        )


def _calls() -> Iterator[Finding]:
    if settings.UPSTREAM_PER_REQUEST > settings.UPSTREAM_MAX_IN_FLIGHT:
        text = "UPSTREAM_PER_REQUEST is more than UPSTREAM_MAX_IN_FLIGHT."
        yield warn("workers", text, "One request could use all calls of a school.")
    if settings.UPSTREAM_MAX_IN_FLIGHT < settings.WEB_THREADS // 2:
        text = "UPSTREAM_MAX_IN_FLIGHT is less than half of WEB_THREADS."
        yield warn("workers", text, "Requests of one school will wait for each other.")


def _cores() -> Iterator[Finding]:
    cores = os.cpu_count() or 1
    if cores * WORKERS_A_CORE < settings.WEB_WORKERS:
        hint = "Use one or two a core."
        yield warn("workers", f"WEB_WORKERS is {settings.WEB_WORKERS} on {cores} cores.", hint)


def _connections() -> Iterator[Finding]:
    pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
    if not pool:
        return
    most = pool["max_size"] * (settings.WEB_WORKERS + 1)  # and the sockets process
    try:
        with database.own_connection() as own:
            allowed = int(database.ask(own, "SHOW max_connections"))
    except database.Unavailable:
        return
    if most > allowed:
        text = (
            f"this machine's processes may open {most} connections, the database allows {allowed}."
        )
        yield warn("workers", text, "Raise max_connections, or lower WEB_WORKERS.")
