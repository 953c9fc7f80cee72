"""Running the examples as a person does: copied, generated, started, typed into."""

import fcntl
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.service_process import ROOT

SECONDS = 60.0  # nothing takes as long, unless it fails
GENERATED = shutil.ignore_patterns(
    ".venv", "__pycache__", "wrapper_client", "node_modules", "dist", "schema.d.ts", "events.d.ts"
)


class Example:
    """A built copy of an example. `command` starts one of its programs."""

    def __init__(self, folder: Path, command: Callable[[str], list[str]]) -> None:
        self.folder = folder
        self.command = command

    def run(self, program: str, *arguments: str, **variables: str) -> tuple[int, str, str]:
        """(exit status, what it printed, what it said on stderr)."""
        done = subprocess.run(
            [*self.command(program), *arguments],
            cwd=self.folder,
            env=environment(**variables),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    @contextmanager
    def running(self, program: str, *arguments: str, **variables: str) -> Iterator["Running"]:
        """A program that runs until the end of the block."""
        process = subprocess.Popen(
            [*self.command(program), *arguments],
            cwd=self.folder,
            env=environment(**variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,
        )
        running = Running(process)
        try:
            yield running
        finally:
            running.end()


class Running:
    """What a program prints, line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip("\n"))

    def lines(self, count: int) -> list[str]:
        """The next ones, as soon as they are there."""
        found: list[str] = []
        while len(found) < count:
            try:
                found.append(self._lines.get(timeout=SECONDS))
            except queue.Empty:
                pytest.fail(f"it printed {found} and nothing more")
        return found

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def end(self) -> list[str]:
        """End the program; what it had printed and nobody has read."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        if self._process.stdin is not None:
            self._process.stdin.close()
        return list(self._lines.queue)


def environment(**variables: str) -> dict[str, str]:
    """That of this test run, with the tools that are installed beside its Python."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # Packages that were downloaded before need not be asked for again.
    npm = {"npm_config_prefer_offline": "true", "npm_config_audit": "false"}
    return {**os.environ, **npm, "PATH": path, "PYTHONUTF8": "1", **variables}


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Path:
    """A copy of `examples/<name>` that is built once for all processes of a test run."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / f"example-{name}", shared / f"example-{name}.done"
    with (shared / f"example-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(ROOT / "examples" / name, folder, ignore=GENERATED)
            build(folder)
            done.touch()
    return folder


def shell(folder: Path, command: str) -> None:
    """A line of a README."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=5 * SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
