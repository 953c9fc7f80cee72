"""Validate what a client sends as the content of a note: a document or plain text.

A document comes from a stranger. It is first copied level by level, never by recursion, which
bounds its depth and size, drops unknown attributes, and reads the values of the others, which
editors write differently. Only then does ProseMirror see it, which fails on deep nesting.
"""

import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.utils.translation import gettext_lazy as _
from prosemirror.model import Node

from accounts.errors import InvalidInput
from accounts.strict_json import NestedTooDeep, scalars
from notes.errors import InvalidDocument
from notes.limits import DOCUMENT_DEPTH, DOCUMENT_NODES, EXCERPT_LENGTH
from notes.richtext.plain_text import plain_text, shorten
from notes.richtext.schema import MARKS, NODES, NOT_GIVEN, REQUIRED, SCHEMA, Attribute

# The steps from the document to a node or mark: (".content[3]", ".marks[0]").
Path = tuple[str, ...]
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_NOT_ALLOWED_HERE: Final = _("a node of that type is not allowed here.")


@dataclass(frozen=True, slots=True)
class Content:
    """`text` is what the API gives back. `document` is compact JSON, None for plain text."""

    text: str
    document: str | None
    excerpt: str


def read_content(value: object) -> Content:
    """The validated content. An object is a document; so is a string with the JSON of an object
    whose type is `doc`. Any other string is plain text.

    Raises: InvalidDocument, InvalidInput for any other value.
    """
    if not isinstance(value, str | dict):
        raise InvalidInput({"content": [_("Give a document or a text.")]})
    document = _parse_document(value) if isinstance(value, str) else value
    if isinstance(value, str) and document is None:
        return Content(value, None, shorten(value, EXCERPT_LENGTH))
    valid = validate_document(document or {})
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    excerpt = shorten(plain_text(valid), EXCERPT_LENGTH)
    return Content(text, orjson.dumps(valid).decode(), excerpt)


def validate_document(document: dict[str, Any]) -> dict[str, Any]:
    """The document as it is stored: without unknown attributes, and with the values of the others
    as our editor writes them.

    Raises: InvalidDocument, with the path and the attribute in it.
    """
    _check_values(document)
    copy = _copy_known_parts(document)
    _check_structure(Node.from_json(SCHEMA, copy))
    return copy


