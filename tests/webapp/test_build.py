"""The built files in the repository are those that the sources make, and small enough."""

import filecmp
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.emoji import fully_qualified, is_emoji
from tests.architecture.test_docs import listed_files
from tests.service_process import ROOT

BUILT = ROOT / "webapp/dist/app"
# Bytes after gzip, of everything that is not kept for later; of what the first screen needs; and of
# the names of all emoji in one language.
BUDGET = 150_000
FIRST_SCREEN = 60_000
NAMES_OF_EMOJI = 40_000
# Only the editor of notes is made with this library.
EDITOR = b"ProseMirror"
LATER = re.compile(r"(note_editor|emoji_en|emoji_sv)-[\w-]+\.js")
# Of skin, from light to dark.
TONES = [chr(code) for code in range(0x1F3FB, 0x1F400)]


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


def test_the_notices_of_the_libraries_are_shipped_with_them() -> None:
    package = json.loads((ROOT / "webapp/package.json").read_text())
    notices = (BUILT / "licenses.txt").read_text()
    libraries = package["dependencies"].items()
    missing = {name for name, version in libraries if f"\n## {name} - {version} (" not in notices}
    # One has a file of its own; nothing of the other is left in the build.
    assert missing == {"emojibase-data", "@tiptap/extension-text-style"}
    # Among what these bring along.
    assert "\n## prosemirror-model - " in notices
    assert notices.count("Permission is hereby granted, free of charge") > 30
    assert "Miles Johnson" in (BUILT / "license-emojibase-data.txt").read_text()


def test_the_scripts_are_within_the_budgets() -> None:
    scripts = list((BUILT / "assets").glob("*.js"))
    editors = [each for each in scripts if EDITOR in each.read_bytes()]
    assert len(editors) == 1
    names = [each for each in scripts if LATER.match(each.name) and each not in editors]
    assert [each.name[:9] for each in sorted(names)] == ["emoji_en-", "emoji_sv-"]
    assert max(map(_zipped, names)) <= NAMES_OF_EMOJI
    always = [each for each in scripts if each not in editors + names]
    assert sum(map(_zipped, always)) <= BUDGET
    assert sum(map(_zipped, _first_screen())) <= FIRST_SCREEN


@pytest.mark.parametrize("language", ["en", "sv"])
def test_the_service_takes_every_emoji_that_can_be_chosen_as_it_is_written(language: str) -> None:
    (file,) = (BUILT / "assets").glob(f"emoji_{language}-*.js")
    script = re.sub(r"\\(.)", r"\1", file.read_text())  # of a text between ` and `
    groups = json.loads(script[script.index("[") : script.rindex("]") + 1])
    rows = [row for group in groups for row in group]
    assert len(rows) > 1800
    toned = [
        row[0][0] + tone + row[0][1:].removeprefix("\ufe0f")
        for row in rows
        if row[3]
        for tone in TONES
    ]
    chosen = [row[0] for row in rows] + toned
    assert [each for each in chosen if not is_emoji(each) or fully_qualified(each) != each] == []


def test_the_start_page_and_the_service_worker_name_only_files_that_exist() -> None:
    named = set()
    for file in ("index.html", "service-worker.js"):
        named |= set(re.findall(r"/app/((?:assets/)?[\w.-]+\.\w+)", (BUILT / file).read_text()))
    assert len(named) > 20
    assert named <= _files(BUILT)


def test_the_service_worker_keeps_large_files_only_when_they_were_used() -> None:
    worker = (BUILT / "service-worker.js").read_text()
    lists = [each for each in re.findall(r"\[[^\[\]]*\]", worker) if "/assets/" in each]
    always, later = max(lists, key=len), min(lists, key=len)
    assert "/assets/week-" in always
    names = re.findall(r"/assets/([\w.-]+)", always)
    assert [each for each in names if LATER.match(each)] == []
    names = re.findall(r"/assets/([\w.-]+)", later)
    assert len(names) == len([each for each in names if LATER.match(each)]) == 3


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_inline() -> None:
    page = (BUILT / "index.html").read_text()
    assert re.findall(r'(?:src|href)="(?!/app/)', page) == []
    assert "<style" not in page
    assert re.findall(r"<script(?![^>]*src=)", page) == []


def _first_screen() -> set[Path]:
    """What the start page names, the frame of somebody signed in, and what these import."""
    named = re.findall(r"/app/assets/([\w.-]+)", (BUILT / "index.html").read_text())
    wanted = named + [each.name for each in (BUILT / "assets").glob("shell-*")]
    files = set[Path]()
    while wanted:
        file = BUILT / "assets" / wanted.pop()
        if file not in files:
            wanted += re.findall(r"""(?:from|import)["'`]\./([\w.-]+\.js)""", file.read_text())
        files.add(file)
    assert len(files) > 8
    return files


def _zipped(file: Path) -> int:
    return len(gzip.compress(file.read_bytes(), 9))


def _files(folder: Path) -> set[str]:
    return {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
