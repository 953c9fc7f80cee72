"""From what a client sent as `content` to what is kept of it."""

import json
from dataclasses import dataclass
from typing import Any, Final

import orjson
from prosemirror.model import Mark, Node

from notes.errors import InvalidDocument
from notes.limits import EXCERPT_LENGTH
from notes.richtext.guard import NodePath, copy_known_parts, path_of
from notes.richtext.plain_text import plain_text, shorten
from notes.richtext.schema import SCHEMA

_MISPLACED: Final = "no node of that type may stand here."


@dataclass(frozen=True, slots=True)
class Content:
    """`text` is what its owner gets back. `document` is compact JSON: None for plain text."""

    text: str
    document: str | None
    excerpt: str


def read_content(value: object) -> Content:
    """A document where there is one in it, else plain text.

    A document is an object, or a string that parses to an object of the type `doc`.

    Raises: InvalidDocument.
    """
    if not isinstance(value, str | dict):
        raise InvalidDocument("", "Give a document or a text.")
    document = _document_in(value) if isinstance(value, str) else value
    if isinstance(value, str) and document is None:
        return Content(value, None, shorten(value, EXCERPT_LENGTH))
    valid = validate_document(document or {})
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    excerpt = shorten(plain_text(valid), EXCERPT_LENGTH)
    return Content(text, orjson.dumps(valid).decode(), excerpt)


def validate_document(document: dict[str, Any]) -> dict[str, Any]:
    """The document without unknown attributes. Raises: InvalidDocument, naming the path."""
    parts = copy_known_parts(document)
    node = Node.from_json(SCHEMA, parts)  # the guard has bounded its depth
    _check_places(node)
    return parts


def _document_in(text: str) -> dict[str, Any] | None:
    """The object of type `doc` that a string is the JSON of; None for any other string."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        found = _what_others_read(text)
    return found if isinstance(found, dict) and found.get("type") == "doc" else None


def _what_others_read(text: str) -> Any:
    """JSON that orjson refuses and a browser takes: half a surrogate pair, more than 1,024 deep.

    It must not pass for plain text here and for a document there.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise InvalidDocument("doc", "nested too deeply.") from None
    except ValueError:
        return None


def _check_places(root: Node) -> None:
    """Which node may stand in which, and which marks on it."""
    waiting: list[tuple[NodePath, Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        match = node.type.content_match
        for index, child in enumerate(node.children):
            inner = (*path, index)
            after = match.match_type(child.type)
            if after is None:
                raise InvalidDocument(path_of(inner), _MISPLACED)
            match = after
            _check_marks(inner, node, child)
            waiting.append((inner, child))
        if not match.valid_end:
            raise InvalidDocument(path_of(path), "something must stand in it.")


def _check_marks(path: NodePath, parent: Node, node: Node) -> None:
    if not parent.type.allows_marks(node.marks):
        raise InvalidDocument(path_of(path), "no marks may be on it.")
    together = Mark.none
    for mark in node.marks:
        together = mark.add_to_set(together)
    if len(together) != len(node.marks):
        raise InvalidDocument(path_of(path), "two of its marks exclude each other.")
