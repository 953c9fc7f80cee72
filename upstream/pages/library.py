"""Parses the page of files and links: sections, categories, rows."""

import re
from typing import Final
from urllib.parse import urlsplit

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.page_records import LibraryCategory, LibraryItem, LibrarySection
from upstream.pages.html import Page, attribute, classes, line, parse, read_text, shows_signed_in

MAX_ITEMS: Final = 1000

_FILE: Final = re.compile(
    r"right_student_library_download\.jsp\?(?:.*&)?requestid=(\d{1,18})(?!\d)"
)
_SIZE: Final = re.compile(r"\(\s*(\d[\d\s.,]*\s*[kKmMgG]?[bB])\s*\)")


def read_library(page: Page) -> list[LibrarySection]:
    """The sections in page order, with what can be opened in them.

    Raises: SessionDead for the login page; UpstreamChanged, which names what is not recognised.
    """
    text = read_text(page)
    root = parse(text)
    boxes = root.find_all("div", class_="h2_container")
    sections = [_section(box) for box in boxes]
    count = sum(len(category.items) for section in sections for category in section.categories)
    if not shows_signed_in(text) or (not count and _FILE.search(text)):
        raise UpstreamChanged("the page of files")
    if count > MAX_ITEMS:
        raise UpstreamChanged("the page of files, with too many of them")
    return [section for section in sections if section.categories]


def _section(box: Tag) -> LibrarySection:
    heading = box.find(class_="h2")
    categories: list[tuple[str, list[LibraryItem]]] = []
    for element in box.find_all(["div", "h3", "a"]):
        if element.name == "h3" or "h3_bold" in classes(element):
            categories.append((line(element), []))
        elif element.name == "a" and (item := _item(element)) is not None:
            if not categories:
                categories.append(("", []))
            categories[-1][1].append(item)
    shown = tuple(LibraryCategory(title, tuple(items)) for title, items in categories if items)
    return LibrarySection(line(heading) if heading else "", shown)


def _item(link: Tag) -> LibraryItem | None:
    """A file or a link to the web; None for anything else."""
    href = attribute(link, "href").strip()
    number = _FILE.search(href)
    if number is None and not _is_web(href):
        return None
    cell = link.find_parent("td") or link.parent
    title = cell.find(class_="heading_bold") if cell else None
    own = line(link)
    file_name = " ".join(attribute(link, "title").split()) or own
    texts = [line(block) for block in cell.find_all("div") if block is not title] if cell else []
    size = _SIZE.search(str(link.next_sibling or ""))
    return LibraryItem(
        id=number[1] if number else None,
        title=(line(title) if title else "") or (file_name if number else own) or href,
        description=" ".join(filter(None, texts)) or None,
        file_name=file_name if number else None,
        size_text=" ".join(size[1].split()) if number and size else None,
        url=None if number else href,
    )


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
