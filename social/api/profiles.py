"""GET /api/profile/{username}: a person's public profile."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.profiles import PublicProfileSerializer
from accounts.errors import NotFound
from accounts.requests import SignedInRequest
from social.services.profiles import profile_for


class ContactSerializer(serializers.Serializer[Any]):
    """What the caller may begin with the person now, limits aside."""

    dm = serializers.BooleanField(help_text="Write, in their conversation or a new one.")
    friend = serializers.BooleanField(help_text="Ask to be friends, or accept their request.")
    invite = serializers.BooleanField(help_text="Ask into a new group.")


class PersonSerializer(PublicProfileSerializer):
    contact = ContactSerializer()


@extend_schema(tags=["people"])
class PersonView(APIView):
    """404 for unknown and suspended people, and for a block either way."""

    raises = (NotFound,)

    @extend_schema(
        operation_id="person",
        summary="Read a person's profile",
        parameters=[
            OpenApiParameter(
                "username",
                str,
                OpenApiParameter.PATH,
                examples=[OpenApiExample("oneself", "elsa.nordvall")],
            )
        ],
        responses=success("PersonAnswer", profile=PersonSerializer()),
    )
    def get(self, request: SignedInRequest, username: str) -> Response:
        profile = profile_for(request.user, username=username)
        return Response({"success": True, "profile": profile})
