"""Reads the links to attached files, which news and messages have alike."""

import re
from typing import Final

from bs4 import Tag

from upstream.page_records import AttachedFile
from upstream.pages.html import attribute, line

MAX_FILES: Final = 100

_FILE: Final = re.compile(r"[?&;]fileid=(\d{1,18})(?!\d)")
_SECOND: Final = re.compile(r"[?&;]requestid2=(\d{1,9})(?!\d)")
_PAGE: Final = "right_student_file_download.jsp"
_SIZE: Final = re.compile(r"\(\s*(\d[\d\s.,]*\s*[kKmMgG]?[bB])\s*\)")


def read_attachments(scope: Tag) -> tuple[AttachedFile, ...]:
    """The attached files inside an element in page order, each number once.

    The text of a link is shortened, so the name is its `title`; the size stands behind the link.
    """
    files: dict[str, AttachedFile] = {}
    for link in scope.find_all("a", href=True):
        href = attribute(link, "href")
        number = _FILE.search(href)
        if number is None or _PAGE not in href or len(files) >= MAX_FILES:
            continue
        after = link.next_sibling
        size = _SIZE.search(str(after)) if after is not None else None
        name = " ".join(attribute(link, "title").split()) or line(link) or number[1]
        size_text, page = " ".join(size[1].split()) if size else None, _SECOND.search(href)
        attachment = AttachedFile(number[1], name, size_text, int(page[1]) if page else 1)
        files.setdefault(attachment.id, attachment)
    return tuple(files.values())
