"""System checks that report dangerous or invalid settings.

`manage.py check` runs them, and a server process does not start if one of them is an error. What a
variable alone may be is checked where the settings read it (`environment.py`).
"""

import ipaddress
import re
import ssl
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error, register

from accounts.return_addresses import is_possible_redirect
from notifications.push.endpoints import invalid_hosts
from notifications.push.vapid import read_private_key
from upstream.dialects import DIALECTS

TAG = "deployment_safety"
# They are shown to people as links, so no other scheme.
CONTACT = re.compile(r"[^\s@:/]+@[^\s@:/]+|https://\S+")
VAPID_SUBJECT = re.compile(r"mailto:[^\s@:/]+@[^\s@:/]+|https://\S+")
COOKIE_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")

Reasons = Iterator[str]


def _secrets() -> Reasons:
    if len(settings.SECRET_KEY) < 32:
        yield "SECRET_KEY is shorter than 32 characters."
    if settings.SECRET_KEY in settings.FIELD_ENCRYPTION_KEYS:
        yield "SECRET_KEY is also a key in FIELD_ENCRYPTION_KEYS; they must differ."
    if settings.VAPID_PRIVATE_KEY:
        try:
            read_private_key(settings.VAPID_PRIVATE_KEY)
        except ValueError:  # not shown: it is a secret
            yield "VAPID_PRIVATE_KEY must be 32 bytes in base64url. `make_vapid_key` makes one."
        if not VAPID_SUBJECT.fullmatch(settings.VAPID_SUBJECT):
            yield "VAPID_SUBJECT must be mailto:somebody@example.org, or an https address."


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


def _upstream() -> Reasons:
    for dialect in set(settings.UPSTREAM_DIALECT.values()) - DIALECTS.keys():
        yield f"UPSTREAM_DIALECT: {dialect!r} is none of {', '.join(sorted(DIALECTS))}."
    if not is_origin(settings.UPSTREAM_URL):
        yield "UPSTREAM_URL must be http(s) and a host only: no user, path, query or fragment."
    elif not (settings.DEBUG or settings.ALLOW_INSECURE_UPSTREAM):
        url = urlsplit(settings.UPSTREAM_URL)
        allow = "Set ALLOW_INSECURE_UPSTREAM=1 to allow it."
        if url.scheme != "https":
            yield f"UPSTREAM_URL is plain http. Use https. {allow}"
        if _is_loopback(url.hostname or ""):
            yield f"UPSTREAM_URL is this machine. {allow}"


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


def _addresses() -> Reasons:
    if "*" in settings.ALLOWED_HOSTS and not settings.DEBUG:
        yield "ALLOWED_HOSTS contains `*`. Name the hosts."
    for origin in settings.CORS_ALLOWED_ORIGINS:
        if not is_origin(origin):
            yield f"CORS_ALLOWED_ORIGINS: {origin!r} is not an origin such as https://app.example."
    if settings.PUBLIC_URL and not is_origin(settings.PUBLIC_URL):
        yield "PUBLIC_URL must be scheme and host only, such as https://school.example."
    if settings.CONTACT and not CONTACT.fullmatch(settings.CONTACT):
        yield "CONTACT must be an e-mail address, or a page such as https://school.example/help."
    if not COOKIE_TOKEN.fullmatch(settings.COOKIE_PREFIX):
        yield "COOKIE_PREFIX is empty, or has a character that is not allowed in a cookie name."
    for entry in invalid_hosts(settings.PUSH_HOSTS):
        yield f"PUSH_HOSTS: {entry!r} must be a host, *.host or host:port, after a + to add it."


def _sign_in_addresses() -> Reasons:
    callback = settings.LOGIN_CALLBACK_URL
    if callback and not (is_possible_redirect(callback) and "?" not in callback):
        yield "LOGIN_CALLBACK_URL must be https://school.example/api/v2/callback, without a query."
    for address in settings.LOGIN_REDIRECTS:
        if not is_possible_redirect(address):
            yield (
                f"LOGIN_REDIRECTS: {address!r} must be https, http://127.0.0.1/path or a scheme of "
                "an app's own, without a fragment."
            )


def _what_it_needs() -> Reasons:
    if not (settings.REDIS_URL or settings.DEBUG):
        yield "REDIS_URL is not set. Without it only DEBUG=1 can run, in one process."
    page = settings.WEB_APP_FILES / "index.html"
    if settings.WEB_APP and not page.is_file():
        yield f"{page} is missing. Run `make webapp` to build the web app, or set WEB_APP=off."
    if settings.SSL_CERT_FILE:
        try:
            ssl.create_default_context(cafile=settings.SSL_CERT_FILE)
        except (OSError, ssl.SSLError):
            yield "SSL_CERT_FILE must be a readable file of certificates in PEM."
    if settings.SENTRY_DSN and not is_dsn(settings.SENTRY_DSN):  # not shown: it contains a key
        yield "SENTRY_DSN must look like https://key@host/number."


def is_dsn(text: str) -> bool:
    """Whether Sentry's SDK accepts this address."""
    from sentry_sdk.utils import BadDsn, Dsn  # not above: it costs memory

    try:
        Dsn(text)
    except (BadDsn, ValueError):
        return False
    return True


def _contributions() -> Reasons:
    # Not above: it imports models, which are not loaded yet while this app gets ready.
    from accounts import registry

    yield from registry.problems(registry.contributions())


# Check id -> function that yields one sentence for each problem.
ERRORS = {
    "wrapper.E001": _secrets,
    "wrapper.E002": _upstream,
    "wrapper.E003": _limits,
    "wrapper.E004": _addresses,
    "wrapper.E005": _what_it_needs,
    "wrapper.E006": _contributions,
    "wrapper.E007": _sign_in_addresses,
}


@register(TAG)
def check_settings(**_kwargs: Any) -> list[Error]:
    """One error for each reason not to start."""
    return [Error(reason, id=id_) for id_, reasons in ERRORS.items() for reason in reasons()]
