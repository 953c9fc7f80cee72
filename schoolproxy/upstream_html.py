"""HTML that teachers wrote upstream, made safe to show on another site.

An allow-list of what their editor (TinyMCE) makes: text, lists, tables, links, images. No
scripts, styles, classes, ids or event handlers; addresses of http, https, mailto and tel only,
however `javascript:` is spelled; relative ones become absolute at the school.
"""

from functools import lru_cache, partial
from typing import Any, Final
from urllib.parse import urlsplit

import nh3
from django.conf import settings

from upstream.errors import UpstreamInvalid

# Their names for what holds HTML, wherever in a document it stands.
FIELDS: Final = frozenset({"description", "information", "review", "studentComment",
                           "teacherComment"})  # fmt: skip
# The parser takes a time that grows with the square of the nesting: 5,000 deep take 0.1 s.
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
_WITH_CONTENT: Final = {"iframe", "noembed", "noscript", "object", "script", "style", "template",
                        "textarea", "title"}  # fmt: skip


def safe_html(text: str, *, school: str) -> str:
    """The HTML with nothing in it but what is allowed.

    Text without a tag comes back as it is. Of a text with more than `MAX_TAGS` tags, only the
    letters are left, escaped.
    """
    if "<" not in text:
        return text
    if text.count("<") > MAX_TAGS:
        return nh3.clean_text(text)
    return _cleaner(f"{settings.UPSTREAM_URL}/{school}/").clean(text)


def with_safe_html(value: Any, *, school: str, html: bool = False, depth: int = 0) -> Any:
    """A document of theirs, in which every field of `FIELDS` is safe, and all that is in it.

    `html`: the value itself stands in such a field.

    Raises: UpstreamInvalid for a document nested deeper than any of theirs.
    """
    if depth > MAX_DEPTH:
        raise UpstreamInvalid("a document that is nested too deeply")
    deeper = partial(with_safe_html, school=school, depth=depth + 1)
    if isinstance(value, list):
        return [deeper(each, html=html) for each in value]
    if isinstance(value, dict):
        return {name: deeper(each, html=html or name in FIELDS) for name, each in value.items()}
    return safe_html(value, school=school) if html and isinstance(value, str) else value


@lru_cache(maxsize=256)
def _cleaner(base: str) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_TAGS,
        clean_content_tags=_WITH_CONTENT,
        attributes=_ATTRIBUTES,
        attribute_filter=_filter,
        url_schemes={"http", "https", "mailto", "tel"},
        url_relative=("rewrite_with_base", base),
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer",
    )


def _filter(tag: str, attribute: str, value: str) -> str | None:
    """An image is fetched when the text is shown, so its address is one of the web."""
    if (tag, attribute) != ("img", "src"):
        return value
    try:
        return value if urlsplit(value.strip()).scheme in ("", "http", "https") else None
    except ValueError:
        return None
