"""The staff site against thieves, and against staff who should not be there."""

from base64 import b32decode
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client

from accounts.services.staff import enrol_staff, set_roles
from tests.abuse.people import Everybody
from tests.abuse.staff_site import Site
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


def test_who_is_removed_is_signed_out_at_once(enter: Enter) -> None:
    moa, mio = enter(), enter(username="mio")
    call_command("remove_staff", "moa")
    assert moa.get("/admin/").status_code == 302
    assert mio.get("/admin/").status_code == 200


def test_the_address_without_a_slash_leads_to_the_site(db: None) -> None:
    answer = Client().get("/admin")
    assert answer.status_code in (301, 302)
    assert answer["Location"].endswith("/admin/")


def test_a_forged_form_gets_a_page_for_people(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "moa"})
    text = answer.content.decode()
    assert answer.status_code == 403
    assert "DEBUG" not in text
    assert "Django" not in text


@pytest.mark.parametrize("typed", ["ömer", "omer", "Ömer"])
def test_a_moderator_finds_a_person_however_they_type_it(
    cast: Everybody, enter: Enter, typed: str
) -> None:
    assert cast.omer.username == "ömer.sjölin"
    assert cast.elsa.username
    site = Site(enter()).go("/admin/accounts/account/")
    text = site.go(f"/admin/accounts/account/?q={typed}").text
    assert cast.omer.username in text
    assert cast.elsa.username not in text
