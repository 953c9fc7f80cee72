"""The AsyncAPI document of the socket. `tests/social/test_socket_event_schema.py` compares it with
what the service sends."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from django.test import Client
from jsonschema import Draft7Validator

from social.realtime.close_codes import CloseCode
from social.realtime.events import Event
from social.realtime.frames import Frame, read_frame
from wrapper_project import docs
from wrapper_project.event_schema import kinds, name_of, references

PATH = "/api/schema/events"


@pytest.fixture(scope="module")
def events() -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(docs.document(docs.asyncapi, as_yaml=False))
    return read


def test_it_is_public_and_json_unless_yaml_is_requested(client: Client) -> None:
    plain = client.get(PATH)
    assert plain.status_code == 200
    assert plain.headers["Content-Type"] == "application/json"
    assert plain.headers["Cache-Control"] == "public, max-age=300"
    assert plain.headers["Vary"].startswith("Accept")
    assert plain.json()["asyncapi"] == "3.0.0"
    for name in ("application/yaml", "application/vnd.aai.asyncapi+yaml"):
        answer = client.get(PATH, headers={"accept": name})
        assert answer.headers["Content-Type"] == "application/yaml"
        assert yaml.safe_load(answer.text) == plain.json()
    assert client.post(PATH).status_code == 405


def test_every_event_and_frame_is_a_message_with_a_summary(events: dict[str, Any]) -> None:
    messages = events["components"]["messages"]
    classes = [*kinds(Event), *kinds(Frame)]
    assert len(kinds(Event)) > 15
    assert {name: each["name"] for name, each in messages.items()} == {
        name_of(kind): kind.type for kind in classes
    }
    assert events["channels"]["socket"]["messages"].keys() == messages.keys()
    for name, message in messages.items():
        assert len(message["summary"]) > 10, name
        assert "(" not in message["summary"], name  # what a dataclass without a docstring has


def test_the_operations_say_who_sends_which(events: dict[str, Any]) -> None:
    for operation, action, base in (
        ("sendEvent", "send", Event),
        ("receiveFrame", "receive", Frame),
    ):
        found = events["operations"][operation]
        assert found["action"] == action
        names = [each["$ref"].rpartition("/")[2] for each in found["messages"]]
        assert names == [name_of(kind) for kind in kinds(base)]


def test_its_objects_are_those_of_rest(events: dict[str, Any], document: dict[str, Any]) -> None:
    schemas, rest = events["components"]["schemas"], document["components"]["schemas"]
    assert references(events["components"]) <= schemas.keys()
    own = {name_of(kind) for kind in (*kinds(Event), *kinds(Frame))} | {"Event", "Frame"}
    assert not own & rest.keys()
    shared = schemas.keys() - own
    assert {"Message", "Conversation", "Friendship", "Invite", "Quote", "NoteCard"} <= shared
    for name in shared - {"ShareCard"}:
        assert schemas[name] == rest[name]
    assert schemas["ShareCard"]["oneOf"] == rest["ShareCard"]["oneOf"]
    assert schemas["MessageCreatedEvent"]["properties"]["message"] == {
        "$ref": "#/components/schemas/Message"
    }


def test_every_close_code_is_explained(events: dict[str, Any]) -> None:
    codes = events["channels"]["socket"]["x-close-codes"]
    assert {int(code) for code in codes} == set(CloseCode)
    assert "30 seconds" in codes["1012"]


@pytest.mark.parametrize(
    ("frame", "valid"),
    [
        ({"type": "ping"}, True),
        ({"type": "typing", "conversationId": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b"}, True),
        ({"type": "presence"}, True),
        ({"type": "presence", "status": "idle"}, True),
        ({"type": "typing"}, False),
        ({"type": "presence", "status": "away"}, False),
        ({"type": "shout"}, False),
    ],
)
def test_a_frame_is_described_as_it_is_read(
    frame: dict[str, Any], valid: bool, events: dict[str, Any]
) -> None:
    schema = {"$ref": "#/components/schemas/Frame", "components": events["components"]}
    assert Draft7Validator(schema).is_valid(frame) is valid
    if valid:
        assert read_frame(json.dumps(frame)).type == frame["type"]


@pytest.mark.node
def test_it_is_valid_asyncapi(events: dict[str, Any], tmp_path: Path) -> None:
    """By the schema of AsyncAPI 3.0.0, as its makers publish it."""
    shutil.copytree(Path(__file__).parent / "asyncapi", tmp_path, dirs_exist_ok=True)
    command = ["npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    schema = json.loads((tmp_path / "node_modules/@asyncapi/specs/schemas/3.0.0.json").read_text())
    validator = Draft7Validator(schema)
    assert [error.message for error in validator.iter_errors(events)] == []
    assert not validator.is_valid(events | {"operations": {"sendEvent": {"action": "shout"}}})
