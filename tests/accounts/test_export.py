"""The export of an account."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.registry import personal_data
from tests.accounts.full_account import CANARY, fill_account
from tests.conftest import Caller
from tests.social_actions import befriend, say


@pytest.fixture
def bo(elsa: Caller) -> Caller:
    caller = Caller()
    caller.sign_in("bo.ek")
    return caller


def _export(caller: Caller) -> zipfile.ZipFile:
    answer = caller.get("/api/account/export")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    assert "no-store" in answer.headers["Cache-Control"]
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))


def _read(archive: zipfile.ZipFile, name: str) -> Any:
    return json.loads(archive.read(name))


def test_it_holds_all_data_of_the_person(elsa: Caller, bo: Caller) -> None:
    kept = fill_account(elsa, bo)
    archive = _export(elsa)
    assert archive.testzip() is None
    assert _read(archive, "account.json")["username"] == "elsa.nordvall"
    assert _read(archive, "profile.json")["bio"] == CANARY
    assert archive.read("pictures/avatar.webp")[8:12] == b"WEBP"
    assert [friend["username"] for friend in _read(archive, "friends.json")] == ["bo.ek"]
    dm = _read(archive, f"conversations/{kept['dm']}.json")
    assert [m["content"] for m in dm["messages"]] == [f"{CANARY} one", f"{CANARY} two"]
    assert dm["participants"] == ["bo.ek", "elsa.nordvall"]
    (note,) = [name for name in archive.namelist() if name.startswith("notes/")]
    assert _read(archive, note)["title"] == CANARY
    assert _read(archive, "countdowns.json")[0]["title"] == CANARY
    assert _read(archive, "reactions.json") == [{"messageId": kept["theirs"], "emoji": "🦉"}]
    assert len(_read(archive, "logins.json")) == 1


def test_it_is_sent_while_it_is_made(elsa: Caller) -> None:
    for number in range(3):
        elsa.post("/api/notes", {"title": f"{number}", "content": "a" * 500_000})
    answer = elsa.get("/api/account/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="account.zip"'
    pieces = list(answer.streaming_content)
    assert len(pieces) > 6
    assert len(pieces[0]) < 2_000
    assert zipfile.ZipFile(io.BytesIO(b"".join(pieces))).testzip() is None


def test_it_holds_no_data_of_others_and_no_key(elsa: Caller, bo: Caller) -> None:
    kept = fill_account(elsa, bo)
    token = bo.post("/api/token").json()["access_token"]
    archive = _export(bo)
    text = "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    assert f"{CANARY} one" not in text
    assert "an answer" in text
    for secret in (token, kept["token"]):
        assert secret not in text


def test_it_holds_no_changes_of_a_group_after_leaving(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    named = {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    group = elsa.post("/api/conversations", named).json()["conversation"]["id"]
    say(bo, group, "goodbye")
    Caller().sign_in("alva.lind")
    hand_over = {"action": "transfer_admin", "targetUsername": "bo.ek"}
    elsa.patch(f"/api/conversations/{group}", hand_over)
    invite = {"conversationId": group, "targetUsername": "alva.lind"}
    assert bo.post("/api/group-invites", invite).status_code == 201
    assert _read(_export(bo), "invites.json")[0]["groupName"] == "Ugglorna"
    bo.patch(f"/api/conversations/{group}", {"action": "leave"})
    new = {"groupName": "Hemligheten", "groupDescription": "Utan Bo"}
    elsa.patch(f"/api/conversations/{group}", {"action": "rename", **new})
    archive = _export(bo)
    kept = _read(archive, f"conversations/{group}.json")
    assert _read(archive, "invites.json")[0]["groupName"] == "Ugglorna"
    assert (kept["groupName"], kept["groupDescription"], kept["participants"]) == (None, None, [])
    assert [message["content"] for message in kept["messages"]] == ["goodbye"]


def test_it_is_limited(elsa: Caller) -> None:
    for _ in range(5):
        _export(elsa)
    assert elsa.get("/api/account/export").status_code == 429


def test_every_personal_column_of_a_plain_table_is_written(elsa: Caller, bo: Caller) -> None:
    fill_account(elsa, bo)
    archive = _export(elsa)
    profile, countdown = _read(archive, "profile.json"), _read(archive, "countdowns.json")[0]
    tables = {table.model: set(table.personal) for part in personal_data() for table in part.tables}
    assert set(profile) == tables["accounts.Profile"]
    assert set(countdown) == tables["notes.Countdown"]


def test_the_command_writes_a_private_file(elsa: Caller, tmp_path: Path) -> None:
    path = tmp_path / "elsa.zip"
    call_command("export_account", "elsa.nordvall", "--dry-run", "--output", str(path))
    assert not path.exists()
    call_command("export_account", "elsa.nordvall", "--output", str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "account.json" in zipfile.ZipFile(path).namelist()
    for words in (["elsa.nordvall", "--output", str(path)], ["nobody"]):
        with pytest.raises(CommandError):
            call_command("export_account", *words)
