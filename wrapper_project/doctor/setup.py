"""Checks the settings: values, addresses, files, workers."""

import ipaddress
import os
from collections.abc import Iterator
from contextlib import suppress
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
        yield fail(reason, "No server process starts until it is fixed.")
    if not reasons:
        yield ok("no problem that prevents a start.")
    if settings.DEBUG:
        yield warn("DEBUG is on.", "Only for a developer's own machine.")


def check_addresses() -> Iterator[Finding]:
    """Whether the public URL, the hosts and the proxies fit together."""
    found = [*_public_url(), *_hosts_and_proxies()]
    yield from found
    if not found:
        yield ok("PUBLIC_URL, ALLOWED_HOSTS and TRUSTED_PROXIES are set.")


def _public_url() -> Iterator[Finding]:
    if not settings.PUBLIC_URL:
        yield warn("PUBLIC_URL is not set.", "Set it, or links use the host of each request.")
        return
    url = urlsplit(settings.PUBLIC_URL)
    if url.scheme != "https" and not settings.DEBUG:
        yield warn("PUBLIC_URL is plain http.", "Use https for links.")
    if not validate_host((url.hostname or "").lower(), settings.ALLOWED_HOSTS):
        hint = "Add it, or every request to it gets a 400."
        yield fail("the host of PUBLIC_URL is not in ALLOWED_HOSTS.", hint)


def _hosts_and_proxies() -> Iterator[Finding]:
    if not settings.DEBUG and set(settings.ALLOWED_HOSTS) <= LOOPBACK:
        yield warn("ALLOWED_HOSTS has only this machine.", "Name the hosts that browsers use.")
    if not settings.TRUSTED_PROXIES and not settings.DEBUG:
        hint = "Behind a proxy, every client would have its address, and cookies would lack Secure."
        yield warn("TRUSTED_PROXIES is empty.", hint)
    for text in _wide(settings.TRUSTED_PROXIES):
        hint = "Anyone could then forge their address. Name the proxy."
        yield fail(f"TRUSTED_PROXIES trusts everyone ({text}).", hint)
    for text in _wide(settings.METRICS_ALLOWED):
        hint = "Name the network of Prometheus."
        if settings.METRICS:
            yield fail(f"METRICS_ALLOWED shows the metrics to everyone ({text}).", hint)
        else:
            yield warn(f"METRICS_ALLOWED would show them to everyone ({text}).", hint)


def _wide(networks: list[str]) -> Iterator[str]:
    """The networks that hold more than any one organisation has, such as 0.0.0.0/0 or a half of it.
    The widest private ones are 10.0.0.0/8 and fc00::/7."""
    for text in networks:
        with suppress(ValueError):  # reported with the settings
            network = ipaddress.ip_network(text, strict=False)
            if network.prefixlen < (8 if network.version == 4 else 7):
                yield text


def check_files() -> Iterator[Finding]:
    """Whether DATA_DIR can be written by us, and its secrets not be read by others."""
    folder = settings.DATA_DIR
    needed = not settings.REDIS_URL or connection.vendor == "sqlite"
    if not folder.is_dir():
        text, hint = f"DATA_DIR {folder} does not exist.", "Create it for the service's user."
        yield fail(text, hint) if needed else ok("DATA_DIR is not needed.")
        return
    if needed and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield fail(f"DATA_DIR {folder} cannot be written.", "Make the service's user its owner.")
    for file in sorted(folder.iterdir()):
        secret = file.name in SECRET_FILES
        if secret and file.stat().st_mode & 0o077:
            yield fail(f"{file.name} can be read by others.", f"`chmod 600 {file}`.")
        elif file.name.startswith("db.sqlite3") and all(
            path.stat().st_mode & 0o007 for path in (file, folder)
        ):
            yield warn(f"{file.name} can be read by everyone.", f"`chmod 700 {folder}`.")
    yield ok(f"DATA_DIR is {folder}.")


def check_workers() -> Iterator[Finding]:
    """Whether the limits of processes, threads, connections and calls fit together."""
    found = [*_calls_and_cores(), *_connections()]
    yield from found
    if not found:
        shape = f"{settings.WEB_WORKERS} × {settings.WEB_THREADS} threads"
        yield ok(f"{shape}, {settings.UPSTREAM_MAX_IN_FLIGHT} concurrent calls a school.")


def _calls_and_cores() -> Iterator[Finding]:
    if settings.UPSTREAM_PER_REQUEST > settings.UPSTREAM_MAX_IN_FLIGHT:
        text = "UPSTREAM_PER_REQUEST is more than UPSTREAM_MAX_IN_FLIGHT."
        yield warn(text, "One request could use all calls of a school.")
    if settings.UPSTREAM_MAX_IN_FLIGHT < settings.WEB_THREADS // 2:
        text = "UPSTREAM_MAX_IN_FLIGHT is less than half of WEB_THREADS."
        yield warn(text, "Requests of one school will wait for each other.")
    cores = os.cpu_count() or 1
    if cores * WORKERS_A_CORE < settings.WEB_WORKERS:
        text = f"WEB_WORKERS is {settings.WEB_WORKERS} on {cores} cores."
        yield warn(text, "Use one or two a core.")


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
        yield warn(text, "Raise max_connections, or lower WEB_WORKERS.")
