"""`python -m tests.mutants`: make each change in a copy of the project, and see its tests fail.

The exit status is 0 if the tests noticed every change. A change whose tests cannot run at all
counts as not noticed: it proves nothing. The project itself stays as it is, so the run can be
stopped at any moment.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.changes import CHANGES, Change

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".git", ".venv", "var", "node_modules", "__pycache__", ".*_cache")
PASSED, FAILED = 0, 1  # of pytest; all others mean that it could not run


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the changes, and make none")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT", help="changes with this text"
    )
    options = parser.parse_args()
    chosen = [
        change
        for change in CHANGES
        if not options.only or any(text in f"{change.file}: {change.name}" for text in options.only)
    ]
    if not chosen:
        parser.error("no change has this text")
    if options.list:
        print("\n".join(f"{change.file}: {change.name}" for change in chosen))
        return 0
    with tempfile.TemporaryDirectory(prefix="wrapper-mutants-") as folder:
        project = Path(folder) / "project"
        shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns(*LEFT_OUT))
        try:
            return _try_all(project, chosen)
        except KeyboardInterrupt:
            return 130


def _try_all(project: Path, chosen: list[Change]) -> int:
    every_test = sorted({test for change in chosen for test in change.tests})
    print(f"{len(every_test)} test files without a change ...", end=" ", flush=True)
    before = _run(project, every_test)
    if before.returncode != PASSED:
        print(f"did not pass:\n{before.stdout}{before.stderr}")
        return 1
    print("passed")
    unnoticed = [change for change in chosen if not is_noticed(project, change)]
    print(f"{len(chosen) - len(unnoticed)} of {len(chosen)} changes were noticed.")
    for change in unnoticed:
        print(f"NOT NOTICED: {change.file}: {change.name} ({', '.join(change.tests)})")
    return 1 if unnoticed else 0


def is_noticed(project: Path, change: Change) -> bool:
    """Whether a test fails with the change, which is made in `project` and taken back."""
    started = time.monotonic()
    path = project / change.file
    text = path.read_text()
    path.write_text(text.replace(change.before, change.after))
    status = _run(project, change.tests).returncode
    path.write_text(text)
    verdict = {FAILED: "noticed", PASSED: "NOT NOTICED"}.get(status, "NO TEST RAN")
    print(f"{verdict:11} {time.monotonic() - started:4.0f} s  {change.name}", flush=True)
    return status == FAILED


def _run(project: Path, tests: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """What pytest said, which stops at the first failure."""
    # No compiled files: two changes within a second could be taken for one.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "DATA_DIR": str(project / "var")}
    (project / "var").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


if __name__ == "__main__":
    sys.exit(main())
