"""What drf-spectacular cannot see by itself: unions by the field that names the form, and how a
session is sent. It finds these classes once they are imported."""

from copy import deepcopy
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
)
from drf_spectacular.plumbing import ResolvedComponent, force_instance


class VariantsExtension(OpenApiSerializerExtension):
    """A union of one component for each variant, told apart by the field that names it."""

    target_class = "accounts.api.variants.VariantsSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        form = force_instance(self.target)
        fields = auto_schema._map_basic_serializer(form, direction)["properties"]
        union = type(form).__name__.removesuffix("Serializer")
        mapping = {}
        for value, variant in form.variants.items():
            kind = {form.variant_field: {"type": "string", "const": value}}
            names = (*variant.required, *variant.optional)
            schema = {
                "type": "object",
                "properties": kind | {name: deepcopy(fields[name]) for name in names},
                "required": [form.variant_field, *variant.required],
            }
            name = f"{union}{value.title().replace('_', '')}Request"
            mapping[value] = auto_schema._reference(ResolvedComponent.SCHEMA, name, schema)["$ref"]
        return {
            "oneOf": [{"$ref": reference} for reference in mapping.values()],
            "discriminator": {"propertyName": form.variant_field, "mapping": mapping},
        }


class SessionScheme(OpenApiAuthenticationExtension):
    """The two ways to send a session: a Bearer token, or three cookies."""

    target_class = "accounts.authentication.SessionAuthentication"
    name = ["bearer", "sessionId", "sessionHash", "sessionSchool"]  # noqa: RUF012  (their API)

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        cookies = [
            {"type": "apiKey", "in": "cookie", "name": f"{settings.COOKIE_PREFIX}{name}"}
            for name in ("jsessionid", "hash", "school")
        ]
        return [{"type": "http", "scheme": "bearer"}, *cookies]

    def get_security_requirement(self, auto_schema: Any) -> Any:
        """Either the token, or all the cookies."""
        return [{"bearer": []}, {name: [] for name in self.name[1:]}]
