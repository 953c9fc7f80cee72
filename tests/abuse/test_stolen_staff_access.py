"""A stolen copy of the database opens no staff site."""

from base64 import b32decode
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.db import connection
from django.test import Client

from staff.services.members import enrol_staff, set_roles
from tests.accounts.full_account import columns_and_keys_with
from tests.staff.conftest import Enter


def texts_of_session_tables() -> Iterator[str]:
    """Every text in a table of sessions."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if "session" in table:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                yield from (str(value) for row in cursor.fetchall() for value in row)


def test_nothing_in_the_database_signs_in_at_the_staff_site(enter: Enter) -> None:
    signed_in = enter()
    assert signed_in.get("/admin/").status_code == 200
    found = list(texts_of_session_tables())
    assert found
    for text in found:
        thief = Client()
        thief.cookies[settings.SESSION_COOKIE_NAME] = text
        assert thief.get("/admin/").status_code == 302


def test_the_second_factor_is_in_no_table(db: None) -> None:
    set_roles()
    enrolled = enrol_staff(username="moa", role="moderator")
    assert enrolled is not None
    secret = parse_qs(urlsplit(enrolled.otpauth).query)["secret"][0]
    raw = b32decode(secret)
    assert columns_and_keys_with(secret, raw.hex(), raw.hex().upper()) == []
