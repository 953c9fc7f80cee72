"""The data of the demo, as one of its people sees it."""

import base64
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import ServiceSession
from social.models import Report
from tests.conftest import Caller
from tests.staff.conftest import sign_in
from upstream.simulator.server import Simulator
from wrapper_project.demo import staff as demo_staff
from wrapper_project.demo.story import group_key, shared_note_url

LISTS = ("conversations", "friends", "notes", "countdowns", "group-invites", "layout")


@pytest.fixture
def output(simulator: Simulator, db: None, settings: Settings, capsys: Any) -> str:
    """The output of the command."""
    settings.DEBUG = True
    call_command("demo_people")
    said: str = capsys.readouterr().out
    return said


def seen(caller: Caller) -> dict[str, Any]:
    return {name: caller.get(f"/api/{name}").json() for name in LISTS}


def test_people_have_data_and_a_second_run_changes_nothing(
    output: str, caller: Caller, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    assert output == "11 people. Their data was created.\n"
    assert not ServiceSession.objects.exists()
    caller.sign_in()
    elsa_has_friends_conversations_and_notes(seen(caller))
    the_shared_note_and_the_encrypted_messages_can_be_read()
    staff_see_the_open_case(client)

    caller.delete(f"/api/notes/{caller.get('/api/notes').json()['notes'][0]['id']}")
    before = seen(caller)
    call_command("demo_people")
    assert capsys.readouterr().out == "11 people. Their data is unchanged.\n"
    caller.sign_in()
    assert seen(caller) == before
    assert Report.objects.count() == 1


def elsa_has_friends_conversations_and_notes(has: dict[str, Any]) -> None:
    conversations = has["conversations"]["conversations"]
    assert {one["encryption"] for one in conversations} == {"none", "aes-gcm"}
    assert {one["type"] for one in conversations} == {"dm", "group"}
    assert has["conversations"]["unreadTotal"] > 0
    assert len(has["friends"]["friends"]) == 4
    assert len(has["friends"]["received"]) == 1
    assert len(has["group-invites"]["sent"]) == 1
    assert len(has["notes"]["notes"]) == 2
    assert len(has["countdowns"]["countdowns"]) == 3
    assert has["layout"]["layout"]["widgets"]


def the_shared_note_and_the_encrypted_messages_can_be_read() -> None:
    path = urlsplit(shared_note_url()).path
    assert path.startswith("/shared/")
    assert "Plugglista" in Caller().get(path).content.decode()
    zoe = Caller()
    zoe.sign_in("zoe.åkerman", "nyvang")
    listed = zoe.get("/api/conversations").json()["conversations"]
    group = next(one for one in listed if one["encrypted"])
    messages = zoe.get(f"/api/conversations/{group['id']}").json()["messages"]
    sealed = [base64.b64decode(message["content"]) for message in messages]
    cipher = AESGCM(group_key(group["id"]))
    texts = [cipher.decrypt(one[:12], one[12:], None).decode() for one in sealed]
    assert texts[0] == "Det här kan servern inte läsa."
    assert len(texts) == 3


def staff_see_the_open_case(client: Client) -> None:
    answer = sign_in(client, demo_staff.NAME, demo_staff.PASSWORD, demo_staff.code())
    assert answer.status_code == 302
    assert "1 case" in client.get("/admin/social/case/").content.decode()


def test_it_refuses_a_deployment(settings: Settings) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError, match="only with DEBUG=1"):
        call_command("demo_people")
