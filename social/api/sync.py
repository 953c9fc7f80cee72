"""/api/sync: what a client missed while it was away."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.requests import SignedInRequest
from social.api.conversations.serializers import EXAMPLE as CONVERSATION_EXAMPLE
from social.api.conversations.serializers import ConversationSerializer
from social.api.messages.serializers import EXAMPLE as MESSAGE_EXAMPLE
from social.api.messages.serializers import MessageSerializer
from social.limits import SYNC_KNOWN
from social.services.sync import Known, find_missed

_BIGGEST = 2**63 - 1
_REVISION = {"type": "integer", "minimum": 0, "maximum": _BIGGEST}
_KNOWN = {
    "type": "object",
    "maxProperties": SYNC_KNOWN,
    "additionalProperties": {
        "oneOf": [
            _REVISION,
            {
                "type": "object",
                "properties": {
                    "revision": _REVISION,
                    "lastReadSeq": {**_REVISION, "type": ["integer", "null"]},
                },
                "required": ["revision"],
            },
        ]
    },
    "description": (
        "Conversation id → the revision that you know, or an object with it and your "
        "`lastReadSeq`, to hear what you read on other devices."
    ),
}


@extend_schema_field(_KNOWN)
class KnownField(serializers.Field[dict[str, Known], Any, Any, Any]):
    def to_internal_value(self, data: Any) -> dict[str, Known]:
        if not isinstance(data, dict):
            raise serializers.ValidationError(_("Give an object."))
        if len(data) > SYNC_KNOWN:
            raise serializers.ValidationError(
                _("At most %(most)d conversations.") % {"most": SYNC_KNOWN}
            )
        return {key: _known(value) for key, value in data.items()}


def _known(value: Any) -> Known:
    if isinstance(value, dict):
        last_read_seq = value.get("lastReadSeq")
        return Known(
            _number(value.get("revision")),
            None if last_read_seq is None else _number(last_read_seq),
        )
    return Known(_number(value))


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _BIGGEST:
        raise serializers.ValidationError(_("Give a number for each conversation."))
    return value


class SyncSerializer(serializers.Serializer[Any]):
    conversations = KnownField()


class SyncAnswerSerializer(SuccessSerializer):
    conversations = ConversationSerializer(many=True, help_text="Those that are new or changed.")
    removed = serializers.ListField(
        child=serializers.CharField(), help_text="Those in which you no longer are."
    )
    messages = serializers.DictField(
        child=MessageSerializer(many=True),
        help_text="Conversation id → the messages that changed, in the order of the changes.",
    )
    more = serializers.ListField(
        child=serializers.CharField(),
        help_text="Conversations with more changed messages: read them with `changedAfter`.",
    )
    unreadTotal = serializers.IntegerField()


@extend_schema(tags=["conversations"])
class SyncView(APIView):
    @extend_schema(
        operation_id="sync",
        summary="What changed while you were away",
        description=(
            "Changed conversations, their changed messages (200 in all), and what was removed. "
            "For a conversation in `more`, read the rest with `changedAfter`. Forget messages up "
            "to `joinedSeq`."
        ),
        request=SyncSerializer,
        responses=SyncAnswerSerializer,
        examples=[
            OpenApiExample(
                "two conversations",
                {
                    "conversations": {
                        CONVERSATION_EXAMPLE["id"]: 16,
                        "0" * 32: {"revision": 4, "lastReadSeq": 2},
                    }
                },
                request_only=True,
            ),
            OpenApiExample(
                "one changed, one is gone",
                {
                    "success": True,
                    "conversations": [CONVERSATION_EXAMPLE],
                    "removed": ["0" * 32],
                    "messages": {CONVERSATION_EXAMPLE["id"]: [MESSAGE_EXAMPLE]},
                    "more": [],
                    "unreadTotal": 1,
                },
                response_only=True,
            ),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = SyncSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        missed = find_missed(
            account_id=request.user.account_id, known=form.validated_data["conversations"]
        )
        return Response({"success": True, **missed})
