"""`deploy/build_image.sh`, as far as it goes without building; `make image` runs all of it."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy" / "build_image.sh"


def run(*arguments: str, path: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), *arguments],
        env={"PATH": str(path or "/usr/sbin:/usr/bin:/sbin:/bin")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_names_every_tool_that_is_missing_and_builds_nothing(tmp_path: Path) -> None:
    for name in ("dirname", "id", "sed"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    ran = run(path=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    for name in ("buildah", "debootstrap", "redis-server"):
        assert f"apt-get install {name}" in ran.stderr


def test_its_help_names_every_variable_that_it_reads() -> None:
    ran = run("--help")
    assert ran.returncode == 0
    for name in ("BASE", "IMAGE", "BUILDAH_ARGS", "DATABASE_URL", "REDIS_URL"):
        assert f"\n  {name}" in ran.stdout


def test_it_refuses_an_argument_that_it_does_not_know() -> None:
    ran = run("--renew")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--renew-base" in ran.stderr
