"""`/api/schema` (the OpenAPI document) and `/api/docs` (the page to read and try it)."""

from functools import lru_cache
from typing import Any

import orjson
from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request

from accounts.api.base import PublicView
from wrapper_project import content_policy


@lru_cache(maxsize=2)
def document(*, as_yaml: bool) -> bytes:
    """The OpenAPI document in English, generated once a process."""
    with translation.override("en"):
        schema = SchemaGenerator().get_schema(request=None, public=True)
        if not as_yaml:
            return orjson.dumps(schema, default=str)
        text: bytes = OpenApiYamlRenderer().render(schema, renderer_context={})
        return text


class SchemaView(PublicView):
    """The OpenAPI document as JSON, or as YAML if `Accept` prefers that."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        as_yaml = _prefers_yaml(request)
        return HttpResponse(
            document(as_yaml=as_yaml),
            content_type="application/yaml" if as_yaml else "application/json",
            headers={"Cache-Control": "public, max-age=300", "Vary": "Accept"},
        )


def _prefers_yaml(request: Request) -> bool:
    accept = request.headers.get("Accept", "").lower()
    names_yaml = "yaml" in accept or "application/vnd.oai.openapi" in accept
    return names_yaml and "json" not in accept


class DocsView(PublicView, SpectacularSwaggerSplitView):
    """Swagger UI, served without any file from another host."""

    url_name = "schema"

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response.headers["Content-Security-Policy"] = content_policy.DOCS
        response.headers["Content-Language"] = "en"  # Swagger UI and the document have no other
        return super().finalize_response(request, response, *args, **kwargs)
