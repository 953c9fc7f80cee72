"""Parses the news of the start page: a box of links, or an accordion at some schools."""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.pages.html import (
    MAX_NODES,
    Page,
    attribute,
    classes,
    line,
    parse,
    read_text,
    shows_signed_in,
)
from upstream.records import NewsItem

MAX_ITEMS: Final = 300
# A preview that is taken from the body of an item is cut here.
PREVIEW_CHARACTERS: Final = 200

_BOX: Final = "news_con_content"
_BOX_NAME: Final = re.compile(rf"{_BOX}(?=[\"'])")
_NUMBER: Final = re.compile(r"[?&;]requestid=(\d{1,18})(?!\d)")
_GROUP: Final = re.compile(r"^(?:accordion-group|acc-item-)(\d{1,18})\Z")


def read_news(page: Page) -> list[NewsItem]:
    """The items in page order, exact duplicates once.

    A page without the box, or with an empty one, has no news.

    Raises: SessionDead for the login page; UpstreamChanged for a page or a news layout that is not
    recognised.
    """
    text = read_text(page)
    root = parse(_box_of(text))
    box = root.find(id=_BOX)
    items = _read_box(box) if box else []
    if not items and ("accordion" in text or "acc-item" in text):
        items = _read_accordion(parse(text))
    if not items and not box and not shows_signed_in(text):
        raise UpstreamChanged("the start page")
    return list(dict.fromkeys(items))


def _box_of(text: str) -> str:
    """The part of the page with the box, if a text search finds it; else the whole page.

    Parsing a whole start page takes ten times as long. The other boxes are `h2_container`s, and
    the news box contains none.
    """
    # Only as an id, because scripts and styles contain the name too.
    positions = [match.start() for match in _BOX_NAME.finditer(text)]
    ids = [position for position in positions if text[position - 4 : position] in ('id="', "id='")]
    start = text.rfind("<", 0, ids[0]) if len(ids) == 1 else -1
    if start < 0 or not text.startswith("<div", start):
        return text
    end = text.find("h2_container", ids[0])
    return text[start:] if end < 0 else text[start : text.rfind("<", ids[0], end)]


def _read_box(box: Tag) -> list[NewsItem]:
    items: list[NewsItem] = []
    category = None
    for element in box.find_all(["a", "div"]):
        if element.name == "div":
            if "h3_bold" in classes(element):
                category = line(element) or None
        elif "toplist-item" in classes(element):
            item = _read_link(element, category)
            if item is not None:
                items.append(item)
            if len(items) > MAX_ITEMS:
                raise UpstreamChanged("too many news items")
        elif _NUMBER.search(attribute(element, "href")):
            # A link to a news item in an unknown layout.
            raise UpstreamChanged("the news box")
    return items


def _read_link(link: Tag, category: str | None) -> NewsItem | None:
    inside = [node for node in islice(link.descendants, MAX_NODES) if isinstance(node, Tag)]
    blocks = [element for element in inside if element.name in ("div", "p", "span")]
    headings = [element for element in inside if "heading_bold" in classes(element)]
    heading = (headings or blocks or [link])[0]
    title = line(heading)
    if not title:
        return None
    # The last text beside the heading, or beside an element that it is in.
    around = {id(element) for element in heading.parents}
    beside = [b for b in blocks if id(b.parent) in around and id(b) not in around | {id(heading)}]
    texts = [] if heading is link else [line(element) for element in beside]
    preview = next((text for text in reversed(texts) if text), None)
    number = _NUMBER.search(attribute(link, "href"))
    return NewsItem(
        id=number[1] if number else None,
        title=title,
        preview=None if preview == title else preview,
        category=category,
    )


# --- The accordion ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """An item while it is read. The first of a repeated part counts."""

    number: str | None
    category: str | None
    parts: dict[str, str] = field(default_factory=dict)


# The classes of the parts. The body is wrapped in a `<p>` around other `<p>`s, which each parser
# nests differently, so the column around it is read; older pages have only the wrapper.
_PARTS: Final = ("accordion-toggle", "preview-block", "accordion_inner_left", "acc-item-main")


def _read_accordion(root: Tag) -> list[NewsItem]:
    groups: list[_Group] = []
    category = None
    for element in root.find_all(["div", "a", "span", "p"]):
        names = classes(element)
        number = _GROUP.match(attribute(element, "id"))
        if "h3_bold" in names:
            category = line(element) or None
        elif number or "accordion-group" in names:
            groups.append(_Group(number[1] if number else None, category))
            if len(groups) > MAX_ITEMS:
                raise UpstreamChanged("too many news items")
        elif groups:
            _add_part(groups[-1], element, names)
    return [item for item in map(_item, groups) if item is not None]


def _add_part(group: _Group, element: Tag, names: list[str]) -> None:
    part: str | None = next((name for name in _PARTS if name in names), None)
    if attribute(element, "id") == f"name{group.number}":
        part = "name"
    elif element.name == "span" and "accordion-heading-left" in classes(element.parent):
        part = part or "name"
    if part is not None and part not in group.parts:
        group.parts[part] = line(element)


def _item(group: _Group) -> NewsItem | None:
    title = group.parts.get("name") or group.parts.get("accordion-toggle")
    if not title:
        return None
    preview = group.parts.get("preview-block")
    if preview is None:
        body = group.parts.get("accordion_inner_left") or group.parts.get("acc-item-main") or ""
        preview = body[:PREVIEW_CHARACTERS].rstrip()
        preview += "…" if preview != body else ""
    return NewsItem(
        id=group.number,
        title=title,
        preview=None if preview in ("", title) else preview,
        category=group.category,
    )
