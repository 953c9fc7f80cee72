"""What Elsa has, made over HTTP when a row of the matrix names it."""

from collections.abc import Callable
from typing import Any

from tests.accounts.images import new_picture
from tests.conftest import Caller


def countdown(elsa: Caller) -> str:
    """One of Elsa's days."""
    answer = elsa.post("/api/countdowns", {"title": "Prov", "targetDate": "2027-05-11"})
    return str(answer.json()["countdown"]["id"])


# Name -> what makes it for Elsa and gives its id.
MAKERS: dict[str, Callable[[Caller], str]] = {
    "countdown": countdown,
    "picture": new_picture,
    "session": lambda elsa: str(elsa.get("/api/sessions").json()["sessions"][0]["id"]),
}


class Things(dict[str, str]):
    """For `format_map`: each thing is made once."""

    def __init__(self, elsa: Caller) -> None:
        super().__init__()
        self.elsa = elsa

    def __missing__(self, name: str) -> str:
        self[name] = MAKERS[name](self.elsa)
        return self[name]


def fill(value: Any, things: Things) -> Any:
    """The same body with every `{name}` filled in."""
    if isinstance(value, str):
        return value.format_map(things)
    if isinstance(value, dict):
        return {name: fill(part, things) for name, part in value.items()}
    if isinstance(value, list):
        return [fill(part, things) for part in value]
    return value
