"""The inbox page, odd in one way each time."""

from datetime import date

import pytest

from upstream.errors import UpstreamChanged
from upstream.page_records import InboxPage, Message
from upstream.pages.html import Page
from upstream.pages.inbox import name_key, read_inbox

TODAY = date(2026, 3, 12)
FORM = (
    '<form name="message"><select name="users"><option value="-222">---</option>{}</select></form>'
)


def read(inner: str, after: str = "") -> InboxPage:
    page = f'<div class="h2_container"><div id="message_con_content">{inner}</div></div>{after}'
    return read_inbox(Page(page.encode(), "utf-8"), TODAY)


def group(
    *, day: str = "19 maj", sent: str = "19 maj 10:54", status: str = "", more: str = ""
) -> str:
    return (
        '<div class="accordion-group" id="accordion-group7"><div class="accordion-heading">'
        f'{status}<span id="messheader7"></span>'
        f'<div class="accordion-heading-date">{day}</div></div>'
        f'<span id="mess7">Hej,<br>du</span><span id="messdate7">{sent}</span>{more}</div>'
    )


def one(**parts: str) -> Message:
    [message] = read(group(**parts)).messages
    return message


@pytest.mark.parametrize(
    ("day", "sent", "read_as"),
    [
        ("19 maj", "19 maj 10:54", "2025-05-19T10:54"),
        ("5 feb.", "5 feb. 09:05", "2026-02-05T09:05"),
        ("30 aug. 2024", "30 aug. 10:54", "2024-08-30T10:54"),
        ("igår", "11 mars 23:59", "2026-03-11T23:59"),
        ("", "11 mars", "2026-03-11"),
        ("12 mars", "", "2026-03-12"),
        ("", "", None),
    ],
)
def test_the_year_is_the_latest_that_is_not_in_the_future(
    day: str, sent: str, read_as: str | None
) -> None:
    assert one(day=day, sent=sent).sent == read_as


@pytest.mark.parametrize(
    ("status", "unread"),
    [
        ('<img id="statuspic7" src="../../grafics/mail.gif">', True),
        ('<img id="statuspic7" src="../../grafics/mail_open.gif">', False),
        ('<img id="statuspic7" src="../../grafics/new.svg">', None),
        ("", None),
    ],
)
def test_the_picture_says_whether_it_is_unread(status: str, unread: bool | None) -> None:
    assert one(status=status).unread is unread


def test_an_empty_inbox_and_an_unknown_page() -> None:
    assert read("") == InboxPage((), frozenset(), None)
    with pytest.raises(UpstreamChanged, match="the inbox"):
        read_inbox(Page(b"<div class='h2_container'>Nytt</div>"), TODAY)
    with pytest.raises(UpstreamChanged, match="the number of a message"):
        read('<div class="accordion-group">Hej</div>')
    with pytest.raises(UpstreamChanged, match="the text of a message"):
        read('<div class="accordion-group" id="accordion-group7">Hej</div>')


def test_the_total_and_the_staff() -> None:
    header = '<div id="content"><div class="pagination-header">Visar 1-20 av 47</div></div>'
    options = "<option value='91'>Ekvik Torbjörn</option><option>Wallin Öberg Ingrid</option>"
    page = read(group(), header + FORM.format(options))
    assert page.total == 47
    assert page.staff == {name_key("Torbjörn Ekvik"), name_key("Ingrid Wallin Öberg")}
    assert name_key("--- ") == ""


def test_the_first_of_two_with_one_number_counts() -> None:
    assert len(read(group() + group(sent="1 mars")).messages) == 1
