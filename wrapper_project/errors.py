"""Turns every exception into an error response.

`error_table.py` has the status of each exception; a class without a row is a 500. The body is
always `{"success": false, "error", "message", "code"}`, with `fields` for validation errors. The
text of an exception is never sent to the client; an error class can have a `sentence` of its own.
"""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from accounts.callers import Caller
from accounts.errors import InvalidInput, NotSignedIn
from accounts.services.identity import was_erased
from social.errors import DeclinedRecently, DmRefused
from wrapper_project.error_table import BAD_REQUEST, FORBIDDEN, NOT_FOUND, UNEXPECTED, Row, row_for

logger = logging.getLogger(__name__)

_NOT_AN_OBJECT = _("Give an object.")
# In place of sentences of REST framework's that have names or values of Python, by their codes.
_SENTENCES = {
    "not_a_list": _("Give a list."),
    "not_a_dict": _NOT_AN_OBJECT,
    "invalid_choice": _("This is not one of the choices."),
}


def respond(
    row: Row,
    *,
    fields: Mapping[str, list[str]] | None = None,
    retry_after: int | None = None,
    sentence: str | None = None,
    details: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The error response for one row of the table, with the headers that its status needs.

    `sentence` replaces the one of the row, `details` are added to the body.
    """
    seconds = retry_after or row.retry_after
    body = row.body(seconds)
    if sentence is not None:
        body |= {"error": sentence, "message": sentence}
    body |= dict(details or {})
    if fields:
        body["fields"] = fields
    response = HttpResponse(orjson.dumps(body), content_type="application/json", status=row.status)
    response.headers["Cache-Control"] = "no-store"
    if row.status == 401:
        # Not Basic: browsers would show their own password dialog.
        response.headers["WWW-Authenticate"] = "Bearer"
    if seconds is not None:
        response.headers["Retry-After"] = str(seconds)
    # Our access log has it; Django would log it again, with the path.
    response._has_been_logged = True  # type: ignore[attr-defined]
    response.error_code = row.code  # type: ignore[attr-defined]
    response.error_sentence = body["error"]  # type: ignore[attr-defined]
    return response


def response_for(exception: BaseException) -> HttpResponse | None:
    """The response for an exception that has a row in the table, else None."""
    row = row_for(type(exception))
    if row is None:
        return None
    if row.status >= 500:
        logger.warning("answered %s", row.code, exc_info=exception)
    response = respond(
        row,
        fields=fields_of(exception),
        retry_after=_retry_after(exception),
        sentence=getattr(exception, "sentence", None),
        details=getattr(exception, "details", None),
    )
    response.error_class = type(exception).__name__  # type: ignore[attr-defined]
    return response


def response_for_unexpected(request: HttpRequest, exception: BaseException) -> HttpResponse:
    """A 500 for an unexpected exception, which is logged and sent to Django's signal."""
    got_request_exception.send(sender=WSGIHandler, request=request)
    logger.error("unexpected error", exc_info=exception)
    response = respond(UNEXPECTED)
    response.error_class = type(exception).__name__  # type: ignore[attr-defined]
    return response


def handle(exception: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """REST framework's exception handler. None passes the exception on to the middleware.

    Somebody may be erased while their request runs, and the rows that it needs are gone then.
    """
    caller = getattr(context["request"]._request, "user", None)
    response = response_for(exception)
    if response is None and isinstance(caller, Caller) and was_erased(caller):
        return response_for(NotSignedIn())
    return response


def _retry_after(exception: BaseException) -> int | None:
    wait = getattr(exception, "retry_after", None) or getattr(exception, "wait", None)
    return max(1, round(wait)) if isinstance(wait, int | float) else None


def fields_of(exception: BaseException) -> dict[str, list[str]]:
    """Field -> error sentences of a validation error; nested names are joined with dots.

    Of a refusal that is about some of the people in a request: field -> their usernames.
    """
    if isinstance(exception, InvalidInput | DmRefused | DeclinedRecently):
        return {
            name: [str(message) for message in messages]
            for name, messages in exception.fields.items()
        }
    if not isinstance(exception, ValidationError):
        return {}
    # Each sentence once, also where it is about several items of a list.
    fields: dict[str, dict[str, None]] = {}
    for name, sentence in _sentences(exception.detail, ""):
        fields.setdefault(name or "body", {})[sentence] = None
    return {name: list(sentences) for name, sentences in fields.items()}


def _sentences(detail: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            if key != "non_field_errors":
                yield from _sentences(value, f"{name}.{key}".lstrip("."))
            elif [getattr(error, "code", "") for error in value] == ["invalid"]:
                yield name, str(_NOT_AN_OBJECT)
            else:
                yield from _sentences(value, name)
    elif isinstance(detail, list | tuple):
        for value in detail:
            yield from _sentences(value, name)
    else:
        yield name, str(_SENTENCES.get(getattr(detail, "code", ""), detail))


def handler400(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's 400, for example for an unknown `Host`."""
    return respond(row_for(type(exception)) or BAD_REQUEST)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    del request, exception
    return respond(FORBIDDEN)


def handler404(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's 404, and the last route, which matches everything."""
    del request, exception
    return respond(NOT_FOUND)


def handler500(_request: HttpRequest) -> HttpResponse:
    """Django's 500, for errors outside every view. Django has logged them."""
    return respond(UNEXPECTED)
