"""GET /api/v2/methods: how the people of a school sign in."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import PublicView, SuccessSerializer
from accounts.api.fields import TextField
from accounts.api.login import school_of
from accounts.errors import SchoolUnknown
from accounts.services.login_methods import KINDS, login_methods
from upstream.errors import UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable

LIST_ERRORS = (SchoolUnknown, UpstreamUnavailable, UpstreamInvalid, UpstreamTimeout)


class MethodsQuerySerializer(serializers.Serializer[Any]):
    school = TextField(max_length=63, required=False, help_text="The school's slug.")
    kind = serializers.ChoiceField(KINDS)


class MethodsAnswerSerializer(SuccessSerializer):
    school = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    password = serializers.BooleanField(help_text="`/api/login` takes their password.")
    redirect = serializers.BooleanField(
        help_text="They can sign in through the school's own page: `/api/v2/authorize`."
    )


class MethodsView(PublicView):
    """How people of one kind sign in to a school."""

    raises = LIST_ERRORS

    @extend_schema(
        operation_id="v2_methods",
        summary="How to sign in",
        tags=["session"],
        parameters=[MethodsQuerySerializer],
        responses=MethodsAnswerSerializer,
    )
    def get(self, request: Request) -> Response:
        query = MethodsQuerySerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        school, kind = school_of(request, query.validated_data), query.validated_data["kind"]
        methods = login_methods(school, kind)
        return Response(
            {
                "success": True,
                "school": school,
                "kind": kind,
                "password": methods.password,
                "redirect": methods.redirect,
            }
        )
