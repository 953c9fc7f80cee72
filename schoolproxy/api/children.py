"""GET /api/children and PUT /api/children/default: the children of a guardian."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.fields import PatternField
from accounts.errors import ChildUnknown
from accounts.requests import SignedInRequest
from accounts.services.children import ChildList, set_default
from schoolproxy.services.children import known_children
from store import StoreUnavailable
from upstream.errors import (
    NotForThisRole,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)

EXAMPLE = {
    "success": True,
    "children": [
        {
            "id": "730214",
            "name": "Elsa Nordvall",
            "firstName": "Elsa",
            "lastName": "Nordvall",
            "schools": [{"orgId": "41", "name": "Björkdalsskolan", "className": "8C"}],
        }
    ],
    "default": None,
}


class ChildSchoolSerializer(serializers.Serializer[Any]):
    orgId = serializers.CharField(source="org_id")
    name = serializers.CharField(allow_blank=True)
    className = serializers.CharField(source="class_name", allow_null=True)


class ChildSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    firstName = serializers.CharField(source="first_name", allow_blank=True)
    lastName = serializers.CharField(source="last_name", allow_blank=True)
    schools = ChildSchoolSerializer(many=True)


class ChildrenSerializer(SuccessSerializer):
    children = ChildSerializer(many=True)
    default = serializers.CharField(
        allow_null=True, help_text="The id of the child that requests without `child` are about."
    )


class DefaultChildSerializer(serializers.Serializer[Any]):
    id = PatternField(r"^[1-9][0-9]{0,18}\Z", allow_null=True, help_text="Null: no default.")


def _answer(known: ChildList) -> Response:
    children = ChildSerializer(known.children, many=True).data
    return Response({"success": True, "children": children, "default": known.default})


class ChildrenView(APIView):
    """A guardian's children, as the school lists them."""

    raises = (
        NotForThisRole,
        StoreUnavailable,
        UpstreamUnavailable,
        UpstreamInvalid,
        UpstreamTimeout,
    )

    @extend_schema(
        operation_id="children",
        summary="The children of a guardian",
        tags=["school data"],
        responses=ChildrenSerializer,
        examples=[OpenApiExample("one child", EXAMPLE, status_codes=["200"])],
    )
    def get(self, request: SignedInRequest) -> Response:
        return _answer(known_children(request.user))


class DefaultChildView(APIView):
    """The child that a guardian's requests are about when they name none."""

    raises = (ChildUnknown, *ChildrenView.raises)

    @extend_schema(
        operation_id="children_default",
        summary="Choose the default child",
        tags=["school data"],
        request=DefaultChildSerializer,
        responses=ChildrenSerializer,
    )
    def put(self, request: SignedInRequest) -> Response:
        body = DefaultChildSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        return _answer(set_default(request.user, body.validated_data["id"]))
