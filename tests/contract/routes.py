"""Every route of the service, read from the URLconf."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver

from wrapper_project import urls
from wrapper_project.middleware import methods_of

# A valid but unknown value for each path converter.
SAMPLES = {
    "int": "999999999",
    "slug": "nobody",
    "str": "nobody",
    "path": "nobody/nothing",
    "upstream_id": "999999999",
    "public_id": "0" * 32,
    "message_id": "0" * 32 + "-1",
    "uuid": "0" * 8 + "-" + "0" * 4,
}


@dataclass(frozen=True)
class Route:
    """A route: its URL name, an example path and its methods."""

    name: str
    path: str
    methods: frozenset[str]


def every_route() -> list[Route]:
    """All routes except the last one, which matches everything."""
    return [route for route in _walk(urls.urlpatterns, "/") if route.name != "not-found"]


def _walk(patterns: list[Any], prefix: str) -> Iterator[Route]:
    for pattern in patterns:
        if getattr(pattern, "app_name", None) == "admin":
            continue  # the admin has its own tests: tests/staff
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, prefix + _sample(str(pattern.pattern)))
        elif isinstance(pattern, URLPattern):
            view: Any = pattern.callback
            view_class = getattr(view, "cls", None) or getattr(view, "view_class", None)
            methods = methods_of(view_class) if view_class else frozenset[str]()
            yield Route(pattern.name or "", prefix + _sample(str(pattern.pattern)), methods)


def _sample(pattern: str) -> str:
    return re.sub(r"<(?:(\w+):)?\w+>", lambda found: SAMPLES[found[1] or "str"], pattern)
