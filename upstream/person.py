"""For whom the school system is called: a context variable, so that it is known in every call.

A person is a text that is compared and never shown: the keyed hash of somebody signed in, or else
their network. `contextvars.copy_context().run` carries it into another thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# Work that nobody asked for. All of it counts as one person.
NOBODY: Final = ""

_person: ContextVar[str] = ContextVar("upstream_person", default=NOBODY)


@contextmanager
def on_behalf_of(person: str) -> Iterator[None]:
    """Make the calls inside for this person."""
    token = _person.set(person)
    try:
        yield
    finally:
        _person.reset(token)


def current_person() -> str:
    """The person for whom a call of this context is made."""
    return _person.get()
