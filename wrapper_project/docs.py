"""`/api/schema` and `/api/docs`: the contract for machines and for people."""

from functools import lru_cache
from typing import Any

import orjson
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request

from accounts.api.base import PublicView
from wrapper_project import content_policy

JSON = "application/json"
YAML = "application/yaml"
YAML_NAMES = ("yaml", "application/vnd.oai.openapi")


@lru_cache(maxsize=2)
def document(*, as_yaml: bool) -> bytes:
    """The OpenAPI document. The routes do not change while a process lives."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    if not as_yaml:
        return orjson.dumps(schema, default=str)
    text: bytes = OpenApiYamlRenderer().render(schema, renderer_context={})
    return text


class SchemaView(PublicView):
    """JSON, or YAML for who asks for it in `Accept`."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The document."""
        as_yaml = _prefers_yaml(request)
        return HttpResponse(
            document(as_yaml=as_yaml),
            content_type=YAML if as_yaml else JSON,
            headers={"Cache-Control": "public, max-age=300", "Vary": "Accept"},
        )


def _prefers_yaml(request: Request) -> bool:
    accept = request.headers.get("Accept", "").lower()
    return any(name in accept for name in YAML_NAMES) and "json" not in accept


class DocsView(PublicView, SpectacularSwaggerSplitView):
    """A page to read and try the contract; all of it is served by the service itself."""

    url_name = "schema"

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """The answer under a policy that lets Swagger UI run from here and nowhere else."""
        response.headers["Content-Security-Policy"] = content_policy.DOCS
        return super().finalize_response(request, response, *args, **kwargs)
