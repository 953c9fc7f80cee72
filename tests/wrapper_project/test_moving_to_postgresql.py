"""docs/moving-to-postgresql.md: everything that SQLite held is in PostgreSQL afterwards."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import migrated_database
from tests.postgres_server import MISSING, TemporaryPostgres, program

ROOT = Path(__file__).resolve().parents[2]
LOAD = ROOT / "deploy" / "sqlite_to_postgresql.load"
# A person with a session, rich text, JSON, and an entry of the log that nobody may delete from.
FILL = r"""
from django.utils import timezone
from accounts.models import Account, Profile, ServiceSession
from staff.models import AuditEntry
from notes.models import Layout, Note

now, name = timezone.now(), "ömer-{number}"
account = Account.objects.create(
    school="bjorkdalen", upstream_user_id=2**40 + {number}, username=name, name_key=name
)
profile = Profile(account=account, display_name="Ömer 😀", user_type="student")
profile.bio = "“1”\n2\t3 \\N \\"
profile.save()
session = ServiceSession(account=account, last_used_at=now)
session.token_hash, session.pair_hash = "token {number}", "pair {number}"
session.access_token, session.token_expires_at = "secret", now.isoformat()
session.school, session.upstream_user_id = "bjorkdalen", "1"
session.save()
Note.objects.create(account=account, title="Prov", content="Hej", created_at=now, updated_at=now)
Layout.objects.create(account=account, widgets=[dict(size="2x2", id="b"), None], updated_at=now)
AuditEntry.objects.create(staff_name="moa", action="warn", reason="Ord")
"""
SHOW = """
import json
from django.apps import apps

for model in apps.get_models(include_auto_created=True):
    columns = [field.attname for field in model._meta.concrete_fields]
    for row in model.objects.order_by("pk").values(*columns):
        shown = {name: bytes(value) if isinstance(value, memoryview) else value
                 for name, value in row.items()}
        print(model._meta.label, json.dumps(shown, sort_keys=True, default=str))
"""


def manage(url: str, *command: str, script: str = "") -> str:
    ran = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**os.environ, "DEBUG": "1", "REDIS_URL": "", "DATABASE_URL": url},
        input=script,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(program("initdb") is None, reason=MISSING)
@pytest.mark.skipif(shutil.which("pgloader") is None, reason="needs pgloader")
def test_everything_comes_along(tmp_path: Path) -> None:
    file = tmp_path / "before.sqlite3"
    sqlite = f"sqlite:///{file}"
    if not migrated_database.copy_to(file):
        manage(sqlite, "migrate", "-v0")
    before = manage(sqlite, "shell", "-v0", script=FILL.format(number=1) + SHOW)
    assert before.count("accounts.AuditEntry ") == before.count("notes.Layout ") == 1
    with TemporaryPostgres() as postgres:
        manage(postgres.url, "migrate", "-v0")
        subprocess.run(
            ["pgloader", "--client-min-messages", "error", str(LOAD)],
            env={
                **os.environ,
                "SQLITE_FILE": str(file),
                "POSTGRESQL_URL": postgres.url.replace("postgres://", "postgresql://"),
            },
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        # Afterwards, the next rows get numbers of their own.
        after = manage(postgres.url, "shell", "-v0", script=SHOW + FILL.format(number=2))
        assert sorted(after.splitlines()) == sorted(before.splitlines())
