"""The child processes of the demo command."""

import os
import select
import signal
import threading
from pathlib import Path

import pytest

from wrapper_project.demo.processes import DemoProcesses, ProcessDied, Stopped

FOREVER = "import signal; signal.pause()"
# A child that ignores signals and has its own child; both write their process ids.
STUBBORN = """
import os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
while True:
    signal.pause()
"""


@pytest.fixture
def children() -> DemoProcesses:
    return DemoProcesses(dict(os.environ))


def test_a_successful_command_has_ended(children: DemoProcesses, tmp_path: Path) -> None:
    done = tmp_path / "done"
    with children:
        children.finish("The task", "-c", f"import time; time.sleep(0.2); open({str(done)!r}, 'x')")
        assert done.exists()
        children.start("The service", "-c", FOREVER)
        # What is finished is watched no more.
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        with pytest.raises(Stopped):
            children.watch()


def test_a_failed_command_is_named(children: DemoProcesses) -> None:
    with children, pytest.raises(ProcessDied, match=r"The task failed \(exit code 7\)"):
        children.finish("The task", "-c", "raise SystemExit(7)")


def test_a_child_that_ends_is_named(children: DemoProcesses) -> None:
    with children:
        children.start("The one", "-c", FOREVER)
        children.start("The other", "-c", "")
        with pytest.raises(ProcessDied, match=r"The other has ended \(exit code 0\)"):
            children.watch()


def test_a_child_that_never_responds_is_named(children: DemoProcesses) -> None:
    with children:
        children.start("The child", "-c", FOREVER)
        with pytest.raises(ProcessDied, match="does not respond on port 9"):
            children.wait_for_answer("The child", 9, "/", seconds=0.2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_watching_and_handlers_are_restored(
    children: DemoProcesses, number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    with children:
        children.start("The child", "-c", FOREVER)
        threading.Timer(0.05, os.kill, (os.getpid(), number)).start()
        with pytest.raises(Stopped):
            children.watch()
    assert signal.getsignal(number) is before


def test_all_processes_are_ended(children: DemoProcesses, tmp_path: Path) -> None:
    written = tmp_path / "pids"
    with children:
        children.start("The child", "-c", STUBBORN, str(written))
        while not (written.exists() and len(written.read_text().split()) == 2):
            children._pause()
        handles = [os.pidfd_open(int(pid)) for pid in written.read_text().split()]
        assert select.select(handles, [], [], 0)[0] == []
    # A handle is readable when its process has ended.
    for handle in handles:
        assert select.select([handle], [], [], 10)[0] == [handle]
        os.close(handle)
