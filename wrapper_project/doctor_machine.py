"""What `manage.py doctor` sees around the service: the proxy and its certificate, the mail server,
the disk, the back-ups, the clock."""

import json
import shutil
import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import get_connection

from wrapper_project.doctor_findings import Finding, Findings, fail, ok, warn

SECONDS = 5.0
CERTIFICATE_DAYS = 14  # what renews a certificate does so 30 days before its end
BACKUPS = Path("/var/backups/wrapper")
POSTGRESQL = Path("/var/lib/postgresql")
BACKUP_HOURS = 26  # one a day, and two hours for it
CLOCK_SECONDS = 5.0  # the code of a second factor is valid for 30
DAY = 24 * 3600
GIB = 1024**3


def check_public_url() -> Findings:
    """A request through the proxy, as a browser makes it."""
    url = urlsplit(settings.PUBLIC_URL)
    if not url.hostname:
        return
    host = url.hostname
    connection = (
        HTTPSConnection(host, url.port, timeout=SECONDS, context=_tls())
        if url.scheme == "https"
        else HTTPConnection(host, url.port, timeout=SECONDS)
    )
    try:
        with closing(connection):
            connection.request("GET", f"{url.path.rstrip('/')}/readyz?verbose")
            ends = end_of_certificate(connection.sock)
            response = connection.getresponse()
            headers, body = response.headers, response.read(65_536)
    except ssl.SSLCertVerificationError as error:
        hint = "Renew it; the proxy sends those between it and its authority, too."
        yield fail(f"its certificate is refused: {error.verify_message}.", hint)
        return
    except TimeoutError:
        hint = "Is the database away (see below)? Else ask the proxy from another machine."
        yield warn(f"it gives no answer within {SECONDS:.0f} s.", hint)
        return
    except (OSError, HTTPException) as error:
        hint = "Start the proxy; or this machine cannot reach it, then ask from another one."
        yield warn(f"it does not answer here ({type(error).__name__}).", hint)
        return
    yield from _judge_proxy(url.scheme, headers, body, response.status)
    if ends and (days := days_until(ends)) < CERTIFICATE_DAYS:
        yield warn(f"its certificate ends in {days} days.", "Renew it, and see why nothing did.")


def days_until(end: float) -> int:
    """Whole days from now until `end` (seconds since 1970)."""
    return int((end - time.time()) // DAY)


def _tls() -> ssl.SSLContext:
    tls = ssl.create_default_context()
    if settings.SSL_CERT_FILE:
        tls.load_verify_locations(settings.SSL_CERT_FILE)
    return tls


def _judge_proxy(scheme: str, headers: Any, body: bytes, status: int) -> Findings:
    try:
        answer = json.loads(body)
        untrusted = answer.get("untrustedProxy")
    except (ValueError, AttributeError):
        if status in (502, 503, 504):
            hint = "Start the servers, and see their journal and the log of the proxy."
            yield fail(f"the proxy reaches no server of the service (status {status}).", hint)
            return
        hint = "Its proxy must lead here: see deploy/nginx.conf and deploy/Caddyfile."
        yield fail(f"something else answers there (status {status}).", hint)
        return
    if untrusted:
        hint = f"Set TRUSTED_PROXIES={untrusted}. Until then cookies lack Secure."
        yield fail(f"the proxy connects from {untrusted}, which is not trusted.", hint)
    elif scheme == "https" and "Strict-Transport-Security" not in headers:
        hint = "It must set X-Forwarded-Proto and X-Forwarded-For, or cookies lack Secure."
        yield fail("the proxy does not pass on that it was asked over https.", hint)
    else:
        yield ok(f"answers through its proxy (status {status}).")


def end_of_certificate(connection: Any) -> float | None:
    """In seconds since 1970; None for a connection without TLS."""
    if not isinstance(connection, ssl.SSLSocket):
        return None
    return ssl.cert_time_to_seconds(str((connection.getpeercert() or {})["notAfter"]))


def check_mail() -> Findings:
    """Whether the mail server takes a connection and its password. Sends nothing."""
    if not settings.EMAIL_URL:
        return
    try:
        with get_connection(timeout=SECONDS):
            yield ok("the mail server answers.")
    except (OSError, SMTPException) as error:
        # Not the message, which may have the password.
        text = f"the mail server cannot be used ({type(error).__name__})."
        yield fail(text, "Check EMAIL_URL, and that this machine may reach it.")


def check_disk() -> Findings:
    """The free space where the service, its back-ups and PostgreSQL write, for each disk once."""
    disks: dict[int, list[Path]] = {}
    for folder in (Path(settings.DATA_DIR), BACKUPS, POSTGRESQL):
        if folder.exists():
            disks.setdefault(folder.stat().st_dev, []).append(folder)
    for folders in disks.values():
        usage = shutil.disk_usage(folders[0])
        yield judge_space(*folders, total=usage.total, free=usage.free)


def judge_space(*folders: Path, total: int, free: int) -> Finding:
    """The finding about a file system of `total` bytes."""
    names = ", ".join(str(folder) for folder in folders)
    text = f"{free / GIB:.1f} GiB of {total / GIB:.0f} are free for {names}."
    hint = "Make room: a full disk stops writes and back-ups."
    if free < total * 0.02:
        return fail(text, hint)
    return warn(text, hint) if free < total * 0.1 else ok(text)


def check_backups() -> Findings:
    """The age of the newest back-up that deploy/backup.sh made."""
    if settings.DEBUG:
        return
    if not BACKUPS.exists():
        hint = 'See "Backup" in docs/operations.md. Made elsewhere, they need an own check.'
        yield warn(f"there is no {BACKUPS} on this machine.", hint)
        return
    newest = max(_times_of_backups(), default=0.0)
    hours = (time.time() - newest) / 3600
    hint = "See `systemctl status wrapper-backup` and the log of that unit."
    if not newest:
        yield fail(f"there is no back-up in {BACKUPS}.", hint)
    elif hours > BACKUP_HOURS:
        yield fail(f"the newest is {hours:.0f} hours old.", hint)
    else:
        yield ok(f"the newest is {hours:.0f} hours old.")


def _times_of_backups() -> Iterator[float]:
    for pattern in ("wrapper-*.dump", "wrapper-*.sqlite3"):
        yield from (path.stat().st_mtime for path in BACKUPS.glob(pattern))


def judge_clock(theirs: float) -> Finding:
    """The finding about a clock that said `theirs` (seconds since 1970) just now."""
    if (off := abs(time.time() - theirs)) <= CLOCK_SECONDS:
        return ok("its clock has the same time.")
    hint = "Synchronise the clocks (chrony, systemd-timesyncd)."
    return fail(f"its clock is {off:.0f} s different.", hint)
