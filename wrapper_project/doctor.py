"""What is wrong with a deployment, and what to do about it: the checks of `manage.py doctor`.

They write nothing and show no secret. What the settings alone say is in `checks.py`, and keeps a
server from starting; what the machine and the proxy say is in `doctor_machine.py`.
"""

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.http.request import validate_host

from accounts.cookies import token_hash
from accounts.encryption import SecretUnreadable
from accounts.models import ServiceSession
from accounts.services.key_rotation import sample_of_keys
from jobs.queue import read_queue_state
from staff.services.members import list_staff
from upstream import shared_client
from upstream.calls.schools import fetch_schools
from upstream.errors import UpstreamError
from wrapper_project import checks, doctor_hosts, doctor_machine, doctor_redis, doctor_replication
from wrapper_project.doctor_findings import Findings, fail, ok, warn

LATE_JOB_SECONDS = 60.0
SAMPLE = 200  # values of each encrypted column
LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}


def check_settings() -> Findings:
    """The system checks that a server runs at start, and DEBUG."""
    reasons = [str(message.msg) for message in checks.check_settings()]
    for reason in reasons:
        yield fail(reason, "No server starts until it is fixed.")
    if not reasons:
        yield ok("no problem that prevents a start.")
    if settings.DEBUG:
        yield warn("DEBUG is on.", "Only for a developer's own machine.")


def check_addresses() -> Findings:
    """Whether the public URL and the hosts fit together."""
    url = urlsplit(settings.PUBLIC_URL)
    if not settings.PUBLIC_URL:
        yield warn("PUBLIC_URL is not set.", "Set it, or links use the host of each request.")
    elif not validate_host((url.hostname or "").lower(), settings.ALLOWED_HOSTS):
        hint = "Add it, or every request to it gets a 400."
        yield fail("the host of PUBLIC_URL is not in ALLOWED_HOSTS.", hint)
    if not settings.DEBUG and set(settings.ALLOWED_HOSTS) <= LOOPBACK:
        yield warn("ALLOWED_HOSTS has only this machine.", "Name the hosts that browsers use.")


def check_proxies() -> Findings:
    """Whether a proxy is trusted, and nobody else; and who may read the metrics."""
    if not settings.TRUSTED_PROXIES and not settings.DEBUG:
        hint = "Behind a proxy every client has its address, and cookies lack Secure."
        yield warn("TRUSTED_PROXIES is empty.", hint)
    for network in _wide(settings.TRUSTED_PROXIES):
        hint = "Anyone could then forge their address. Name the proxy."
        yield fail(f"TRUSTED_PROXIES trusts everyone ({network}).", hint)
    for network in _wide(settings.METRICS_ALLOWED):
        hint = "Name the network of Prometheus."
        yield fail(f"METRICS_ALLOWED shows the metrics to everyone ({network}).", hint)


def _wide(networks: list[str]) -> Iterator[str]:
    """Those wider than the widest private networks, 10.0.0.0/8 and fc00::/7."""
    for text in networks:
        with suppress(ValueError):  # reported with the settings
            network = ipaddress.ip_network(text, strict=False)
            if network.prefixlen < (8 if network.version == 4 else 7):
                yield text


def check_database() -> Findings:
    """Reachable, durable, with the same time and the schema of this version."""
    if reason := _why_unreachable():
        yield fail(f"{reason}.", "Check DATABASE_URL and the log of the database.")
        return
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp()), pg_is_in_recovery()")
            now, is_standby = cursor.fetchone()
        yield doctor_machine.judge_clock(float(now))
        if is_standby:
            hint = "Name all hosts, with target_session_attrs=read-write."
            yield fail("it is a standby and accepts no writes.", hint)
    loader = MigrationLoader(connection)
    missing = set(loader.graph.nodes) - set(loader.applied_migrations)
    ahead = set(loader.applied_migrations) - set(loader.disk_migrations)
    if missing:
        text = f"{len(missing)} migrations are not applied, for example {'.'.join(min(missing))}."
        yield fail(text, "Run `manage.py migrate` before you start the new version.")
    if ahead:
        text = f"{len(ahead)} applied migrations are unknown, for example {'.'.join(min(ahead))}."
        yield warn(text, "A newer version has migrated it. Deploy that version.")
    if not missing and not ahead:
        yield ok("reachable, and every migration is applied.")


def _why_unreachable() -> str:
    """What the driver says of a connection without the pool, which would hide it; empty if it is
    made. The driver names host and user, never the password."""
    own: Any = connection.copy("doctor")
    own.settings_dict["OPTIONS"].pop("pool", None)
    if own.vendor == "sqlite" and not Path(own.settings_dict["NAME"]).exists():
        return "there is no database file: run `manage.py migrate`"
    try:
        own.ensure_connection()
    except DatabaseError as error:
        return str(error).splitlines()[0]
    finally:
        own.close()
    return ""


