"""The real command in a process of its own: killed, twice at once, and as a dry run."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.models import Account, ImportedObject
from notes.models import Note
from social.models import Conversation, Message
from tests.conftest import Caller, signed_in
from tests.import_files import (
    BO,
    ELSA,
    ago,
    conversation,
    countdown,
    friendship,
    message,
    note,
    person,
    write,
)
from tests.service_process import ROOT, environment
from upstream.simulator.server import Simulator

MESSAGES = 3_000
ROWS = [
    person(ELSA),
    person(BO),
    friendship(ELSA, BO),
    conversation("c1", ELSA, BO),
    *(
        message(f"m{number}", "c1", ELSA if number % 2 else BO, f"{number}", createdAt=ago(days=30))
        for number in range(MESSAGES)
    ),
    *(note(f"n{number}", ELSA) for number in range(150)),
    countdown("d1", ELSA),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "import.ndjson", ROWS)


@pytest.fixture
def unfinished(file: Path) -> Iterator[Path]:
    """The file without its last line, for which its reader waits."""
    pipe = file.with_name("unfinished.ndjson")
    os.mkfifo(pipe)
    over = threading.Event()

    def feed() -> None:
        with suppress(BrokenPipeError), pipe.open("wb") as stream:
            stream.writelines(file.read_bytes().splitlines(keepends=True)[:-1])
            stream.flush()
            over.wait()

    feeding = threading.Thread(target=feed)
    feeding.start()
    yield pipe
    over.set()
    os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))  # if nobody has read
    feeding.join()


@contextmanager
def importing(file: Path, upstream_url: str, *words: str) -> "Iterator[subprocess.Popen[str]]":
    as_usual = ["env", "--default-signal=HUP"]  # the tests may run under nohup
    command = [sys.executable, "manage.py", "import_data", str(file), "--verbosity", "2", *words]
    process = subprocess.Popen(
        [*as_usual, *command],
        cwd=ROOT,
        env=environment(file.parent, upstream_url, SQLITE_TMPDIR=str(file.parent)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_lines(process: "subprocess.Popen[str]", lines: int) -> None:
    """Until it has done so many lines."""
    assert process.stderr
    for said in process.stderr:
        done = re.match(r"(\d+) lines", said)
        if done and int(done[1]) >= lines:
            return
    raise AssertionError("it has ended")


def imported() -> dict[str, Any]:
    sent = Message.objects.order_by("seq").values_list("seq", "revision", "content")
    dm = Conversation.objects.get()
    return {
        "messages": list(sent),
        "conversation": (dm.last_seq, dm.revision),
        "read": list(dm.memberships.values_list("last_read_seq", "not_counted")),
        "notes": Note.objects.count(),
        "objects": ImportedObject.objects.count(),
    }


EVERYTHING = {
    "messages": [(number + 1, number + 2, str(number)) for number in range(MESSAGES)],
    "conversation": (MESSAGES, MESSAGES + 1),
    "read": [(MESSAGES, 0)] * 2,
    "notes": 150,
    "objects": len(ROWS) + 2,  # two for each person
}


@pytest.mark.parametrize("lines", [2, 1_004, MESSAGES + 104])
def test_a_killed_import_goes_on_where_it_was(
    transactional_db: None, simulator: Simulator, file: Path, unfinished: Path, lines: int
) -> None:
    with importing(unfinished, simulator.url) as killed:
        wait_for_lines(killed, lines)
        killed.kill()
        assert killed.wait() == -signal.SIGKILL
    assert 0 < ImportedObject.objects.count() < len(ROWS)
    with importing(file, simulator.url) as process:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
    assert imported() == EVERYTHING
    found = ImportedObject.objects.filter(kind="message").count()
    assert re.search(r"message: \d+ imported, \d+ there already, 0 refused", out)
    assert found == MESSAGES


def test_two_at_once_import_everything_once(
    transactional_db: None, simulator: Simulator, file: Path
) -> None:
    with importing(file, simulator.url) as one, importing(file, simulator.url) as other:
        for process in (one, other):
            _, said = process.communicate(timeout=240)
            assert process.returncode == 0, said[-2000:]
    assert imported() == EVERYTHING


def test_a_dry_run_makes_nobody_wait_and_leaves_nothing(
    transactional_db: None, simulator: Simulator, file: Path
) -> None:
    elsa, bo = signed_in(), signed_in("bo.ek")
    dm = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()["conversation"]["id"]
    with importing(file, simulator.url, "--dry-run") as dry_run:
        wait_for_lines(dry_run, 1_000)
        dry_run.send_signal(signal.SIGSTOP)
        # It has written into this conversation, and notes, if only on its copy.
        assert elsa.post(f"/api/conversations/{dm}/messages", {"content": "hej"}).status_code == 201
        assert bo.post("/api/notes", {"title": "mine"}).status_code == 201
        assert Caller().sign_in("alva.lind").status_code == 200
        dry_run.send_signal(signal.SIGCONT)
        out, _ = dry_run.communicate(timeout=120)
        assert dry_run.returncode == 0
    assert f"message: {MESSAGES} would be imported, 0 there already" in out
    assert (Message.objects.count(), Note.objects.count()) == (1, 1)
    assert not ImportedObject.objects.exists()
    assert Account.objects.count() == 3
    assert list(file.parent.iterdir()) == [file]
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_dry_run_that_is_stopped_leaves_no_copy(
    transactional_db: None, simulator: Simulator, unfinished: Path, number: signal.Signals
) -> None:
    before = set(unfinished.parent.iterdir())
    with importing(unfinished, simulator.url, "--dry-run") as dry_run:
        wait_for_lines(dry_run, 4)
        dry_run.send_signal(number)
        dry_run.communicate(timeout=60)
        assert dry_run.returncode == -number
    assert set(unfinished.parent.iterdir()) == before
    assert not ImportedObject.objects.exists()


def test_people_write_while_it_runs(
    transactional_db: None, simulator: Simulator, file: Path
) -> None:
    elsa, bo = signed_in(), signed_in("bo.ek")
    dm = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()["conversation"]["id"]
    sent = 0
    with importing(file, simulator.url) as process:
        wait_for_lines(process, 4)
        while process.poll() is None and sent < 15:
            said = elsa.post(f"/api/conversations/{dm}/messages", {"content": "hej"})
            assert said.status_code == 201, said.content
            sent += 1
        process.communicate(timeout=120)
        assert process.returncode == 0
    kept = Conversation.objects.get()
    numbers = list(Message.objects.order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, MESSAGES + sent + 1))
    assert kept.last_seq == MESSAGES + sent
    revisions = set(Message.objects.values_list("revision", flat=True))
    assert len(revisions) == MESSAGES + sent
    assert max(revisions) == kept.revision
    unread = bo.get("/api/conversations").json()["conversations"][0]["unreadCount"]
    assert unread >= sent
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    assert bo.get("/api/conversations").json()["unreadTotal"] == 0
