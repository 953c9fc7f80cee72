"""`/api/schema` (the OpenAPI document), `/api/schema/events` (the AsyncAPI document of the socket)
and `/api/docs` (the page to read and try the first)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts.api.base import PublicView
from wrapper_project import content_policy
from wrapper_project.event_schema import event_document


def openapi() -> Any:
    """The OpenAPI document."""
    return SchemaGenerator().get_schema(request=None, public=True)


def asyncapi() -> Any:
    """The AsyncAPI document of the socket."""
    return event_document(orjson.loads(orjson.dumps(openapi(), default=str)))


@lru_cache(maxsize=4)
def document(make: Callable[[], Any] = openapi, *, as_yaml: bool) -> bytes:
    """A document in English, generated once a process."""
    with translation.override("en"):
        schema = make()
        if not as_yaml:
            return orjson.dumps(schema, default=str)
        text: bytes = OpenApiYamlRenderer().render(schema, renderer_context={})
        return text


class SchemaView(PublicView):
    """The OpenAPI document as JSON, or as YAML if `Accept` prefers that."""

    make = staticmethod(openapi)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        as_yaml = _prefers_yaml(request)
        return HttpResponse(
            document(self.make, as_yaml=as_yaml),
            content_type="application/yaml" if as_yaml else "application/json",
            headers={"Cache-Control": "public, max-age=300", "Vary": "Accept"},
        )


class EventSchemaView(SchemaView):
    """The AsyncAPI document of the socket, in the same manner."""

    make = staticmethod(asyncapi)


def _prefers_yaml(request: Request) -> bool:
    accept = request.headers.get("Accept", "").lower()
    names_yaml = "yaml" in accept or "application/vnd.oai.openapi" in accept
    return names_yaml and "json" not in accept


class DocsView(PublicView):
    """Swagger UI, served without any file from another host. `docs.js` and `docs.css` mend what
    screen readers and keyboards cannot use in it."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(
            render_to_string("docs.html", {"title": settings.SPECTACULAR_SETTINGS["TITLE"]}),
            headers={
                "Content-Security-Policy": content_policy.DOCS,
                "Content-Language": "en",  # Swagger UI and the document have no other
            },
        )
