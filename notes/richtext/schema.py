"""The nodes and marks of a note, by the names of TipTap's own extensions, and what fits where.

A little wider than TipTap where its editors differ among themselves: a document or a list item
may begin with any block, and code may be bold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from prosemirror.model import Schema

from notes.richtext import attributes as known
from notes.richtext.attributes import REQUIRED, Attribute


@dataclass(frozen=True, slots=True)
class Kind:
    """A node or a mark. `content` and `group` are ProseMirror's expressions."""

    content: str = ""
    group: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def spec(self) -> dict[str, Any]:
        """As ProseMirror wants it."""
        attrs = {name: _spec(attribute) for name, attribute in self.attributes.items()}
        return {"content": self.content, "group": self.group, "attrs": attrs, **self.more}


def _spec(attribute: Attribute) -> dict[str, Any]:
    required = attribute.default is REQUIRED
    default = {} if required else {"default": attribute.default}
    return {"validate": attribute.check, **default}


NODES: Final[dict[str, Kind]] = {
    "doc": Kind("block*"),
    # The first block is what ProseMirror would fill a gap with.
    "paragraph": Kind("inline*", "block", known.ALIGN),
    "heading": Kind("inline*", "block", known.HEADING),
    "bulletList": Kind("listItem+", "block"),
    "orderedList": Kind("listItem+", "block", known.ORDERED_LIST),
    "listItem": Kind("block+"),
    "taskList": Kind("taskItem+", "block"),
    "taskItem": Kind("block+", "", known.TASK_ITEM),
    "blockquote": Kind("block+", "block"),
    "codeBlock": Kind("text*", "block", known.CODE_BLOCK, {"marks": "", "code": True}),
    "horizontalRule": Kind("", "block"),
    "table": Kind("tableRow+", "block"),
    "tableRow": Kind("(tableCell | tableHeader)*"),
    "tableHeader": Kind("block+", "", known.TABLE_CELL),
    "tableCell": Kind("block+", "", known.TABLE_CELL),
    "hardBreak": Kind("", "inline", {}, {"inline": True}),
    "text": Kind("", "inline"),
}
# Every mark excludes its own kind only: no text has two links.
MARKS: Final[dict[str, Kind]] = {
    "link": Kind(attributes=known.LINK),
    "bold": Kind(),
    "italic": Kind(),
    "strike": Kind(),
    "underline": Kind(),
    "highlight": Kind(attributes=known.HIGHLIGHT),
    "textStyle": Kind(attributes=known.TEXT_STYLE),
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
