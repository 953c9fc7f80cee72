"""/api/group-invites: invites into groups."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import TextField, TrueOrFalseField, UserTypeField
from accounts.api.queries import text_in_query
from accounts.errors import NotFound, TooManyKept
from accounts.identifiers import read_id, require_id
from accounts.requests import SignedInRequest
from social.api.parameters import UsernameField
from social.errors import (
    AdultNotKnown,
    AlreadyAnswered,
    AlreadyAsked,
    AlreadyMember,
    CannotJoin,
    DeclinedRecently,
    DmRefused,
    GroupFull,
    MembersChanged,
    NotAGroup,
    NotAllowed,
)
from social.models import Invite
from social.services.invites.actions import answer_invite, invite, list_invites, withdraw_invite

EXAMPLE = {
    "id": "9d2c4b6a8f0e4d1c9b3a5f7e6d8c0b1a",
    "conversationId": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b",
    "groupName": "Grupparbete",
    "members": [],
    "hiddenMembers": 0,
    "invitedUsername": "alva.lind",
    "invitedBy": "elsa.nordvall",
    "invitedByDisplayName": "Elsa Nordvall",
    "invitedByUserType": "student",
    "status": "accepted",
    "invitedAt": 1795170600000,
    "updatedAt": 1795257000000,
}


class InviteMemberSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    displayName = serializers.CharField(allow_blank=True)
    userType = UserTypeField()


class InviteSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    conversationId = serializers.CharField()
    groupName = serializers.CharField(help_text="As it was when the invite was sent.")
    members = InviteMemberSerializer(
        many=True, help_text="Who is in the group now; none once the invite is answered."
    )
    hiddenMembers = serializers.IntegerField(
        help_text="How many members are left out because of a block."
    )
    invitedUsername = serializers.CharField()
    invitedBy = serializers.CharField()
    invitedByDisplayName = serializers.CharField(allow_blank=True)
    invitedByUserType = UserTypeField(allow_null=True)
    status = serializers.ChoiceField(
        [Invite.PENDING, Invite.ACCEPTED, Invite.DECLINED, Invite.WITHDRAWN]
    )
    invitedAt = serializers.IntegerField(help_text="Unix milliseconds.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


class InviteListSerializer(SuccessSerializer):
    invites = InviteSerializer(many=True, help_text="Open invites that you received.")
    sent = InviteSerializer(many=True, help_text="Invites that you sent, open ones first.")


class NewInviteSerializer(serializers.Serializer[Any]):
    conversationId = TextField(max_length=64)
    targetUsername = UsernameField()


class InviteReplySerializer(serializers.Serializer[Any]):
    """Give `accept`, or `action`, which is another name for it."""

    inviteId = TextField(max_length=64)
    accept = TrueOrFalseField(required=False)
    action = serializers.ChoiceField(["accept", "decline"], required=False)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        replies = {
            fields[name] in (True, "accept") for name in fields.keys() & {"accept", "action"}
        }
        if len(replies) != 1:
            raise serializers.ValidationError({"accept": [_("Give accept or action.")]})
        return fields | {"accept": replies.pop()}


def id_in_query(request: Request) -> UUID | None:
    """The id in the query; None when it is not a valid id. Raises: InvalidInput."""
    return read_id(text_in_query(request, "inviteId"))


@extend_schema(tags=["group invites"])
class InviteListView(APIView):
    raises = (
        NotFound,
        TooManyKept,
        NotAllowed,
        DmRefused,
        AdultNotKnown,
        NotAGroup,
        AlreadyMember,
        AlreadyAsked,
        AlreadyAnswered,
        CannotJoin,
        DeclinedRecently,
        MembersChanged,
        GroupFull,
    )

    @extend_schema(
        operation_id="group_invites",
        summary="List invites into groups",
        responses=InviteListSerializer,
        examples=[OpenApiExample("one", {"success": True, "invites": [], "sent": [EXAMPLE]})],
    )
    def get(self, request: SignedInRequest) -> Response:
        received, sent = list_invites(request.user.account_id)
        return Response({"success": True, "invites": received, "sent": sent})

    @extend_schema(
        operation_id="group_invites_create",
        summary="Invite a person into a group, as its admin",
        request=NewInviteSerializer,
        responses={201: success("InviteAnswer", invite=InviteSerializer())},
        examples=[
            OpenApiExample(
                "invite",
                {"conversationId": EXAMPLE["conversationId"], "targetUsername": "alva.lind"},
                request_only=True,
            )
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = NewInviteSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        created = invite(
            account_id=request.user.account_id,
            conversation_id=require_id(form.validated_data["conversationId"]),
            target_username=form.validated_data["targetUsername"],
        )
        return Response({"success": True, "invite": created}, status=201)

    @extend_schema(
        operation_id="group_invites_answer",
        summary="Accept or decline an invite",
        request=InviteReplySerializer,
        responses={
            200: success(
                "InviteAnswered",
                invite=InviteSerializer(),
                joined=serializers.BooleanField(help_text="Whether you are a member now."),
            )
        },
        examples=[
            OpenApiExample(
                "accepted", {"success": True, "invite": EXAMPLE, "joined": True}, response_only=True
            )
        ],
    )
    def patch(self, request: SignedInRequest) -> Response:
        form = InviteReplySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        accept = form.validated_data["accept"]
        answered = answer_invite(
            account_id=request.user.account_id,
            invite_id=require_id(form.validated_data["inviteId"]),
            accept=accept,
        )
        return Response({"success": True, "invite": answered, "joined": accept})

    @extend_schema(
        operation_id="group_invites_withdraw",
        summary="Withdraw an invite that you sent",
        description="Always succeeds; an answered invite stays as it is.",
        parameters=[OpenApiParameter("inviteId", str, required=True)],
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest) -> Response:
        withdraw_invite(account_id=request.user.account_id, invite_id=id_in_query(request))
        return Response({"success": True})
