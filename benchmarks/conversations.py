"""Conversations of a benchmark, made by REST as anyone makes them."""

import http.client
import json
from collections.abc import Sequence
from typing import Any

from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_answers import username
from benchmarks.people import Person


def ask(port: int, person: Person, method: str, path: str, body: Any = None) -> Any:
    """One request of a person's; its answer. Raises: CouldNotRun."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, body=text, headers={"Cookie": person.cookie})
        response = connection.getresponse()
        said = response.read()
    finally:
        connection.close()
    if response.status not in (200, 201):
        raise CouldNotRun(f"{method} {path}: {response.status} {said[:300].decode()}")
    return json.loads(said)


def dm(port: int, one: Person, other: Person) -> str:
    """The conversation of two; its id."""
    made = ask(port, one, "POST", "/api/conversations", {"targetUsername": username(other.number)})
    identifier: str = made["conversation"]["id"]
    return identifier


def group(port: int, people: Sequence[Person]) -> str:
    """A group of all of them, the first its admin; its id."""
    admin, *others = people
    names = [username(person.number) for person in others]
    body = {"type": "group", "groupName": "Alla", "members": names}
    made = ask(port, admin, "POST", "/api/conversations", body)
    for person in others:
        (invite,) = ask(port, person, "GET", "/api/group-invites")["invites"]
        accepted = {"inviteId": invite["id"], "accept": True}
        ask(port, person, "PATCH", "/api/group-invites", accepted)
    identifier: str = made["conversation"]["id"]
    return identifier


def send(person: Person, conversation: str, client_id: str) -> Request:
    """The request for a message that names itself."""
    body = json.dumps({"content": f"Meddelande {client_id}", "clientId": client_id})
    path = f"/api/conversations/{conversation}/messages"
    return Request(path, method="POST", cookie=person.cookie, body=body, expect=client_id)
