"""Where a link in a note may lead, in every spelling that browsers understand."""

import re
from typing import Any

import pytest

from notes.errors import InvalidDocument
from notes.richtext.render_html import CLEANER, render_html
from notes.richtext.validate import read_content, validate_document
from notes.richtext.values import is_safe_link
from tests.notes.documents import doc, link, node, text

GOOD = [
    "https://school.example",
    "http://school.example/",
    "HTTPS://SCHOOL.EXAMPLE/A?b=1&c=2#d",
    "https://school.example:8443/å/ä?ö=%C3%A5",
    "https://xn--bjrkdalen-67a.example/(x)",
    "https://björkdalen.example",
    "https://[2001:db8::1]/x",
    "https://school.example/two words",
    "mailto:elsa@bjorkdalen.example",
    "MailTo:elsa@bjorkdalen.example?subject=Hej du",
]
BAD: list[Any] = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\tjavascript:alert(1)",
    "\x01javascript:alert(1)",
    "\x00javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "java\rscript:alert(1)",
    "javascript\t:alert(1)",
    "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)",
    "%6aavascript:alert(1)",
    "\u200bjavascript:alert(1)",
    "\ufeffjavascript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "DATA:text/html;base64,PHNjcmlwdD4=",
    "blob:https://school.example/x",
    "file:///etc/passwd",
    "ftp://school.example",
    "tel:112",
    "view-source:https://school.example",
    "//evil.example",
    "\\\\evil.example",
    "/relative",
    "relative",
    "#fragment",
    "?query",
    "",
    " ",
    ":",
    "https",
    "https:",
    "https:/",
    "https://",
    "https:///evil.example",
    "https:\\\\evil.example",
    "https:/\\evil.example",
    "https://\\evil.example",
    "https:evil.example",
    "https://?x",
    "https://#x",
    "https://[::1",
    "ht\ttps://school.example",
    "https://school.example/\n",
    "https://school.example/a\tb",
    "https://school.example/a\x7fb",
    "https://school.example/\u2028",
    " https://school.example",
    "https://school.example ",
    "mailto:",
    "mailto: x",
    "mail\tto:elsa@bjorkdalen.example",
    "https://school.example/" + "x" * 2_048,
    None,
    5,
    True,
    ["https://school.example"],
    {"href": "https://school.example"},
]


def linked(address: Any) -> Any:
    return doc(node("paragraph", text("x", link(address))))


def test_a_link_may_lead_to_the_web_or_to_a_mail_address() -> None:
    for address in GOOD:
        assert is_safe_link(address), ascii(address)
        assert read_content(linked(address)).document is not None
        html = render_html(linked(address))
        assert html.startswith('<p dir="auto"><a href="'), html
        assert 'rel="noopener noreferrer nofollow ugc"' in html


def test_a_link_may_lead_nowhere_else() -> None:
    for address in BAD:
        assert not is_safe_link(address), ascii(address)
        stripped = address.strip() if isinstance(address, str) else address
        if stripped not in (None, "") and not is_safe_link(stripped):
            with pytest.raises(InvalidDocument):
                read_content(linked(address))


def test_space_around_an_address_is_removed() -> None:
    for address in (
        " https://school.example",
        "https://school.example ",
        "https://school.example\n",
    ):
        assert validate_document(linked(address)) == linked("https://school.example")


def test_a_link_without_an_address_is_text() -> None:
    for mark in (link(None), link(""), link(" "), {"type": "link"}, {"type": "link", "attrs": {}}):
        document = doc(node("paragraph", text("x", "bold", mark)))
        assert validate_document(document) == doc(node("paragraph", text("x", "bold")))
        only = doc(node("paragraph", text("x", mark)))
        assert "<a" not in render_html(validate_document(only))


def test_an_unsafe_link_in_the_database_is_not_rendered() -> None:
    """Links are checked again when a note is rendered."""
    for address in BAD:
        with pytest.raises(ValueError):
            render_html(linked(address))


def test_the_sanitiser_removes_everything_unsafe() -> None:
    for address in ("javascript:alert(1)", "java&#9;script:alert(1)", "//evil.example", "/x",
                    "data:text/html,x", "&#1;javascript:alert(1)", "tel:112"):  # fmt: skip
        assert "href" not in CLEANER.clean(f'<a href="{address}">x</a>'), address
    for evil in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<style>a{}</style>",
                 "<p onclick=x style=x id=x class=evil>", "<iframe src=//x></iframe>",
                 "<svg onload=x>", "<input type=text name=x>", "<form action=x>"):  # fmt: skip
        cleaned = CLEANER.clean(evil)
        assert not re.search(r"script|alert|style|evil|on\w+=|src|name|action|text", cleaned), evil
