"""Rich text as JSON Schema, made from the nodes and marks of `schema.py`.

One component for each kind of node or mark, and unions of them that are told apart by `type`.
Kinds of marks without attributes share one. Nodes refer to each other, because they can be nested.
"""

from collections.abc import Mapping
from typing import Any, Final

from prosemirror.model import NodeType

from notes.richtext.schema import MARKS, NODES, REQUIRED, SCHEMA, Attribute

JsonSchema = dict[str, Any]

DOCUMENT: Final = "RichText"
MARK: Final = "Mark"
PLAIN_MARK: Final = "PlainMark"
# The unions that have a name: what the blocks and the lines of a document consist of.
GROUPS: Final = {"block": "BlockNode", "inline": "InlineNode"}


def components() -> dict[str, JsonSchema]:
    """The components of `#/components/schemas` by name."""
    definitions = {_node_name(name): _node(SCHEMA.nodes[name]) for name in NODES}
    for group, union in GROUPS.items():
        members = [name for name, kind in NODES.items() if kind.group == group]
        definitions[union] = _union({name: _node_name(name) for name in members})
    plain = [name for name, kind in MARKS.items() if not kind.attributes]
    definitions[PLAIN_MARK] = _kind(plain, {}, [])
    for name, kind in MARKS.items():
        if kind.attributes:
            definitions[_mark_name(name)] = _kind([name], *_attrs(kind.attributes))
    definitions[MARK] = _union({name: _mark_name(name) for name in MARKS})
    for kind in (*NODES.values(), *MARKS.values()):
        for attribute in kind.attributes.values():
            if attribute.values.name:
                definitions[attribute.values.name] = dict(attribute.values.schema)
    return definitions


def _node_name(name: str) -> str:
    return DOCUMENT if name == SCHEMA.top_node_type.name else f"{name[0].upper()}{name[1:]}Node"


def _mark_name(name: str) -> str:
    return f"{name[0].upper()}{name[1:]}Mark" if MARKS[name].attributes else PLAIN_MARK


def _node(node: NodeType) -> JsonSchema:
    properties, required = _attrs(NODES[node.name].attributes)
    # The kinds that its content may begin with: our expressions allow the same ones everywhere.
    children = [edge.type.name for edge in node.content_match.next]
    if children:
        properties["content"] = {"type": "array", "items": _content(children)}
        if not node.content_match.valid_end:
            properties["content"]["minItems"] = 1
            required.append("content")
    if node.is_text:
        properties["text"] = {"type": "string", "minLength": 1}
        required.append("text")
    if node.is_inline:
        properties["marks"] = {"type": "array", "items": _reference(MARK)}
    return _kind([node.name], properties, required)


def _content(children: list[str]) -> JsonSchema:
    for group, union in GROUPS.items():
        if children == [name for name, kind in NODES.items() if kind.group == group]:
            return _reference(union)
    if len(children) == 1:
        return _reference(_node_name(children[0]))
    return _union({name: _node_name(name) for name in children})


def _kind(names: list[str], properties: JsonSchema, required: list[str]) -> JsonSchema:
    kind = {"const": names[0]} if len(names) == 1 else {"enum": names}
    return {
        "type": "object",
        "properties": {"type": {"type": "string", **kind}, **properties},
        "required": ["type", *required],
    }


def _attrs(attributes: Mapping[str, Attribute]) -> tuple[JsonSchema, list[str]]:
    """The property `attrs`, and its name if it is required."""
    if not attributes:
        return {}, []
    required = [name for name, attribute in attributes.items() if attribute.default is REQUIRED]
    schema: JsonSchema = {
        "type": "object",
        "properties": {
            name: _reference(attribute.values.name)
            if attribute.values.name
            else dict(attribute.values.schema)
            for name, attribute in attributes.items()
        },
    }
    if required:
        schema["required"] = required
    return {"attrs": schema}, ["attrs"] if required else []


def _union(components: Mapping[str, str]) -> JsonSchema:
    """One of these, told apart by `type`. `components`: name of the kind -> of its component."""
    mapping = {kind: _reference(name)["$ref"] for kind, name in components.items()}
    return {
        "oneOf": [{"$ref": reference} for reference in dict.fromkeys(mapping.values())],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _reference(name: str) -> JsonSchema:
    return {"$ref": f"#/components/schemas/{name}"}
