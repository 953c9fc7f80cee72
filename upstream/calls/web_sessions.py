"""The cookies of a token: one request in the specified dialect, the "bridge" in the observed one.

The bridge has an address for each role. It always answers with a redirect, which is never followed:
only the cookies say whether it worked. Nothing here is ever retried.
"""

import contextlib
from typing import Final

from upstream.calls.children import read_child
from upstream.calls.json_values import read_rows, whole_number
from upstream.calls.session import fetch_session_with_header
from upstream.calls.tokens import is_token
from upstream.client import UpstreamClient
from upstream.dialects import Dialect
from upstream.endpoints import PARENT
from upstream.errors import (
    NotForThisRole,
    SessionDead,
    UpstreamChanged,
    UpstreamInvalid,
    UpstreamNotFound,
    WrongKind,
)
from upstream.records import ChosenChild, Guardian, PageKind, Role, UpstreamSession, WebSession
from upstream.responses import read_data
from upstream.set_cookie import read_web_session
from upstream.transport import HEADERS, Request, UpstreamResponse

_ROLES: Final[tuple[Role, ...]] = ("student", "guardian", "teacher")
# Of the organisations of a school, so many are asked for a pupil.
MAX_ORGANIZATIONS: Final = 3


def translate_token(
    client: UpstreamClient,
    *,
    school: str,
    access_token: str,
    user_id: int | None = None,
    org_ids: tuple[int, ...] = (),
    dialect: Dialect | None = None,
) -> WebSession:
    """The web session of a token. Any status below 400 is accepted if it sets the cookies.

    `org_ids` are the organisations that a pupil may be at, the likeliest first. `dialect` is that
    of the login, if it is not the school's.

    Raises: SessionDead (the token has ended), WrongKind, UpstreamNotFound, UpstreamInvalid (an
    illegal cookie value), UpstreamTimeout, UpstreamUnavailable.
    """
    if not is_token(access_token):
        raise SessionDead("not a valid token")
    dialect = dialect or client.dialect(school)
    bridge = _Bridge(client, school, access_token, dialect)
    if dialect.kind is not None:
        web = _of_kind(bridge, dialect.kind, user_id, org_ids)
    else:
        web = _of_unknown_role(bridge, user_id) if dialect.wants_identity else bridge.open()
    if web is None:
        wrong = SessionDead if dialect.kind is None else WrongKind
        raise wrong("no cookies for this token")
    return web


def open_child_session(
    client: UpstreamClient,
    *,
    school: str,
    access_token: str,
    user_id: int,
    child: ChosenChild,
    dialect: Dialect | None = None,
) -> WebSession:
    """A new web session of a guardian, made for this child where the dialect can say so. Whether it
    shows the child is in the header. `dialect` is that of the login, if it is not the school's.

    Raises: SessionDead (the token has ended), UpstreamInvalid, UpstreamTimeout,
    UpstreamUnavailable.
    """
    if not is_token(access_token):
        raise SessionDead("not a valid token")
    bridge = _Bridge(client, school, access_token, dialect or client.dialect(school))
    try:
        web = bridge.open("guardian", user_id, child.org_id, child.id)
    except UpstreamNotFound:
        raise UpstreamChanged("the endpoint that gives cookies for a token") from None
    if web is None:
        raise SessionDead("no cookies for this token")
    return web


def fetch_guardian(client: UpstreamClient, *, school: str, access_token: str) -> Guardian:
    """Who a guardian's token belongs to, and the children.

    Raises: SessionDead, NotForThisRole (the token is not a guardian's), UpstreamChanged,
    UpstreamTimeout, UpstreamUnavailable.
    """
    url = client.url(school, PARENT)
    request = Request("GET", url, {**HEADERS, "Authorization": f"Bearer {access_token}"})
    try:
        data = read_data(client.send(request, school=school, untrusted=True), url)
    except UpstreamNotFound:
        raise NotForThisRole("no guardian") from None
    user_id = whole_number(data.get("userId")) if isinstance(data, dict) else None
    if user_id is None:
        raise UpstreamChanged("a guardian")
    children = map(read_child, read_rows(data.get("children") or ""))
    return Guardian(user_id, tuple(child for child in children if child is not None))


class _Bridge:
    """Asks for the cookies of one token."""

    def __init__(
        self, client: UpstreamClient, school: str, access_token: str, dialect: Dialect
    ) -> None:
        self.client, self.school, self.dialect = client, school, dialect
        self.access_token = access_token

    def __repr__(self) -> str:
        return f"<bridge of {self.school}>"

    def open(
        self,
        role: Role | None = None,
        user_id: int | None = None,
        org_id: int | None = None,
        child_id: int | None = None,
    ) -> WebSession | None:
        """The cookies; None where upstream refuses the token, or what is said of its owner."""
        request = self.dialect.translation(
            self.client.config.base_url,
            self.school,
            access_token=self.access_token,
            user_id=user_id,
            org_id=org_id,
            role=role,
            child_id=child_id,
        )
        return _read_cookies(self.client.send(request, school=self.school, untrusted=True))

    def ask_who(self) -> UpstreamSession | None:
        """Whose token it is, where the session endpoint takes tokens."""
        value = f"Bearer {self.access_token}"
        with contextlib.suppress(SessionDead, UpstreamInvalid, UpstreamNotFound):
            return fetch_session_with_header(
                self.client, school=self.school, header="Authorization", value=value
            )
        return None


def _of_kind(
    bridge: _Bridge, kind: PageKind, user_id: int | None, org_ids: tuple[int, ...]
) -> WebSession | None:
    if kind == "guardian":
        with contextlib.suppress(NotForThisRole):
            return _of_guardian(bridge)
        return None
    for org_id in org_ids[:MAX_ORGANIZATIONS] or (None,):
        web = bridge.open("student", user_id, org_id)
        if web is not None:
            return web
    return None


def _of_guardian(bridge: _Bridge) -> WebSession | None:
    """The bridge wants a child. Which one does not matter: each child gets sessions of its own."""
    guardian = fetch_guardian(bridge.client, school=bridge.school, access_token=bridge.access_token)
    for child in guardian.children:
        if child.schools:
            return bridge.open("guardian", guardian.user_id, child.schools[0].org_id, child.id)
    return bridge.open("guardian", guardian.user_id)


def _of_unknown_role(bridge: _Bridge, user_id: int | None) -> WebSession | None:
    """The bridge of whoever the session endpoint names; else each of them, one after the other."""
    who = bridge.ask_who()
    org_id = None
    if who is not None:
        user_id, org_id = who.user_id, who.organization_id
    for role in _ROLES if who is None else (who.role,):
        web = None
        if role == "guardian":
            with contextlib.suppress(NotForThisRole, SessionDead, UpstreamInvalid):
                web = _of_guardian(bridge)
        web = web or bridge.open(role, user_id, org_id)
        if web is not None:
            return web
    return None


def _read_cookies(response: UpstreamResponse) -> WebSession | None:
    if response.status == 404:
        raise UpstreamNotFound("no endpoint that gives cookies for a token")
    if response.status >= 400:
        return None
    return read_web_session(response.headers.getlist("Set-Cookie"))
