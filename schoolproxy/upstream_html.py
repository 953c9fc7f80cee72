"""Sanitises HTML that teachers wrote upstream, so that it is safe to show on another site.

It allows what upstream's editor (TinyMCE) makes: text, lists, tables, links, images. It removes
scripts, styles, classes, ids, event handlers, and URLs that are not http, https, mailto or tel.
Relative URLs become absolute at the school. A video, a sound and an embedded file become a link,
and the line ends of text without blocks become line breaks.
"""

import re
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

import nh3
from bs4 import BeautifulSoup
from bs4.element import Tag
from django.conf import settings

from upstream.errors import UpstreamChanged, UpstreamInvalid
from upstream.pages.html import attribute, parse

# The fields of upstream that hold HTML, anywhere in a document.
FIELDS: Final = frozenset({"description", "information", "review", "studentComment",
                           "teacherComment"})  # fmt: skip
# Parsing time grows with the square of the nesting: 0.1 s at a depth of 5,000.
MAX_TAGS: Final = 5_000
MAX_DEPTH: Final = 100
_TAGS: Final = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "col", "colgroup", "dd", "del",
    "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "small", "span",
    "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "u", "ul",
}  # fmt: skip
_ATTRIBUTES: Final = {
    "a": {"href", "title"},
    "img": {"alt", "height", "src", "title", "width"},
    "ol": {"reversed", "start", "type"},
    "td": {"colspan", "headers", "rowspan"},
    "th": {"colspan", "headers", "rowspan", "scope"},
    "col": {"span"},
    "colgroup": {"span"},
}
# What is embedded, and the attribute with its address.
_EMBEDDED: Final = {"audio": "src", "embed": "src", "iframe": "src", "object": "data",
                    "oembed": "url", "video": "src"}  # fmt: skip
_EMBEDS: Final = re.compile(rf"<(?:{'|'.join(_EMBEDDED)})\b", re.IGNORECASE)
_MAX_LABEL: Final = 100
_BLOCKS: Final = re.compile(
    r"<(?:blockquote|br|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)\b",
    re.IGNORECASE,
)
_TAG_OR_LINE_END: Final = re.compile(r"<[a-zA-Z/!?][^<>]*>|\r\n?|\n")
_NESTED: Final = (list, dict)
_WITH_CONTENT: Final = {"iframe", "noembed", "noscript", "object", "script", "style", "template",
                        "textarea", "title"}  # fmt: skip


def safe_html(text: str, *, school: str) -> str:
    """The HTML with only the allowed tags and attributes; with over `MAX_TAGS` tags, escaped."""
    text = with_line_breaks(text)
    if "<" not in text:
        return text
    if text.count("<") > MAX_TAGS:
        return nh3.clean_text(text)
    if _EMBEDS.search(text):
        text = _with_links_to_embedded(text)
    # Calling the filter for each attribute takes three quarters of the time.
    images = "<img" in text.lower()
    return _cleaner(f"{settings.UPSTREAM_URL}/{school}/", images=images).clean(text)


def with_safe_html(value: Any, *, school: str) -> Any:
    """A JSON document of upstream with all text below the fields `FIELDS` sanitised.

    Raises: UpstreamInvalid for more than `MAX_DEPTH` levels.
    """
    return _with_safe_html(value, school, html=False, depth=0)


def _with_safe_html(value: Any, school: str, *, html: bool, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise UpstreamInvalid("a document that is nested too deeply")
    # Numbers and other text are passed on without a call: twelve rooms have 1,400 values.
    if isinstance(value, list):
        return [
            _with_safe_html(item, school, html=html, depth=depth + 1)
            if html or isinstance(item, _NESTED)
            else item
            for item in value
        ]
    if isinstance(value, dict):
        return {
            name: _with_safe_html(item, school, html=html or name in FIELDS, depth=depth + 1)
            if html or name in FIELDS or isinstance(item, _NESTED)
            else item
            for name, item in value.items()
        }
    return safe_html(value, school=school) if html and isinstance(value, str) else value


def with_line_breaks(text: str) -> str:
    """The HTML with a `<br>` for each line end, if it has no blocks or line breaks of its own."""
    text = text.strip("\r\n")
    breaks = text.count("\n") + text.count("\r")
    if not breaks or breaks > MAX_TAGS or _BLOCKS.search(text):
        return text
    return _TAG_OR_LINE_END.sub(
        lambda match: match[0] if match[0].startswith("<") else "<br>", text
    )


def _with_links_to_embedded(text: str) -> str:
    """The HTML, not sanitised yet, with a link in place of each video, sound and embedded file."""
    try:
        document = parse(text)
    except UpstreamChanged:
        return text
    new = BeautifulSoup("", "lxml")
    for element in document.find_all([*_EMBEDDED]):
        if address := _embedded_address(element):
            link = new.new_tag("a", href=address, string=_label(element, address))
            element.replace_with(link, " ")
    body = document.find("body")
    return body.decode_contents() if isinstance(body, Tag) else ""


def _embedded_address(element: Tag) -> str:
    """Where the file is, if it is on the web; else empty."""
    inside = element.find_all(["source", "embed", "iframe"])
    candidates = [attribute(element, _EMBEDDED[element.name])]
    candidates += [attribute(child, "src") for child in inside]
    candidates += [
        attribute(param, "value")
        for param in element.find_all("param", attrs={"name": ["movie", "src"]})
    ]
    return next(
        (address.strip() for address in candidates if address.strip() and _is_web(address)), ""
    )


def _label(element: Tag, address: str) -> str:
    """Its title, or else where it is: the host, or the name of a file at the school."""
    title = attribute(element, "title") or attribute(element, "aria-label")
    parts = urlsplit(address)
    file = parts.path.rstrip("/").rpartition("/")[2]
    return " ".join(title.split())[:_MAX_LABEL] or parts.hostname or file[:_MAX_LABEL] or address


def _is_web(address: str) -> bool:
    try:
        return urlsplit(address.strip()).scheme in ("", "http", "https")
    except ValueError:
        return False


@lru_cache(maxsize=256)
def _cleaner(base: str, *, images: bool) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_TAGS,
        clean_content_tags=_WITH_CONTENT,
        attributes=_ATTRIBUTES,
        attribute_filter=_filter if images else None,
        url_schemes={"http", "https", "mailto", "tel"},
        url_relative=("rewrite_with_base", base),
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer",
    )


def _filter(tag: str, attribute: str, value: str) -> str | None:
    """Allows only http and https for an image, because browsers fetch it without a click."""
    if (tag, attribute) != ("img", "src"):
        return value
    return value if _is_web(value) else None
