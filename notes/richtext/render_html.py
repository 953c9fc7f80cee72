"""A note as HTML: ProseMirror writes it, nh3 lets through what it knows. No styles, no scripts."""

import html
import re
from functools import lru_cache
from typing import Any, Final

import nh3
from prosemirror.model import DOMSerializer, Mark, Node

from notes.richtext.schema import SCHEMA

_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,32}")
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_ALIGNED: Final = {"center": "align-center", "right": "align-right", "end": "align-right",
                   "justify": "align-justify"}  # fmt: skip
_TEXT_BLOCKS: Final = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th")
_HOLE: Final = 0


def render_html(document: dict[str, Any], *, below: int = 0) -> str:
    """A validated document as safe HTML. `below`: how many levels each heading goes down, for a
    page that has headings above it."""
    root = Node.from_json(SCHEMA, document)
    return CLEANER.clean(str(_writer(below).serialize_fragment(root.content)))


def render_plain_text(text: str) -> str:
    """Plain text as paragraphs; nothing in it is interpreted."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    paragraphs = _BLANK_LINES.split(lines) if lines.strip() else []
    written = (html.escape(each).replace("\n", "<br>") for each in paragraphs)
    return CLEANER.clean("".join(f"<p>{each}</p>" for each in written))


@lru_cache(maxsize=8)
def _writer(below: int) -> DOMSerializer:
    def heading(node: Node) -> Any:
        level = min(6, int(node.attrs["level"]) + below)  # type: ignore[arg-type]
        return [f"h{level}", _aligned(node), _HOLE]

    return DOMSerializer({**_NODES, "heading": heading}, _MARKS)


def _aligned(node: Node) -> dict[str, Any]:
    return {"class": _ALIGNED.get(str(node.attrs.get("textAlign")))}


def _ordered_list(node: Node) -> Any:
    start = node.attrs["start"]
    return ["ol", {"start": None if start == 1 else start, "type": node.attrs["type"]}, _HOLE]


def _task_item(node: Node) -> Any:
    done = bool(node.attrs["checked"])
    box = {"type": "checkbox", "disabled": "", "checked": "" if done else None,
           "aria-label": "✓" if done else "–"}  # fmt: skip
    return ["li", {"class": "task"}, ["input", box], ["div", _HOLE]]


def _code_block(node: Node) -> Any:
    language = str(node.attrs["language"] or "")
    known = _LANGUAGE.fullmatch(language) is not None
    return ["pre", ["code", {"class": f"language-{language}" if known else None}, _HOLE]]


def _cell(tag: str) -> Any:
    def write(node: Node) -> Any:
        spans = {
            name: None if node.attrs[name] == 1 else node.attrs[name]
            for name in ("colspan", "rowspan")
        }
        return [tag, {**spans, **_aligned(node)}, _HOLE]

    return write


def _link(mark: Mark, inline: bool) -> Any:
    del inline
    return ["a", {"href": mark.attrs["href"], "title": mark.attrs["title"] or None}, _HOLE]


def _plain(*tags: str) -> Any:
    def write(*_: Any) -> Any:
        inner: Any = _HOLE
        for tag in reversed(tags):
            inner = [tag, inner]
        return inner

    return write


_NODES: Final[dict[str, Any]] = {
    "paragraph": lambda node: ["p", _aligned(node), _HOLE],
    "bulletList": _plain("ul"),
    "orderedList": _ordered_list,
    "listItem": _plain("li"),
    "taskList": lambda _: ["ul", {"class": "tasks"}, _HOLE],
    "taskItem": _task_item,
    "blockquote": _plain("blockquote"),
    "codeBlock": _code_block,
    "horizontalRule": lambda _: ["hr"],
    "table": lambda _: ["div", {"class": "wide"}, ["table", ["tbody", _HOLE]]],
    "tableRow": _plain("tr"),
    "tableHeader": _cell("th"),
    "tableCell": _cell("td"),
    "hardBreak": lambda _: ["br"],
    "text": lambda node: node.text,
}
# A mark that is not here (textStyle) changes nothing: colours are the reader's.
_MARKS: Final[dict[str, Any]] = {
    "link": _link,
    "bold": _plain("strong"),
    "italic": _plain("em"),
    "strike": _plain("s"),
    "underline": _plain("u"),
    "highlight": _plain("mark"),
    "subscript": _plain("sub"),
    "superscript": _plain("sup"),
    "code": _plain("code"),
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
        if (tag, name) != ("code", "class") or _LANGUAGE.fullmatch(value.removeprefix("language-"))
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
