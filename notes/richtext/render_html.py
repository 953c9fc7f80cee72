"""Render a note as HTML: ProseMirror writes it, nh3 removes all tags and attributes not listed."""

import html
import re
import unicodedata
from typing import Any, Final

import nh3
from django.utils.translation import gettext as _
from prosemirror.model import DOMSerializer, Mark, Node

from notes.richtext.schema import SCHEMA
from notes.richtext.values import is_language

_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_ALIGNED: Final = {"center": "align-center", "right": "align-right", "end": "align-right",
                   "justify": "align-justify"}  # fmt: skip
_TEXT_BLOCKS: Final = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th")
# Hold text blocks, so `dir="auto"` would find no text of their own.
_CONTAINERS: Final = ("blockquote", "ol", "table", "ul")
_RIGHT_TO_LEFT: Final = ("R", "AL")  # of Unicode's bidirectional classes
# Scrolls sideways, so that the keyboard has to reach it. A group, because a region would be a
# landmark of the page.
_SCROLLS: Final = {"tabindex": "0", "role": "group"}
# Where ProseMirror puts the content of a node or mark.
_HOLE: Final = 0


def render_html(document: dict[str, Any], *, heading_offset: int = 0) -> str:
    """A validated document as safe HTML. With a `heading_offset`, its headings are for a page with
    headings of as many levels above the note: they begin there and leave out no level."""
    root = Node.from_json(SCHEMA, document)
    return CLEANER.clean(str(_serializer(heading_offset).serialize_fragment(root.content)))


def render_plain_text(text: str) -> str:
    """Plain text as HTML paragraphs, split at blank lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    paragraphs = _BLANK_LINES.split(lines) if lines.strip() else []
    escaped = (html.escape(paragraph).replace("\n", "<br>") for paragraph in paragraphs)
    return CLEANER.clean("".join(f'<p dir="auto">{text}</p>' for text in escaped))


def _serializer(heading_offset: int) -> DOMSerializer:
    above: list[int] = []  # the levels in the note of the headings that the last one is under

    def heading(node: Node) -> Any:
        level = int(node.attrs["level"])  # type: ignore[arg-type]
        if heading_offset:
            while above and above[-1] >= level:
                above.pop()
            above.append(level)
            level = min(6, len(above) + heading_offset)
        return [f"h{level}", _text_block(node), _HOLE]

    return DOMSerializer({**_NODES, "heading": heading}, _MARKS)


def _text_block(node: Node) -> dict[str, Any]:
    return {"dir": "auto", "class": _ALIGNED.get(str(node.attrs.get("textAlign")))}


def _direction(node: Node) -> str | None:
    """`rtl` where the text of a container begins with a letter that is written so."""
    classes = (unicodedata.bidirectional(letter) for letter in node.text_content)
    first = next((direction for direction in classes if direction in ("L", *_RIGHT_TO_LEFT)), "L")
    return "rtl" if first in _RIGHT_TO_LEFT else None


def _container(tag: str, **attributes: str) -> Any:
    return lambda node: [tag, {"dir": _direction(node), **attributes}, _HOLE]


def _table(node: Node) -> Any:
    table = ["table", {"dir": _direction(node)}, ["tbody", _HOLE]]
    return ["div", {"class": "wide", **_SCROLLS, "aria-label": _("Table")}, table]


def _ordered_list(node: Node) -> Any:
    start, kind = node.attrs["start"], node.attrs["type"]
    return [
        "ol", {"dir": _direction(node), "start": None if start == 1 else start, "type": kind}, _HOLE
    ]  # fmt: skip


def _task_item(node: Node) -> Any:
    checked = bool(node.attrs["checked"])
    box = {"type": "checkbox", "disabled": "", "checked": "" if checked else None,
           "aria-label": "✓" if checked else "–"}  # fmt: skip
    return ["li", {"class": "task"}, ["input", box], ["div", _HOLE]]


def _code_block(node: Node) -> Any:
    language = node.attrs["language"]
    shown = language and is_language(language)
    code = ["code", {"class": f"language-{language}" if shown else None}, _HOLE]
    return ["pre", {"dir": "ltr", **_SCROLLS, "aria-label": _("Code")}, code]


def _cell(tag: str) -> Any:
    def write(node: Node) -> Any:
        spans = {
            name: None if node.attrs[name] == 1 else node.attrs[name]
            for name in ("colspan", "rowspan")
        }
        return [tag, {**spans, **_text_block(node)}, _HOLE]

    return write


def _link(mark: Mark, _inline: bool) -> Any:
    return ["a", {"href": mark.attrs["href"], "title": mark.attrs["title"] or None}, _HOLE]


def _tag(name: str) -> Any:
    return lambda *_: [name, _HOLE]


_NODES: Final[dict[str, Any]] = {
    "paragraph": lambda node: ["p", _text_block(node), _HOLE],
    "bulletList": _container("ul"),
    "orderedList": _ordered_list,
    "listItem": _tag("li"),
    "taskList": _container("ul", **{"class": "tasks"}),
    "taskItem": _task_item,
    "blockquote": _container("blockquote"),
    "codeBlock": _code_block,
    "horizontalRule": lambda _: ["hr"],
    "table": _table,
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
        "div": {"aria-label"},
        "input": {"aria-label", "checked", "disabled"},
        "ol": {"start", "type"},
        "pre": {"aria-label"},
        "td": {"colspan", "rowspan"},
        "th": {"colspan", "rowspan"},
    },
    attribute_filter=lambda tag, name, value: (
        value
        if (tag, name) != ("code", "class") or is_language(value.removeprefix("language-"))
        else None
    ),
    tag_attribute_values={
        "input": {"type": {"checkbox"}},
        "div": {name: {value} for name, value in _SCROLLS.items()},
        "pre": {"dir": {"ltr"}, **{name: {value} for name, value in _SCROLLS.items()}},
        **{tag: {"dir": {"auto"}} for tag in _TEXT_BLOCKS},
        **{tag: {"dir": {"rtl"}} for tag in _CONTAINERS},
    },
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
