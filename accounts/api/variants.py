"""Bodies in several forms, where one field says which."""

from collections.abc import Mapping
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
    have is checked like every other field, and then not used.
    """

    variant_field: ClassVar[str]
    variants: ClassVar[Mapping[str, Variant]]

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        required = self.variants[fields[self.variant_field]].required
        missing = {name: [_("This field is required.")] for name in required if name not in fields}
        if missing:
            raise serializers.ValidationError(missing)
        return fields
