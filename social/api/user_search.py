"""/api/people/staff and /api/users/search: the same search under two names."""

from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.fields import RealNameField, TextField, UserTypeField
from accounts.requests import SignedInRequest
from limits import TooManyRequests
from social.limits import SEARCH_FOUND, SEARCH_MAX, SEARCH_MIN
from social.services.user_search import search_users

QUERY = OpenApiParameter(
    "q",
    {"type": "string", "minLength": SEARCH_MIN, "maxLength": SEARCH_MAX},
    required=True,
    description="Part of a display name or a username, in any case.",
)


class QuerySerializer(serializers.Serializer[Any]):
    q = TextField(min_length=SEARCH_MIN, max_length=SEARCH_MAX)


class FoundUserSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    displayName = serializers.CharField(allow_blank=True)
    realName = RealNameField()
    pfpUrl = serializers.CharField(allow_blank=True)
    pronouns = serializers.CharField(allow_blank=True)
    bio = serializers.CharField(allow_blank=True)
    location = serializers.CharField(allow_blank=True)
    schoolName = serializers.CharField(allow_blank=True)
    userType = UserTypeField()


EXAMPLE = OpenApiExample(
    "one person",
    {
        "success": True,
        "users": [
            {
                "username": "bo.ek",
                "displayName": "Bosse",
                "realName": "Bo Ek",
                "pfpUrl": "",
                "pronouns": "",
                "bio": "",
                "location": "",
                "schoolName": "Björkdalsskolan",
                "userType": "student",
            }
        ],
    },
)


@extend_schema(tags=["people"])
class UserSearchView(APIView):
    raises = (TooManyRequests,)

    @extend_schema(
        operation_id="users_search",
        summary="Search people by name",
        parameters=[QUERY],
        responses=success(
            "FoundUsers",
            users=FoundUserSerializer(
                many=True, help_text=f"The best match first, at most {SEARCH_FOUND}."
            ),
        ),
        examples=[EXAMPLE],
    )
    def get(self, request: SignedInRequest) -> Response:
        form = QuerySerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        return Response(
            {"success": True, "users": search_users(request.user, text=form.validated_data["q"])}
        )


@extend_schema_view(
    get=extend_schema(operation_id="people_staff", summary="The same as `/api/users/search`")
)
class PeopleSearchView(UserSearchView):
    """The same search at the path of the specification."""
