"""/api/friends: listing, requesting, answering, ending."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import RealNameField, TextField, TrueOrFalseField, UserTypeField
from accounts.api.variants import require_fields
from accounts.errors import NotFound, TooManyKept
from accounts.requests import SignedInRequest
from limits import TooManyRequests
from social.api.parameters import TargetSerializer, UsernameField, query_and_body, target_parameter
from social.errors import (
    AlreadyAnswered,
    AlreadyAsked,
    AlreadyFriends,
    AskedRecently,
    NotAllowed,
    RequestRefused,
)
from social.services import friendships
from social.services.friendship_lists import list_friendships

EXAMPLE = {
    "id": "7c1e5a9d3b2f4c6e8d0a1b3c5d7e9f2a",
    "userA": "bo.ek",
    "userB": "elsa.nordvall",
    "requestedBy": "elsa.nordvall",
    "status": "accepted",
    "createdAt": 1795170600000,
    "updatedAt": 1795257000000,
}
LIST_EXAMPLE = {
    "success": True,
    "friends": [EXAMPLE],
    "received": [],
    "sent": [],
    "profileMap": {
        "bo.ek": {
            "displayName": "Bosse",
            "realName": "Bo Ek",
            "userType": "student",
            "pfpUrl": "",
            "schoolName": "Björkdalsskolan",
        }
    },
}


class FriendshipSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    userA = serializers.CharField()
    userB = serializers.CharField()
    requestedBy = serializers.CharField()
    status = serializers.ChoiceField(["pending", "accepted", "declined"])
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


FriendshipAnswer = success("FriendshipAnswer", friendship=FriendshipSerializer())


class FriendCardSerializer(serializers.Serializer[Any]):
    displayName = serializers.CharField(allow_blank=True)
    realName = RealNameField()
    userType = UserTypeField()
    pfpUrl = serializers.CharField(allow_blank=True)
    schoolName = serializers.CharField(allow_blank=True)


class FriendListSerializer(SuccessSerializer):
    friends = FriendshipSerializer(many=True)
    received = FriendshipSerializer(many=True, help_text="Open requests from others.")
    sent = FriendshipSerializer(many=True, help_text="Open requests that you sent.")
    profileMap = serializers.DictField(
        child=FriendCardSerializer(), help_text="Everyone in the lists, by username."
    )


class FriendReplySerializer(serializers.Serializer[Any]):
    """Name the request by its sender, with `accept`, or by its id, with `action`."""

    needs_body = True
    fromUsername = UsernameField(required=False)
    accept = TrueOrFalseField(required=False)
    friendshipId = TextField(required=False, max_length=64)
    action = serializers.ChoiceField(["accept", "decline"], required=False)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        by_id = "friendshipId" in fields
        needed = ["friendshipId", "action"] if by_id else ["fromUsername", "accept"]
        require_fields(self, fields, needed)
        if by_id:
            accept = fields["action"] == "accept"
            return {"friendship_id": fields["friendshipId"], "accept": accept}
        return {"username": fields["fromUsername"], "accept": fields["accept"]}


class EndByIdSerializer(serializers.Serializer[Any]):
    friendshipId = TextField(max_length=64)


@extend_schema(tags=["people"])
class FriendsView(APIView):
    raises = (
        AlreadyAnswered,
        AlreadyAsked,
        AlreadyFriends,
        AskedRecently,
        NotAllowed,
        NotFound,
        RequestRefused,
        TooManyKept,
        TooManyRequests,
    )

    @extend_schema(
        operation_id="friends",
        summary="List friends and open requests",
        responses=FriendListSerializer,
        examples=[OpenApiExample("one friend", LIST_EXAMPLE)],
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response({"success": True, **list_friendships(request.user)})

    @extend_schema(
        operation_id="friends_ask",
        summary="Send a friend request",
        description=(
            "If the person has sent you a request, it is accepted, and the status is 200. Teachers "
            "and guardians cannot ask a pupil. A declined request can be sent again after 30 days."
        ),
        request=TargetSerializer,
        responses={200: FriendshipAnswer, 201: FriendshipAnswer},
        examples=[
            OpenApiExample("ask", {"targetUsername": "bo.ek"}, request_only=True),
            OpenApiExample("done", {"success": True, "friendship": EXAMPLE}, response_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = TargetSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        friendship, new = friendships.request_friendship(
            request.user, username=form.validated_data["targetUsername"]
        )
        return Response({"success": True, "friendship": friendship}, status=201 if new else 200)

    @extend_schema(
        operation_id="friends_answer",
        summary="Accept or decline a request",
        request=FriendReplySerializer,
        responses=FriendshipAnswer,
        examples=[
            OpenApiExample(
                "by name", {"fromUsername": "alva.lind", "accept": True}, request_only=True
            )
        ],
    )
    def patch(self, request: SignedInRequest) -> Response:
        form = FriendReplySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        friendship = friendships.answer_request(request.user, **form.validated_data)
        return Response({"success": True, "friendship": friendship})

    @extend_schema(
        operation_id="friends_end",
        summary="End a friendship, or withdraw or decline a request",
        description="Name it in the query or in the body. By username it always succeeds; by id, "
        "the second time is 404.",
        parameters=[
            target_parameter("The other person."),
            OpenApiParameter(
                "friendshipId",
                {"type": "string", "minLength": 1, "maxLength": 64},
                description="Instead of the person.",
            ),
        ],
        request=TargetSerializer,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest) -> Response:
        given = query_and_body(request)
        form = (EndByIdSerializer if "friendshipId" in given else TargetSerializer)(data=given)
        form.is_valid(raise_exception=True)
        friendships.end_friendship(
            request.user,
            username=form.validated_data.get("targetUsername"),
            friendship_id=form.validated_data.get("friendshipId"),
        )
        return Response({"success": True})
