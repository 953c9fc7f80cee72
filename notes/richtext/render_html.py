"""Render a note as HTML: ProseMirror writes it, nh3 removes all tags and attributes not listed."""

import html
import re
from typing import Any, Final

import nh3
from prosemirror.model import DOMSerializer, Mark, Node

from notes.richtext.schema import SCHEMA, is_language

_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_ALIGNED: Final = {"center": "align-center", "right": "align-right", "end": "align-right",
                   "justify": "align-justify"}  # fmt: skip
_TEXT_BLOCKS: Final = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th")
# Where ProseMirror puts the content of a node or mark.
_HOLE: Final = 0


def render_html(document: dict[str, Any], *, heading_offset: int = 0) -> str:
    """A validated document as safe HTML. `heading_offset` is added to the level of each heading,
    for a page with headings above the note."""
    root = Node.from_json(SCHEMA, document)
    return CLEANER.clean(str(_serializer(heading_offset).serialize_fragment(root.content)))


def render_plain_text(text: str) -> str:
    """Plain text as HTML paragraphs, split at blank lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    paragraphs = _BLANK_LINES.split(lines) if lines.strip() else []
    escaped = (html.escape(each).replace("\n", "<br>") for each in paragraphs)
    return CLEANER.clean("".join(f"<p>{each}</p>" for each in escaped))


def _serializer(heading_offset: int) -> DOMSerializer:
    def heading(node: Node) -> Any:
        level = min(6, int(node.attrs["level"]) + heading_offset)  # type: ignore[arg-type]
        return [f"h{level}", _aligned(node), _HOLE]

    return DOMSerializer({**_NODES, "heading": heading}, _MARKS)


def _aligned(node: Node) -> dict[str, Any]:
    return {"class": _ALIGNED.get(str(node.attrs.get("textAlign")))}


def _ordered_list(node: Node) -> Any:
    start = node.attrs["start"]
    return ["ol", {"start": None if start == 1 else start, "type": node.attrs["type"]}, _HOLE]


def _task_item(node: Node) -> Any:
    checked = bool(node.attrs["checked"])
    box = {"type": "checkbox", "disabled": "", "checked": "" if checked else None,
           "aria-label": "✓" if checked else "–"}  # fmt: skip
    return ["li", {"class": "task"}, ["input", box], ["div", _HOLE]]


def _code_block(node: Node) -> Any:
    language = node.attrs["language"]
    shown = language and is_language(language)
    return ["pre", ["code", {"class": f"language-{language}" if shown else None}, _HOLE]]


def _cell(tag: str) -> Any:
    def write(node: Node) -> Any:
        spans = {
            name: None if node.attrs[name] == 1 else node.attrs[name]
            for name in ("colspan", "rowspan")
        }
        return [tag, {**spans, **_aligned(node)}, _HOLE]

    return write


def _link(mark: Mark, _inline: bool) -> Any:
    return ["a", {"href": mark.attrs["href"], "title": mark.attrs["title"] or None}, _HOLE]


def _tag(name: str) -> Any:
    return lambda *_: [name, _HOLE]


_NODES: Final[dict[str, Any]] = {
    "paragraph": lambda node: ["p", _aligned(node), _HOLE],
    "bulletList": _tag("ul"),
    "orderedList": _ordered_list,
    "listItem": _tag("li"),
    "taskList": lambda _: ["ul", {"class": "tasks"}, _HOLE],
    "taskItem": _task_item,
    "blockquote": _tag("blockquote"),
    "codeBlock": _code_block,
    "horizontalRule": lambda _: ["hr"],
    "table": lambda _: ["div", {"class": "wide"}, ["table", ["tbody", _HOLE]]],
    "tableRow": _tag("tr"),
    "tableHeader": _cell("th"),
    "tableCell": _cell("td"),
    "hardBreak": lambda _: ["br"],
    "text": lambda node: node.text,
}
# Marks that are not here (textStyle) are not shown: the page has its own colours and fonts.
_MARKS: Final[dict[str, Any]] = {
    "link": _link,
    "bold": _tag("strong"),
    "italic": _tag("em"),
    "strike": _tag("s"),
    "underline": _tag("u"),
    "highlight": _tag("mark"),
    "subscript": _tag("sub"),
    "superscript": _tag("sup"),
    "code": _tag("code"),
}
_TAGS: Final = {
    "a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "input", "li", "mark", "ol", "p", "pre", "s", "strong", "sub", "sup", "table", "tbody",
    "td", "th", "tr", "u", "ul",
}  # fmt: skip
CLEANER: Final = nh3.Cleaner(
    tags=_TAGS,
    attributes={
        "a": {"href", "title"},
        "code": {"class"},
        "input": {"aria-label", "checked", "disabled"},
        "ol": {"start", "type"},
        "td": {"colspan", "rowspan"},
        "th": {"colspan", "rowspan"},
    },
    attribute_filter=lambda tag, name, value: (
        value
        if (tag, name) != ("code", "class") or is_language(value.removeprefix("language-"))
        else None
    ),
    tag_attribute_values={"input": {"type": {"checkbox"}}},
    allowed_classes={
        "div": {"wide"},
        "li": {"task"},
        "ul": {"tasks"},
        **{tag: set(_ALIGNED.values()) for tag in _TEXT_BLOCKS},
    },
    set_tag_attribute_values={"a": {"target": "_blank"}},
    link_rel="noopener noreferrer nofollow ugc",
    url_schemes={"http", "https", "mailto"},
    url_relative="deny",
)
