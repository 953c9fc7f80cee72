"""The keys: are they good, and are they those that the rows were made with."""

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

NAME = "keys"
SAMPLE = 200  # values of each column
ROTATE = "`manage.py rotate_encryption_keys`."


def check() -> Iterator[Finding]:
    """Forms first, which need no database."""
    if _are_keys(settings.FIELD_ENCRYPTION_KEYS):
        yield ok(NAME, f"FIELD_ENCRYPTION_KEYS holds {len(settings.FIELD_ENCRYPTION_KEYS)}.")
    else:
        yield fail(NAME, "FIELD_ENCRYPTION_KEYS holds something that is no key.", "32 bytes each.")
        return
    try:
        with database.own_connection() as own:
            if ServiceSession._meta.db_table in own.introspection.table_names():
                yield from _rows(own)
                yield from _sessions(own)
    except database.Away:
        yield warn(NAME, "the rows could not be looked at: the database is away.")


def _are_keys(keys: list[str]) -> bool:
    try:
        return bool([Fernet(key) for key in keys])
    except ValueError:
        return False


def _rows(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    found = sample_of_keys(own, limit=SAMPLE)
    if found.unreadable:
        hint = (
            "Is a key missing? Add it as the last one. If it is lost, those people sign in again."
        )
        yield fail(NAME, f"{found.unreadable} of {found.seen} values open with no key.", hint)
    if older := found.seen - found.current - found.unreadable:
        yield warn(NAME, f"{older} of {found.seen} values are on an older key.", ROTATE)
    if found.current == found.seen:
        yield ok(NAME, f"{found.seen} values looked at, all on the first key.")


def _sessions(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    """Whether the newest session would be found: its hash is made with SECRET_KEY."""
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
        return  # told already
    if token_hash(token) == row[1]:
        yield ok(NAME, "SECRET_KEY finds the newest session.")
    else:
        hint = "Put the SECRET_KEY back that they were made with, or everyone signs in again."
        yield fail(NAME, "SECRET_KEY does not find the sessions that are there.", hint)
