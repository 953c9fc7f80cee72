"""GET /api/profile/{username}: a person's public profile."""

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.profiles import PublicProfileSerializer
from accounts.errors import NotFound
from accounts.requests import SignedInRequest
from social.services.profiles import profile_for


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
        responses=success("PersonAnswer", profile=PublicProfileSerializer()),
    )
    def get(self, request: SignedInRequest, username: str) -> Response:
        profile = profile_for(request.user.account_id, username=username)
        return Response({"success": True, "profile": profile})
