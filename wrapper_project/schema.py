"""The schema class for the OpenAPI document, which adds the errors to each operation.

A view lists in `raises` (a tuple of exception classes) what its own work can raise, and in
`post_raises` what only that method can. Errors that follow from a session, a body, parameters or
an unsafe method are added here. Both use the rows of `error_table.py`, so the document has the same
codes and sentences as the service.

All errors are one answer, the `default` of every operation, so that a generated client has one type
for them, and has it once; a new code does not break it. `x-error-codes` has the statuses of an
operation and their codes.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import BadRequest
from django.db import OperationalError
from drf_spectacular.openapi import AutoSchema as SpectacularSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import exceptions as rest_errors

from accounts import errors as accounts
from accounts import strict_json
from limits import TooManyRequests
from store import StoreUnavailable
from upstream import errors as upstream
from wrapper_project import (
    error_table,
    parsers,
    schema_extensions,  # noqa: F401  (defines them)
)

DESCRIPTIONS = {
    400: "The request is malformed, or a field is missing or invalid.",
    401: "There is no session, or it has ended.",
    403: "The caller is known but not allowed to do this.",
    404: "It does not exist, or the caller may not see it.",
    405: "The route does not support this method; `Allow` lists the methods it supports.",
    409: "It conflicts with the current state.",
    413: "The body is too large.",
    429: "Too many requests; `Retry-After` says when to try again.",
    500: "An unexpected error in the service.",
    502: "The school's system sent an invalid response.",
    503: "The school's system or a store is unavailable; `Retry-After` says when to try again.",
    504: "The school's system was too slow.",
}
ROWS = (error_table.UNEXPECTED, *error_table.TABLE.values())
CODES = sorted({row.code for row in ROWS})
ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "The body of every error response.",
    "required": ["success", "error", "message", "code"],
    "properties": {
        "success": {"type": "boolean", "const": False},
        "error": {"type": "string", "description": "A sentence to show to a person."},
        "message": {"type": "string", "description": "The same sentence."},
        "code": {
            "type": "string",
            "pattern": "^[a-z][a-z0-9_]*$",
            "description": "A stable code for programs. There will be more than these.",
            "examples": CODES,
        },
        "fields": {
            "type": "object",
            "description": "Field -> what is wrong with it.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "until": {
            "type": ["integer", "null"],
            "description": "`account_suspended`: the end, in Unix milliseconds; null without end.",
        },
        "reason": {"type": "string", "description": "`account_suspended`: why."},
        "contact": {"type": "string", "description": "`account_suspended`: whom to write to."},
        "redirect": {"type": "boolean", "description": "`password_login_disabled`: has a page."},
    },
}
REQUEST_ID_HEADER = {
    "description": "Identifies the request in the log.",
    "schema": {"type": "string"},
}
RETRY_AFTER_HEADER = {
    "description": "429 and 503: seconds to wait before the next try.",
    "schema": {"type": "integer", "minimum": 1},
}

BY_SESSION: tuple[type[Exception], ...] = (
    accounts.NotSignedIn,
    accounts.AccountSuspended,
    TooManyRequests,
    StoreUnavailable,
    upstream.UpstreamUnavailable,
    upstream.UpstreamTimeout,
    upstream.UpstreamInvalid,
)
BY_BODY = (strict_json.InvalidJson, rest_errors.ValidationError, parsers.BodyTooLarge)
UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}


def rows_of(kinds: tuple[type[BaseException], ...]) -> Iterator[error_table.Row]:
    """The table rows of these exception classes and of all their listed subclasses."""
    for kind in kinds:
        below = [row for listed, row in error_table.TABLE.items() if issubclass(listed, kind)]
        nearest = error_table.row_for(kind)
        yield from below or ([nearest] if nearest else [])


class AutoSchema(SpectacularSchema):
    def _get_response_bodies(self, direction: Any = "response") -> Any:
        answers: dict[str, Any] = super()._get_response_bodies(direction)
        return answers | {"default": self._error_answer()}

    def get_description(self) -> str:  # type: ignore[override]  # drf-spectacular's takes none
        """Empty: the docstring of a view is for those who read the code. Where the summary does not
        say enough, `extend_schema(description=...)` does."""
        return ""

    def get_extensions(self) -> dict[str, Any]:
        """The codes of this operation, by status."""
        codes = {str(status): sorted(rows) for status, rows in sorted(self._errors().items())}
        return {"x-error-codes": codes}

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        # A constant, so that types tell an answer from an error.
        if direction == "response" and "success" in schema.get("properties", {}):
            schema["properties"]["success"] = {"type": "boolean", "const": True}
        if getattr(serializer, "more_fields", False):
            schema["additionalProperties"] = True
        return schema

    def _get_request_body(self, direction: Any = "request") -> Any:
        if self.method != "DELETE" or not self._has_body():
            return super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        # drf-spectacular ignores the body of DELETE; a few of our operations have one.
        self.method = "POST"
        try:
            body = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        finally:
            self.method = "DELETE"
        # The body is optional if the query can contain the same.
        if any(parameter["in"] == "query" for parameter in self._get_parameters()):
            body.pop("required", None)
        return body

    def _get_request_for_media_type(self, serializer: Any, direction: Any = "request") -> Any:
        if self.method != "PATCH":
            schema, required = super()._get_request_for_media_type(  # type: ignore[no-untyped-call]
                serializer, direction
            )
            return schema, required or needs_body(serializer)
        # drf-spectacular takes all fields of a PATCH for optional; ours say which are.
        component = self.resolve_serializer(serializer, direction)
        required = bool(component.schema.keys() & {"required", "oneOf"})
        return component.ref, required or needs_body(serializer)

    def _errors(self) -> dict[int, dict[str, error_table.Row]]:
        """Status -> code -> row, for every error of this operation."""
        kinds: list[type[BaseException]] = [
            BadRequest,
            rest_errors.MethodNotAllowed,
            OperationalError,
            *getattr(self.view, "raises", ()),
            *getattr(self.view, f"{self.method.lower()}_raises", ()),
        ]
        if self.view.authentication_classes:
            kinds += BY_SESSION
        if self.method in UNSAFE:
            kinds.append(accounts.CrossOrigin)
        if self._has_body():
            kinds += BY_BODY
        if any(parameter["in"] == "query" for parameter in self._get_parameters()):
            kinds.append(rest_errors.ValidationError)
        if "{" in self.path:
            kinds.append(rest_errors.NotFound)
        rows: dict[int, dict[str, error_table.Row]] = defaultdict(dict)
        for row in [error_table.UNEXPECTED, *rows_of(tuple(kinds))]:
            rows[row.status].setdefault(row.code, row)
        return rows

    def _has_body(self) -> bool:
        return self.method in UNSAFE and bool(self.get_request_serializer())

    def _error_answer(self) -> dict[str, Any]:
        error = self._reference(ResolvedComponent.SCHEMA, "Error", ERROR_SCHEMA)
        examples = {row.code: {"value": example_of(row)} for row in ROWS}
        answer = {
            "description": "`x-error-codes` of the operation lists the statuses and codes.",
            "headers": {"X-Request-ID": REQUEST_ID_HEADER, "Retry-After": RETRY_AFTER_HEADER},
            "content": {
                "application/json": {"schema": error, "examples": dict(sorted(examples.items()))}
            },
        }
        reference: dict[str, Any] = self._reference(ResolvedComponent.RESPONSE, "Error", answer)
        return reference

    def _reference(self, kind: Any, name: str, schema: dict[str, Any]) -> Any:
        component = ResolvedComponent(name=name, type=kind, object=name, schema=schema)
        self.registry.register_on_missing(component)
        return component.ref


def example_of(row: error_table.Row) -> dict[str, Any]:
    """The response body for one row."""
    body = row.body()
    if row is error_table.INVALID_INPUT:
        body["fields"] = {"school": ["This field is required."]}
    return body


def describe_statuses(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The document, whose introduction says what the statuses of errors mean. A hook of
    drf-spectacular, which gives the name `result` to the document."""
    lines = [f"- {status}: {sentence}" for status, sentence in DESCRIPTIONS.items()]
    result["info"]["description"] += "\n\n" + "\n".join(["Errors:", "", *lines])
    return result


def needs_body(serializer: Any) -> bool:
    """Whether an empty body is refused although no field is required: one of several is, which the
    serializer says with `needs_body`, or there are several forms."""
    if isinstance(serializer, dict):
        return "oneOf" in serializer
    is_union = isinstance(serializer, PolymorphicProxySerializer)
    return is_union or getattr(serializer, "needs_body", False)
