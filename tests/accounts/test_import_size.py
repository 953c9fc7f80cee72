"""A file with millions of lines, and with long ones."""

import json
import tracemalloc
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from accounts.import_types import ImportRefused
from accounts.limits import IMPORT_BATCH_BYTES
from accounts.services.imports.lines import read_source
from accounts.services.imports.references import REASON_LENGTH, SeenLines
from accounts.services.imports.run import import_file
from tests.conftest import Caller
from tests.import_files import BO, ELSA, conversation, message, note, person, run, write

LONG_AGO = timedelta(days=400)


def key_of(number: int) -> int:
    return int(sha256(str(number).encode()).hexdigest()[:15], 16)


def test_many_lines_take_little_memory() -> None:
    lines = SeenLines()
    tracemalloc.start()
    for number in range(30_000):
        key = key_of(number)
        assert lines.first(key, number) == number
        lines.refuse(key, number, ImportRefused("x" * 400))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 1_000_000
    first = key_of(7)
    assert lines.first(first, 99) == 7
    kept = lines.refusal(first)
    assert kept is not None
    assert (kept[0], kept[1].reason) == (7, "x" * 400)
    lines.forget_refusal(first)
    assert lines.refusal(first) is None


def test_a_batch_has_a_size(caller: Caller, tmp_path: Path) -> None:
    notes = [note(f"n{number}", "x", content="x" * 900_000) for number in range(20)]
    path = write(tmp_path / "import.ndjson", notes)
    done = [0]
    with path.open("rb") as stream:
        import_file(stream, source=read_source(stream), progress=done.append)
    sizes = [after - before for before, after in pairwise(done)]
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
