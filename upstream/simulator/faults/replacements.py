"""Responses that are sent instead of calling the handler, so that nothing happens upstream."""

from collections.abc import Callable

from upstream.simulator.http_exchange import Request, Response, as_html, as_json, redirect
from upstream.simulator.login import LOGIN_FORM

Replacement = Callable[..., Response]
"""Called with the request and the fault's options by name."""

_REASONS = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found"}


def _always(response: Response) -> Replacement:
    return lambda _request: response


def _status(status: int) -> Replacement:
    if status >= 500:
        return _always(as_html(f"<html><body><h1>HTTP Status {status}</h1></body></html>", status))
    return _always(as_json({"error": _REASONS[status]}, status))


def _throttled(_request: Request, *, retry_after: object = 7) -> Response:
    """429. `retry_after` is the header's value; None leaves the header out."""
    response = as_json({"error": "Too Many Requests"}, 429)
    if retry_after is None:
        return response
    return response.with_headers(("Retry-After", str(retry_after)))


def _redirect_to(pattern: str, status: int = 302) -> Replacement:
    """A redirect. In the pattern, `{base}` is the simulator's address and `{school}` the slug."""
    return lambda request: redirect(
        pattern.format(base=request.base_url, school=request.school), status
    )


def _verbatim(
    _request: Request,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    body: str | bytes = "",
) -> Response:
    content = body if isinstance(body, bytes) else body.encode()
    return Response(status, content, tuple((headers or {}).items()))


_WITHOUT_USER = as_json({"app": False, "language": {"langId": 1, "langCode": "sv"}, "user": None})

REPLACEMENTS: dict[str, Replacement] = {
    **{str(code): _status(code) for code in (400, 401, 403, 404, 500, 502, 503, 504)},
    "429": _throttled,
    "200-html": _always(as_html(LOGIN_FORM)),
    "200-no-user": _always(_WITHOUT_USER),
    "204": _always(Response(204)),
    "empty": _always(Response()),
    "not-json": _always(as_json({}).with_body(b"{not json")),
    "302-login": _redirect_to("{base}/{school}/jsp/Login.jsp"),
    "302-login-relative": _redirect_to("Login.jsp"),
    "302-blocked": _redirect_to("right_student_app_blocked.jsp"),
    "303-error": _redirect_to("/{school}/react/#/login/student?error=other", 303),
    "redirect-elsewhere": _redirect_to("http://elsewhere.example/{school}/"),
    "answer": _verbatim,
}
