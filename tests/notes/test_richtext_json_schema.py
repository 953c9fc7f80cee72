"""The description of documents agrees with what is accepted."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from notes.richtext import json_schema
from notes.richtext.schema import MARKS, NODES
from tests.notes.documents import RICH, doc, link, node, text
from tests.notes.test_richtext import ATTRIBUTES, MISPLACED, WRONG_ATTRIBUTES, with_attribute

COMPONENTS = json_schema.components()


def is_described(document: Any) -> bool:
    schema = {"$ref": "#/components/schemas/RichText", "components": {"schemas": COMPONENTS}}
    return bool(Draft202012Validator(schema).is_valid(document))


def types_of(component: dict[str, Any]) -> set[str]:
    kind = component["properties"]["type"]
    return set(kind.get("enum", [kind.get("const")]))


def test_every_node_and_mark_has_one_component() -> None:
    kinds = [name for name, schema in COMPONENTS.items() if "properties" in schema]
    described = [kind for name in kinds for kind in types_of(COMPONENTS[name])]
    assert sorted(described) == sorted([*NODES, *MARKS])


@pytest.mark.parametrize("name", ["BlockNode", "InlineNode", "Mark"])
def test_a_union_is_told_apart_by_the_type(name: str) -> None:
    union = COMPONENTS[name]
    mapping = union["discriminator"]["mapping"]
    assert union["discriminator"]["propertyName"] == "type"
    assert {each["$ref"] for each in union["oneOf"]} == set(mapping.values())
    for kind, reference in mapping.items():
        assert kind in types_of(COMPONENTS[reference.rpartition("/")[2]])


def test_the_document_of_an_editor_is_described() -> None:
    assert is_described(RICH)
    assert is_described({"type": "doc"})


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_the_values_of_an_attribute_are_described(name: str) -> None:
    refused = [v for v in ATTRIBUTES[name] if not is_described(with_attribute(name, v))]
    assert refused == []


@pytest.mark.parametrize("name", WRONG_ATTRIBUTES)
def test_other_values_are_not_described(name: str) -> None:
    # In a JSON schema 1.0 is an integer.
    wrong = [v for v in WRONG_ATTRIBUTES[name] if not isinstance(v, float) or v != int(v)]
    assert [v for v in wrong if is_described(with_attribute(name, v))] == []


WRONG = {
    **{name: document for name, (document, _) in MISPLACED.items()},
    "a list of nothing": doc({"type": "bulletList", "content": []}),
    "a text without a text": doc(node("paragraph", {"type": "text"})),
    "an empty text": doc(node("paragraph", text(""))),
    "an unknown mark": doc(node("paragraph", text("x", "blink"))),
    "a link without an address": doc(node("paragraph", text("x", {"type": "link"}))),
    "a link to nothing": doc(node("paragraph", text("x", link(None)))),
}


@pytest.mark.parametrize("document", WRONG.values(), ids=WRONG)
def test_what_is_refused_is_not_described(document: Any) -> None:
    assert not is_described(document)