def _parse_document(text: str) -> dict[str, Any] | None:
    """The object of type `doc` whose JSON this is; None for any other string."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        # Not with orjson: it refuses half a surrogate pair, which browsers accept, so that plain
        # text here would be a document to a client.
        parsed = json.loads(text)
    except RecursionError:
        raise InvalidDocument((), _("nested too deeply.")) from None
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) and parsed.get("type") == "doc" else None


def _check_values(document: dict[str, Any]) -> None:
    """Bound the depth, and refuse values that no column or page can hold."""
    try:
        for value in scalars(document, DOCUMENT_DEPTH):
            _check_scalar(value)
    except NestedTooDeep:
        sentence = _("nested deeper than %(most)d.") % {"most": DOCUMENT_DEPTH}
        raise InvalidDocument((), sentence) from None


def _check_scalar(value: Any) -> None:
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            raise InvalidDocument((), _("a text holds NUL or half a surrogate pair."))
    elif isinstance(value, float | int) and not -(2**63) <= value < 2**63:
        raise InvalidDocument((), _("a number is beyond 64 bits."))


def _copy_known_parts(document: dict[str, Any]) -> dict[str, Any]:
    """A copy with the known nodes, marks and attributes only, each checked by itself."""
    top: list[dict[str, Any]] = []
    queue: deque[tuple[Path, Any, list[dict[str, Any]]]] = deque([((), document, top)])
    left = DOCUMENT_NODES
    while queue:
        path, value, siblings = queue.popleft()
        node = _copy_node(path, value)
        siblings.append(node)
        children = _list(value, "content", path)
        left -= len(children)
        if left < 0:
            raise InvalidDocument(
                (), _("a document has at most %(most)d nodes.") % {"most": DOCUMENT_NODES}
            )
        if children:
            copies: list[dict[str, Any]] = []
            node["content"] = copies
            queue.extend(
                ((*path, f".content[{i}]"), child, copies) for i, child in enumerate(children)
            )
    return top[0]


def _copy_node(path: Path, value: Any) -> dict[str, Any]:
    name = _type_of(path, value)
    if name not in NODES or (name == "doc") != (not path):
        raise InvalidDocument(path, _NOT_ALLOWED_HERE)
    node: dict[str, Any] = {"type": name}
    if attrs := _known_attributes(path, value, NODES[name].attributes):
        node["attrs"] = attrs
    if marks := _copy_marks(path, value):
        node["marks"] = marks
    if name == "text":
        node["text"] = value.get("text")
        if not isinstance(node["text"], str) or not node["text"]:
            raise InvalidDocument(path, _("its text is missing, empty or not a string."))
        if value.get("content"):
            raise InvalidDocument(path, _("a text has no content."))
    return node


def _copy_marks(path: Path, value: dict[str, Any]) -> list[dict[str, Any]]:
    marks = _list(value, "marks", path)
    if marks and not path:
        raise InvalidDocument(path, _("a document has no marks."))
    copies = [_copy_mark((*path, f".marks[{i}]"), mark) for i, mark in enumerate(marks)]
    return [copy for copy in copies if copy]


def _copy_mark(path: Path, value: Any) -> dict[str, Any] | None:
    """None for a link without an address, which editors make of an anchor without one."""
    name = _type_of(path, value)
    if name not in MARKS:
        raise InvalidDocument(path, _("there is no mark of that type."))
    attrs = _known_attributes(path, value, MARKS[name].attributes)
    required = {
        key for key, attribute in MARKS[name].attributes.items() if attribute.default is REQUIRED
    }
    if not required <= attrs.keys():
        return None
    return {"type": name, "attrs": attrs} if attrs else {"type": name}


def _type_of(path: Path, value: Any) -> str:
    if not isinstance(value, dict):
        raise InvalidDocument(path, _("this is not an object."))
    name = value.get("type")
    if not isinstance(name, str):
        raise InvalidDocument(path, _("its type is missing or not a string."))
    return name


def _list(value: dict[str, Any], name: str, path: Path) -> list[Any]:
    items = value.get(name)
    if items is None:
        return []
    if not isinstance(items, list):
        raise InvalidDocument(path, _("its %(name)s is not a list.") % {"name": name})
    return items


def _known_attributes(
    path: Path, value: dict[str, Any], known: Mapping[str, Attribute]
) -> dict[str, Any]:
    attrs = value.get("attrs")
    if attrs is None:
        attrs = {}
    if not isinstance(attrs, dict):
        raise InvalidDocument(path, _("its attrs is not an object."))
    read = {}
    for name in (name for name in attrs if name in known):
        try:
            read[name] = known[name].read(attrs[name])
        except ValueError:
            raise InvalidDocument(path, known[name].sentence) from None
    return {name: value for name, value in read.items() if value is not NOT_GIVEN}


def _check_structure(root: Node) -> None:
    stack: list[tuple[Path, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        match = node.type.content_match
        for index, child in enumerate(node.children):
            inner = (*path, f".content[{index}]")
            after = match.match_type(child.type)
            if after is None:
                raise InvalidDocument(inner, _NOT_ALLOWED_HERE)
            match = after
            _check_marks(inner, node, child)
            stack.append((inner, child))
        if not match.valid_end:
            raise InvalidDocument(path, _("its content is incomplete."))


def _check_marks(path: Path, parent: Node, node: Node) -> None:
    if not parent.type.allows_marks(node.marks):
        raise InvalidDocument(path, _("marks are not allowed on it."))
    if len({mark.type.name for mark in node.marks}) < len(node.marks):
        raise InvalidDocument(path, _("two of its marks exclude each other."))
