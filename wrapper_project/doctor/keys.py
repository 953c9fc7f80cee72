"""Checks the keys: valid, and the same that encrypted the stored data."""

from collections.abc import Iterator

from cryptography.fernet import Fernet
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.cookies import token_hash
from accounts.encryption import SecretUnreadable, reveal
from accounts.models import ServiceSession
from accounts.services.key_rotation import sample_of_keys
from wrapper_project.doctor import database
from wrapper_project.doctor.findings import Finding, fail, ok, warn

SAMPLE = 200  # values of each column
ROTATE = "Run `manage.py rotate_encryption_keys`."


def check() -> Iterator[Finding]:
    """First their form, then the stored data, which needs the database."""
    try:
        valid = [Fernet(key) for key in settings.FIELD_ENCRYPTION_KEYS]
    except ValueError:
        valid = []
    if not valid:
        yield fail("FIELD_ENCRYPTION_KEYS contains an invalid key.", "Each key has 32 bytes.")
        return
    yield ok(f"FIELD_ENCRYPTION_KEYS has {len(valid)} valid keys.")
    try:
        with database.own_connection() as own:
            if ServiceSession._meta.db_table in own.introspection.table_names():
                yield from _rows(own)
                yield from _sessions(own)
    except database.Unavailable:
        yield warn("the stored data could not be checked: the database is unavailable.")


def _rows(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    found = sample_of_keys(own, limit=SAMPLE)
    if found.unreadable:
        hint = "Add the missing key as the last one. If it is lost, those people sign in again."
        text = f"{found.unreadable} of {found.seen} values cannot be decrypted with any key."
        yield fail(text, hint)
    if older := found.seen - found.current - found.unreadable:
        yield warn(f"{older} of {found.seen} values use an older key.", ROTATE)
    if found.current == found.seen:
        yield ok(f"{found.seen} values checked, all use the first key.")


def _sessions(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    """Whether SECRET_KEY made the hash of the newest session."""
    table = own.ops.quote_name(ServiceSession._meta.db_table)
    with own.cursor() as cursor:
        cursor.execute(
            f"SELECT access_token, token_hash FROM {table} ORDER BY created_at DESC LIMIT 1"  # noqa: S608
        )
        row = cursor.fetchone()
    if row is None:
        return
    try:
        token = reveal(row[0], "access_token").partition("|")[2]
    except SecretUnreadable:
        return  # already reported
    if token_hash(token) == row[1]:
        yield ok("SECRET_KEY matches the newest session.")
    else:
        hint = "Restore the previous SECRET_KEY, or everyone signs in again."
        yield fail("SECRET_KEY does not match the existing sessions.", hint)
