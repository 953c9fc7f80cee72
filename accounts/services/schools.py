"""Which schools there are: the operator's list, or upstream's own."""

import time
from contextlib import suppress
from dataclasses import astuple

import orjson
from django.conf import settings

from accounts.database import release_database_connection
from accounts.errors import SchoolUnknown, StoreUnavailable
from accounts.single_flight import single_flight
from accounts.stores import store
from upstream.calls.schools import fetch_schools
from upstream.endpoints import is_slug
from upstream.errors import UpstreamError, UpstreamTimeout
from upstream.records import School
from upstream.shared_client import client

FRESH_SECONDS = 3600
KEPT_SECONDS = 7 * 24 * 3600
# How long this process uses its own copy, also an old one, before it looks again.
LOCAL_SECONDS = 60
_KEY = "schools"
_SWEDISH = str.maketrans({"å": "{a", "ä": "{b", "ö": "{c", "é": "e", "ü": "y"})

# (looked at, (fetched at, schools)) of this process; a list has thousands of rows.
_local: dict[str, tuple[float, tuple[float, dict[str, School]]]] = {}


def known_school(slug: str) -> School:
    """The school with this slug. Raises `SchoolUnknown`, or upstream's errors without a list."""
    if not is_slug(slug):
        raise SchoolUnknown
    if settings.UPSTREAM_SCHOOLS and slug not in settings.UPSTREAM_SCHOOLS:
        raise SchoolUnknown
    try:
        schools, _ = _schools()
    except UpstreamError:
        if settings.UPSTREAM_SCHOOLS:
            return School(slug, slug)
        raise
    school = schools.get(slug)
    if school is not None:
        return school
    if settings.UPSTREAM_SCHOOLS:
        return School(slug, slug)
    raise SchoolUnknown


def list_schools() -> tuple[list[School], bool]:
    """All schools by Swedish collation, and whether the list is stale.

    Raises upstream's errors when there is no list at all.
    """
    schools, fetched_at = _schools()
    allowed = settings.UPSTREAM_SCHOOLS
    rows = [row for row in schools.values() if not allowed or row.slug in allowed]
    rows.sort(key=lambda row: (row.name.casefold().translate(_SWEDISH), row.slug))
    return rows, time.time() - fetched_at > FRESH_SECONDS


def _schools() -> tuple[dict[str, School], float]:
    """While one caller reads the list again, the others go on with the one at hand."""
    now = time.time()
    looked_at, (fetched_at, schools) = _local.get(_key(), (0.0, (0.0, {})))
    if now - looked_at > LOCAL_SECONDS:
        if schools:
            _local[_key()] = (now, (fetched_at, schools))
        release_database_connection()
        try:
            fetched_at, schools = single_flight(_key(), _look, wait=20.0)
        except (TimeoutError, UpstreamError) as error:
            if schools:
                return schools, fetched_at
            raise error if isinstance(error, UpstreamError) else UpstreamTimeout() from None
        _local[_key()] = (now, (fetched_at, schools))
    return schools, fetched_at


def _look() -> tuple[float, dict[str, School]]:
    kept = _kept()
    now = time.time()
    if kept is not None and now - kept[0] <= FRESH_SECONDS:
        return kept
    try:
        schools = {row.slug: row for row in fetch_schools(client())}
    except UpstreamError:
        if kept is None:
            raise
        return kept
    with suppress(StoreUnavailable):
        rows = [astuple(row) for row in schools.values()]
        store().set(_key(), orjson.dumps([now, rows]), KEPT_SECONDS)
    return now, schools


def _kept() -> tuple[float, dict[str, School]] | None:
    with suppress(StoreUnavailable):
        kept = store().get(_key())
        if kept is not None:
            fetched_at, rows = orjson.loads(kept)
            return fetched_at, {row[0]: School(*row) for row in rows}
    return None


def _key() -> str:
    """Another upstream has another list."""
    return f"{_KEY}:{settings.UPSTREAM_URL}"


def clear_local_copy() -> None:
    """Look into the store at the next call (tests, and after a change of settings)."""
    _local.clear()
