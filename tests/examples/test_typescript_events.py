"""The event types of examples/typescript are those of the service."""

import re
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from social.realtime.events import Event
from tests.service_process import ROOT

TEXT = (ROOT / "examples/typescript/src/events.ts").read_text()
PLAIN = {str: "string", int: "number"}


def kinds(kind: type[Event] = Event) -> list[type[Event]]:
    """Every class of an event that is sent."""
    found = [kind] if "type" in vars(kind) else []
    return found + [each for child in kind.__subclasses__() for each in kinds(child)]


def in_typescript(name: str, hint: Any) -> str:
    """A field's type. A record of the REST answers has the name of its schema."""
    if get_origin(hint) is Literal:
        return " | ".join(f'"{word}"' for word in get_args(hint))
    return PLAIN.get(hint) or name.capitalize()


def test_they_have_the_types_and_fields_of_the_service() -> None:
    expected = {
        "; ".join(
            [f'type: "{kind.type}"']
            + [
                f"{field.name}: {in_typescript(field.name, get_type_hints(kind)[field.name])}"
                for field in fields(kind)
            ]
        )
        for kind in kinds()
    }
    assert len(expected) > 15
    assert sorted(re.findall(r"^  \| \{ (.*) \};?$", TEXT, re.MULTILINE)) == sorted(expected)
