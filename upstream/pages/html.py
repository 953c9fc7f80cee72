"""Decodes and parses an HTML page within limits, and detects the login page.

A page may be malformed, huge or deeply nested. lxml's time grows with the square of the attributes
of one tag, and it silently drops what is nested too deep. Pages that exceed the limits are
rejected, because half a page would be read as a whole one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, cast

from lxml import etree
from lxml.etree import _Element

from upstream.errors import SessionDead, UpstreamChanged

Element = _Element

MAX_BYTES: Final = 512 * 1024
# One tag per so many characters, and some more. Real pages have half of that.
CHARACTERS_A_TAG: Final = 10
FREE_TAGS: Final = 3000
# Texts are cut here. Otherwise the text of nested elements would be read again for each level.
MAX_TEXT: Final = 4000
MAX_ATTRIBUTES: Final = 200
# lxml keeps 256 levels and drops what is below.
MAX_DEPTH: Final = 240
# A shorter tag cannot have too many attributes.
_SUSPICIOUS: Final = 2 * MAX_ATTRIBUTES

_BOM: Final = b"\xef\xbb\xbf"
_LOGIN_FORM: Final = re.compile(
    r"<input\b[^<>]{0,400}?\b(?:id|name)\s{0,9}=\s{0,9}[\"']?ss(?:username|password)\b",
    re.IGNORECASE,
)
# A quoted value with ">" in it, which a plain search would take for the end of the tag.
_HIDDEN_END: Final = re.compile(r"""=\s*+(?:"[^">]*+>|'[^'>]*+>)""")
# A tag with too many attributes, by HTML's rules. Possessive throughout: no backtracking.
_ATTRIBUTE: Final = (
    r"""[\s/]*+=?[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
)
_CROWDED_TAG: Final = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE}){{{MAX_ATTRIBUTES}}}")
# Every page of the school system has one of these boxes; a script fills in the modern start page.
_SIGNED_IN: Final = re.compile(
    r"""(?:\bclass\s?=\s?["']h2_(?:container|inner)\b|\bid\s?=\s?["']parent-header-root["'])"""
)
_BLOCKS: Final = frozenset(
    {"address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "form", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"}
)
_INVISIBLE: Final = frozenset({"script", "style", "template", "head", "noscript"})


@dataclass(frozen=True, slots=True)
class Page:
    """The bytes of a page, and the charset of its header in lower case, or ""."""

    body: bytes = field(repr=False)
    charset: str = ""

    def text(self) -> str:
        """The decoded page. ISO-8859-1, or no charset, is decoded as windows-1252: pages contain
        its dashes and quotes, for which ISO-8859-1 has no characters."""
        utf8 = self.charset in ("utf-8", "utf8") or self.body.startswith(_BOM)
        text = self.body.removeprefix(_BOM).decode("utf-8" if utf8 else "cp1252", "replace")
        return text.replace("\0", "")


def read_text(page: Page) -> str:
    """The decoded page.

    Raises: SessionDead for the login page; UpstreamChanged for a page that is too long.
    """
    if len(page.body) > MAX_BYTES:
        raise UpstreamChanged("a page that is too long")
    text = page.text()
    # A text that mentions the names of the fields is not a form.
    if names_login_fields(page.body) and _LOGIN_FORM.search(text):
        raise SessionDead("the login page instead of a page")
    return text


def names_login_fields(body: bytes) -> bool:
    """Whether a body contains a name of a field of the login form."""
    lowered = body.lower()
    return b"ssusername" in lowered or b"sspassword" in lowered


def shows_signed_in(text: str) -> bool:
    """Whether a page is one that only signed-in people see."""
    return _SIGNED_IN.search(text) is not None


def parse(text: str) -> Element:
    """The root element of a page or of a part of it.

    Raises: UpstreamChanged for a page without HTML, or one that exceeds a limit.
    """
    if text.count("<") > FREE_TAGS + len(text) // CHARACTERS_A_TAG:
        raise UpstreamChanged("a page with too many tags")
    hidden = max(map(len, text.split(">"))) > _SUSPICIOUS or _HIDDEN_END.search(text)
    if hidden and _CROWDED_TAG.search(text):
        raise UpstreamChanged("a tag with too many attributes")
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        root = etree.HTML(text.encode(), parser)
    except (etree.LxmlError, ValueError):
        root = None
    if root is None:
        raise UpstreamChanged("a page without elements")
    # lxml stops where the nesting is too deep, so the deepest element is the last of the tree.
    depth, element = 0, root
    while len(element):
        depth, element = depth + 1, element[-1]
    if depth > MAX_DEPTH:
        raise UpstreamChanged("a page that is nested too deep")
    return root


_compiled = cache(etree.XPath)


def find(element: Element, path: str) -> list[Element]:
    """The elements of a constant XPath, in document order."""
    return cast(list[Element], _compiled(path)(element))


def classes(element: Element) -> list[str]:
    return (element.get("class") or "").split()


def line(element: Element) -> str:
    """The visible text as one line: whitespace collapsed, a space between blocks."""
    return " ".join(_text(element, " ").split())


def lines(element: Element, *, blank: bool = False) -> list[str]:
    """The visible text, one line per `<br>` or block, whitespace collapsed.

    Empty lines are left out, except with `blank`.
    """
    # "\v" marks the ends of lines, because a line end in the source is only a space.
    rows = _text(element, "\v").split("\v")
    return [row for row in (" ".join(row.split()) for row in rows) if row or blank]


def _text(element: Element, at_block: str) -> str:
    if not len(element):
        return (element.text or "")[:MAX_TEXT]
    pieces: list[str] = []
    remaining = MAX_TEXT
    for piece in _pieces(element, at_block):
        pieces.append(piece[:remaining])
        remaining -= len(piece) or 1
        if remaining <= 0:
            break
    return "".join(pieces)


def _pieces(element: Element, at_block: str) -> Iterator[str]:
    """The texts inside an element, in order. Not recursive, since pages may be deep."""
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        block = at_block if node.tag in _BLOCKS else ""
        if event == "start" and node.tag in _INVISIBLE:
            walk.skip_subtree()
        elif event == "start":
            yield block
            yield node.text or ""
        elif node is not element:
            yield block
            yield node.tail or ""
