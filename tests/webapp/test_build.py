"""The built files in the repository are those that the sources make, and small enough."""

import filecmp
import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.test_docs import listed_files
from tests.service_process import ROOT

BUILT = ROOT / "webapp/dist/app"
# Bytes after gzip, of everything that is loaded before the editor of notes.
BUDGET = 150_000
# Only the editor of notes is made with this library.
EDITOR = b"ProseMirror"


def node_is_old() -> bool:
    """Whether Vite would refuse it, as it does that of Debian 12."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return True
    version = subprocess.check_output(["node", "--version"], text=True)
    return [int(each) for each in version.strip().lstrip("v").split(".")[:2]] < [20, 19]


@pytest.mark.node
@pytest.mark.slow
@pytest.mark.skipif(node_is_old(), reason="Node 20.19 or npm is missing")
def test_the_build_is_reproducible_byte_for_byte(tmp_path: Path) -> None:
    for name in listed_files():
        if name.startswith("webapp/") and not name.startswith("webapp/dist/"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    programs = f"BIN={Path(sys.executable).parent}"
    done = subprocess.run(
        ["make", "-f", str(ROOT / "Makefile"), "-o", ".venv/.installed", "webapp", programs],
        cwd=tmp_path,
        env={**_environment(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = _files(tmp_path / "webapp/dist/app")
    assert made == _files(BUILT)
    _, different, errors = filecmp.cmpfiles(
        tmp_path / "webapp/dist/app", BUILT, sorted(made), shallow=False
    )
    assert (different, errors) == ([], [])


def test_the_scripts_before_the_editor_are_within_the_budget() -> None:
    scripts = [each.read_bytes() for each in (BUILT / "assets").glob("*.js")]
    editors = [each for each in scripts if EDITOR in each]
    assert len(editors) == 1
    assert sum(len(gzip.compress(each, 9)) for each in scripts if each not in editors) <= BUDGET


def test_the_start_page_and_the_service_worker_name_only_files_that_exist() -> None:
    named = set()
    for file in ("index.html", "service-worker.js"):
        named |= set(re.findall(r"/app/((?:assets/)?[\w.-]+\.\w+)", (BUILT / file).read_text()))
    assert len(named) > 20
    assert named <= _files(BUILT)


def test_the_service_worker_keeps_the_editor_only_when_it_was_used() -> None:
    worker = (BUILT / "service-worker.js").read_text()
    lists = [each for each in re.findall(r"\[[^\[\]]*\]", worker) if "/assets/" in each]
    largest = max(lists, key=len)
    assert "/assets/week-" in largest
    assert "note_editor" not in largest


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_inline() -> None:
    page = (BUILT / "index.html").read_text()
    assert re.findall(r'(?:src|href)="(?!/app/)', page) == []
    assert "<style" not in page
    assert re.findall(r"<script(?![^>]*src=)", page) == []


def _files(folder: Path) -> set[str]:
    return {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
