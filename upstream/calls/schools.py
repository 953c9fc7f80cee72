"""The schools that upstream serves. Two public lists outside any slug, each useful alone."""

from typing import Any, Final
from urllib.parse import urlsplit

from upstream import responses
from upstream.calls.json_values import whole_number
from upstream.client import UpstreamClient
from upstream.endpoints import SCHOOL_LIST, SCHOOL_LOGIN_METHODS, is_slug
from upstream.errors import SessionDead, UpstreamError, UpstreamInvalid
from upstream.records import School
from upstream.transport import HEADERS, Request

MAX_NAME: Final = 200
# The login method that takes a user name and a password; the others are SAML, BankID and kin.
_PASSWORD: Final = "4"  # noqa: S105, a number of theirs


def fetch_schools(client: UpstreamClient) -> list[School]:
    """Every school, one per slug, in no order.

    One list has the names and numbers, the other the ways to sign in. When one of them fails,
    the other still counts; when both fail, the first failure is raised.

    Raises: UpstreamInvalid, UpstreamNotFound, UpstreamTimeout, UpstreamAway.
    """
    rows: dict[str, list[School]] = {}
    failures: list[UpstreamError] = []
    for path, address in ((SCHOOL_LIST, "evaUrl"), (SCHOOL_LOGIN_METHODS, "url")):
        try:
            found = _rows(client, path)
        except UpstreamError as error:
            failures.append(error)
            continue
        for school in filter(None, (_read(row, address) for row in found)):
            rows.setdefault(school.slug, []).append(school)
    if len(failures) == 2:
        raise failures[0]
    if not rows:
        # Every school would seem to be unknown, and the good list would be forgotten.
        raise UpstreamInvalid("a school list without a school")
    return [_combine(same_slug) for same_slug in rows.values()]


def _rows(client: UpstreamClient, path: str) -> list[dict[str, Any]]:
    url = client.url(None, path)
    response = client.send(Request("GET", url, dict(HEADERS)), school=None)
    try:
        found = responses.read_data(response, url)
    except SessionDead:
        found = None
    if not isinstance(found, list):
        # An empty body is not an empty list here: every school would seem to be unknown.
        raise UpstreamInvalid("a school list that is no list")
    return [row for row in found if isinstance(row, dict)]


def _read(row: dict[str, Any], address: str) -> School | None:
    """A row as a school; None when it has no slug that we could use, or no name."""
    slug, name = _slug(row.get(address)), row.get("name")
    if slug is None or not isinstance(name, str):
        return None
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        return None
    return School(
        slug=slug,
        name=name,
        org_id=whole_number(row.get("orgId")),
        password_login=_password_login(row.get("studentLoginMethods")),
    )


def _slug(address: Any) -> str | None:
    """The first path segment. The host is not looked at: no answer may choose where we send."""
    if not isinstance(address, str):
        return None
    try:
        segment = urlsplit(address.strip()).path.strip("/").partition("/")[0]
    except ValueError:
        return None
    return segment if is_slug(segment) else None


def _password_login(methods: Any) -> bool | None:
    """Whether pupils may sign in with a password; None where the list does not say."""
    if not isinstance(methods, str):
        return None
    known = {method.strip() for method in methods.split(",")} - {""}
    return _PASSWORD in known if known else None


def _combine(rows: list[School]) -> School:
    """The rows of one slug as one school.

    A slug is often a municipality with many schools, and the slug is what people sign in with.
    The number counts only when the rows agree on it. A password works when it works at one of
    them: upstream knows who may sign in.
    """
    numbers = {row.org_id for row in rows} - {None}
    ways = {row.password_login for row in rows}
    return School(
        slug=rows[0].slug,
        name=_common_name({row.name for row in rows}),
        org_id=numbers.pop() if len(numbers) == 1 else None,
        password_login=True if True in ways else False if False in ways else None,
    )


def _common_name(names: set[str]) -> str:
    """What all names begin with, up to a " - " ("Björkdals kommun - Björkdalsskolan").

    Where they have no such beginning in common: the shortest, of equals the first.
    """
    heads = {name.partition(" - ")[0] for name in names}
    if len(names) > 1 and len(heads) == 1:
        return heads.pop()
    return min(names, key=lambda name: (len(name), name))
