"""Texts that the school wrote, as HTML that is safe to show and as plain text.

On top of `upstream_html`: a picture is shown only where it is a file of the same article, because
any other would tell its host who reads; addresses that were typed twice are mended, and those that
were typed as text become links.
"""

import re
from html import escape
from itertools import islice
from typing import Final

from bs4 import Tag
from bs4.element import NavigableString

from schoolproxy.upstream_html import safe_html
from upstream.pages.html import attribute, lines, parse

MAX_NODES: Final = 20_000
MAX_CHARACTERS: Final = 200_000
# Addresses of a text that become links. Each one takes the longer, the more there are.
MAX_LINKS: Final = 500
# Stands for our address of a picture, which depends on who asks, until the answer is made.
PICTURE: Final = "https://picture.invalid/"

_FILE: Final = re.compile(r"[?&;]fileid=(\d{1,18})(?!\d)")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"”»]{1,2000}", re.IGNORECASE)
_SCHEMES: Final = re.compile(r"^\s*(?:https?:/+)*(https?):/+", re.IGNORECASE)


def readable(html: str, *, school: str, pictures: frozenset[str] = frozenset()) -> tuple[str, str]:
    """The sanitised HTML, and its plain text, one line for each block.

    `pictures` are the numbers of the files that may be shown inside the text; they have the address
    `PICTURE` and the number. Of any other picture its alternative text remains.

    Raises: UpstreamChanged for a text with too many tags.
    """
    if not html.strip():
        return "", ""
    body = _body(parse(f"<body>{html}</body>"))
    for image in body.find_all("img"):
        number = _FILE.search(attribute(image, "src"))
        if number and number[1] in pictures:
            image["src"] = f"{PICTURE}{number[1]}"
        else:
            # Only its text is written. `replace_with` would look for it among all of its siblings.
            image.hidden, image.string = True, attribute(image, "alt")
    for link in body.find_all("a", href=True):
        link["href"] = _SCHEMES.sub(r"\1://", attribute(link, "href"))
    _link_addresses(body)
    safe = safe_html(body.decode_contents(), school=school)
    if not safe.strip():
        return "", ""
    text = lines(_body(parse(f"<body>{safe}</body>")), nodes=MAX_NODES, characters=MAX_CHARACTERS)
    return (safe, "\n".join(text)) if text or "<img" in safe else ("", "")


def _link_addresses(body: Tag) -> None:
    """Make links of the first `MAX_LINKS` addresses in the text."""
    left = MAX_LINKS
    for text in body.find_all(string=_ADDRESS):
        if not left:
            return
        if type(text) is NavigableString and text.find_parent("a") is None:
            linked = _body(parse(f"<body>{_with_links(text, most=left)}</body>"))
            left -= len(linked.find_all("a"))
            text.replace_with(*linked.contents)


def _with_links(text: str, *, most: int) -> str:
    """The text as HTML, with this many links at most. (`django.utils.html.urlize` of Django 5.2
    loses the end of "(…).".)"""
    html, end = "", 0
    for match in islice(_ADDRESS.finditer(text), most):
        address = match[0].rstrip(".,;:!?'’…")
        while address.endswith(")") and address.count(")") > address.count("("):
            address = address[:-1].rstrip(".,;:!?'’…")
        href = address if "://" in address else f"http://{address}"
        html += f'{escape(text[end : match.start()])}<a href="{escape(href)}">{escape(address)}</a>'
        end = match.start() + len(address)
    return html + escape(text[end:])


def _body(document: Tag) -> Tag:
    body = document.find("body")
    return body if isinstance(body, Tag) else document
