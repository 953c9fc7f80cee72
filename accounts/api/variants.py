"""Bodies in several forms, where one field says which."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers


class Variant(NamedTuple):
    """The names of the fields that one form requires, and of those that it may have."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


class VariantsSerializer(serializers.Serializer[Any]):
    """A body whose form is the value of the field `variant_field`, such as `action`.

    The schema shows a union with a component for each of the `variants`. What one form does not
    have is checked like every other field, and then left out.
    """

    variant_field: ClassVar[str]
    variants: ClassVar[Mapping[str, Variant]]

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        variant = self.variants[fields[self.variant_field]]
        require_fields(self, fields, variant.required)
        used = (self.variant_field, *variant.required, *variant.optional)
        sources = {self.fields[name].source for name in used}
        return {source: value for source, value in fields.items() if source in sources}


def require_fields(
    form: serializers.Serializer[Any], fields: dict[str, Any], names: Iterable[str]
) -> None:
    """Raises: ValidationError, which names the missing ones."""
    missing = {
        name: [_("This field is required.")]
        for name in names
        if form.fields[name].source not in fields
    }
    if missing:
        raise serializers.ValidationError(missing)
