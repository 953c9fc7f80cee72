"""`make sbom`: what the service consists of, the same bytes on every machine."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKED = re.findall(
    r"^([\w.-]+)(?:\[.*\])?==([^\s;]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE
)


def made(file: Path) -> bytes:
    command = ["make", "--silent", "sbom", f"PYTHON={sys.executable}", f"SBOM={file}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return file.read_bytes()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made(tmp_path_factory.mktemp("sbom") / "sbom.json")


@pytest.fixture
def found(first: bytes) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(first)
    return loaded


def test_it_is_the_same_twice_and_holds_no_time(first: bytes, tmp_path: Path) -> None:
    assert first == made(tmp_path / "sub/two.json")
    assert "timestamp" not in json.loads(first)["metadata"]
    assert "serialNumber" not in json.loads(first)


def test_it_lists_every_locked_version_with_its_hashes(found: dict[str, Any]) -> None:
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert [(each["name"], each["version"]) for each in found["components"]] == sorted(LOCKED)
    for each in found["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        (source,) = each["externalReferences"]
        assert all(len(digest["content"]) == 64 for digest in source["hashes"])
    hashes = sum(len(each["externalReferences"][0]["hashes"]) for each in found["components"])
    assert hashes == (ROOT / "requirements.txt").read_text().count("--hash=sha256:")


def test_it_says_what_needs_what(found: dict[str, Any]) -> None:
    needs = {each["ref"]: each["dependsOn"] for each in found["dependencies"]}
    refs = {each["bom-ref"] for each in found["components"]}
    own = found["metadata"]["component"]["bom-ref"]
    assert set(needs) == {own, *refs}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    direct = {re.split(r"[\[=]", each)[0] for each in project["dependencies"]}
    assert {ref.removeprefix("pkg:pypi/").partition("@")[0] for ref in needs[own]} == direct
    versions = dict(LOCKED)
    assert (
        f"pkg:pypi/django@{versions['django']}"
        in needs[f"pkg:pypi/django-axes@{versions['django-axes']}"]
    )
