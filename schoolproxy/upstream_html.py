"""Sanitises HTML that teachers wrote upstream, so that it is safe to show on another site.

It allows what upstream's editor (TinyMCE) makes: text, lists, tables, links, images. It removes
scripts, styles, classes, ids, event handlers, and URLs that are not http, https, mailto or tel.
Relative URLs become absolute at the school.
"""

from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

import nh3
from django.conf import settings

from upstream.errors import UpstreamInvalid

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
_NESTED: Final = (list, dict)
_WITH_CONTENT: Final = {"iframe", "noembed", "noscript", "object", "script", "style", "template",
                        "textarea", "title"}  # fmt: skip


def safe_html(text: str, *, school: str) -> str:
    """The HTML with only the allowed tags and attributes; with over `MAX_TAGS` tags, escaped."""
    if "<" not in text:
        return text
    if text.count("<") > MAX_TAGS:
        return nh3.clean_text(text)
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
            _with_safe_html(each, school, html=html, depth=depth + 1)
            if html or isinstance(each, _NESTED)
            else each
            for each in value
        ]
    if isinstance(value, dict):
        return {
            name: _with_safe_html(each, school, html=html or name in FIELDS, depth=depth + 1)
            if html or name in FIELDS or isinstance(each, _NESTED)
            else each
            for name, each in value.items()
        }
    return safe_html(value, school=school) if html and isinstance(value, str) else value


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
    try:
        return value if urlsplit(value.strip()).scheme in ("", "http", "https") else None
    except ValueError:
        return None
