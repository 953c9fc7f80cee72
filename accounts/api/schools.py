"""GET /api/schools: the schools whose people can sign in."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import PublicView, SuccessSerializer
from accounts.services.schools import list_schools
from upstream.errors import UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable


class SchoolSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="The slug.")
    name = serializers.CharField()
    passwordLogin = serializers.BooleanField(
        allow_null=True,
        help_text="False: this school has no login with a password. Null: not known.",
    )


class SchoolListSerializer(SuccessSerializer):
    schools = SchoolSerializer(many=True)
    stale = serializers.BooleanField(required=False)


class SchoolListView(PublicView):
    """The schools, in Swedish alphabetical order."""

    raises = (UpstreamUnavailable, UpstreamInvalid, UpstreamTimeout)

    @extend_schema(
        operation_id="schools",
        summary="The schools whose people can sign in",
        tags=["session"],
        responses=SchoolListSerializer,
    )
    def get(self, request: Request) -> Response:
        schools, stale = list_schools()
        answer: dict[str, Any] = {
            "success": True,
            "schools": [
                {"id": row.slug, "name": row.name, "passwordLogin": row.password_login}
                for row in schools
            ],
        }
        if stale:
            answer["stale"] = True
        return Response(answer, headers={"Cache-Control": "public, max-age=300"})
