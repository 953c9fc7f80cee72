"""A page of theirs, from bytes to a tree: decoded, bounded, and known not to be the login form.

A page is never trusted to be well-formed, small or shallow. The parser's time grows with the
square of the attributes of one tag, and it stops without a word where a page nests too deep: such
pages are refused, or a half of a page would pass for the whole.
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
# Tags for each so many characters, and some more: real pages need half of it.
CHARACTERS_A_TAG: Final = 10
FREE_TAGS: Final = 3000
# A text is cut here; elements that lie within each other would else be read again and again.
MAX_TEXT: Final = 4000
MAX_ATTRIBUTES: Final = 200
# The parser keeps 256 levels and drops what follows.
MAX_DEPTH: Final = 240
# A tag shorter than this cannot have too many attributes.
_SUSPICIOUS: Final = 2 * MAX_ATTRIBUTES

_BOM: Final = b"\xef\xbb\xbf"
_LOGIN_FIELDS: Final = (b"ssusername", b"sspassword")
_LOGIN_FORM: Final = re.compile(
    r"<input\b[^<>]{0,400}?\b(?:id|name)\s{0,9}=\s{0,9}[\"']?ss(?:username|password)\b",
    re.IGNORECASE,
)
# A quoted value with an angle in it, which hides the end of a tag from a plain search.
_HIDDEN_END: Final = re.compile(r"""=\s*+(?:"[^">]*+>|'[^'>]*+>)""")
# A tag with too many attributes, as HTML reads tags. Possessive throughout: no backtracking.
_ATTRIBUTE: Final = (
    r"""[\s/]*+=?[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
)
_CROWDED_TAG: Final = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE}){{{MAX_ATTRIBUTES}}}")
# Every page of theirs is made of these boxes; the modern start page is filled in by a script.
_SIGNED_IN: Final = re.compile(
    r"""(?:\bclass\s?=\s?["']h2_(?:container|inner)\b|\bid\s?=\s?["']parent-header-root["'])"""
)
_BLOCKS: Final = frozenset(
    {"address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "form", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"}
)
_UNSEEN: Final = frozenset({"script", "style", "template", "head", "noscript"})


@dataclass(frozen=True, slots=True)
class Page:
    """What came for a page: bytes, and the charset of the header in lower case, or nothing."""

    body: bytes = field(repr=False)
    charset: str = ""

    def text(self) -> str:
        """The characters. What says ISO-8859-1, or nothing, is windows-1252: its dashes and
        quotes are the bytes that ISO-8859-1 has no characters for."""
        utf8 = self.charset in ("utf-8", "utf8") or self.body.startswith(_BOM)
        text = self.body.removeprefix(_BOM).decode("utf-8" if utf8 else "cp1252", "replace")
        return text.replace("\0", "")


def read_text(page: Page) -> str:
    """The characters of a page.

    Raises: SessionDead for the login page; UpstreamChanged for one that is too long.
    """
    if len(page.body) > MAX_BYTES:
        raise UpstreamChanged("a page that is too long")
    text = page.text()
    lowered = page.body.lower()
    # A text that names the fields is no form.
    if any(field in lowered for field in _LOGIN_FIELDS) and _LOGIN_FORM.search(text):
        raise SessionDead("the login page in place of a page")
    return text


def shows_signed_in(text: str) -> bool:
    """Whether a page is one of those that only people who are signed in get to see."""
    return _SIGNED_IN.search(text) is not None


def parse(text: str) -> Element:
    """The root of a page or of a part of it.

    Raises: UpstreamChanged for no HTML at all, and for one beyond bounds.
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
    # The parser stops where it is too deep: that place is the last one of the tree.
    depth, element = 0, root
    while len(element):
        depth, element = depth + 1, element[-1]
    if depth > MAX_DEPTH:
        raise UpstreamChanged("a page that nests too deep")
    return root


_compiled = cache(etree.XPath)


def find(element: Element, path: str) -> list[Element]:
    """The elements of a constant XPath, in document order."""
    return cast(list[Element], _compiled(path)(element))


def classes(element: Element) -> list[str]:
    """The classes of an element."""
    return (element.get("class") or "").split()


def line(element: Element) -> str:
    """The visible text as one line: blanks and U+00A0 collapsed, a blank between blocks."""
    return " ".join(_text(element, " ").split())


def lines(element: Element, *, blank: bool = False) -> list[str]:
    """The visible text, a line for each `<br>` or block, blanks collapsed.

    Empty lines are left out, unless `blank` asks for them.
    """
    # "\v" stands for the end of a line: one of the source is a blank.
    rows = _text(element, "\v").split("\v")
    return [row for row in (" ".join(row.split()) for row in rows) if row or blank]


def _text(element: Element, at_block: str) -> str:
    if not len(element):
        return (element.text or "")[:MAX_TEXT]
    pieces: list[str] = []
    room = MAX_TEXT
    for piece in _pieces(element, at_block):
        pieces.append(piece[:room])
        room -= len(piece) or 1
        if room <= 0:
            break
    return "".join(pieces)


def _pieces(element: Element, at_block: str) -> Iterator[str]:
    """The texts below an element. Not recursive; an element's own tail is not below it."""
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        block = at_block if node.tag in _BLOCKS else ""
        if event == "start" and node.tag in _UNSEEN:
            walk.skip_subtree()
        elif event == "start":
            yield block
            yield node.text or ""
        elif node is not element:
            yield block
            yield node.tail or ""
