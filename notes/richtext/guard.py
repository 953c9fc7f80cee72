"""The first walk over a document that a stranger wrote: nothing in it is trusted to be small.

It goes level by level, never by recursion, and comes before ProseMirror, which fails on deep
nesting and lets numbers pass as text.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from notes.errors import InvalidDocument
from notes.limits import DOCUMENT_DEPTH, DOCUMENT_NODES
from notes.richtext.attributes import REQUIRED, Attribute
from notes.richtext.schema import MARKS, NODES

# Which child of which child: (3, 1) is `doc.content[3].content[1]`.
NodePath = tuple[int, ...]
_LARGEST: Final = 2**63


def path_of(path: NodePath, rest: str = "") -> str:
    """A path in words that a client can follow."""
    return "doc" + "".join(f".content[{index}]" for index in path) + rest


def copy_known_parts(document: dict[str, Any]) -> dict[str, Any]:
    """A copy with nothing in it but known nodes, marks and attributes, each of its own form.

    Which node may stand in which is not looked at. Raises: InvalidDocument.
    """
    _check_values(document)
    top: list[dict[str, Any]] = []
    waiting: deque[tuple[NodePath, Any, list[dict[str, Any]]]] = deque([((), document, top)])
    left = DOCUMENT_NODES
    while waiting:
        path, value, siblings = waiting.popleft()
        node = _node(path, value)
        siblings.append(node)
        children = _list(value, "content", path)
        left -= len(children)
        if left < 0:
            raise InvalidDocument("doc", f"a document has at most {DOCUMENT_NODES} nodes.")
        if children:
            below: list[dict[str, Any]] = []
            node["content"] = below
            waiting.extend(((*path, i), child, below) for i, child in enumerate(children))
    return top[0]


def _check_values(document: dict[str, Any]) -> None:
    """Depth, and what no column or page can hold, anywhere in it."""
    level: list[Any] = [document]
    for _ in range(DOCUMENT_DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value)
                below.extend(value.values())
            else:
                below.extend(value)
        level = []
        for value in below:
            if isinstance(value, dict | list):
                level.append(value)
            else:
                _check_plain(value)
        if not level:
            return
    raise InvalidDocument("doc", f"nested deeper than {DOCUMENT_DEPTH}.")


def _check_plain(value: Any) -> None:
    """Raises: InvalidDocument."""
    if isinstance(value, str):
        if "\0" in value or not _is_writable(value):
            raise InvalidDocument("doc", "a text holds NUL or half a surrogate pair.")
    elif isinstance(value, float | int) and not -_LARGEST <= value < _LARGEST:
        raise InvalidDocument("doc", "a number is beyond 64 bits.")


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _node(path: NodePath, value: Any) -> dict[str, Any]:
    name = _type_of(path, "", value)
    if name not in NODES or (name == "doc") != (not path):
        raise InvalidDocument(path_of(path), "no node of that type may stand here.")
    node: dict[str, Any] = {"type": name}
    if attrs := _attributes(path, "", value, NODES[name].attributes):
        node["attrs"] = attrs
    if marks := [_mark(path, i, mark) for i, mark in enumerate(_list(value, "marks", path))]:
        node["marks"] = marks
        if not path:
            raise InvalidDocument("doc", "a document has no marks.")
    if name == "text":
        node["text"] = value.get("text")
        if not isinstance(node["text"], str) or not node["text"]:
            raise InvalidDocument(path_of(path), "its text is missing, empty, or no text.")
        if value.get("content"):
            raise InvalidDocument(path_of(path), "a text has no content.")
    return node


def _mark(path: NodePath, index: int, value: Any) -> dict[str, Any]:
    rest = f".marks[{index}]"
    name = _type_of(path, rest, value)
    if name not in MARKS:
        raise InvalidDocument(path_of(path, rest), "there is no mark of that type.")
    mark: dict[str, Any] = {"type": name}
    if attrs := _attributes(path, rest, value, MARKS[name].attributes):
        mark["attrs"] = attrs
    return mark


def _type_of(path: NodePath, rest: str, value: Any) -> str:
    if not isinstance(value, dict):
        raise InvalidDocument(path_of(path, rest), "this is no object.")
    name = value.get("type")
    if not isinstance(name, str):
        raise InvalidDocument(path_of(path, rest), "its type is missing, or no text.")
    return name


def _list(value: dict[str, Any], name: str, path: NodePath) -> list[Any]:
    found = value.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        raise InvalidDocument(path_of(path), f"its {name} is no list.")
    return found


def _attributes(
    path: NodePath, rest: str, value: dict[str, Any], known: Mapping[str, Attribute]
) -> dict[str, Any]:
    given = value.get("attrs")
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise InvalidDocument(path_of(path, rest), "its attrs is no object.")
    kept = {name: given[name] for name in given if name in known}
    for name, attribute in known.items():
        if name in kept or attribute.default is REQUIRED:
            try:
                attribute.check(kept.get(name))
            except ValueError as error:
                raise InvalidDocument(path_of(path, rest), str(error)) from None
    return kept
