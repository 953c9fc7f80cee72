"""Parses the inbox: an accordion with each message in full, and the list of staff of its form."""

import re
from datetime import date
from typing import Final

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.page_records import InboxPage, Message
from upstream.pages.attachments import read_attachments
from upstream.pages.dates import read_day, read_time
from upstream.pages.html import Page, attribute, line, parse, read_text

MAX_MESSAGES: Final = 300

_GROUP: Final = re.compile(r"^accordion-group(\d{1,18})\Z")
_TOTAL: Final = re.compile(r"(\d{1,7})\s*\Z")
_UNREAD: Final = {"mail.gif": True, "mail_open.gif": False}


def read_inbox(page: Page, today: date) -> InboxPage:
    """The messages in page order, each number once.

    Raises: SessionDead for the login page; UpstreamChanged, which names what is not recognised.
    """
    root = parse(read_text(page))
    box = root.find(id="message_con_content") or root.find(id="mess_con_content")
    if box is None:
        raise UpstreamChanged("the inbox")
    messages: dict[str, Message] = {}
    for group in box.find_all(class_="accordion-group"):
        number = _GROUP.match(attribute(group, "id"))
        if number is None:
            raise UpstreamChanged("the number of a message in the inbox")
        messages.setdefault(number[1], _message(number[1], group, today))
        if len(messages) > MAX_MESSAGES:
            raise UpstreamChanged("the inbox, with too many messages")
    header = root.find(class_="pagination-header")
    total = _TOTAL.search(line(header)) if header else None
    options = root.select('form[name="message"] select[name="users"] option')
    staff = frozenset(name_key(line(option)) for option in options)
    return InboxPage(tuple(messages.values()), staff - {""}, int(total[1]) if total else None)


def name_key(name: str) -> str:
    """The same for "Ekvik Torbjörn" and "Torbjörn Ekvik"; empty for a text without letters."""
    return " ".join(sorted(re.findall(r"[^\W\d_]+", name.lower())))


def _message(number: str, group: Tag, today: date) -> Message:
    def part(name: str) -> str:
        element = group.find(id=f"{name}{number}")
        return line(element) if element else ""

    text = group.find(id=f"mess{number}") or group.find(class_="acc-item-main")
    if text is None:
        raise UpstreamChanged("the text of a message in the inbox")
    heading, preview = (
        group.find(class_="accordion-heading-date"),
        group.find(class_="preview-block"),
    )
    sender = group.find(class_="accordion-heading-from")
    status = group.find(id=f"statuspic{number}")
    picture = attribute(status, "src").rpartition("/")[2] if status else ""
    sent = part("messdate")
    # The list has the year, if it is another one; the message has the time.
    day = read_day(line(heading) if heading else "", today, past=True)
    day = day or read_day(sent, today, past=True)
    time = read_time(sent)
    return Message(
        id=number,
        subject=part("messheader"),
        preview=line(preview) if preview else "",
        sender=part("messfrom") or (line(sender) if sender else ""),
        sent=None if day is None else f"{day}T{time}" if time else str(day),
        unread=_UNREAD.get(picture),
        html=text.decode_contents(),
        recipients=tuple(filter(None, (name.strip() for name in part("messto").split(",")))),
        attachments=read_attachments(group),
    )
