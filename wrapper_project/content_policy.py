"""The `Content-Security-Policy` header of every kind of answer, and nowhere else."""

from functools import wraps
from typing import TYPE_CHECKING, Any
from wsgiref.headers import Headers

if TYPE_CHECKING:  # the settings import this module
    from django.http.response import HttpResponseBase


def _policy(*sources: str, form_action: str = "'none'") -> str:
    allowed = ["default-src 'none'", *sources, "base-uri 'none'", f"form-action {form_action}"]
    return "; ".join([*allowed, "frame-ancestors 'none'"])


# The middleware sets this on every answer that has no policy yet.
DEFAULT = _policy()
PAGE = _policy("style-src 'self'")
PAGE_WITH_FORM = _policy("style-src 'self'", form_action="'self'")
DOCS = _policy(
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    # Swagger UI sets style attributes while it draws.
    "style-src 'self' 'unsafe-inline'",
)
STAFF = _policy(
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    form_action="'self'",
)
WEB_APP = "; ".join(
    [
        _policy(
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob: data:",
            "font-src 'self'",
            "connect-src 'self'",  # also the socket: `wss:` of the same host
            "manifest-src 'self'",
            "worker-src 'self'",
            form_action="'self'",
        ),
        "require-trusted-types-for 'script'",
        "trusted-types web-app",
    ]
)
# A service worker has the policy of its own file. It fetches, and names the icons of pushes.
SERVICE_WORKER = _policy("script-src 'self'", "img-src 'self'", "connect-src 'self'")


# Of a file that somebody at the school has uploaded.
SCHOOL_FILE = "sandbox; default-src 'none'; frame-ancestors 'none'"
# Browsers show no PDF in a sandbox. Its type is fixed, and only the web app may frame it.
SHOWN_PDF = (
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"
)


def set_of_file(headers: Headers, path: str, url: str) -> None:
    """Set the policy and the caching of a file of the web app. WhiteNoise calls this for each file
    that it serves; one that is not named here is cached for a minute, with the policy DEFAULT."""
    del path
    if url.startswith("/app/assets/"):  # their names have a hash
        headers["Cache-Control"] = "public, max-age=31536000, immutable"
    elif url == "/app/service-worker.js":
        headers["Cache-Control"] = "no-cache"
        headers["Content-Security-Policy"] = SERVICE_WORKER
    elif url == "/app/index.html":
        headers["Cache-Control"] = "no-cache"
        headers["Content-Security-Policy"] = WEB_APP


def page(view: Any, policy: str = PAGE) -> Any:
    """The view of a page: its answers may use our style sheets, and no scripts."""

    @wraps(view)
    def with_policy(*args: Any, **kwargs: Any) -> "HttpResponseBase":
        response: HttpResponseBase = view(*args, **kwargs)
        response.headers["Content-Security-Policy"] = policy
        return response

    return with_policy


def school_file(view: Any) -> Any:
    """The view of a file that somebody at the school has uploaded, or of an error."""

    @wraps(view)
    def with_policy(*args: Any, **kwargs: Any) -> "HttpResponseBase":
        response: HttpResponseBase = view(*args, **kwargs)
        if response.streaming:
            shown = response.headers["Content-Disposition"].startswith("inline")
            pdf = response.headers["Content-Type"] == "application/pdf"
            policy = SHOWN_PDF if shown and pdf else SCHOOL_FILE
            response.headers["Content-Security-Policy"] = policy
        return response

    return with_policy
