"""A guardian's children, and web sessions made for one of them.

A guardian's web session shows one child, and every address answers 200 for whichever child that is.
Choosing another one answers 200 without a body, also when it had no effect: only the header says
what happened. `schoolproxy.proven_sessions` decides what is proven by it.
"""

from typing import Any

from upstream.calls.json_values import read_rows, short_text, whole_number
from upstream.client import UpstreamClient
from upstream.endpoints import PARENT_HEADER, with_query
from upstream.errors import SessionDead, UpstreamChanged, UpstreamNotFound
from upstream.records import Child, ChildSchool, ChosenChild, ParentHeader, WebSession
from upstream.set_cookie import cookie_header
from upstream.transport import HEADERS, Request


def fetch_parent_header(client: UpstreamClient, *, school: str, web: WebSession) -> ParentHeader:
    """The guardian's children, and which of them this web session shows.

    A dead session may answer 200 with something else than the header, so anything else is compared
    with the session endpoint.

    Raises: SessionDead, NotForThisRole, UpstreamChanged, UpstreamTimeout, UpstreamUnavailable.
    """
    try:
        answer = client.fetch_own_json(school, PARENT_HEADER, web=web)
    except UpstreamNotFound:
        raise UpstreamChanged("the header of a guardian") from None
    if not isinstance(answer, dict) or not {"children", "currentChildId"} & answer.keys():
        client.check_session(school, web)
        raise UpstreamChanged("the header of a guardian")
    rows = read_rows(answer.get("children") or "")
    children = [child for child in map(read_child, rows) if child is not None]
    return ParentHeader(
        tuple({child.id: child for child in children}.values()),
        whole_number(answer.get("currentChildId")),
        whole_number(answer.get("currentOrgId")),
    )


def switch_child(
    client: UpstreamClient, *, school: str, web: WebSession, child: ChosenChild
) -> None:
    """Ask upstream to show this child in this web session. Whether it does is in the header.

    Raises: SessionDead, UpstreamChanged, UpstreamTimeout, UpstreamUnavailable.
    """
    query = {"childId": child.id}
    if child.org_id is not None:
        query["orgId"] = child.org_id
    url = with_query(client.url(school, PARENT_HEADER), **query)
    headers = {**HEADERS, "Cookie": cookie_header(web), "Content-Length": "0"}
    response = client.send(Request("PUT", url, headers), school=school)
    if response.status in (401, 403) or 300 <= response.status < 400:
        raise SessionDead(f"answered {response.status}")
    if response.status >= 400:
        raise UpstreamChanged("the choice of a child")


def read_child(row: dict[str, Any]) -> Child | None:
    """A child from a row of the header, or of a guardian's own data. None without a number."""
    number = whole_number(row.get("id") or row.get("studentId"))
    if not number:
        return None
    schools = [school for school in map(_school, read_rows(row.get("schools") or "")) if school]
    first, last = short_text(row.get("firstName")), short_text(row.get("lastName"))
    return Child(number, first, last, tuple(schools))


def _school(row: dict[str, Any]) -> ChildSchool | None:
    number = whole_number(row.get("orgId"))
    if not number:
        return None
    return ChildSchool(
        number, short_text(row.get("name")), short_text(row.get("className")) or None
    )
