"""The nodes and marks of a note with their attributes, under the names of TipTap's extensions.

A little wider than TipTap, because its editors differ: a document or a list item may begin with any
block, and code may be bold.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from prosemirror.model import Schema

from accounts.errors import Sentence
from notes.richtext.values import (
    ADDRESS,
    COLOURS,
    LANGUAGES,
    TRUE_OR_FALSE,
    Values,
    as_alignment,
    as_target,
    integer,
    list_of,
    one_of,
    pattern,
    text,
)

REQUIRED: Final = object()
NOT_GIVEN: Final = object()


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

    def read(self, value: Any) -> Any:
        """The value as it is stored. `NOT_GIVEN` for null and blank text where they are no value:
        editors write them for an attribute that has none. Raises: ValueError."""
        if self.accepts(value):
            return value
        if value is None or (isinstance(value, str) and not value.strip()):
            return NOT_GIVEN
        value = self.values.read(value)
        self.check(value)
        return value

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


_ALIGN: Final = {
    "textAlign": Attribute(
        one_of(
            "left",
            "center",
            "right",
            "justify",
            "start",
            "end",
            read=as_alignment,
            name="TextAlign",
        ),
        _("textAlign is null, left, center, right or justify."),
    )
}
_HEADING: Final = _ALIGN | {
    "level": Attribute(integer(1, 6), _("level is a whole number from 1 to 6."), 1)
}
_ORDERED_LIST: Final = {
    "start": Attribute(integer(0, 1_000_000), _("start is a whole number from 0."), 1),
    # A pattern, because "a" and "A" in an enum have the same name in some generated clients.
    "type": Attribute(pattern(re.compile("1|a|A|i|I")), _("type is null, 1, a, A, i or I.")),
}
_TASK_ITEM: Final = {"checked": Attribute(TRUE_OR_FALSE, _("checked is true or false."), False)}
_CODE_BLOCK: Final = {"language": Attribute(LANGUAGES, _("language is null or a short word."))}
_TABLE_CELL: Final = _ALIGN | {
    "colspan": Attribute(integer(1, 100), _("colspan is a whole number from 1 to 100."), 1),
    "rowspan": Attribute(integer(1, 100), _("rowspan is a whole number from 1 to 100."), 1),
    "colwidth": Attribute(
        list_of(integer(0, 10_000), most=100), _("colwidth is null or a list of whole numbers.")
    ),
}
_LINK: Final = {
    "href": Attribute(ADDRESS, _("href leads to http, https or mailto only."), REQUIRED),
    "target": Attribute(
        one_of("", "_blank", "_self", "_parent", "_top", read=as_target),
        _("target is null or _blank."),
    ),
    "rel": Attribute(text(200), _("rel is null or a short text.")),
    "class": Attribute(text(200), _("class is null or a short text.")),
    "title": Attribute(text(500), _("title is null or a short text.")),
}
_HIGHLIGHT: Final = {"color": Attribute(COLOURS, _("color is null or a colour."))}
_TEXT_STYLE: Final = {
    "color": Attribute(COLOURS, _("color is null or a colour.")),
    "backgroundColor": Attribute(COLOURS, _("backgroundColor is null or a colour.")),
    "fontFamily": Attribute(text(200), _("fontFamily is null or a short text.")),
    "fontSize": Attribute(text(32), _("fontSize is null or a short text.")),
    "lineHeight": Attribute(text(32), _("lineHeight is null or a short text.")),
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
