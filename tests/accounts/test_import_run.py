"""A run of `import_data`: lines, counts, what is repeated, what is tried."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.limits import IMPORT_LINE_BYTES
from accounts.models import Account, AuditEntry, ImportedObject
from accounts.registry import contributions
from tests.conftest import Caller, signed_in
from tests.import_files import (
    BO,
    ELSA,
    HEADER,
    Run,
    ago,
    conversation,
    countdown,
    friendship,
    message,
    note,
    person,
    run,
    write,
)

ALL = [
    person(ELSA),
    person(BO),
    friendship(ELSA, BO),
    conversation("c1", ELSA, BO),
    *(message(f"m{number}", "c1", ELSA) for number in range(5)),
    note("n1", ELSA),
    countdown("d1", ELSA),
]
BROKEN = {
    "no JSON": ("hej", "This is not a valid JSON object."),
    "a list": ("[1]", "This is not a valid JSON object."),
    "NaN": ('{"type":"note","id":"x","a":NaN}', "This is not a valid JSON object."),
    "NUL": ('{"type":"note","id":"x","a":"\\u0000"}', "This is not a valid JSON object."),
    "depth": (f'{{"a":{"[" * 200}{"]" * 200}}}', "This is not a valid JSON object."),
    "a megabyte": (
        "x" * (2 * IMPORT_LINE_BYTES),
        f"The line has more than {IMPORT_LINE_BYTES} bytes.",
    ),
    "an unknown type": ('{"type":"grade","id":"x"}', "There is no type 'grade'."),
    "no type": ('{"id":"x"}', "There is no type 'unknown'."),
    "no id": ('{"type":"note"}', "`id` is not a text of 1 to 200 characters."),
    "a number as id": ('{"type":"note","id":7}', "`id` is not a text of 1 to 200 characters."),
    "a long id": (
        json.dumps({"type": "note", "id": "x" * 201}),
        "`id` is not a text of 1 to 200 characters.",
    ),
    "an id that was used": (json.dumps(note("n1", BO)), "Line 4 has the same id."),
    "nobody": (json.dumps(note("n9", "x")), "There is no person 'x' before this line."),
}


def rows_of_every_table() -> dict[str, list[Any]]:
    ours = [m for m in apps.get_models() if m._meta.app_label in contributions()]
    return {m._meta.label: list(m._default_manager.order_by("pk").values()) for m in ours}


@pytest.mark.parametrize(("line", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_line_is_named_and_the_rest_is_imported(
    caller: Caller, tmp_path: Path, line: str, reason: str
) -> None:
    done = run(tmp_path, person(ELSA), person(BO), note("n1", ELSA), line, "", note("n2", BO))
    assert done.status == 1
    assert [(row["line"], row["reason"]) for row in done.report] == [(5, reason)]
    assert f"line 5: {done.report[0]['type']}" in done.err
    assert done.counts("note")[0] == 2
    assert done.said == "1 lines were refused."


HEADERS = [
    ("", "The first line is not"),
    ("{}", "The first line is not"),
    ('{"type":"import","version":2,"source":"x"}', "The version of the format is not 1."),
    ('{"type":"import","version":1}', "`source` is not a text"),
    ('{"type":"import","version":1,"source":["x"]}', "`source` is not a text"),
    ("\ufeff" + json.dumps(HEADER), "The first line is not"),
]


@pytest.mark.parametrize(("header", "reason"), HEADERS)
def test_a_file_without_a_header_is_not_read(
    caller: Caller, tmp_path: Path, header: str, reason: str
) -> None:
    path = tmp_path / "import.ndjson"
    path.write_text(header + "\n" + json.dumps(person(ELSA)))
    with pytest.raises(CommandError, match=reason) as refused:
        call_command("import_data", str(path))
    assert refused.value.returncode == 2
    assert not Account.objects.exists()
    assert not AuditEntry.objects.exists()


def test_a_wrong_header_leaves_no_report(caller: Caller, tmp_path: Path) -> None:
    path, report = tmp_path / "import.ndjson", tmp_path / "report"
    path.write_text("{}")
    with pytest.raises(CommandError, match="The first line is not"):
        call_command("import_data", str(path), "--report", str(report))
    assert not report.exists()


def test_what_is_printed_is_harmless(caller: Caller, tmp_path: Path) -> None:
    """Names of fields may be anything, and the terminal of the operator obeys some of it."""
    odd = "\x1b[2J\nå"
    done = run(tmp_path, person(ELSA, **{odd: 1}), person(BO) | {"id": odd}, note("n1", odd))
    assert "\x1b" not in done.err
    assert done.reasons[ELSA] == f"{odd!r}: There is no such field."
    assert done.counts("note") == (1, 0, 0, 0)


def test_a_file_that_is_not_there(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_data", str(tmp_path / "nothing"))


def test_an_import_twice_changes_nothing(caller: Caller, tmp_path: Path) -> None:
    first = run(tmp_path, *ALL)
    assert first.counts("message") == (5, 0, 0, 0)
    before = rows_of_every_table()
    second = run(tmp_path, *ALL)
    assert second.status == 0
    assert [second.counts(kind)[:2] for kind in ("person", "friendship", "conversation")] == [
        (0, 2),
        (0, 1),
        (0, 1),
    ]
    assert [second.counts(kind)[:2] for kind in ("message", "note", "countdown")] == [
        (0, 5),
        (0, 1),
        (0, 1),
    ]
    after = rows_of_every_table()
    after["accounts.AuditEntry"].pop()
    assert after == before


def test_a_longer_file_adds_what_is_new(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *ALL)
    done = run(tmp_path, *ALL, message("m9", "c1", BO, "new"), note("n2", BO))
    assert (done.counts("message"), done.counts("note")) == ((1, 5, 0, 0), (1, 1, 0, 0))


def test_what_was_deleted_here_is_not_brought_back(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *ALL)
    elsa = signed_in()
    (one,) = elsa.get("/api/notes").json()["notes"]
    elsa.delete(f"/api/notes/{one['id']}")
    run(tmp_path, *ALL)
    assert elsa.get("/api/notes").json()["notes"] == []


def test_another_source_has_its_own_ids(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *ALL)
    other = Run(write(tmp_path / "o.ndjson", ALL, header=HEADER | {"source": "a third one"}))
    assert (other.counts("person"), other.counts("note")) == ((0, 2, 0, 0), (1, 0, 0, 0))
    # One direct conversation for each pair: it takes the messages of both.
    assert (other.counts("conversation"), other.counts("message")[0]) == ((0, 1, 0, 0), 5)


def test_a_dry_run_says_the_same_and_changes_nothing(caller: Caller, tmp_path: Path) -> None:
    lines = [*ALL, note("n2", "x"), message("m9", "c1", ELSA, createdAt=ago(days=900))]
    path = write(tmp_path / "import.ndjson", lines)
    before = rows_of_every_table()
    dry_run = Run(path, "--dry-run")
    assert rows_of_every_table() == before
    real = Run(path)
    assert dry_run.out.replace("would be imported", "imported") == real.out
    assert (dry_run.report, dry_run.status) == (real.report, real.status)


def test_the_run_is_in_the_audit_log(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(ELSA))
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.command) == ("import", "import_data")
    assert entry.target == "import.ndjson from the old one"
    assert entry.system_user


def test_the_report_does_not_replace_a_file(caller: Caller, tmp_path: Path) -> None:
    path = write(tmp_path / "import.ndjson", [person(ELSA)])
    report = tmp_path / "report"
    report.write_text("mine")
    with pytest.raises(CommandError, match="File exists"):
        call_command("import_data", str(path), "--report", str(report))
    assert (report.read_text(), Account.objects.count()) == ("mine", 0)


def test_it_prints_a_hundred_refused_lines(caller: Caller, tmp_path: Path) -> None:
    done = run(tmp_path, *(note(f"n{number}", "x") for number in range(150)))
    assert done.err.count("There is no person") == 100
    assert "--report FILE has all of them" in done.err
    assert len(done.report) == 150


def test_the_source_ids_are_kept_as_hashes(caller: Caller, tmp_path: Path) -> None:
    """In another back end they may be names or addresses."""
    mail = person(ELSA) | {"id": "elsa@example.org"}
    run(tmp_path, mail, note("n1", "elsa@example.org"))
    stored = json.dumps(list(ImportedObject.objects.values()), default=str)
    assert "elsa@" not in stored
    assert "the old one" not in stored


def test_after_the_retention_nothing_is_left_of_who_never_came(
    caller: Caller, tmp_path: Path
) -> None:
    run(tmp_path, *ALL)
    elsa = signed_in()
    long_ago = timezone.now() - timedelta(days=400)
    Account.objects.exclude(unclaimed_since=None).update(unclaimed_since=long_ago)
    ImportedObject.objects.update(imported_at=long_ago)
    call_command("enforce_retention", "--dry-run")
    assert Account.objects.count() == 2
    call_command("enforce_retention")
    assert Account.objects.get().username == "elsa.nordvall"
    assert not ImportedObject.objects.filter(kind="message").exists()
    assert len(elsa.get("/api/notes").json()["notes"]) == 1
