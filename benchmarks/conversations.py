"""Conversations of a benchmark, created through the REST API."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.background_load import request
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_upstream.answers import username
from benchmarks.users import User


def ask(port: int, user: User, method: str, path: str, body: Any = None) -> Any:
    """Send a request as this user; the JSON of the answer. Raises: CouldNotRun."""
    status, answer = request(port, method, path, body, headers={"Cookie": user.cookie})
    if status not in (200, 201):
        raise CouldNotRun(f"{method} {path}: {status} {answer}")
    return answer


def dm(port: int, one: User, other: User) -> str:
    """Create a conversation of two; its id."""
    made = ask(port, one, "POST", "/api/conversations", {"targetUsername": username(other.number)})
    identifier: str = made["conversation"]["id"]
    return identifier


def dms(port: int, users: Sequence[User]) -> list[tuple[User, str]]:
    """Create a conversation of each two of these users; its first member, and its id."""
    pairs = zip(users[::2], users[1::2], strict=True)
    return [(one, dm(port, one, other)) for one, other in pairs]


def group(port: int, users: Sequence[User]) -> str:
    """Create a group of these users, the first as its admin; its id."""
    admin, *others = users
    names = [username(user.number) for user in others]
    body = {"type": "group", "groupName": "Alla", "members": names}
    made = ask(port, admin, "POST", "/api/conversations", body)
    for user in others:
        (invite,) = ask(port, user, "GET", "/api/group-invites")["invites"]
        accepted = {"inviteId": invite["id"], "accept": True}
        ask(port, user, "PATCH", "/api/group-invites", accepted)
    identifier: str = made["conversation"]["id"]
    return identifier


def send(user: User, conversation: str, client_id: str) -> Request:
    """The request that sends a message whose content is its client id."""
    body = json.dumps({"content": f"Meddelande {client_id}", "clientId": client_id})
    path = f"/api/conversations/{conversation}/messages"
    return Request(path, method="POST", cookie=user.cookie, body=body, expect=client_id)
