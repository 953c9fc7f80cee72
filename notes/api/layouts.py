"""/api/layout: the widgets of an account's dashboard."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.fields import TextField
from accounts.requests import SignedInRequest
from notes.limits import MAX_WIDGETS
from notes.services.layouts import read_layout, save_layout

VERSION: Final = 1
WIDGETS: Final = (
    "homework", "schedule", "notes", "lunch", "news", "weather", "countdown", "messages",
)  # fmt: skip
SIZES: Final = ("1x1", "2x1", "4x1", "1x2", "2x2", "4x2")
EXAMPLE: Final = {
    "layout": {
        "version": VERSION,
        "widgets": [
            {"instanceId": "schedule-1", "widgetId": "schedule", "size": "2x2"},
            {"instanceId": "countdown-7f3a", "widgetId": "countdown", "size": "1x1"},
        ],
    }
}


class LayoutVersionField(serializers.IntegerField):
    """The version of the layout's format. There is only one."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or data != VERSION:
            raise serializers.ValidationError(_("Give 1."))
        return VERSION


class WidgetSerializer(serializers.Serializer[Any]):
    instanceId = TextField(max_length=64, help_text="Chosen by the client, unique in the layout.")
    widgetId = serializers.ChoiceField(WIDGETS)
    size = serializers.ChoiceField(SIZES)


class LayoutSerializer(serializers.Serializer[Any]):
    version = LayoutVersionField(min_value=VERSION, max_value=VERSION)
    # The length is checked before the widgets are.
    widgets = WidgetSerializer(many=True, max_length=MAX_WIDGETS)  # type: ignore[call-arg]

    def validate_widgets(self, widgets: list[dict[str, str]]) -> list[dict[str, str]]:
        if len({widget["instanceId"] for widget in widgets}) < len(widgets):
            raise serializers.ValidationError(_("Two widgets have the same instanceId."))
        return widgets


class LayoutRequestSerializer(serializers.Serializer[Any]):
    layout = LayoutSerializer()


class LayoutAnswerSerializer(SuccessSerializer):
    layout = LayoutSerializer(allow_null=True, help_text="Null until one is saved.")


def render_layout(widgets: list[dict[str, str]] | None) -> dict[str, Any] | None:
    return None if widgets is None else {"version": VERSION, "widgets": widgets}


@extend_schema(tags=["layout"])
class LayoutView(APIView):
    @extend_schema(
        operation_id="layout",
        summary="Read the dashboard's layout",
        responses=LayoutAnswerSerializer,
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response(
            {"success": True, "layout": render_layout(read_layout(request.user.account_id))}
        )

    @extend_schema(
        operation_id="layout_save",
        summary="Replace the dashboard's layout",
        description="Send the whole layout. Widgets that it leaves out are removed.",
        request=LayoutRequestSerializer,
        responses=LayoutAnswerSerializer,
        examples=[
            OpenApiExample("two widgets", EXAMPLE, request_only=True),
            OpenApiExample("as saved", {"success": True} | EXAMPLE, response_only=True),
        ],
    )
    def put(self, request: SignedInRequest) -> Response:
        form = LayoutRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        widgets = form.validated_data["layout"]["widgets"]
        save_layout(account_id=request.user.account_id, widgets=widgets)
        return Response({"success": True, "layout": render_layout(widgets)})
