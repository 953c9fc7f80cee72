"""People of a benchmark, logged in at a site, and their conversations."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import urllib3

from benchmarks.driver import Request
from benchmarks.fake_upstream import SCHOOL, mark_of, username
from benchmarks.processes import CouldNotRun
from benchmarks.site import Site

_numbers = itertools.count()


@dataclass(frozen=True)
class User:
    """A person that is logged in; `cookie` is the header that the site gave them."""

    name: str
    cookie: str

    def get(self, path: str) -> Request:
        """A request whose answer has this person's mark."""
        return Request(path, cookie=self.cookie, expect=mark_of(self.name))

    def session(self) -> Request:
        """A request that validates their session, where that was some time ago."""
        return Request("/api/session", cookie=self.cookie, expect=self.name)


def login_request() -> Request:
    """The login of somebody whom the site has not seen before."""
    name = username(next(_numbers))
    body = json.dumps({"username": name, "password": "correct horse", "school": SCHOOL})
    return Request("/api/login", method="POST", body=body, expect=name)


def log_in(site: Site, count: int) -> list[User]:
    """So many new people. Raises: CouldNotRun."""
    return [_log_in(site, login_request()) for _ in range(count)]


def _log_in(site: Site, request: Request) -> User:
    answer = _send(site, request.method, request.path, body=json.loads(request.body))
    given = answer.headers.getlist("Set-Cookie")
    return User(request.expect, "; ".join(line.partition(";")[0] for line in given))


def _send(
    site: Site, method: str, path: str, *, body: Any = None, cookie: str = ""
) -> urllib3.BaseHTTPResponse:
    url = f"http://127.0.0.1:{site.web[0].port}{path}"
    headers = {"Cookie": cookie} if cookie else {}
    answer = urllib3.request(method, url, json=body, headers=headers, retries=False)
    if answer.status not in (200, 201):
        raise CouldNotRun(f"{method} {path}: {answer.status} {answer.data[:300]!r}")
    return answer


def ask(site: Site, user: User, method: str, path: str, body: Any = None) -> Any:
    """The JSON of the answer to this person. Raises: CouldNotRun."""
    return _send(site, method, path, body=body, cookie=user.cookie).json()


def direct_messages(site: Site, users: Sequence[User]) -> list[tuple[User, str]]:
    """A conversation of each two of these people: its first member, and its id."""
    made = []
    for one, other in zip(users[::2], users[1::2], strict=True):
        body = {"targetUsername": other.name}
        answer = ask(site, one, "POST", "/api/conversations", body)
        made.append((one, answer["conversation"]["id"]))
    return made


def group(site: Site, users: Sequence[User]) -> list[tuple[User, str]]:
    """One group of all these people: each member, and the id of the group."""
    admin, *others = users
    body = {"type": "group", "groupName": "Alla", "members": [user.name for user in others]}
    made = ask(site, admin, "POST", "/api/conversations", body)
    for user in others:
        (invite,) = ask(site, user, "GET", "/api/group-invites")["invites"]
        accepted = {"inviteId": invite["id"], "accept": True}
        ask(site, user, "PATCH", "/api/group-invites", accepted)
    return [(user, made["conversation"]["id"]) for user in users]


def send_request(user: User, conversation: str, client_id: str) -> Request:
    """The request that sends a message."""
    body = json.dumps({"content": f"Meddelande {client_id}", "clientId": client_id})
    path = f"/api/conversations/{conversation}/messages"
    return Request(path, method="POST", cookie=user.cookie, body=body, expect=client_id)
