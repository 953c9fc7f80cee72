"""The nodes and marks of a note with their attributes, under the names of TipTap's extensions.

A little wider than TipTap, because its editors differ: a document or a list item may begin with any
block, and code may be bold.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _
from prosemirror.model import Schema

from accounts.errors import Sentence
from notes.limits import MAX_LINK

REQUIRED: Final = object()
# The name of a programming language, which becomes part of a class.
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,32}|")
_COLOUR: Final = re.compile(r"[#\w(),.%/ -]{1,64}")
# Characters that browsers remove before they read the scheme, and invisible ones.
_INVISIBLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_WEB: Final = re.compile(r"https?://[^/?#\\\s]", re.IGNORECASE)
_MAIL: Final = re.compile(r"mailto:[^\s]", re.IGNORECASE)


def is_safe_link(address: object) -> bool:
    """Whether a document may link to this: http or https with a host, or mailto. A relative address
    (`//host` too) means something else on each page that shows the note."""
    if not isinstance(address, str) or len(address) > MAX_LINK:
        return False
    if address != address.strip() or _INVISIBLE.search(address):
        return False
    if not _WEB.match(address):
        return _MAIL.match(address) is not None
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Attribute:
    """`accepts` decides about a value, `sentence` is the error. `REQUIRED` means no default."""

    accepts: Callable[[Any], bool]
    sentence: Sentence
    default: Any = None

    def check(self, value: Any) -> None:
        if not self.accepts(value):
            raise ValueError(self.sentence)

    def spec(self) -> dict[str, Any]:
        default = {} if self.default is REQUIRED else {"default": self.default}
        return {"validate": self.check, **default}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of node or mark. `content` and `group` are ProseMirror's expressions."""

    content: str = ""
    group: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def spec(self) -> dict[str, Any]:
        attrs = {name: attribute.spec() for name, attribute in self.attributes.items()}
        return {"content": self.content, "group": self.group, "attrs": attrs, **self.more}


def _integer(lowest: int, highest: int) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
    )


def _one_of(*choices: Any) -> Callable[[Any], bool]:
    return lambda value: (value is None or isinstance(value, str)) and value in choices


def _text(max_length: int) -> Callable[[Any], bool]:
    return lambda value: value is None or (isinstance(value, str) and len(value) <= max_length)


def _is_colour(value: Any) -> bool:
    return value is None or (isinstance(value, str) and bool(_COLOUR.fullmatch(value)))


def is_language(value: Any) -> bool:
    return value is None or (isinstance(value, str) and bool(_LANGUAGE.fullmatch(value)))


def _is_widths(value: Any) -> bool:
    accepts = _integer(0, 10_000)
    return value is None or (
        isinstance(value, list)
        and len(value) <= 100
        and all(each is None or accepts(each) for each in value)
    )


_ALIGN: Final = {
    "textAlign": Attribute(
        _one_of(None, "left", "center", "right", "justify", "start", "end"),
        _("textAlign is null, left, center, right or justify."),
    )
}
_HEADING: Final = _ALIGN | {
    "level": Attribute(_integer(1, 6), _("level is a whole number from 1 to 6."), 1)
}
_ORDERED_LIST: Final = {
    "start": Attribute(_integer(0, 1_000_000), _("start is a whole number from 0."), 1),
    "type": Attribute(_one_of(None, "1", "a", "A", "i", "I"), _("type is null, 1, a, A, i or I.")),
}
_TASK_ITEM: Final = {
    "checked": Attribute(
        lambda value: isinstance(value, bool), _("checked is true or false."), False
    )
}
_CODE_BLOCK: Final = {"language": Attribute(is_language, _("language is null or a short word."))}
_TABLE_CELL: Final = _ALIGN | {
    "colspan": Attribute(_integer(1, 100), _("colspan is a whole number from 1 to 100."), 1),
    "rowspan": Attribute(_integer(1, 100), _("rowspan is a whole number from 1 to 100."), 1),
    "colwidth": Attribute(_is_widths, _("colwidth is null or a list of whole numbers.")),
}
_LINK: Final = {
    "href": Attribute(is_safe_link, _("href leads to http, https or mailto only."), REQUIRED),
    "target": Attribute(
        _one_of(None, "", "_blank", "_self", "_parent", "_top"), _("target is null or _blank.")
    ),
    "rel": Attribute(_text(200), _("rel is null or a short text.")),
    "class": Attribute(_text(200), _("class is null or a short text.")),
    "title": Attribute(_text(500), _("title is null or a short text.")),
}
_HIGHLIGHT: Final = {"color": Attribute(_is_colour, _("color is null or a colour."))}
_TEXT_STYLE: Final = {
    "color": Attribute(_is_colour, _("color is null or a colour.")),
    "backgroundColor": Attribute(_is_colour, _("backgroundColor is null or a colour.")),
    "fontFamily": Attribute(_text(200), _("fontFamily is null or a short text.")),
    "fontSize": Attribute(_text(32), _("fontSize is null or a short text.")),
    "lineHeight": Attribute(_text(32), _("lineHeight is null or a short text.")),
}

NODES: Final[dict[str, Kind]] = {
    "doc": Kind("block*"),
    # Stays the first block: ProseMirror fills gaps with the first one.
    "paragraph": Kind("inline*", "block", _ALIGN),
    "heading": Kind("inline*", "block", _HEADING),
    "bulletList": Kind("listItem+", "block"),
    "orderedList": Kind("listItem+", "block", _ORDERED_LIST),
    "listItem": Kind("block+"),
    "taskList": Kind("taskItem+", "block"),
    "taskItem": Kind("block+", "", _TASK_ITEM),
    "blockquote": Kind("block+", "block"),
    "codeBlock": Kind("text*", "block", _CODE_BLOCK, {"marks": "", "code": True}),
    "horizontalRule": Kind("", "block"),
    "table": Kind("tableRow+", "block"),
    "tableRow": Kind("(tableCell | tableHeader)*"),
    "tableHeader": Kind("block+", "", _TABLE_CELL),
    "tableCell": Kind("block+", "", _TABLE_CELL),
    "hardBreak": Kind("", "inline", {}, {"inline": True}),
    "text": Kind("", "inline"),
}
# A mark excludes only another of its own kind: no text has two links.
MARKS: Final[dict[str, Kind]] = {
    "link": Kind(attributes=_LINK),
    "bold": Kind(),
    "italic": Kind(),
    "strike": Kind(),
    "underline": Kind(),
    "highlight": Kind(attributes=_HIGHLIGHT),
    "textStyle": Kind(attributes=_TEXT_STYLE),
    "subscript": Kind(),
    "superscript": Kind(),
    "code": Kind(),
}
SCHEMA: Final[Schema[Any, Any]] = Schema(
    {
        "nodes": {name: kind.spec() for name, kind in NODES.items()},  # type: ignore[misc]
        "marks": {name: {"attrs": kind.spec()["attrs"]} for name, kind in MARKS.items()},
    }
)
