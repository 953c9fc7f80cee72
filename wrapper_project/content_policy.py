"""The `Content-Security-Policy` header of every kind of answer, and nowhere else.

Plain constants: django-csp spends 40 microseconds on each request to build the same text.
"""

from functools import wraps
from typing import Any

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


def page(view: Any, policy: str = PAGE) -> Any:
    """The view of a page: its answers may use our style sheets, and no scripts."""

    @wraps(view)
    def with_policy(*args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = view(*args, **kwargs)
        response.headers["Content-Security-Policy"] = policy
        return response

    return with_policy
