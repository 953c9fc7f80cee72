"""/api/blocks: blocking people."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import RealNameField, UserTypeField
from accounts.errors import NotFound, TooManyKept
from accounts.requests import SignedInRequest
from social.api.parameters import TargetSerializer, query_and_body, target_parameter
from social.services import blocks


class BlockSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    displayName = serializers.CharField(allow_blank=True)
    realName = RealNameField()
    userType = UserTypeField()
    pfpUrl = serializers.CharField(allow_blank=True)
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


BlockAnswer = success("BlockAnswer", block=BlockSerializer())


@extend_schema(tags=["people"])
class BlocksView(APIView):
    """The caller's blocks. The blocked person is not notified."""

    raises = (NotFound, TooManyKept)

    @extend_schema(
        operation_id="blocks",
        summary="List the people you have blocked",
        responses=success("BlockList", blocks=BlockSerializer(many=True)),
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response({"success": True, "blocks": blocks.list_blocks(request.user.account_id)})

    @extend_schema(
        operation_id="blocks_add",
        summary="Block a person",
        description=(
            "Ends a friendship and withdraws open invites between the two. Each is hidden from the "
            "other's search, profile and presence, and neither can message the other. 200 when "
            "the person was blocked already."
        ),
        request=TargetSerializer,
        responses={200: BlockAnswer, 201: BlockAnswer},
        examples=[OpenApiExample("block", {"targetUsername": "ömer.sjölin"}, request_only=True)],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = TargetSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        username = form.validated_data["targetUsername"]
        block, new = blocks.block(request.user, username=username)
        return Response({"success": True, "block": block}, status=201 if new else 200)

    @extend_schema(
        operation_id="blocks_remove",
        summary="Unblock a person",
        description="Name the person in the query or in the body. Always succeeds.",
        parameters=[target_parameter("The blocked person.")],
        request=TargetSerializer,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest) -> Response:
        form = TargetSerializer(data=query_and_body(request))
        form.is_valid(raise_exception=True)
        blocks.unblock(request.user, username=form.validated_data["targetUsername"])
        return Response({"success": True})