def check_keys() -> Findings:
    """Whether the stored data was encrypted and hashed with the keys of the settings."""
    sample = sample_of_keys(connection, limit=SAMPLE)
    if sample.unreadable:
        text = f"{sample.unreadable} of {sample.seen} values cannot be decrypted with any key."
        yield fail(text, "Add the missing key as the last one, or those people sign in again.")
    if older := sample.seen - sample.current - sample.unreadable:
        hint = "Run `manage.py rotate_encryption_keys`."
        yield warn(f"{older} of {sample.seen} values use an older key.", hint)
    if sample.current == sample.seen:
        yield ok(f"{sample.seen} values checked, all use the first key.")
    # One that is never renewed: its client has the token that is stored.
    newest = ServiceSession.objects.filter(renews_until=None).order_by("-created_at").first()
    with suppress(SecretUnreadable):  # reported above
        if newest and token_hash(newest.access_token) != newest.token_hash:
            hint = "Restore the previous SECRET_KEY, or everyone signs in again."
            yield fail("SECRET_KEY does not match the existing sessions.", hint)


def check_jobs() -> Findings:
    """Whether workers do the jobs, and in time."""
    state = read_queue_state()
    if state.lag > LATE_JOB_SECONDS:
        hint = "Does `manage.py run_worker` run? Else run more of them, or with more --threads."
        yield fail(f"a job has waited for {state.lag:.0f} s, and {state.waiting} wait.", hint)
    else:
        yield ok(f"{state.waiting} jobs wait, for at most {state.lag:.0f} s.")
    if state.failed:
        yield warn(f"{state.failed} jobs have failed within a day.", "See the log of the workers.")


def check_staff() -> Findings:
    """Whether somebody hears of reports, and can sign in to handle them."""
    if not (settings.REPORTS_TO and settings.EMAIL_URL):
        yield warn("nobody hears of a new report by mail.", "Set REPORTS_TO and EMAIL_URL.")
    staff = list_staff().filter(groups__name="moderator")
    moderators, locked_out = staff.count(), staff.filter(has_second_factor=False).count()
    if not moderators:
        yield warn("there is no moderator, so nobody handles reports.", "Run `create_staff`.")
    elif locked_out:
        text = f"{locked_out} of {moderators} moderators have no second factor."
        yield warn(text, "See `list_staff`; `create_staff NAME --reset` makes a new one.")
    else:
        yield ok(f"{moderators} moderators, each with a second factor.")


def check_school_system() -> Findings:
    """Whether the school system answers, and has the schools of the settings."""
    try:
        schools = fetch_schools(shared_client.client())
    except UpstreamError as error:
        hint = "Check UPSTREAM_URL, then run `manage.py check_upstream --no-login`."
        yield fail(f"{type(error).__name__}: {error}.", hint)  # without URL, body or token
        return
    yield ok(f"{len(schools)} schools.")
    listed = {school.slug for school in schools}
    named = {*settings.UPSTREAM_SCHOOLS, *settings.UPSTREAM_DIALECT, settings.DEFAULT_SCHOOL}
    for slug in named - listed - {""}:
        yield warn(f"{slug} is not in their list.", "Check the variables that name schools.")


CHECKS: dict[str, Callable[[], Findings]] = {
    "settings": check_settings,
    "addresses": check_addresses,
    "proxies": check_proxies,
    "public url": doctor_machine.check_public_url,
    "mail": doctor_machine.check_mail,
    "disk": doctor_machine.check_disk,
    "back-ups": doctor_machine.check_backups,
    "redis": doctor_redis.check_redis,
    "sentinels": doctor_redis.check_sentinels,
    "upstream": check_school_system,
    "hosts": doctor_hosts.check_hosts,
    "database": check_database,
    "standby": doctor_replication.check_standby,
    "keys": check_keys,
    "jobs": check_jobs,
    "staff": check_staff,
}


def examine() -> Findings:
    """The findings of all checks; those after the database only if that is in order. A check that
    fails itself is a finding."""
    for name, check in CHECKS.items():
        try:
            findings = list(check())
        except Exception as error:  # noqa: BLE001 - the others say what else is wrong
            findings = [fail(f"the check itself failed ({type(error).__name__}).")]
        yield from (replace(finding, check=name) for finding in findings)
        if name == "database" and any(finding.state == "fail" for finding in findings):
            return
