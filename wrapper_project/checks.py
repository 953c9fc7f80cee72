"""System checks that report dangerous or invalid settings.

`manage.py check` runs them, and a server process does not start if one of them is an error.
"""

import ipaddress
import re
import ssl
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004

from notifications.push.endpoints import invalid_hosts
from notifications.push.vapid import read_private_key
from upstream.dialects import DIALECTS
from upstream.endpoints import is_slug

TAG = "deployment_safety"
CONTACT = re.compile(r"[^\s@:/]+@[^\s@:/]+|https://\S+")
VAPID_SUBJECT = re.compile(r"mailto:[^\s@:/]+@[^\s@:/]+|https://\S+")
# A host as requests name it, without scheme, port or path. With a dot first it means all below it.
HOST = re.compile(r"\*|\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")
COOKIE_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")

Reasons = Iterator[str]


def _secrets() -> Reasons:
    keys = settings.FIELD_ENCRYPTION_KEYS
    if len(settings.SECRET_KEY) < 32:
        yield "SECRET_KEY is shorter than 32 characters."
    if not keys:
        yield "FIELD_ENCRYPTION_KEYS is empty."
    for number, key in enumerate(keys, start=1):
        try:
            Fernet(key)
        except ValueError:
            yield f"FIELD_ENCRYPTION_KEYS: key {number} is not 32 bytes in url-safe base64."
    if settings.SECRET_KEY in keys:
        yield "SECRET_KEY is also a key in FIELD_ENCRYPTION_KEYS; they must differ."


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_origin(text: str) -> bool:
    """Whether a text is a scheme, a host and optionally a port, and nothing else."""
    try:
        url = urlsplit(text)
        port_is_fine = url.port is None or url.port > 0
    except ValueError:
        return False
    plain = not (url.path or url.query or url.fragment or "@" in url.netloc or "?" in text)
    return url.scheme in {"http", "https"} and bool(url.hostname) and plain and port_is_fine


def _upstream_url() -> Reasons:
    try:
        url = urlsplit(settings.UPSTREAM_URL)
        host = url.hostname
        url.port  # noqa: B018  (raises if the port is not a number)
    except ValueError:
        yield "UPSTREAM_URL is not a URL."
        return
    if url.scheme not in {"http", "https"} or not host:
        yield "UPSTREAM_URL is not set, or is not an http(s) URL."
        return
    if not is_origin(settings.UPSTREAM_URL):
        yield "UPSTREAM_URL must be scheme and host only: no user, path, query or fragment."
    if settings.DEBUG or settings.ALLOW_INSECURE_UPSTREAM:
        return
    if url.scheme != "https":
        yield "UPSTREAM_URL is plain http. Use https, or set ALLOW_INSECURE_UPSTREAM=1 to allow it."
    if _is_loopback(host):
        yield "UPSTREAM_URL is this machine. Set ALLOW_INSECURE_UPSTREAM=1 to allow it."


def _schools() -> Reasons:
    for slug in settings.UPSTREAM_SCHOOLS:
        if not is_slug(slug):
            yield f"UPSTREAM_SCHOOLS: {slug!r} is not a slug."
    if settings.USER_SEARCH_SCOPE not in {"all", "school"}:
        yield "USER_SEARCH_SCOPE must be all or school."
    if settings.DEFAULT_SCHOOL and not is_slug(settings.DEFAULT_SCHOOL):
        yield f"DEFAULT_SCHOOL: {settings.DEFAULT_SCHOOL!r} is not a slug."
    for slug, dialect in settings.UPSTREAM_DIALECT.items():
        if slug and not is_slug(slug):
            yield f"UPSTREAM_DIALECT: {slug!r} is not a slug."
        if dialect not in DIALECTS:
            yield f"UPSTREAM_DIALECT: {dialect!r} is none of {', '.join(sorted(DIALECTS))}."


def _limits() -> Reasons:
    # Not at the top: REST framework imports our authentication while this app is loading.
    from accounts.registry import rate_limits

    if not (settings.RATE_LIMITS or settings.DEBUG or settings.ALLOW_UNLIMITED):
        yield "RATE_LIMITS is off. Turn it on, or set ALLOW_UNLIMITED=1 to allow it."
    for name, value in settings.LIMITS.items():
        if name not in rate_limits():
            yield f"LIMITS: {name or value!r} is none of {', '.join(sorted(rate_limits()))}."
        elif not re.fullmatch(r"[1-9][0-9]{0,8}/[1-9][0-9]{0,8}", value):
            yield f"LIMITS: {name} is not of the form count/seconds."


def _addresses(name: str) -> Reasons:
    for text in getattr(settings, name):
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            yield f"{name}: {text!r} is not an address or a network."


def _hosts() -> Reasons:
    for host in settings.ALLOWED_HOSTS:
        if not HOST.fullmatch(host):
            yield f"ALLOWED_HOSTS: {host!r} is not a host such as school.example."
    if "*" in settings.ALLOWED_HOSTS and not settings.DEBUG:
        yield "ALLOWED_HOSTS contains `*`. Name the hosts."


