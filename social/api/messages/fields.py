"""What a message of a request and one of an import have in common."""

from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.api.fields import TextField
from accounts.invisible_characters import is_blank, strip_invisible
from social.api.parameters import UsernameField
from social.limits import CIPHERTEXT_LENGTH, MENTIONS

_NOT_BLANK = RegexValidator(r"\S", _("This may not be blank."))
IV = RegexValidator(r"\A[A-Za-z0-9+/]{16}\Z", _("Twelve bytes in base64."))


class ContentField(TextField):
    """The content of a message, stored as it was sent, without invisible characters at its ends."""

    default_validators = [_NOT_BLANK]  # noqa: RUF012  (their name for it)

    def __init__(self, **options: Any) -> None:
        options = {"max_length": CIPHERTEXT_LENGTH, "trim_whitespace": False} | options
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        content = strip_invisible(super().to_internal_value(data))
        if is_blank(content):
            self.fail("blank")
        return content


class MentionsField(serializers.ListField):
    """Public names of members, each once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=UsernameField(), max_length=MENTIONS, **options)

    def to_internal_value(self, data: Any) -> list[str]:
        return list(dict.fromkeys(super().to_internal_value(data)))
