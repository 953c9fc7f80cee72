"""The nodes and marks of a note with their attributes, under the names of TipTap's extensions.

A little wider than TipTap, because its editors differ: a document or a list item may begin with any
block, and code may be bold.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _
from prosemirror.model import Schema

from accounts.errors import Sentence
from notes.limits import MAX_LINK

REQUIRED: Final = object()
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


class Values(NamedTuple):
    """The values of an attribute: `accepts` decides about one, `schema` describes them all."""

    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]
    name: str = ""  # of a component, for values that several kinds have


@dataclass(frozen=True, slots=True)
class Attribute:
    """`sentence` is the error for other values. `REQUIRED` means no default."""

    values: Values
    sentence: Sentence
    default: Any = None

    def accepts(self, value: Any) -> bool:
        return self.values.accepts(value)

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


def _integer(lowest: int, highest: int) -> Values:
    return Values(
        lambda value: (
            isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
        ),
        {"type": "integer", "minimum": lowest, "maximum": highest},
    )


def _one_of(*choices: str, name: str = "") -> Values:
    """One of these, or null."""
    return Values(
        lambda value: value is None or (isinstance(value, str) and value in choices),
        {"oneOf": [{"type": "string", "enum": list(choices)}, {"type": "null"}]},
        name,
    )


def _text(max_length: int) -> Values:
    return Values(
        lambda value: value is None or (isinstance(value, str) and len(value) <= max_length),
        {"type": ["string", "null"], "maxLength": max_length},
    )


def _pattern(pattern: re.Pattern[str]) -> Values:
    return Values(
        lambda value: value is None or (isinstance(value, str) and bool(pattern.fullmatch(value))),
        {"type": ["string", "null"], "pattern": f"^({pattern.pattern})$"},
    )


def _list_of(each: Values, *, most: int) -> Values:
    """Null, or a list in which a value may be null."""
    return Values(
        lambda value: (
            value is None
            or (
                isinstance(value, list)
                and len(value) <= most
                and all(one is None or each.accepts(one) for one in value)
            )
        ),
        {
            "type": ["array", "null"],
            "maxItems": most,
            "items": {**each.schema, "type": [each.schema["type"], "null"]},
        },
    )


# The name of a programming language, which becomes part of a class.
_LANGUAGES: Final = _pattern(re.compile(r"[\w+#.-]{1,32}|"))
_COLOURS: Final = _pattern(re.compile(r"[#\w(),.%/ -]{1,64}"))
_TRUE_OR_FALSE: Final = Values(lambda value: isinstance(value, bool), {"type": "boolean"})
_ADDRESS: Final = Values(
    is_safe_link,
    {
        "type": "string",
        "maxLength": MAX_LINK,
        "description": "It begins with http://, https:// or mailto:.",
    },
)


def is_language(value: Any) -> bool:
    return _LANGUAGES.accepts(value)


_ALIGN: Final = {
    "textAlign": Attribute(
        _one_of("left", "center", "right", "justify", "start", "end", name="TextAlign"),
        _("textAlign is null, left, center, right or justify."),
    )
}
_HEADING: Final = _ALIGN | {
    "level": Attribute(_integer(1, 6), _("level is a whole number from 1 to 6."), 1)
}
_ORDERED_LIST: Final = {
    "start": Attribute(_integer(0, 1_000_000), _("start is a whole number from 0."), 1),
    # A pattern, because "a" and "A" in an enum have the same name in some generated clients.
    "type": Attribute(_pattern(re.compile("1|a|A|i|I")), _("type is null, 1, a, A, i or I.")),
}
_TASK_ITEM: Final = {"checked": Attribute(_TRUE_OR_FALSE, _("checked is true or false."), False)}
_CODE_BLOCK: Final = {"language": Attribute(_LANGUAGES, _("language is null or a short word."))}
_TABLE_CELL: Final = _ALIGN | {
    "colspan": Attribute(_integer(1, 100), _("colspan is a whole number from 1 to 100."), 1),
    "rowspan": Attribute(_integer(1, 100), _("rowspan is a whole number from 1 to 100."), 1),
    "colwidth": Attribute(
        _list_of(_integer(0, 10_000), most=100), _("colwidth is null or a list of whole numbers.")
    ),
}
_LINK: Final = {
    "href": Attribute(_ADDRESS, _("href leads to http, https or mailto only."), REQUIRED),
    "target": Attribute(
        _one_of("", "_blank", "_self", "_parent", "_top"), _("target is null or _blank.")
    ),
    "rel": Attribute(_text(200), _("rel is null or a short text.")),
    "class": Attribute(_text(200), _("class is null or a short text.")),
    "title": Attribute(_text(500), _("title is null or a short text.")),
}
_HIGHLIGHT: Final = {"color": Attribute(_COLOURS, _("color is null or a colour."))}
_TEXT_STYLE: Final = {
    "color": Attribute(_COLOURS, _("color is null or a colour.")),
    "backgroundColor": Attribute(_COLOURS, _("backgroundColor is null or a colour.")),
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
