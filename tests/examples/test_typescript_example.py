"""examples/typescript, as its README says, against the real service."""

import json
import shutil
from pathlib import Path

import pytest

from tests.examples import journeys
from tests.examples.conftest import Person
from tests.examples.programs import Example, built_once, shell
from tests.examples.wire import Wire
from tests.service_process import ROOT, ServiceProcess
from upstream.simulator.server import Simulator

README = (ROOT / "examples/typescript/README.md").read_text()
REGISTRY = "https://registry.npmjs.org/"


@pytest.fixture
def example(service: ServiceProcess, tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The example with the packages of its lock file, generated types, and compiled."""

    def build(folder: Path) -> None:
        package = folder / "package.json"
        package.write_text(package.read_text().replace("http://127.0.0.1:8000", service.url))
        shutil.copy(ROOT / "tests/examples/named_types.ts", folder / "src")
        commands = README.partition("```sh\n")[2].partition("```")[0].splitlines()
        assert len(commands) == 3
        for command in commands:
            shell(folder, command)

    folder = built_once(tmp_path_factory, "typescript", build)
    return Example(folder, lambda program: ["npm", "run", "-s", program])


@pytest.mark.node
def test_it_prints_a_week(example: Example, service: ServiceProcess, elsa: Person) -> None:
    journeys.read_a_week(example, service, elsa)
    journeys.be_refused(example, service)


@pytest.mark.node
def test_the_types_of_the_rest_routes_are_small(example: Example) -> None:
    assert (example.folder / "src/schema.d.ts").stat().st_size < 260_000


@pytest.mark.node
def test_documents_and_events_have_exact_types(example: Example) -> None:
    """`named_types.ts` was compiled with the example, which is only built without errors."""
    assert (example.folder / "dist/named_types.js").exists()


@pytest.mark.node
def test_it_chats_and_resumes(
    example: Example, wire: Wire, simulator: Simulator, bo: Person
) -> None:
    journeys.talk_over_a_bad_wire(example, wire, simulator, bo)


def test_its_versions_are_exact_and_come_from_the_registry() -> None:
    folder = ROOT / "examples/typescript"
    package = json.loads((folder / "package.json").read_text())
    lock = json.loads((folder / "package-lock.json").read_text())["packages"]
    wanted = package["dependencies"] | package["devDependencies"]
    assert wanted == {name: lock[f"node_modules/{name}"]["version"] for name in wanted}
    addresses = {entry["resolved"] for entry in lock.values() if "resolved" in entry}
    assert [address for address in addresses if not address.startswith(REGISTRY)] == []
