"""Decodes and parses an HTML page within limits, and detects the login page.

A page may be malformed, huge or deeply nested. Reading it takes longer the more tags it has and the
deeper they are nested, so a page with too many of either is rejected as a whole.
"""

import re
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from bs4 import BeautifulSoup, ParserRejectedMarkup
from bs4.element import NavigableString, Tag

from upstream.errors import AnswerTooLarge, SessionDead, UpstreamChanged

# The longest page that was seen, an inbox, has 110 kB. 2 MB of short paragraphs would take 9 s.
MAX_BYTES: Final = 512 * 1024
# One tag per so many characters, and some more. Real pages have half of that.
CHARACTERS_A_TAG: Final = 10
FREE_TAGS: Final = 3000
MAX_DEPTH: Final = 100
# The text of an element is cut after so many characters, and after so many elements and pieces.
MAX_TEXT: Final = 4000
MAX_NODES: Final = 400

_PASTED: Final = re.compile(rb"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/=]*")
_BOM: Final = b"\xef\xbb\xbf"
_LOGIN_FORM: Final = re.compile(
    r"<input\b[^<>]{0,400}?\b(?:id|name)\s{0,9}=\s{0,9}[\"']?ss(?:username|password)\b",
    re.IGNORECASE,
)
# Every page of the school system has one of these boxes; a script fills in the modern start page.
_SIGNED_IN: Final = re.compile(
    r"""(?:\bclass\s?=\s?["']h2_(?:container|inner)\b|\bid\s?=\s?["']parent-header-root["'])"""
)
# They begin a new line.
BLOCKS: Final = frozenset(
    {"address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "form", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"}
)


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
    """The decoded page. A page that is too long may be so for pictures that somebody has pasted
    into a text; it is read without them.

    Raises: SessionDead for the login page; AnswerTooLarge.
    """
    if len(page.body) > MAX_BYTES:
        page = replace(page, body=_PASTED.sub(b"", page.body))
    if len(page.body) > MAX_BYTES:
        raise AnswerTooLarge("a page that is too long")
    text = page.text()
    # A text that mentions the names of the fields is not a form.
    if names_login_fields(page.body) and _LOGIN_FORM.search(text):
        raise SessionDead("the login page instead of a page")
    return text


def names_login_fields(body: bytes) -> bool:
    """Whether a body contains a name of a field of the login form."""
    lowered = body.lower()
    return b"ssusername" in lowered or b"sspassword" in lowered


def is_cut_off(body: bytes) -> bool:
    """Whether a page is not whole, because the school's system failed in the middle of it: it opens
    `<html>` and never closes it. Every whole page does, whatever follows; a part of one has none.
    """
    lowered = body.lower()
    return b"<html" in lowered and b"</html" not in lowered


def shows_signed_in(text: str) -> bool:
    """Whether a page is one that only signed-in people see."""
    return _SIGNED_IN.search(text) is not None


def parse(text: str) -> Tag:
    """The document of a page or of a part of it.

    Raises: UpstreamChanged for a page without HTML, or one that exceeds a limit.
    """
    if text.count("<") > FREE_TAGS + len(text) // CHARACTERS_A_TAG:
        raise UpstreamChanged("a page with too many tags")
    try:
        # In HTML "<?" begins a comment, as "<!" does; BeautifulSoup would warn of XML.
        document = BeautifulSoup(text.replace("<?", "<!") if "<" in text else "", "lxml")
    except ParserRejectedMarkup:
        raise UpstreamChanged("a page that cannot be parsed") from None
    depths = {id(document): 0}
    for element in document.find_all(True):
        depths[id(element)] = depths[id(element.parent)] + 1
    if len(depths) == 1:
        raise UpstreamChanged("a page without elements")
    if max(depths.values()) > MAX_DEPTH:
        raise UpstreamChanged("a page that is nested too deep")
    for element in document.find_all("noscript"):
        element.decompose()
    return document


def classes(element: Tag | None) -> list[str]:
    return [] if element is None else list(element.get_attribute_list("class"))


def attribute(element: Tag, name: str) -> str:
    """The value of an attribute other than `class`; empty if it is missing."""
    return str(element.get(name) or "")


def line(element: Tag) -> str:
    """The visible text as one line: whitespace collapsed, a space between blocks."""
    return " ".join(_text(element).split())


def lines(element: Tag, *, nodes: int = MAX_NODES, characters: int = MAX_TEXT) -> list[str]:
    """The visible text, one line per `<br>` or block, whitespace collapsed, without empty lines."""
    text = _text(element, nodes, characters)
    rows = (" ".join(row.split()) for row in text.split("\v"))
    return [row for row in rows if row]


def _text(element: Tag, nodes: int = MAX_NODES, characters: int = MAX_TEXT) -> str:
    """The text inside an element. "\v" marks the ends of lines, because a line end in the source
    is only a space."""
    pieces: list[str] = []
    block: Tag | None = None
    for node in islice(element.descendants, nodes):
        if isinstance(node, Tag):
            pieces.append("\v" if node.name in BLOCKS else "")
        elif type(node) is NavigableString:  # scripts, styles and comments are of other types
            around = next((parent for parent in node.parents if parent.name in BLOCKS), None)
            pieces += [node if around is block else f"\v{node}"]
            block = around
    return "".join(pieces)[:characters]
