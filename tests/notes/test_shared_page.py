"""The page /shared/{token}."""

from datetime import UTC, datetime
from typing import Any

import lxml.html
import pytest
from pytest_django.fixtures import Settings

from notes.models import Note
from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import added, shared

EVIL = '"><script>alert(1)</script>&amp;{{ x }}{% y %}'


def page(caller: Caller, **fields: Any) -> Any:
    """The page of a new shared note."""
    answer = Caller().get(f"/shared/{shared(caller, added(caller, **fields))}")
    assert answer.status_code == 200
    return answer


def parsed(caller: Caller, **fields: Any) -> Any:
    return lxml.html.fromstring(page(caller, **fields).content.decode())


def meta(document: Any, name: str) -> str:
    (found,) = document.xpath(f"//meta[@name='{name}' or @property='{name}']/@content")
    return str(found)


def test_its_headers_allow_nothing_but_style_sheets(elsa: Caller) -> None:
    headers = page(elsa, title="Biologi").headers
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in headers


def test_it_has_one_title_and_headings_below_it(elsa: Caller) -> None:
    document = parsed(elsa, title="Biologi", content=RICH)
    assert document.xpath("//h1//text()") == ["Biologi"]
    assert document.xpath("//article//h2//text()") == ["Fotosyntesen"]
    assert document.findtext(".//title") == "Biologi"
    assert not document.xpath("//script | //img | //iframe | //*[@style] | //*[@onclick]")


def test_a_link_preview_has_title_and_excerpt(elsa: Caller) -> None:
    document = parsed(elsa, title="Biologi", content=RICH)
    assert meta(document, "og:type") == "article"
    assert meta(document, "og:title") == "Biologi"
    assert meta(document, "og:description").startswith("Fotosyntesen Växter gör socker")
    assert len(meta(document, "og:description")) <= 220
    assert meta(document, "robots") == "noindex, nofollow"
    assert meta(document, "referrer") == "no-referrer"


def test_the_content_of_a_note_is_escaped_everywhere(elsa: Caller) -> None:
    document = parsed(elsa, title=EVIL, content=EVIL)
    assert not document.xpath("//script")
    assert document.xpath("//h1//text()") == [EVIL]
    assert document.findtext(".//title") == EVIL
    assert meta(document, "og:title") == meta(document, "og:description") == EVIL
    assert document.xpath("//article//p//text()") == [EVIL]


@pytest.mark.parametrize(
    ("reader", "word", "month"), [("sv", "Ändrad", "november"), ("en", "Changed", "November")]
)
def test_it_is_framed_in_the_language_of_its_reader(
    elsa: Caller, reader: str, word: str, month: str
) -> None:
    token = shared(elsa, added(elsa, content="Kom ihåg att läsa till provet"))
    # Half an hour past midnight in Stockholm.
    Note.objects.update(updated_at=datetime(2026, 11, 21, 23, 30, tzinfo=UTC))
    answer = Caller().get(f"/shared/{token}", accept_language=reader)
    document: Any = lxml.html.fromstring(answer.content.decode())
    assert document.get("lang") == reader
    (time,) = document.xpath("//time")
    assert time.get("datetime") == "2026-11-22T00:30:00+01:00"
    assert time.text == f"22 {month} 2026"
    assert time.getparent().text.strip() == word


@pytest.mark.parametrize(
    ("content", "language", "locale"),
    [
        ("Kom ihåg att läsa till provet", "sv", "sv_SE"),
        ("Remember to read for the test", "en", "en_GB"),
    ],
)
def test_it_says_in_which_language_the_note_is(
    elsa: Caller, content: str, language: str, locale: str
) -> None:
    document = parsed(elsa, content=content)
    assert document.xpath("//h1/@lang | //article/@lang") == [language] * 2
    assert meta(document, "og:locale") == locale


def test_an_empty_note_says_so(elsa: Caller) -> None:
    assert parsed(elsa, title="").xpath("//article//text()[normalize-space()]") == [
        "This note is empty."
    ]


def test_it_says_whom_to_write_to(elsa: Caller, settings: Settings) -> None:
    settings.CONTACT = "https://skola.example/help"
    document = parsed(elsa, title="Biologi")
    assert "https://skola.example/help" in document.xpath("//footer//a/@href")
    settings.CONTACT = ""
    links = parsed(elsa, title="Biologi").xpath("//footer//a/@href")
    assert len(links) == 1
    assert links[0].endswith("/report")


def test_it_says_nothing_about_its_owner(elsa: Caller) -> None:
    text = page(elsa, title="Biologi", content=RICH).content.decode().lower()
    for word in ("nordvall", "elsa.", "bjorkdalen/"):
        assert word not in text
