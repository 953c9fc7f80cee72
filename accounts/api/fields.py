"""Field types of request bodies that DRF is too lenient about."""

from typing import Any

from rest_framework import serializers


class TextField(serializers.CharField):
    """Text that came as text: a number or a list is a mistake, not a spelling of one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class TrueOrFalseField(serializers.BooleanField):
    """`true` or `false`: "yes", 1 and "off" are no booleans of JSON."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data
