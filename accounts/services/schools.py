"""Which schools there are: the operator's list, or upstream's own."""

import time
from contextlib import suppress
from dataclasses import astuple

import orjson
from django.conf import settings

import store
from accounts.database import release_database_connection
from accounts.errors import SchoolUnknown
from accounts.single_flight import single_flight
from store import StoreUnavailable
from upstream.calls.schools import fetch_schools
from upstream.endpoints import is_slug
from upstream.errors import UpstreamError
from upstream.records import School
from upstream.shared_client import client

FRESH_SECONDS = 3600
CACHED_SECONDS = 7 * 24 * 3600
# How long this process uses its own copy, even an old one, before it reads the store again.
LOCAL_SECONDS = 60
_SWEDISH = str.maketrans({"å": "{a", "ä": "{b", "ö": "{c", "é": "e", "ü": "y"})

# (read at, (fetched at, schools)) by upstream, for this process: decoding thousands of rows takes
# too long for each request.
_local: dict[str, tuple[float, tuple[float, dict[str, School]]]] = {}


def known_school(slug: str) -> School:
    """The school with this slug. Raises `SchoolUnknown`, or upstream's errors without a list."""
    allowed = settings.UPSTREAM_SCHOOLS
    if not is_slug(slug) or (allowed and slug not in allowed):
        raise SchoolUnknown
    try:
        schools, _ = _schools()
    except UpstreamError:
        if not allowed:
            raise
        schools = {}
    if slug not in schools and not allowed:
        raise SchoolUnknown
    return schools.get(slug) or School(slug, slug)


def organizations_of(slug: str, *, last: int | None = None) -> tuple[int, ...]:
    """Upstream's numbers of the organisations of a slug, a person's `last` one first. No others
    where the list names none, or cannot be read."""
    try:
        schools, _ = _schools()
    except UpstreamError:
        schools = {}
    known = schools[slug].org_ids if slug in schools else ()
    return known if last is None else (last, *(org_id for org_id in known if org_id != last))


def list_schools() -> tuple[list[School], bool]:
    """All schools in Swedish alphabetical order, and whether the list is stale.

    Raises upstream's errors if there is no list.
    """
    schools, fetched_at = _schools()
    allowed = settings.UPSTREAM_SCHOOLS
    rows = [row for row in schools.values() if not allowed or row.slug in allowed]
    rows.sort(key=lambda row: (row.name.casefold().translate(_SWEDISH), row.slug))
    return rows, time.time() - fetched_at > FRESH_SECONDS


def _schools() -> tuple[dict[str, School], float]:
    """The list and when it was fetched. While one caller reads it again, others get the old one."""
    now = time.time()
    read_at, (fetched_at, schools) = _local.get(_key(), (0.0, (0.0, {})))
    if now - read_at > LOCAL_SECONDS:
        if schools:
            _local[_key()] = (now, (fetched_at, schools))
        release_database_connection()
        try:
            fetched_at, schools = single_flight(_key(), _load, wait=20.0)
        except UpstreamError:
            if schools:
                return schools, fetched_at
            raise
        _local[_key()] = (now, (fetched_at, schools))
    return schools, fetched_at


def _load() -> tuple[float, dict[str, School]]:
    cached = None
    with suppress(StoreUnavailable):
        if (stored := store.get(_key())) is not None:
            fetched_at, rows = orjson.loads(stored)
            cached = (
                fetched_at,
                {row[0]: _school(*row) for row in rows},
            )
    now = time.time()
    if cached is not None and now - cached[0] <= FRESH_SECONDS:
        return cached
    try:
        schools = {row.slug: row for row in fetch_schools(client())}
    except UpstreamError:
        if cached is None:
            raise
        return cached
    with suppress(StoreUnavailable):
        rows = [astuple(row) for row in schools.values()]
        store.put(_key(), orjson.dumps([now, rows]), CACHED_SECONDS)
    return now, schools


def _school(
    slug: str,
    name: str,
    org_ids: list[int],
    password_login: bool | None,
    student_methods: list[int],
    guardian_methods: list[int],
) -> School:
    """A school from its row in the store."""
    methods = tuple(student_methods), tuple(guardian_methods)
    return School(slug, name, tuple(org_ids), password_login, *methods)


def _key() -> str:
    """The store's key of the list, which depends on the upstream system and the form of a row."""
    return f"schools:3:{settings.UPSTREAM_URL}"
