"""The two files of locked libraries (needs a package index, as `make install` does)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("python", ["3.11", "3.13"])
@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_everything_installs_from_wheels_alone(lock: str, python: str, tmp_path: Path) -> None:
    """The image has no compiler, and building a source archive runs code that no hash names."""
    uv = str(Path(sys.executable).with_name("uv"))
    wanted = ["--only-binary", ":all:", "--require-hashes", "--python-version", python]
    target = ["--dry-run", "--target", str(tmp_path), "-r", str(ROOT / lock)]
    done = subprocess.run(
        [str(uv), "pip", "install", *wanted, *target], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Would download" in done.stderr
