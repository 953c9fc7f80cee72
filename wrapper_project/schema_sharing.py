"""Moves headers and answers that several operations have into components of the OpenAPI document.

Generators write out what stands at an operation: without this, the types that openapi-typescript
makes are 40 kB longer.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def share(result: Json, **_: Any) -> Json:
    """The document with shared headers and successful answers. A hook of
    drf-spectacular, which gives the name `result` to the document."""
    operations = [
        operation for methods in result["paths"].values() for operation in methods.values()
    ]
    _share(result, "headers", [*_headers(operations)])
    _share(result, "responses", [*_answers(operations)])
    return result


# An object of the document, a key in it, and the name of the component that the value may become.
_Use = tuple[Json, str, str]


def _share(document: Json, kind: str, uses: list[_Use]) -> None:
    """Put references in place of values that are used more than once, examples aside. Where values
    differ and have the same name, the first becomes the component, and the others stay."""
    counts = Counter(_without_examples(parent[key]) for parent, key, _name in uses)
    shared = document["components"].setdefault(kind, {})
    for parent, key, name in uses:
        value = parent[key]
        content = _without_examples(value)
        if counts[content] > 1 and _without_examples(shared.setdefault(name, value)) == content:
            _add_examples(shared[name], value)
            parent[key] = {"$ref": f"#/components/{kind}/{name}"}


def _without_examples(value: Json) -> str:
    content = {
        media: {key: part for key, part in content.items() if key != "examples"}
        for media, content in value.get("content", {}).items()
    }
    return json.dumps(value | {"content": content}, sort_keys=True, default=str)


def _add_examples(shared: Json, value: Json) -> None:
    """Add the examples of a value to the component that takes its place."""
    for media, content in value.get("content", {}).items():
        examples = shared["content"][media].get("examples", {}) | content.get("examples", {})
        if examples:
            shared["content"][media]["examples"] = examples


def _headers(operations: list[Json]) -> Iterator[_Use]:
    for operation in operations:
        for answer in operation["responses"].values():
            for name in answer.get("headers", {}):
                yield answer["headers"], name, name.replace("-", "")


def _answers(operations: list[Json]) -> Iterator[_Use]:
    """The answers with a JSON body, named by its schema, and those with 304."""
    for operation in operations:
        for status, answer in operation["responses"].items():
            content = answer.get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            if "$ref" in schema:
                yield operation["responses"], status, schema["$ref"].rpartition("/")[2]
            elif status == "304":
                yield operation["responses"], status, "NotModified"