def _network() -> Reasons:
    yield from _hosts()
    yield from _addresses("TRUSTED_PROXIES")
    yield from _addresses("METRICS_ALLOWED")
    for origin in settings.CORS_ALLOWED_ORIGINS:
        if not is_origin(origin):
            yield f"CORS_ALLOWED_ORIGINS: {origin!r} is not an origin such as https://app.example."
    if settings.PUBLIC_URL and not is_origin(settings.PUBLIC_URL):
        yield "PUBLIC_URL must be scheme and host only, such as https://school.example."
    if settings.CONTACT and not CONTACT.fullmatch(settings.CONTACT):
        yield "CONTACT must be an e-mail address, or a page such as https://school.example/help."
    if not COOKIE_TOKEN.fullmatch(settings.COOKIE_PREFIX):
        yield "COOKIE_PREFIX is empty, or has a character that is not allowed in a cookie name."


def _numbers() -> Reasons:
    counts = ("WEB_WORKERS", "WEB_THREADS", "UPSTREAM_MAX_IN_FLIGHT", "UPSTREAM_PER_REQUEST")
    amounts = ("RETENTION_MONTHS", "EVIDENCE_DAYS", "AUDIT_MONTHS", "WATCH_MINUTES")
    for name in counts + amounts:
        if getattr(settings, name) < 1:
            yield f"{name} must be at least 1."
    for name in ("OUTAGE_GRACE_SECONDS", "SCHOOL_CACHE_SECONDS", "WATCH_REQUESTS_PER_MINUTE"):
        if getattr(settings, name) < 0:
            yield f"{name} must not be negative."
    if not 0 <= settings.SESSION_CHECK_SECONDS <= 30:
        yield "SESSION_CHECK_SECONDS must be from 0 to 30."


def _stores() -> Reasons:
    if not (settings.REDIS_URL or settings.DEBUG):
        yield "REDIS_URL is not set. Without it only DEBUG=1 can run, in one process."


def _logging() -> Reasons:
    if settings.LOGGING["level"] not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
        yield "LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL."
    if settings.LOGGING["format"] not in {"json", "text"}:
        yield "LOG_FORMAT must be json or text."


def _language() -> Reasons:
    known = dict(settings.LANGUAGES)
    if settings.DEFAULT_LANGUAGE not in known:
        yield f"DEFAULT_LANGUAGE must be {' or '.join(known)}."


def is_dsn(text: str) -> bool:
    """Whether a text is a Sentry DSN: `https://key@host/number`."""
    try:
        url = urlsplit(text)
        if url.port == 0:
            return False
    except ValueError:
        return False
    whole = url.scheme in {"http", "https"} and bool(url.username and url.hostname)
    return whole and url.path.rpartition("/")[2].isdigit()


def _sentry() -> Reasons:
    if settings.SENTRY_DSN and not is_dsn(settings.SENTRY_DSN):  # not shown: it contains a key
        yield "SENTRY_DSN must look like https://key@host/number."


def _pushes() -> Reasons:
    if settings.VAPID_PRIVATE_KEY:
        try:
            read_private_key(settings.VAPID_PRIVATE_KEY)
        except ValueError:  # not shown: it is a secret
            yield "VAPID_PRIVATE_KEY must be 32 bytes in base64url. `make_vapid_key` makes one."
        if not VAPID_SUBJECT.fullmatch(settings.VAPID_SUBJECT):
            yield "VAPID_SUBJECT must be mailto:somebody@example.org, or an https address."
    for entry in invalid_hosts(settings.PUSH_HOSTS):
        yield f"PUSH_HOSTS: {entry!r} must be a host, *.host or host:port, after a + to add it."


def _authorities() -> Reasons:
    if not settings.SSL_CERT_FILE:
        return
    try:
        ssl.create_default_context(cafile=settings.SSL_CERT_FILE)
    except (OSError, ssl.SSLError):
        yield "SSL_CERT_FILE must be a readable file of certificates in PEM."


def _web_app() -> Reasons:
    page = settings.WEB_APP_FILES / "index.html"
    if settings.WEB_APP and not page.is_file():
        yield f"{page} is missing. Run `make webapp` to build the web app, or set WEB_APP=off."


def _contributions() -> Reasons:
    # Not above: it imports models, which are not loaded yet while this app gets ready.
    from accounts import registry

    yield from registry.problems(registry.contributions())


# Check id -> function that yields one sentence for each problem.
ERRORS: dict[str, Callable[[], Reasons]] = {
    "wrapper.E001": _secrets,
    "wrapper.E002": _upstream_url,
    "wrapper.E003": _schools,
    "wrapper.E004": _limits,
    "wrapper.E005": _network,
    "wrapper.E006": _numbers,
    "wrapper.E007": _logging,
    "wrapper.E008": _contributions,
    "wrapper.E009": _sentry,
    "wrapper.E010": _language,
    "wrapper.E011": _pushes,
    "wrapper.E012": _authorities,
    "wrapper.E013": _web_app,
    "wrapper.E014": _stores,
}


@register(TAG)
def check_settings(**_kwargs: Any) -> list[CheckMessage]:
    """One error for each reason not to start."""
    return [Error(reason, id=id_) for id_, reasons in ERRORS.items() for reason in reasons()]


@register(TAG, deploy=True)
def check_one_proxy_layer(**_kwargs: Any) -> list[CheckMessage]:
    """Warn if no proxy is trusted: cookies would lack `Secure` behind one."""
    if settings.TRUSTED_PROXIES or settings.DEBUG:
        return []
    text = "TRUSTED_PROXIES is empty. Behind a proxy, every client would have its address."
    return [Warning(text, id="wrapper.W001")]
