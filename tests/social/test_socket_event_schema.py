"""Every event that a socket sends is as the AsyncAPI document says."""

import json
from functools import cache
from typing import Any

import orjson
from jsonschema import Draft7Validator
from websockets.sync.client import ClientConnection

from tests.social.cast import Cast, Person
from tests.social.conftest import Sockets
from tests.social.friend_requests import FRIENDS, answer, ask
from tests.social.socket_frames import receive
from wrapper_project import docs


@cache
def components() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(docs.document(docs.asyncapi, as_yaml=False))["components"]
    return found


@cache
def schema_names() -> dict[str, str]:
    """Type of an event -> the name of its schema."""
    references = [each["$ref"] for each in components()["schemas"]["Event"]["oneOf"]]
    names = [reference.rpartition("/")[2] for reference in references]
    schemas = components()["schemas"]
    return {schemas[name]["properties"]["type"]["const"]: name for name in names}


def assert_matches(value: Any, name: str) -> None:
    """It is as the schema says, and has no other fields."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": components()}
    assert [error.message for error in Draft7Validator(schema).iter_errors(value)] == []
    described = components()["schemas"][name].get("properties")
    assert described is None or value.keys() == described.keys(), name


def assert_described(event: dict[str, Any]) -> None:
    name = schema_names()[event["type"]]
    assert_matches(event, name)
    for field, schema in components()["schemas"][name]["properties"].items():
        if "$ref" in schema:
            assert_matches(event[field], schema["$ref"].rpartition("/")[2])


class Listener:
    """One socket of a person. Each event is compared with the schema of its type."""

    def __init__(self, connection: ClientConnection, received: set[str]) -> None:
        self.connection = connection
        self.received = received

    def hear(self, wanted: str) -> dict[str, Any]:
        """The next event of this type."""
        while True:
            event = receive(self.connection, notifications=True)
            assert_described(event)
            self.received.add(event["type"])
            if event["type"] == wanted:
                return event

    def send(self, **frame: str) -> None:
        assert_matches(frame, "Frame")
        self.connection.send(json.dumps(frame))


def test_every_event_is_as_the_document_says(sockets: Sockets, cast: Cast) -> None:
    received: set[str] = set()

    def listen(person: Person) -> Listener:
        listener = Listener(sockets.open(person), received)
        listener.hear("ready")
        return listener

    elsa, bo, alva = listen(cast.elsa), listen(cast.bo), listen(cast.alva)
    make_friends(cast, elsa, bo)
    talk(cast, elsa, bo)
    share_a_group(cast, elsa, bo, alva)
    cast.elsa.put("/api/profile", {"displayName": "Elsa N"})
    bo.hear("profile.updated")
    bo.send(type="presence", status="online")
    elsa.hear("presence.changed")
    bo.send(type="ping")
    bo.hear("pong")
    bo.connection.send("[]")
    bo.hear("error")
    cast.elsa.delete(FRIENDS, {"targetUsername": "bo.ek"})
    bo.hear("friend.removed")
    cast.bo.post("/api/logout")
    bo.hear("session.ended")
    assert received == schema_names().keys()


def make_friends(cast: Cast, elsa: Listener, bo: Listener) -> None:
    ask(cast.elsa, "bo.ek")
    bo.hear("friend.requested")
    answer(cast.bo, "elsa.nordvall")
    elsa.hear("friend.accepted")


def talk(cast: Cast, elsa: Listener, bo: Listener) -> None:
    """With a quote, a card and a reaction."""
    dm = cast.elsa.dm(cast.bo)
    path = f"/api/conversations/{dm['id']}"
    first = cast.elsa.send(dm, "Hej!")
    bo.hear("conversation.created")
    bo.hear("message.created")
    note = cast.bo.post("/api/notes", {"title": "Bergarter", "content": "Granit"}).json()["note"]
    card = {"type": "note", "noteId": note["id"]}
    body = {"content": "Se", "shareCard": card, "replyTo": {"messageId": first["id"]}}
    assert cast.bo.post(f"{path}/messages", body).status_code == 201
    message = elsa.hear("message.created")["message"]
    while message["senderUsername"] != "bo.ek":
        message = elsa.hear("message.created")["message"]
    assert message["shareCard"]["type"] == "note"
    assert message["replyTo"]["messageId"] == first["id"]
    cast.bo.patch(f"{path}/{first['id']}", {"action": "react", "emoji": "👍"})
    assert elsa.hear("message.updated")["message"]["reactions"] == {"👍": ["bo.ek"]}
    cast.elsa.delete(f"{path}/{first['id']}")
    bo.hear("message.deleted")
    cast.bo.do(dm, "mark_read")
    bo.hear("notification.read")
    elsa.hear("conversation.read")
    bo.send(type="typing", conversationId=dm["id"])
    elsa.hear("typing")


def share_a_group(cast: Cast, elsa: Listener, bo: Listener, alva: Listener) -> None:
    group = cast.elsa.group(cast.bo)
    cast.elsa.do(group, "rename", groupName="Falkarna")
    bo.hear("conversation.updated")
    invite = cast.elsa.invite(group, cast.alva).json()["invite"]
    alva.hear("invite.created")
    cast.alva.answer(invite, accept=False)
    elsa.hear("invite.resolved")
    cast.elsa.do(group, "remove_member", targetUsername="bo.ek")
    bo.hear("conversation.removed")
