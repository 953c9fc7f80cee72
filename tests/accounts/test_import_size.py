"""A file with millions of lines, and with long ones."""

import json
import tracemalloc
from datetime import timedelta
from pathlib import Path

from accounts.import_types import ImportRefused, ImportRow
from accounts.limits import IMPORT_BATCH_BYTES
from accounts.services.imports.lines import read_source
from accounts.services.imports.references import REASON_LENGTH, References
from accounts.services.imports.run import import_file
from tests.conftest import Caller
from tests.import_files import BO, ELSA, conversation, message, note, person, run, write

LONG_AGO = timedelta(days=400)


def test_many_lines_take_little_memory() -> None:
    references = References("another back end")
    tracemalloc.start()
    for number in range(30_000):
        row = ImportRow(number, "note", str(number))
        assert references.first_line(row) == number
        references.refuse(row, ImportRefused("x" * 400))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 1_000_000
    assert references.first_line(ImportRow(30_000, "note", "7")) == 7


def test_a_batch_has_a_size(caller: Caller, tmp_path: Path) -> None:
    notes = [note(f"n{number}", "x", content="x" * 900_000) for number in range(20)]
    path = write(tmp_path / "import.ndjson", notes)
    with path.open("rb") as stream:
        sizes = [len(batch) for batch in import_file(stream, source=read_source(stream))]
    assert sum(sizes) == 20
    assert max(sizes) == IMPORT_BATCH_BYTES // len(json.dumps(notes[0]))


def test_a_reason_does_not_grow_from_line_to_line(caller: Caller, tmp_path: Path) -> None:
    rows = [person(ELSA), person(BO), conversation("c1", ELSA, BO)]
    for number in range(100):
        reply = {"replyTo": {"messageId": f"m{number - 1}"}} if number else {"wrong": 1}
        rows.append(message(f"m{number}", "c1", ELSA, **reply))
        rows.append(note(f"n{number}", ELSA))  # ends the batch
    done = run(tmp_path, *rows)
    assert done.counts("message") == (0, 0, 100, 0)
    assert max(len(reason) for reason in done.reasons.values()) < REASON_LENGTH + 100
