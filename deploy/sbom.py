"""Print the libraries of the service as a CycloneDX document:

    python3 deploy/sbom.py requirements.txt

It is made from the locked requirements alone, so it says the same on every machine and at any time:
no serial number, no time, everything sorted. Needs only Python.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)(?:\s*;\s*([^\\]+?))?\s*\\?$")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def purl(name: str, version: str) -> str:
    return f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}"


def read_locked(text: str) -> list[dict[str, Any]]:
    """Each locked distribution: name, version, marker, hashes, and who needs it (`via`)."""
    requirements: list[dict[str, Any]] = []
    for line in text.splitlines():
        if pinned := PINNED.match(line):
            name, version, marker = pinned.groups()
            requirements.append(
                {"name": name, "version": version, "marker": marker, "hashes": [], "via": []}
            )
        elif requirements:
            requirements[-1]["hashes"] += HASH.findall(line)
            needed_by = re.fullmatch(r"    #(?: via|  ) ([^\s(]+)(?: \(.*\))?", line)
            if needed_by:
                requirements[-1]["via"].append(needed_by[1])
        elif line.strip() and not line.startswith("#"):
            raise SystemExit(f"not a locked requirement: {line}")
    return sorted(requirements, key=lambda requirement: str(requirement["name"]))


def component(locked: dict[str, Any]) -> dict[str, Any]:
    name = locked["name"]
    hashes = [{"alg": "SHA-256", "content": digest} for digest in sorted(locked["hashes"])]
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl(name, locked["version"]),
        "name": name,
        "version": locked["version"],
        "purl": purl(name, locked["version"]),
        "externalReferences": [
            # The hashes of all files of this version that may be installed.
            {"type": "distribution", "url": f"https://pypi.org/simple/{name}/", "hashes": hashes}
        ],
    }
    if locked["marker"]:
        made["properties"] = [{"name": "python:marker", "value": locked["marker"]}]
    return made


def document(requirements: str, project: dict[str, Any]) -> dict[str, Any]:
    """The CycloneDX document of these requirements of this project (pyproject's table)."""
    locked = read_locked(requirements)
    own = purl(project["name"], project["version"])
    # A library has two versions where one of them is for an older Python.
    refs: dict[str, list[str]] = {project["name"]: [own]}
    for library in locked:
        ref = purl(library["name"], library["version"])
        refs.setdefault(library["name"], []).append(ref)
    needs: dict[str, set[str]] = {ref: set() for versions in refs.values() for ref in versions}
    for library in locked:
        for name in library["via"]:
            for ref in refs[name]:
                needs[ref].add(purl(library["name"], library["version"]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [component(requirement) for requirement in locked],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(wanted)} for ref, wanted in sorted(needs.items())
        ],
    }


if __name__ == "__main__":
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    locked_text = Path(sys.argv[1]).read_text(encoding="utf-8")
    json.dump(document(locked_text, pyproject["project"]), sys.stdout, indent=2, sort_keys=True)
    sys.stdout.write("\n")
