"""The address of the staff site, and what a form from elsewhere gets."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings


@pytest.mark.parametrize("debug", [False, True])
def test_a_forged_sign_in_gets_a_plain_page(db: None, debug: bool, settings: Settings) -> None:
    settings.DEBUG = debug
    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "moa"})
    page = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (403, "text/html; charset=utf-8")
    assert "This form could not be checked." in page
    assert "DEBUG" not in page
    assert "CSRF" not in page
    assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_the_address_without_a_slash_leads_to_the_site(client: Client) -> None:
    answer = client.get("/admin")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
