"""The lock of the data directory, and variables that are read before the settings."""

import multiprocessing
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from wrapper_project.environment import Environment
from wrapper_project.servers import startup


def _take(data_dir: Path) -> None:
    startup.take_process_lock(data_dir)


def _child_code(data_dir: Path) -> int | None:
    child = multiprocessing.get_context("spawn").Process(target=_take, args=(data_dir,))
    child.start()
    child.join(30)
    return child.exitcode


def test_one_process_has_the_lock_until_it_ends(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _child_code(tmp_path / "new") == 0
    startup.take_process_lock(tmp_path / "new")
    assert _child_code(tmp_path / "new") == startup.CANNOT_BOOT
    assert "another server already runs" in capfd.readouterr().err
    startup._locks.pop().close()
    assert _child_code(tmp_path / "new") == 0


def test_with_redis_there_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:6379/0")
    startup.require_single_server_without_redis()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["abc", "0", "-1", "1.5", "²", " "])
def test_an_invalid_number_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PORT", text)
    with pytest.raises(SystemExit):
        startup.positive_integer("WEB_PORT", 8000)


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PORT", "")
    assert startup.positive_integer("WEB_PORT", 8000) == 8000
    assert Environment().int("WEB_PORT", 8000) == 8000


def test_a_secret_comes_from_a_file_without_its_line_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The doctor compares it with what the documents list.
    monkeypatch.setattr(Environment, "names_read", set())
    (tmp_path / "key").write_text("from the file\n")
    monkeypatch.setenv("A_KEY_FILE", str(tmp_path / "key"))
    assert Environment().str("A_KEY") == "from the file"


_MANY_THREADS = """
import ctypes, sys, threading
from wrapper_project.servers import startup

if sys.argv[1] == "share":
    startup.limit_malloc_arenas()
all_there = threading.Barrier(12)

def work():
    all_there.wait()
    kept = bytearray(50_000)
    all_there.wait()

threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has arenas")
@pytest.mark.parametrize(("how", "few"), [("share", True), ("as they are", False)])
def test_threads_share_two_malloc_arenas(how: str, few: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MANY_THREADS, how], check=True, capture_output=True, timeout=30
    )
    assert (done.stdout.count(b"<heap nr=") <= 2) is few
