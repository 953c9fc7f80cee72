"""/api/notifications/settings: what the caller wants to be told, and how."""

from typing import Any, Final

from django.conf import settings as django_settings
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.fields import TextField, TrueOrFalseField
from accounts.identifiers import read_id
from accounts.registry import notification_kinds
from accounts.requests import SignedInRequest
from notifications.limits import MAX_MUTED
from notifications.models.settings import DELIVERIES
from notifications.services.settings import change_settings, settings_of

LANGUAGES: Final = tuple(code for code, _name in django_settings.LANGUAGES)
TIME_OF_DAY: Final = "([01][0-9]|2[0-3]):[0-5][0-9]"
EXAMPLE: Final = {
    "kinds": {"message": "push", "news": "off"},
    "quietHours": {"from": "20:30", "to": "07:00"},
    "preview": False,
    "watch": True,
}


@extend_schema_field({"type": "string", "pattern": f"^{TIME_OF_DAY}$"})
class TimeOfDayField(TextField):
    """Hours and minutes, such as `21:00`."""

    default_validators = [  # noqa: RUF012 - DRF reads this attribute
        RegexValidator(rf"\A{TIME_OF_DAY}\Z", _("Give a time of day, such as 21:00."))
    ]


@extend_schema_field({"type": "string", "pattern": "^[0-9a-f]{32}$"})
class ConversationIdField(TextField):
    default_error_messages = {"id": _("This is not the id of a conversation.")}  # noqa: RUF012

    def to_internal_value(self, data: Any) -> Any:
        conversation_id = read_id(super().to_internal_value(data))
        if conversation_id is None:
            self.fail("id")
        return conversation_id


# The fields have the names of kinds, and "from" is a keyword.
KindsSerializer: Any = type(
    "NotificationKindsSerializer",
    (serializers.Serializer,),
    {kind: serializers.ChoiceField(DELIVERIES, required=False) for kind in notification_kinds()},
)


def begin_and_end(hours: dict[str, str]) -> dict[str, str]:
    if hours["from"] == hours["to"]:
        sentence = _("Quiet hours cannot begin and end at the same time.")
        raise serializers.ValidationError({"to": [sentence]})
    return hours


QuietHoursSerializer: Any = type(
    "QuietHoursSerializer",
    (serializers.Serializer,),
    {
        "from": TimeOfDayField(),
        "to": TimeOfDayField(help_text="Another time than `from`."),
        "validate": staticmethod(begin_and_end),
    },
)


class SettingsChangeSerializer(serializers.Serializer[Any]):
    kinds = KindsSerializer(
        source="deliveries", required=False, help_text="Those left out stay as they are."
    )
    quietHours = QuietHoursSerializer(
        source="quiet_hours",
        required=False,
        allow_null=True,
        help_text="Times of day in Stockholm between which nothing is pushed.",
    )
    preview = TrueOrFalseField(
        required=False, help_text="Whether a push has names and the beginning of a message."
    )
    language = serializers.ChoiceField(LANGUAGES, required=False)
    muted = serializers.ListField(
        child=ConversationIdField(),
        max_length=MAX_MUTED,
        required=False,
        help_text="Ids of conversations that are listed and not pushed.",
    )
    watch = TrueOrFalseField(
        required=False, help_text="Whether the service looks at the school for you."
    )


class SettingsSerializer(serializers.Serializer[Any]):
    kinds = KindsSerializer()
    quietHours = QuietHoursSerializer(allow_null=True)
    preview = serializers.BooleanField()
    language = serializers.ChoiceField(LANGUAGES)
    muted = serializers.ListField(child=serializers.CharField())
    watch = serializers.BooleanField()


SettingsAnswer = success("SettingsAnswer", settings=SettingsSerializer())


@extend_schema(tags=["notifications"])
class NotificationSettingsView(APIView):
    @extend_schema(
        operation_id="notification_settings",
        summary="What you want to be told, and how",
        responses=SettingsAnswer,
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response({"success": True, "settings": settings_of(request.user.account_id)})

    @extend_schema(
        operation_id="notification_settings_change",
        summary="Change what you want to be told, and how",
        description="Fields that the body leaves out stay as they are; `muted` is replaced.",
        request=SettingsChangeSerializer,
        responses=SettingsAnswer,
        examples=[OpenApiExample("pushes for messages", EXAMPLE, request_only=True)],
    )
    def patch(self, request: SignedInRequest) -> Response:
        body = SettingsChangeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        chosen = change_settings(request.user.account_id, body.validated_data)
        return Response({"success": True, "settings": chosen})
