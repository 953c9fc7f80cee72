"""The AsyncAPI document of `/ws`, made from the classes of events and frames.

Events carry objects that REST has too: the document has the components of the OpenAPI document for
them.
"""

import inspect
from dataclasses import MISSING, fields
from types import UnionType
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints
from uuid import UUID

from django.conf import settings

from social.realtime.close_codes import CloseCode
from social.realtime.events import Event
from social.realtime.frames import Frame

Json = dict[str, Any]

_DESCRIPTION: Final = """\
Send the cookies of the session, or `Authorization: Bearer`. The first frame is `ready`; without a
session it is `error`, and the socket is closed. Every frame is a JSON text with a `type`. Ignore
types and fields that you do not know: there will be more. Frames of a client have at most 64 KiB.
`x-close-codes` lists why the service closes a socket."""
_SCHEMAS: Final = "#/components/schemas/"
_TYPES: Final = {str: "string", int: "integer", UUID: "string"}


def event_document(openapi: Json) -> Json:
    """The AsyncAPI document. `openapi` is the OpenAPI document."""
    sent, received = kinds(Event), kinds(Frame)
    schemas = {name_of(kind): _schema(kind) for kind in (*sent, *received)}
    for name, members in (("Event", sent), ("Frame", received)):
        schemas[name] = {"oneOf": [{"$ref": _SCHEMAS + name_of(member)} for member in members]}
    schemas |= _shared(schemas, openapi["components"]["schemas"])
    messages = {name_of(kind): _message(kind) for kind in (*sent, *received)}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": f"{settings.SPECTACULAR_SETTINGS['TITLE']}: live events",
            "version": settings.VERSION,
            "description": "What changes, as it changes. REST has the data; an event can be lost.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/ws",
                "description": _DESCRIPTION,
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
                "x-close-codes": {str(int(code)): code.label for code in CloseCode},
            }
        },
        "operations": {
            "sendEvent": _operation("send", "The service sends an event.", sent),
            "receiveFrame": _operation("receive", "A client sends a frame.", received),
        },
        "components": {
            "messages": messages,
            "schemas": schemas,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookies": {
                    "type": "httpApiKey",
                    "in": "cookie",
                    "name": f"{settings.COOKIE_PREFIX}jsessionid",
                    "description": "With the other cookies of the session.",
                },
            },
        },
    }


def kinds(base: type[Any]) -> list[type[Any]]:
    """All classes below `base` that have a `type` of their own."""
    classes: list[type[Any]] = []
    for child in base.__subclasses__():
        classes += [child] if "type" in vars(child) else []
        classes += kinds(child)
    return classes


def name_of(kind: type) -> str:
    """The name of its message and schema, which no object of REST has."""
    return f"{kind.__name__}Event" if issubclass(kind, Event) else kind.__name__


def _operation(action: str, summary: str, members: list[type]) -> Json:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/socket"},
        "messages": [
            {"$ref": f"#/channels/socket/messages/{name_of(member)}"} for member in members
        ],
        "security": [{"$ref": f"#/components/securitySchemes/{n}"} for n in ("bearer", "cookies")],
    }


def _message(kind: Any) -> Json:
    return {
        "name": kind.type,
        "summary": " ".join(inspect.cleandoc(kind.__doc__).split()),
        "payload": {"$ref": _SCHEMAS + name_of(kind)},
    }


def _schema(kind: Any) -> Json:
    hints = get_type_hints(kind, include_extras=True)
    values = {field.name: _value(hints[field.name]) for field in fields(kind)}
    required = [field.name for field in fields(kind) if field.default is MISSING]
    return {
        "type": "object",
        "properties": {"type": {"type": "string", "const": kind.type}, **values},
        "required": ["type", *required],
    }


def _value(hint: Any) -> Json:
    """The JSON schema of a field's type."""
    if get_origin(hint) is Annotated:
        _, component = get_args(hint)
        return {"$ref": _SCHEMAS + component}
    if get_origin(hint) is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if get_origin(hint) is UnionType:  # `str | None`
        return {"type": [_TYPES[get_args(hint)[0]], "null"]}
    if get_origin(hint) is list:
        return {"type": "array", "items": {"type": _TYPES[get_args(hint)[0]]}}
    return {"type": _TYPES[hint]}


def _shared(schemas: Json, components: Json) -> Json:
    """The components of the OpenAPI document that `schemas` refer to, and that those refer to."""
    used: Json = {}
    names = references(schemas) - schemas.keys()
    while names:
        used |= {name: _without_discriminators(components[name]) for name in sorted(names)}
        names = references(used) - schemas.keys() - used.keys()
    return used


def references(value: Any) -> set[str]:
    """The names of the components that a schema refers to."""
    if isinstance(value, list):
        return set().union(*map(references, value))
    if not isinstance(value, dict):
        return set()
    if isinstance(value.get("$ref"), str):
        return {value["$ref"].removeprefix(_SCHEMAS)}
    return references(list(value.values()))


def _without_discriminators(value: Any) -> Any:
    """OpenAPI's discriminator is an object, which AsyncAPI does not have. A constant in each schema
    of a union says the same."""
    if isinstance(value, list):
        return [_without_discriminators(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {k: _without_discriminators(item) for k, item in value.items() if k != "discriminator"}
