"""The files that every site is asked for."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import Settings


def test_the_icon_is_a_picture(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml")
    assert answer.content.startswith(b"<svg ")
    assert "max-age" in answer.headers["Cache-Control"]


def test_search_engines_are_asked_to_read_nothing(client: Client) -> None:
    assert client.get("/robots.txt").content == b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize(
    ("contact", "line"),
    [
        ("rektor@skola.example", "Contact: mailto:rektor@skola.example"),
        ("https://skola.example/help", "Contact: https://skola.example/help"),
    ],
)
def test_security_researchers_find_whom_to_write_to(
    client: Client, settings: Settings, contact: str, line: str
) -> None:
    settings.CONTACT = contact
    with time_machine.travel(datetime(2026, 11, 22, 7, 0, tzinfo=UTC)):
        answer = client.get("/.well-known/security.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().splitlines() == [
        line,
        "Expires: 2027-05-21T00:00:00Z",
        "Preferred-Languages: sv, en",
    ]


def test_without_a_contact_there_is_no_file(client: Client, settings: Settings) -> None:
    settings.CONTACT = ""
    assert client.get("/.well-known/security.txt").status_code == 404
