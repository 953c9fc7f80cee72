"""examples/python, as its README says, against the real service."""

import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.examples import journeys
from tests.examples.conftest import Person
from tests.examples.programs import Example, built_once, shell
from tests.examples.wire import Wire
from tests.notes.documents import RICH
from tests.service_process import ROOT, ServiceProcess
from upstream.simulator.server import Simulator

README = (ROOT / "examples/python/README.md").read_text()


@pytest.fixture
def example(service: ServiceProcess, tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The example with the client that the README's command generates."""
    (command,) = re.findall(r"^openapi-python-client .*$", README, re.MULTILINE)

    def build(folder: Path) -> None:
        shell(folder, command.replace("http://127.0.0.1:8000", service.url))

    folder = built_once(tmp_path_factory, "python", build)
    return Example(folder, lambda program: [sys.executable, f"{program}.py"])


def test_it_prints_a_week(example: Example, service: ServiceProcess, elsa: Person) -> None:
    journeys.read_a_week(example, service, elsa)
    journeys.be_refused(example, service)


def test_the_generated_client_is_small(example: Example) -> None:
    assert len(list((example.folder / "wrapper_client/models").iterdir())) < 350


def test_it_reads_and_writes_documents(example: Example) -> None:
    """The union of nodes is recursive, which not every form of a schema survives."""
    (example.folder / "rich.json").write_text(orjson.dumps(RICH).decode())
    program = (
        "import json; from wrapper_client.models import HeadingNode, RichText;"
        "rich = json.load(open('rich.json')); read = RichText.from_dict(rich);"
        "assert isinstance(read.content[0], HeadingNode), read.content[0];"
        "assert read.to_dict() == rich"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=example.folder, check=False)
    assert done.returncode == 0


def test_it_chats_and_resumes(
    example: Example, wire: Wire, simulator: Simulator, bo: Person
) -> None:
    journeys.talk_over_a_bad_wire(example, wire, simulator, bo)


def test_its_requirements_are_those_of_the_tests() -> None:
    """What is tested is what a reader installs."""
    locked = (ROOT / "requirements-dev.txt").read_text()
    pins = (ROOT / "examples/python/requirements.txt").read_text().split()
    assert pins
    assert [pin for pin in pins if f"\n{pin} \\\n" not in locked] == []
