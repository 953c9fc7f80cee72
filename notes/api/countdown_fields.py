"""What a body may say of a countdown."""

from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from accounts.api.fields import TextField, TrueOrFalseField
from accounts.emoji import MAX_LENGTH, is_emoji
from notes.api.target_dates import TargetDateField
from notes.models.countdowns import CATEGORIES, THEMES


class OtherWordsField(serializers.ChoiceField):
    """A choice that also has other names, of clients that were here before."""

    def __init__(self, choices: Any, *, also: dict[str, str], **kwargs: Any) -> None:
        super().__init__(choices, **kwargs)
        self.also = also

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(self.also.get(data, data))


class ClearableTextField(TextField):
    """Text that may be missing; null clears it too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_blank=True, allow_null=True, **kwargs)

    def run_validation(self, data: Any = empty) -> Any:
        return super().run_validation("" if data is None else data)


def one_emoji(text: str) -> None:
    """Raises: ValidationError."""
    if text and not is_emoji(text):
        raise serializers.ValidationError("Give one emoji.")


class CountdownRequestSerializer(serializers.Serializer[Any]):
    title = TextField(max_length=80)
    description = ClearableTextField(max_length=500)
    targetDate = TargetDateField(source="target_at")
    category = OtherWordsField(
        CATEGORIES,
        also={"vacation": "holiday"},
        required=False,
        help_text="Default: custom. `vacation` is accepted for holiday.",
    )
    theme = OtherWordsField(
        THEMES,
        also={"blue": "sky", "green": "emerald"},
        required=False,
        help_text="Default: violet. `blue` is accepted for sky, `green` for emerald.",
    )
    emoji = ClearableTextField(
        max_length=MAX_LENGTH, validators=[one_emoji], help_text="One emoji, or none."
    )
    pinned = TrueOrFalseField(required=False)
    archived = TrueOrFalseField(required=False)
