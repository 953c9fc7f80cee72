"""Key rotation: every column of every app, interrupted, continued, and twice at once."""

import secrets
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Account, ServiceSession
from accounts.services import key_rotation
from accounts.services.key_rotation import Rotated, rotate_secrets, sample_of_keys
from tests.concurrency import at_once

NEW_KEY = Fernet.generate_key().decode()
SOON = datetime.now(UTC) + timedelta(days=9)


def add_key(settings: Settings) -> str:
    """Put a new key first. Returns the old one."""
    old = str(settings.FIELD_ENCRYPTION_KEYS[0])
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, old]
    return old


def many_sessions(count: int) -> Account:
    """An account with so many sessions, each with five encrypted columns of which one is null."""
    account = Account.objects.create(
        school="bjorkdalen", upstream_user_id=7_000_001, username="many.devices"
    )
    rows = []
    for number in range(count):
        row = ServiceSession(
            account=account,
            token_hash=secrets.token_hex(32),
            pair_hash=secrets.token_hex(32),
            last_used_at=timezone.now(),
        )
        for name in ("access_token", "school", "upstream_user_id"):
            setattr(row, name, f"{name} {number}")
        row.token_expires_at = SOON.isoformat()
        rows.append(row)
    ServiceSession.objects.bulk_create(rows)
    return account


def test_an_interrupted_rotation_continues(db: None, settings: Settings) -> None:
    account = many_sessions(60)
    old = add_key(settings)

    def stop(found: Rotated) -> None:
        if found.seen > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rotate_secrets(progress=stop)
    half = sample_of_keys(connection, limit=1000)
    assert 0 < half.current < half.seen == 240
    assert half.unreadable == 0
    settings.FIELD_ENCRYPTION_KEYS = [old, NEW_KEY]
    assert [row.school for row in account.sessions.all()]
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, old]
    rest = rotate_secrets()
    assert (rest.current, rest.rotated, rest.remaining) == (half.current, 240 - half.current, 0)
    assert rotate_secrets().current == 240


def test_two_at_once_share_the_work(transactional_db: None, settings: Settings) -> None:
    many_sessions(40)
    add_key(settings)
    found = at_once([rotate_secrets, rotate_secrets])
    assert [one.remaining for one in found] == [0, 0]
    assert sum(one.rotated for one in found) == 160
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    rows = ServiceSession.objects.all()
    assert {row.access_token for row in rows} == {f"access_token {n}" for n in range(40)}


def test_a_value_that_a_login_wrote_meanwhile_is_kept(db: None, settings: Settings) -> None:
    account = many_sessions(1)
    row = account.sessions.get()
    (column,) = [one for one in key_rotation.encrypted_columns() if one[1].name == "access_token"]
    ((stale,),) = key_rotation._batches(column)
    add_key(settings)
    row.access_token = "newer"
    row.save()
    found = Rotated()
    key_rotation._rotate(found, column, stale, dry_run=False)
    assert (found.rotated, found.current, found.remaining) == (0, 1, 0)
    assert account.sessions.get().access_token == "newer"
    row.delete()
    key_rotation._rotate(found, column, stale, dry_run=False)
    assert (found.current, found.remaining) == (2, 0)


def run(*options: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("rotate_encryption_keys", *options, stdout=out, stderr=StringIO())
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


def test_the_command_exits_with_1_while_values_remain(db: None, settings: Settings) -> None:
    many_sessions(2)
    assert run() == (
        0,
        "8 values: 8 on the first key, 0 re-encrypted, 0 changed meanwhile, "
        "0 readable with no key.\n",
    )
    old = add_key(settings)
    assert run("--dry-run")[0] == 1
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    code, said = run()
    assert code == 1
    assert "8 readable with no key" in said
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, old]
    assert run()[0] == 0
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    assert run("--dry-run")[0] == 0
