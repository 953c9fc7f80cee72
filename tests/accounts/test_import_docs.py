"""docs/import.md agrees with the code, and the format with the export of an account."""

import json
import re
from pathlib import Path
from typing import Any

from accounts.registry import import_kinds
from tests.accounts.full_account import export_of, fill_account, note_in
from tests.architecture.sources import ROOT
from tests.conftest import Caller
from tests.import_files import Run

PAGE = (ROOT / "docs/import.md").read_text()
# What an export has no word for: other people are names in it, and here they are references.
REFERENCES = {
    "person": {"organizationId"},  # withheld: see accounts/data_map.py
    "block": {"blocker", "blocked"},
    "friendship": {"userA", "userB", "requestedBy"},
    "conversation": {"admin"},
    "message": {"conversation", "sender", "replyTo", "reactions"},
    "note": {"owner"},
    "countdown": {"owner"},
}


def example(path: Path) -> Path:
    path.write_text(PAGE.partition("```ndjson\n")[2].partition("```")[0])
    return path


def test_the_example_is_imported_literally(
    caller: Caller, tmp_path: Path, time_machine: Any
) -> None:
    time_machine.move_to("2026-12-01T12:00:00Z")  # its messages would become too old
    done = Run(example(tmp_path / "example.ndjson"))
    assert (done.status, done.report) == (0, [])
    assert {kind: done.counts(kind)[0] for kind in import_kinds()} == {
        "person": 3,
        "block": 1,
        "friendship": 1,
        "conversation": 2,
        "message": 3,
        "note": 1,
        "countdown": 1,
    }
    caller.sign_in()
    assert caller.get("/api/profile").json()["profile"]["displayName"] == "Elsa N"
    assert list(caller.get("/api/friends").json()["profileMap"]) == ["bo.ek"]
    names = [each["groupName"] for each in caller.get("/api/conversations").json()["conversations"]]
    assert names == ["Grupparbete", None]
    synced = caller.post("/api/sync", {"conversations": {}}).json()["messages"].values()
    assert sorted(len(messages) for messages in synced) == [1, 2]
    assert caller.get("/api/notes").json()["notes"][0]["title"] == "Till provet"
    assert caller.get("/api/countdowns").json()["countdowns"][0]["emoji"] == "📐"


def test_the_page_lists_every_field_and_whether_it_is_required() -> None:
    for name, kind in import_kinds().items():
        table = PAGE.partition(f"\n### {name}\n")[2].partition("\n## ")[0].partition("\n### ")[0]
        cells = "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
        fields = kind.serializer().fields
        assert set(re.findall(r"`(\w+)`", cells)) == set(fields), name
        required = {field for field, form in fields.items() if form.required}
        assert set(re.findall(r"\*\*`(\w+)`\*\*", cells)) == required, name


def test_an_export_has_the_same_names(elsa: Caller, bo: Caller) -> None:
    kept = fill_account(elsa, bo)
    elsa.post("/api/blocks", {"targetUsername": "bo.ek"})
    export = export_of(elsa)
    dm = export[f"conversations/{kept['dm']}.json"]
    exported = {
        "person": {*export["account.json"], *export["profile.json"]},
        "block": set(export["blocks.json"][0]),
        "friendship": set(export["friends.json"][0]),
        "conversation": set(dm),
        "message": set(dm["messages"][0]),
        "note": set(note_in(export)),
        "countdown": set(export["countdowns.json"][0]),
    }
    for name, kind in import_kinds().items():
        assert set(kind.serializer().fields) - exported[name] == REFERENCES[name], name


def test_what_is_exported_can_be_imported(elsa: Caller, bo: Caller, tmp_path: Path) -> None:
    """The note and the countdown of an export, as lines of a file for another deployment."""
    fill_account(elsa, bo)
    export = export_of(elsa)
    rows = {
        "person": export["account.json"] | export["profile.json"],
        "note": note_in(export) | {"owner": "1"},
        "countdown": export["countdowns.json"][0] | {"owner": "1"},
    }
    assert elsa.delete("/api/account", {"password": "elsa-demo"}).status_code == 200
    lines = [{"type": "import", "version": 1, "source": "an export"}]
    for kind, row in rows.items():
        known = import_kinds()[kind].serializer().fields
        own = {name: value for name, value in row.items() if name in known}
        lines.append({"type": kind, "id": "1"} | own)
    elsa.sign_in()
    path = tmp_path / "export.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = Run(path)
    assert (done.status, done.report) == (0, [])
    assert done.counts("note")[0] == done.counts("countdown")[0] == 1
    (countdown,) = elsa.get("/api/countdowns").json()["countdowns"]
    assert countdown["title"] == rows["countdown"]["title"]
