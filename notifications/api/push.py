"""/api/push: where the caller's browsers and apps receive pushes."""

import base64
from typing import Any, Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import LineField, MillisecondsField, TextField
from accounts.devices import device_label, device_name
from accounts.errors import NotFound, NothingToRefresh, TooManyKept
from accounts.requests import SignedInRequest
from notifications.errors import PushEndpointRefused, PushOff
from notifications.models.subscriptions import BrowserSubscription
from notifications.push.endpoints import MAX_LENGTH
from notifications.push.vapid import public_key
from notifications.services.subscriptions import (
    list_ended,
    list_subscriptions,
    send_test,
    subscribe,
    unsubscribe,
)

EXAMPLE: Final = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZ"
        "GH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
    "device": "Elsas telefon",
}
STORED: Final = {
    "id": "0b6f4c1e8f9a4d5c8b7a6e5d4c3b2a19",
    "device": "Elsas telefon",
    "host": "updates.push.services.mozilla.com",
    "createdAt": 1795257000000,
    "lastUsedAt": None,
    "failing": False,
}


class KeyField(TextField):
    """Bytes in base64url, as a browser has them."""

    default_error_messages = {"key": _("This is not a key of a push subscription.")}  # noqa: RUF012

    def __init__(self, *, size: int, **options: Any) -> None:
        super().__init__(max_length=200, **options)
        self.size = size

    def to_internal_value(self, data: Any) -> bytes:  # type: ignore[override]
        text = super().to_internal_value(data).rstrip("=")
        try:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except ValueError:
            self.fail("key")
        if len(raw) != self.size:
            self.fail("key")
        return raw


class PointField(KeyField):
    """A point on P-256, uncompressed."""

    def to_internal_value(self, data: Any) -> bytes:  # type: ignore[override]
        raw = super().to_internal_value(data)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
        except ValueError:
            self.fail("key")
        return raw


class PushKeysSerializer(serializers.Serializer[Any]):
    p256dh = PointField(size=65)
    auth = KeyField(size=16)


class PushRequestSerializer(serializers.Serializer[Any]):
    """`PushSubscription.toJSON()` of a browser is one."""

    endpoint = TextField(max_length=MAX_LENGTH)
    keys = PushKeysSerializer()
    device = LineField(
        required=False,
        max_length=40,
        help_text="Default: as before, or the browser and the system.",
    )


class DeviceField(serializers.CharField):
    """The name of a device; if nobody has given it one, in the language of the reader."""

    def to_representation(self, value: str) -> str:
        return device_name(value)


class PushSubscriptionSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="pk.hex")
    device = DeviceField(allow_blank=True)
    host = serializers.CharField()
    createdAt = MillisecondsField(source="created_at")
    lastUsedAt = MillisecondsField(source="last_used_at", allow_null=True)
    failing = serializers.BooleanField(source="is_failing")


class EndedSubscriptionSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="pk.hex")
    device = DeviceField(allow_blank=True)
    endedAt = MillisecondsField(source="gone_at")


PushSubscriptionAnswer = success(
    "PushSubscriptionAnswer", subscription=PushSubscriptionSerializer()
)


@extend_schema(tags=["notifications"])
class PushKeyView(APIView):
    raises = (PushOff,)

    @extend_schema(
        operation_id="push_key",
        summary="The key with which a browser subscribes (`applicationServerKey`)",
        responses=success(
            "PushKeyAnswer", key=serializers.CharField(help_text="65 bytes in base64url.")
        ),
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response({"success": True, "key": public_key()})


@extend_schema(tags=["notifications"])
class PushSubscriptionListView(APIView):
    raises = (PushOff, PushEndpointRefused, NothingToRefresh, TooManyKept)

    @extend_schema(
        operation_id="push_subscriptions",
        summary="Where you receive pushes",
        description="`ended` are those to which pushes stopped in the last 30 days, because the "
        "push service ended them or they failed for a week. An app that finds its own one there "
        "subscribes again.",
        responses=success(
            "PushSubscriptionList",
            subscriptions=PushSubscriptionSerializer(many=True),
            ended=EndedSubscriptionSerializer(many=True),
        ),
    )
    def get(self, request: SignedInRequest) -> Response:
        account_id = request.user.account_id
        own = PushSubscriptionSerializer(list_subscriptions(account_id), many=True)
        ended = EndedSubscriptionSerializer(list_ended(account_id), many=True)
        return Response({"success": True, "subscriptions": own.data, "ended": ended.data})

    @extend_schema(
        operation_id="push_subscribe",
        summary="Receive pushes in this browser or app",
        description="The subscription belongs to this login and ends with it. The same endpoint "
        "again is 200. An account has at most ten. The endpoint has to be https, on a host that "
        "the operator allows.",
        request=PushRequestSerializer,
        responses={
            200: PushSubscriptionAnswer,
            201: PushSubscriptionAnswer,
        },
        examples=[
            OpenApiExample("of a browser", EXAMPLE, request_only=True),
            OpenApiExample(
                "as kept", {"success": True, "subscription": STORED}, response_only=True
            ),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        body = PushRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.validated_data
        subscription, new = subscribe(
            request.user,
            BrowserSubscription(fields["endpoint"], **fields["keys"]),
            device=fields.get("device"),
            label=device_label(request.headers.get("User-Agent", "")),
        )
        fields = PushSubscriptionSerializer(subscription).data
        return Response({"success": True, "subscription": fields}, status=201 if new else 200)


@extend_schema(tags=["notifications"])
class PushSubscriptionView(APIView):
    raises = (NotFound,)

    @extend_schema(
        operation_id="push_unsubscribe",
        summary="Receive no more pushes there",
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest, subscription_id: UUID) -> Response:
        unsubscribe(request.user.account_id, subscription_id)
        return Response({"success": True})


@extend_schema(tags=["notifications"])
class PushTestView(APIView):
    raises = (NotFound,)

    @extend_schema(
        operation_id="push_test",
        summary="Send a test to one of your subscriptions",
        request=None,
        responses={200: SuccessSerializer},
    )
    def post(self, request: SignedInRequest, subscription_id: UUID) -> Response:
        send_test(request.user.account_id, subscription_id)
        return Response({"success": True})
