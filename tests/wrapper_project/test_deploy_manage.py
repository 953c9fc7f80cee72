"""deploy/manage runs a command of manage.py as the systemd units do."""

import json
import os
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USER = pwd.getpwuid(os.getuid()).pw_name
SHOW = """
import json, os
from django.conf import settings

found = {name: getattr(settings, name) for name in ("CONTACT", "RETENTION_MONTHS", "UPSTREAM_URL")}
database = settings.DATABASES["default"]
found |= {"password": database["PASSWORD"], "sslmode": database["OPTIONS"].get("sslmode")}
print(json.dumps(found | {"env": sorted(os.environ), "umask": os.umask(0)}))
"""

pytestmark = pytest.mark.skipif(
    not (ROOT / ".venv" / "bin" / "python").exists(), reason="needs .venv, as a deployment has"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Instead of /etc/wrapper."""
    key = "dGVzdHMtb25seS1rZXktb2YtMzItYnl0ZXMtLS0tLS0="
    (tmp_path / "wrapper.env").write_text(
        f"""# Comments and empty lines are left out.

SECRET_KEY={"k" * 40}
FIELD_ENCRYPTION_KEYS={key}
UPSTREAM_URL=https://upstream.example
ALLOWED_HOSTS=school.example
DATABASE_URL=postgres://wrapper:p%40ss%2F%23@127.0.0.1:5432/wrapper?sslmode=require
CONTACT="the head of the school, head@school.example"
#RETENTION_MONTHS=99
RETENTION_MONTHS=7
DATA_DIR={tmp_path / "data"}
"""
    )
    return tmp_path


def manage(folder: Path, *arguments: str, user: str = USER) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "deploy" / "manage"), *arguments],
        env={
            "PATH": os.environ["PATH"],
            "ENV_FOLDER": str(folder),
            "SERVICE_USER": user,
            "RETENTION_MONTHS": "1",
        },
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_has_the_variables_of_the_service_and_those_of_its_own_file(
    folder: Path,
) -> None:
    (folder / "shell.env").write_text("UPSTREAM_URL=https://own.example\n")
    ran = manage(folder, "shell", "--no-imports", "-c", SHOW)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["RETENTION_MONTHS"] == 7
    assert found["CONTACT"] == "the head of the school, head@school.example"
    assert found["UPSTREAM_URL"] == "https://own.example"
    assert "ENV_FOLDER" not in found["env"]
    assert found["umask"] == 0o077
    # The password as it is, and what follows the question mark.
    assert found["password"] == "p@ss/#"
    assert found["sslmode"] == "require"


def test_what_is_missing_is_said_without_a_traceback(folder: Path) -> None:
    unknown = manage(folder, "check", user="nobody-of-this-name")
    assert unknown.returncode == 1
    assert "nobody-of-this-name" in unknown.stderr
    nowhere = manage(folder / "nowhere", "check")
    assert nowhere.returncode == 1
    assert "wrapper.env" in nowhere.stderr
    assert "Traceback" not in unknown.stderr + nowhere.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_root_becomes_the_user_of_the_service(folder: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    # Not in `tmp_path`, which only root can enter.
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        for part, text in {
            "deploy/manage": (ROOT / "deploy" / "manage").read_text(),
            ".venv/bin/python": '#!/bin/sh\nid -u; id -g; id -G; echo "$2"\n',
        }.items():
            (root / part).parent.mkdir(parents=True)
            (root / part).write_text(text)
            (root / part).chmod(0o755)
        ran = subprocess.run(
            [str(root / "deploy" / "manage"), "doctor"],
            env={"PATH": os.environ["PATH"], "ENV_FOLDER": str(folder), "SERVICE_USER": "nobody"},
            capture_output=True,
            text=True,
            check=False,
        )
    ids = [str(each) for each in (nobody.pw_uid, nobody.pw_gid, nobody.pw_gid)]
    assert ran.stdout.split() == [*ids, "doctor"], ran.stderr
