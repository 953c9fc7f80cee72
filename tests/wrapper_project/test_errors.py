"""Every exception has its response, without the text of the exception."""

import re
from itertools import product
from typing import Any

import orjson
import pytest
from django.core import exceptions as django_errors
from django.db import OperationalError
from django.http import Http404
from django.test import Client
from pytest_django.fixtures import Settings
from redis.exceptions import ConnectionError as RedisAway
from rest_framework import exceptions as rest_errors

import limits
from accounts import errors as accounts
from accounts import strict_json
from store import StoreUnavailable
from tests.wrapper_project import odd_urls
from upstream import errors as upstream
from wrapper_project import error_table

SECRET = "tok-5f0a"

CASES: list[tuple[Exception, int, str]] = [
    (upstream.UpstreamUnreachable(SECRET), 503, "upstream_unreachable"),
    (upstream.UpstreamFailing(SECRET), 503, "upstream_failing"),
    (upstream.UpstreamThrottled(SECRET), 503, "upstream_throttled"),
    (upstream.CircuitOpen(SECRET), 503, "circuit_open"),
    (upstream.BulkheadFull(SECRET), 503, "bulkhead_full"),
    (upstream.UpstreamTimeout(SECRET), 504, "upstream_timeout"),
    (upstream.UpstreamInvalid(SECRET), 502, "upstream_invalid"),
    (upstream.UpstreamChanged(SECRET), 502, "upstream_changed"),
    (upstream.SessionDead(SECRET), 401, "not_signed_in"),
    (upstream.CredentialsRefused(SECRET), 401, "invalid_credentials"),
    (upstream.PasswordLoginDisabled(SECRET), 403, "password_login_disabled"),
    (upstream.NotForThisRole(SECRET), 403, "not_for_this_role"),
    (upstream.UpstreamNotFound(SECRET), 404, "not_found"),
    (accounts.NotSignedIn(SECRET), 401, "not_signed_in"),
    (accounts.SessionMismatch(SECRET), 401, "not_signed_in"),
    (accounts.NothingToRefresh(SECRET), 401, "nothing_to_refresh"),
    (accounts.AccountSuspended(), 403, "account_suspended"),
    (limits.TooManyRequests(17.2), 429, "too_many_requests"),
    (accounts.InvalidAttempt(SECRET), 400, "invalid_attempt"),
    (accounts.SchoolUnknown(SECRET), 404, "school_unknown"),
    (StoreUnavailable(SECRET), 503, "store_unavailable"),
    (strict_json.InvalidJson(SECRET), 400, "invalid_json"),
    (strict_json.NestedTooDeep(SECRET), 400, "nested_too_deep"),
    (rest_errors.AuthenticationFailed(SECRET), 401, "not_signed_in"),
    (rest_errors.PermissionDenied(SECRET), 403, "forbidden"),
    (rest_errors.NotFound(SECRET), 404, "not_found"),
    (rest_errors.Throttled(wait=9), 429, "too_many_requests"),
    (rest_errors.UnsupportedMediaType(SECRET), 400, "bad_request"),
    (Http404(SECRET), 404, "not_found"),
    (django_errors.PermissionDenied(SECRET), 403, "forbidden"),
    (django_errors.SuspiciousOperation(SECRET), 400, "bad_request"),
    (django_errors.RequestDataTooBig(SECRET), 413, "too_large"),
    (OperationalError(SECRET), 503, "database_unavailable"),
    (RedisAway(SECRET), 503, "store_unavailable"),
    (ZeroDivisionError(SECRET), 500, "internal_error"),
]


def is_error_body(body: dict[str, Any]) -> bool:
    sentence = body["error"]
    return (
        body["success"] is False
        and body["message"] == sentence
        and re.fullmatch(r"[a-z][a-z0-9_]*", body["code"]) is not None
        and sentence.endswith(".")
    )


@pytest.mark.parametrize(("exception", "status", "code"), CASES, ids=lambda v: type(v).__name__)
def test_every_exception_has_its_response_in_both_kinds_of_views(
    exception: Exception, status: int, code: str, odd: Client, settings: Settings
) -> None:
    odd_urls.to_raise.append(exception)
    for path, debug in product(("/api/raising", "/raising"), (False, True)):
        settings.DEBUG = debug
        answer = odd.get(path)
        assert (answer.status_code, answer.json()["code"]) == (status, code), (path, debug)
        assert is_error_body(answer.json())
        assert SECRET not in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        assert ("Retry-After" in answer.headers) == (status in {429, 503})
        assert answer.headers.get("WWW-Authenticate") == ("Bearer" if status == 401 else None)


def test_retry_after_comes_from_the_exception(odd: Client) -> None:
    odd_urls.to_raise.append(upstream.UpstreamThrottled(retry_after=42))
    assert odd.get("/api/raising").headers["Retry-After"] == "42"
    odd_urls.to_raise.append(limits.TooManyRequests(17.2))
    assert odd.get("/api/raising").headers["Retry-After"] == "17"


def test_it_names_the_invalid_fields(odd: Client) -> None:
    detail: Any = {"school": ["Unknown."], "items": [{}, {"title": ["Too long."]}]}
    odd_urls.to_raise.append(rest_errors.ValidationError(detail))
    body = odd.get("/api/raising").json()
    assert (body["code"], body["fields"]) == (
        "invalid_input",
        {"school": ["Unknown."], "items.title": ["Too long."]},
    )
    odd_urls.to_raise.append(accounts.InvalidInput({"week": ["Not a week."]}))
    assert odd.get("/api/raising").json()["fields"] == {"week": ["Not a week."]}
    odd_urls.to_raise.append(rest_errors.ValidationError("Not like this."))
    assert odd.get("/api/raising").json()["fields"] == {"body": ["Not like this."]}


def test_an_unexpected_exception_is_sent_to_the_signal(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.wrapper_project.odd_urls"
    odd_urls.to_raise.append(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        Client().get("/api/raising")
    odd_urls.to_raise.clear()


def test_every_named_error_of_the_apps_below_has_a_row() -> None:
    named = [
        kind
        for module in (upstream, accounts, limits)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Exception
    ]
    without = {kind.__name__ for kind in named if error_table.row_for(kind) is None}
    assert without <= {"AccountError"}  # the base class is never raised


def test_one_code_means_one_status() -> None:
    statuses: dict[str, set[int]] = {}
    for row in error_table.TABLE.values():
        statuses.setdefault(row.code, set()).add(row.status)
    assert {code: found for code, found in statuses.items() if len(found) > 1} == {}


@pytest.mark.parametrize("debug", [False, True])
def test_an_unknown_host_gets_json(debug: bool, settings: Settings) -> None:
    settings.DEBUG = debug
    answer = Client(headers={"host": "evil.example"}).get("/api/version")
    assert (answer.status_code, orjson.loads(answer.content)["code"]) == (400, "bad_request")
    assert "X-Request-ID" in answer.headers
