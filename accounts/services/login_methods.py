"""How the people of a school sign in: with a password here, or through the school's own page."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import orjson

import store
from accounts.database import release_database_connection
from accounts.errors import MethodNotOffered
from accounts.services.schools import known_school
from accounts.single_flight import single_flight
from store import StoreUnavailable
from upstream.calls.sign_in_page import PASSWORD, fetch_login_methods, has_page
from upstream.errors import UpstreamError
from upstream.records import PageKind, School
from upstream.shared_client import client

Kind = Literal["student", "guardian", "staff"]
KINDS: tuple[Kind, ...] = ("student", "guardian", "staff")
CACHED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class LoginMethods:
    """Whether people of one kind may have a password for this service, and whether they can sign in
    through the school's own page."""

    password: bool
    redirect: bool


def login_methods(school: str, kind: Kind) -> LoginMethods:
    """What the school says itself, else what the list of schools says. Nobody has seen how staff
    sign in at the page.

    Raises: SchoolUnknown, or upstream's errors without a list of schools.
    """
    row = known_school(school)
    if kind == "staff":
        return LoginMethods(password=row.password_login is not False, redirect=False)
    numbers = _asked(row.slug, kind) or frozenset(
        row.student_methods if kind == "student" else row.guardian_methods
    )
    if numbers:
        password = PASSWORD in numbers and row.password_login is not False
        return LoginMethods(password, has_page(numbers))
    return LoginMethods(password=True, redirect=client().dialect(school).wants_identity)


def require_page(school: str, kind: Kind) -> PageKind:
    """The kind, if its people can sign in through the school's own page.

    Raises: MethodNotOffered, and as `login_methods`.
    """
    if kind == "staff" or not login_methods(school, kind).redirect:
        raise MethodNotOffered
    return kind


def has_some_page(row: School) -> bool:
    """Whether pupils or guardians sign in through the school's own page; False where nobody can say
    it now."""
    try:
        kinds: tuple[Kind, ...] = ("student", "guardian")
        return any(login_methods(row.slug, kind).redirect for kind in kinds)
    except UpstreamError:
        return False


def _asked(school: str, kind: PageKind) -> frozenset[int]:
    """What the school says, for an hour; empty where it does not say, or cannot be asked now."""
    key = f"login-methods:{school}:{kind}"
    try:
        stored = store.get(key)
    except StoreUnavailable:
        stored = None
    if stored is not None:
        return frozenset(orjson.loads(stored))
    release_database_connection()
    try:
        return single_flight(key, lambda: _fetch(key, school, kind), wait=10.0)
    except UpstreamError:
        return frozenset()


def _fetch(key: str, school: str, kind: PageKind) -> frozenset[int]:
    numbers = fetch_login_methods(client(), school=school, kind=kind) or frozenset()
    with suppress(StoreUnavailable):
        store.put(key, orjson.dumps(sorted(numbers)), CACHED_SECONDS)
    return numbers
