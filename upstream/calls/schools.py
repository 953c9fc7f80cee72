"""The schools that upstream serves, from two public lists."""

import re
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from upstream import responses
from upstream.calls.json_values import whole_number
from upstream.calls.sign_in_page import PASSWORD
from upstream.client import UpstreamClient
from upstream.endpoints import SCHOOL_LIST, SCHOOL_LOGIN_METHODS, is_slug
from upstream.errors import SessionDead, UpstreamError, UpstreamInvalid
from upstream.records import School
from upstream.transport import HEADERS, Request

MAX_NAME: Final = 200


def fetch_schools(client: UpstreamClient) -> list[School]:
    """Every school, one per slug, in no particular order.

    One list has names and numbers, the other login methods. If one of them fails, the other is
    used alone; if both fail, the first failure is raised.

    Raises: UpstreamInvalid, UpstreamNotFound, UpstreamTimeout, UpstreamUnavailable.
    """
    rows: dict[str, list[School]] = {}
    failures: list[UpstreamError] = []
    for path, address in ((SCHOOL_LIST, "evaUrl"), (SCHOOL_LOGIN_METHODS, "url")):
        try:
            school_rows = _rows(client, path)
        except UpstreamError as error:
            failures.append(error)
            continue
        for school in filter(None, (_read(row, address) for row in school_rows)):
            rows.setdefault(school.slug, []).append(school)
    if len(failures) == 2:
        raise failures[0]
    if not rows:
        # An empty list would replace the good one, and every school would be unknown.
        raise UpstreamInvalid("a school list without a school")
    return [_combine(same_slug) for same_slug in rows.values()]


def _rows(client: UpstreamClient, path: str) -> list[dict[str, Any]]:
    url = client.url(None, path)
    response = client.send(Request("GET", url, dict(HEADERS)), school=None)
    with suppress(SessionDead):
        data = responses.read_data(response, url)
        if isinstance(data, list):
            return [row for row in data if isinstance(row, dict)]
    # Here an empty body is not an empty list: every school would be unknown.
    raise UpstreamInvalid("a school list that is not a list")


def _read(row: dict[str, Any], address: str) -> School | None:
    slug, name = _slug(row.get(address)), row.get("name")
    if slug is None or not isinstance(name, str):
        return None
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        return None
    number = whole_number(row.get("orgId"))
    return School(
        slug=slug,
        name=name,
        org_ids=() if number is None else (number,),
        password_login=_password_login(row.get("studentLoginMethods")),
        student_methods=_methods(row.get("studentLoginMethods")),
        guardian_methods=_methods(row.get("parentLoginMethods")),
    )


def _slug(address: Any) -> str | None:
    """The first path segment. The host is ignored: no response may choose where we send."""
    if not isinstance(address, str):
        return None
    try:
        segment = urlsplit(address.strip()).path.strip("/").partition("/")[0]
    except ValueError:
        return None
    return segment if is_slug(segment) else None


def _password_login(methods: Any) -> bool | None:
    if not isinstance(methods, str):
        return None
    known = {method.strip() for method in methods.split(",")} - {""}
    return str(PASSWORD) in known if known else None


def _methods(methods: Any) -> tuple[int, ...]:
    """The numbers of a comma-separated text."""
    if not isinstance(methods, str):
        return ()
    numbers = {method.strip() for method in methods.split(",")}
    return tuple(sorted(int(number) for number in numbers if re.fullmatch("[0-9]{1,4}", number)))


def _combine(rows: list[School]) -> School:
    """One school for the rows of one slug, which often stands for a whole municipality.

    It has the numbers of all rows. Password login is allowed if one row allows it.
    """
    numbers = {number for row in rows for number in row.org_ids}
    student = {number for row in rows for number in row.student_methods}
    guardian = {number for row in rows for number in row.guardian_methods}
    ways = {row.password_login for row in rows}
    return School(
        slug=rows[0].slug,
        name=_common_name({row.name for row in rows}),
        org_ids=tuple(sorted(numbers)),
        password_login=True if True in ways else False if False in ways else None,
        student_methods=tuple(sorted(student)),
        guardian_methods=tuple(sorted(guardian)),
    )


def _common_name(names: set[str]) -> str:
    """The part before " - " that all names share ("Björkdals kommun - Björkdalsskolan")."""
    heads = {name.partition(" - ")[0] for name in names}
    if len(names) > 1 and len(heads) == 1:
        return heads.pop()
    return min(names, key=lambda name: (len(name), name))
