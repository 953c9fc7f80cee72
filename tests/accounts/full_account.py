"""An account with data in every app, made over HTTP, its export, and a search of what is stored."""

import io
import zipfile
from typing import Any

import orjson
from django.apps import apps
from django.db import connection
from PIL import Image

from tests.accounts import stored_data
from tests.conftest import Caller
from tests.social_actions import befriend, dm_of, new_group, report, say

CANARY = "kanariefågel"


def picture() -> io.BytesIO:
    """A small picture file for a form."""
    file = io.BytesIO()
    Image.new("RGB", (40, 40), "teal").save(file, "PNG")
    file.seek(0)
    file.name = "me.png"
    return file


def fill_account(elsa: Caller, bo: Caller) -> dict[str, str]:
    """Give Elsa data in every app, some of it shared with Bo. Returns ids of what Bo keeps."""
    profile = {"displayName": f"Elsa {CANARY}", "bio": CANARY, "website": f"https://{CANARY}.se"}
    assert elsa.put("/api/profile", profile).status_code == 200
    avatar = {"image": picture(), "kind": "avatar"}
    assert elsa.http.post("/api/profile/picture", avatar).status_code == 201
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    dm = dm_of(elsa, "bo.ek")
    first = say(elsa, dm, f"{CANARY} one")
    theirs = say(bo, dm, "an answer")
    quote = {"content": "quoting", "replyTo": {"messageId": first["id"]}}
    assert bo.post(f"/api/conversations/{dm}/messages", quote).status_code == 201
    say(elsa, dm, f"{CANARY} two")
    react = {"action": "react", "emoji": "🦉"}
    assert elsa.patch(f"/api/conversations/{dm}/{theirs['id']}", react).status_code == 200
    group = new_group(elsa, "bo.ek")
    say(elsa, group, f"{CANARY} three")
    note = {"title": CANARY, "content": f"{CANARY} in a note", "status": "draft"}
    note_id = elsa.post("/api/notes", note).json()["note"]["id"]
    token = elsa.post(f"/api/notes/{note_id}/share").json()["token"]
    countdown = {"title": CANARY, "targetDate": "2027-06-11", "category": "event"}
    assert elsa.post("/api/countdowns", countdown).status_code == 201
    widget = {"instanceId": CANARY, "widgetId": "lunch", "size": "1x1"}
    layout = {"layout": {"version": 1, "widgets": [widget]}}
    assert elsa.put("/api/layout", layout).status_code == 200
    assert elsa.patch("/api/presence").status_code == 200
    assert elsa.get("/api/schedule?week=11").status_code == 200
    assert elsa.put("/api/assignments/41205830/done", {"done": True}).status_code == 200
    assert elsa.post("/api/schedule/feed").status_code == 201
    wanted = {"kinds": {"message": "push"}, "muted": [dm], "watch": True}
    assert elsa.patch("/api/notifications/settings", wanted).status_code == 200
    report(bo, "message", first["id"], f"she said {CANARY}")
    report(elsa, "message", theirs["id"], CANARY)
    return {"dm": dm, "group": group, "theirs": theirs["id"], "token": token}


def export_of(caller: Caller) -> dict[str, Any]:
    """The files of somebody's export by name, decoded where they are JSON."""
    answer = caller.get("/api/account/export")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    assert "no-store" in answer.headers["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}  # checks their CRC
    return {
        name: orjson.loads(data) if name.endswith(".json") else data for name, data in files.items()
    }


def note_in(export: dict[str, Any]) -> dict[str, Any]:
    """The only note of an export."""
    (note,) = [file for name, file in export.items() if name.startswith("notes/")]
    found: dict[str, Any] = note
    return found


def columns_and_keys_with(*words: str) -> list[str]:
    """Every table column and key of the store that contains one of these words."""
    found = [
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if _column_holds(model._meta.db_table, field.column or "", words)
    ]
    return found + [name for name, value in _store() if any(word in value for word in words)]


def _column_holds(table: str, column: str, words: tuple[str, ...]) -> bool:
    quote = connection.ops.quote_name
    # The names come from the models.
    query = f"SELECT {quote(column)} FROM {quote(table)}"
    with connection.cursor() as cursor:
        cursor.execute(query)
        values = [_text(value) for (value,) in cursor.fetchall()]
    return any(word in value for word in words for value in values)


def _text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, dict | list):
        return orjson.dumps(value).decode()
    return str(value)


def _store() -> list[tuple[str, str]]:
    return [(key, key + _text(value)) for key, value in stored_data.entries()]
