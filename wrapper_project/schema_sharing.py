"""Moves what several operations have in common into components of the OpenAPI document.

Generators write out what is inline at each operation: openapi-typescript made 40 kB more of it.
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


# An object or list of the document, a key in it, and a name for what the key leads to.
_Found = tuple[Any, Any, str]


def _share(document: Json, kind: str, places: list[_Found]) -> None:
    """Put a reference wherever an object is found more than once, examples aside. When there are
    different ones of a name, all but the first stay where they are."""
    counts = Counter(_without_examples(parent[key]) for parent, key, _ in places)
    shared = document["components"].setdefault(kind, {})
    for parent, key, name in places:
        schema = parent[key]
        same = _without_examples(schema)
        if counts[same] > 1 and _without_examples(shared.setdefault(name, schema)) == same:
            _keep_examples(schema, shared[name])
            parent[key] = {"$ref": f"#/components/{kind}/{name}"}


def _without_examples(value: Json) -> str:
    content = {
        media: {key: part for key, part in content.items() if key != "examples"}
        for media, content in value.get("content", {}).items()
    }
    return json.dumps(value | {"content": content}, sort_keys=True, default=str)


def _keep_examples(value: Json, shared: Json) -> None:
    for media, content in value.get("content", {}).items():
        examples = shared["content"][media].get("examples", {}) | content.get("examples", {})
        if examples:
            shared["content"][media]["examples"] = examples


def _headers(operations: list[Json]) -> Iterator[_Found]:
    for operation in operations:
        for answer in operation["responses"].values():
            for name in answer.get("headers", {}):
                yield answer["headers"], name, name.replace("-", "")


def _answers(operations: list[Json]) -> Iterator[_Found]:
    """Those with a JSON body or none, named by its schema."""
    for operation in operations:
        for status, answer in operation["responses"].items():
            content = answer.get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            if "$ref" in schema:
                yield operation["responses"], status, schema["$ref"].rpartition("/")[2]
            elif status == "304":
                yield operation["responses"], status, "NotModified"
