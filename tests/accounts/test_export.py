"""The export of an account."""

import asyncio
import io
import json
import secrets
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.api.base import StreamedResponse
from accounts.models import Account
from accounts.personal_data import api_name
from accounts.registry import personal_data
from accounts.services.export import export_account
from notes.models import Note
from social.models import Message
from tests.accounts.full_account import CANARY, export_of, fill_account, note_in
from tests.conftest import ELSA, Caller
from tests.service_process import running
from tests.social_actions import befriend, new_group, say
from upstream.simulator.server import Simulator


def test_it_holds_all_data_of_the_person_and_none_of_others(elsa: Caller, bo: Caller) -> None:
    kept = fill_account(elsa, bo)
    export = export_of(elsa)
    assert export["account.json"]["username"] == "elsa.nordvall"
    assert export["profile.json"]["bio"] == CANARY
    assert export["pictures/avatar.webp"][8:12] == b"WEBP"
    assert [friend["username"] for friend in export["friends.json"]] == ["bo.ek"]
    dm = export[f"conversations/{kept['dm']}.json"]
    assert [m["content"] for m in dm["messages"]] == [f"{CANARY} one", f"{CANARY} two"]
    assert dm["participants"] == ["bo.ek", "elsa.nordvall"]
    assert note_in(export)["title"] == CANARY
    (tick,) = export["done_assignments.json"]
    assert (tick["assignmentId"], tick["child"]) == ("41205830", None)
    (countdown,) = export["countdowns.json"]
    assert countdown["title"] == CANARY
    assert export["reactions.json"] == [{"messageId": kept["theirs"], "emoji": "🦉"}]
    assert len(export["logins.json"]) == 1
    tables = {table.model: set(table.personal) for part in personal_data() for table in part.tables}
    assert set(export["profile.json"]) == set(map(api_name, tables["accounts.Profile"]))
    assert set(countdown) == set(map(api_name, tables["notes.Countdown"]))
    # Its names are those of the API.
    profile = elsa.get("/api/profile").json()["profile"]
    assert set(export["profile.json"]) - {"createdAt", "formerUserType"} <= set(profile)
    (shown,) = elsa.get("/api/countdowns").json()["countdowns"]
    assert set(countdown) <= set(shown)
    (note,) = elsa.get("/api/notes").json()["notes"]
    assert set(note_in(export)) - {"sharedSince"} <= set(note)
    message = elsa.get(f"/api/conversations/{kept['dm']}").json()["messages"][0]
    assert set(dm["messages"][0]) - {"replyToSeq"} <= set(message)
    # Nothing of it is in the export of another, who has its messages, too.
    token = bo.post("/api/token").json()["access_token"]
    text = str(export_of(bo))
    assert "an answer" in text
    for secret in (f"{CANARY} one", token, kept["token"]):
        assert secret not in text


def test_it_is_sent_while_it_is_made(elsa: Caller) -> None:
    for number in range(3):
        elsa.post("/api/notes", {"title": f"{number}", "content": "a" * 500_000})
    answer = elsa.get("/api/account/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="account.zip"'
    pieces = list(answer.streaming_content)
    assert len(pieces) > 6
    assert len(pieces[0]) < 2_000
    assert zipfile.ZipFile(io.BytesIO(b"".join(pieces))).testzip() is None


def test_little_of_it_is_in_memory_at_a_time(elsa: Caller, bo: Caller) -> None:
    account = Account.objects.get(username="elsa.nordvall")
    now = timezone.now()
    times = {"created_at": now, "updated_at": now}
    for _ in range(30):
        Note.objects.create(account=account, content=secrets.token_hex(100_000), **times)
    dm = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()["conversation"]["id"]
    said = {"conversation_id": dm, "sender": account, "created_at": now}
    Message.objects.bulk_create(
        Message(seq=number, revision=number, content=secrets.token_hex(1000), **said)
        for number in range(1, 3_001)
    )
    tracemalloc.start()
    try:
        size = sum(map(len, export_account(account.pk)))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > 6_000_000
    assert most < 5_000_000


def test_under_asgi_it_is_sent_while_it_is_made() -> None:
    made: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield b"x"

    async def read() -> list[int]:
        return [len(made) async for _ in StreamedResponse(pieces())]

    assert asyncio.run(read()) == [1, 2, 3]


def test_the_one_process_form_sends_it(
    transactional_db: None, simulator: Simulator, tmp_path: Path
) -> None:
    with running(tmp_path, simulator.url, kind="sockets", REDIS_URL="") as server:
        _, _, cookies = server.request("POST", "/api/login", ELSA)
        server.request("POST", "/api/notes", {"content": "a" * 500_000}, cookies=cookies)
        header = "; ".join(f"{name}={value}" for name, value in cookies.items())
        url = f"{server.url}/api/account/export"
        answer = urllib3.request("GET", url, headers={"Cookie": header})
    assert answer.status == 200
    assert answer.headers["Transfer-Encoding"] == "chunked"
    archive = zipfile.ZipFile(io.BytesIO(answer.data))
    assert archive.testzip() is None
    assert json.loads(archive.read("account.json"))["username"] == "elsa.nordvall"


def test_it_holds_no_changes_of_a_group_after_leaving(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    group = new_group(elsa, "bo.ek")
    say(bo, group, "goodbye")
    Caller().sign_in("alva.lind")
    hand_over = {"action": "transfer_admin", "targetUsername": "bo.ek"}
    elsa.patch(f"/api/conversations/{group}", hand_over)
    invite = {"conversationId": group, "targetUsername": "alva.lind"}
    assert bo.post("/api/group-invites", invite).status_code == 201
    assert export_of(bo)["invites.json"][0]["groupName"] == "Ugglorna"
    bo.patch(f"/api/conversations/{group}", {"action": "leave"})
    new = {"groupName": "Hemligheten", "groupDescription": "Utan Bo"}
    elsa.patch(f"/api/conversations/{group}", {"action": "rename", **new})
    export = export_of(bo)
    kept = export[f"conversations/{group}.json"]
    assert export["invites.json"][0]["groupName"] == "Ugglorna"
    assert (kept["groupName"], kept["groupDescription"], kept["participants"]) == (None, None, [])
    assert [message["content"] for message in kept["messages"]] == ["goodbye"]


def test_it_is_limited(elsa: Caller) -> None:
    for _ in range(5):
        export_of(elsa)
    assert elsa.get("/api/account/export").status_code == 429


def test_the_command_writes_a_private_file(
    elsa: Caller, tmp_path: Path, settings: Settings, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "elsa.zip"
    call_command("export_account", "elsa.nordvall", "--dry-run", "--output", str(path))
    assert not path.exists()
    call_command("export_account", "elsa.nordvall", "--output", str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "account.json" in zipfile.ZipFile(path).namelist()
    call_command("export_account", "elsa.nordvall", "--output", "-")
    written = zipfile.ZipFile(io.BytesIO(capfdbinary.readouterr().out))
    assert "account.json" in written.namelist()
    # Where the service's user may write.
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    call_command("export_account", "elsa.nordvall")
    assert "account.json" in zipfile.ZipFile(settings.DATA_DIR / "elsa.nordvall.zip").namelist()
    for words in (["elsa.nordvall", "--output", str(path)], ["nobody"]):
        with pytest.raises(CommandError):
            call_command("export_account", *words)
