"""The JSON of share cards in requests and answers. The apps declare the kinds of cards."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from accounts.api.fields import TextField, TextOrNumberField
from accounts.api.variants import Variant, VariantsSerializer
from accounts.registry import share_cards


class ShareCardSerializer(VariantsSerializer):
    """Which card to share. The server builds it."""

    variant_field = "type"
    variants = {kind.name: Variant((kind.id_field,)) for kind in share_cards()}  # noqa: RUF012
    type = serializers.ChoiceField(choices=list(variants))

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """With the id field of each kind of card that an app declares."""
        ids: dict[str, serializers.Field[Any, Any, Any, Any]] = {}
        for kind in share_cards():
            field = TextOrNumberField if kind.id_may_be_number else TextField
            ids[kind.id_field] = field(max_length=60, required=False)
        return super().get_fields() | ids


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="ShareCard",
        serializers={kind.name: kind.serializer for kind in share_cards()},
        resource_type_field_name="type",
    )
)
class CardField(serializers.DictField):
    """A card as it was when it was shared."""
