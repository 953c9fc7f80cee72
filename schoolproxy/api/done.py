"""PUT /api/assignments/{id}/done, and `done` in the answers that have assignments."""

from collections.abc import Iterable
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.fields import TrueOrFalseField
from accounts.api.session import NamedChildSerializer
from accounts.errors import TooManyKept
from accounts.requests import SignedInRequest
from schoolproxy.api.child_choice import CHILD, ORG, read_choice
from schoolproxy.api.school_data import SchoolDataView, number_in_path
from schoolproxy.cache import CachedAnswer
from schoolproxy.reads import Fields
from schoolproxy.services.children import child_fields
from schoolproxy.services.done import set_done, with_done


class DoneRequestSerializer(serializers.Serializer[Any]):
    done = TrueOrFalseField()


class AssignmentsView(SchoolDataView):
    """A GET of school data with assignments, each of which says whether the caller has ticked it
    off."""

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        """The assignments of an answer, with an `assignmentId` or an `id`."""
        raise NotImplementedError

    def respond(self, request: SignedInRequest, answer: CachedAnswer) -> HttpResponseBase:
        return super().respond(request, with_done(request.user, answer, self.assignments_in))


class DoneView(APIView):
    """One's own tick at an assignment, for each child of a guardian."""

    raises = (*SchoolDataView.raises, TooManyKept)

    @extend_schema(
        operation_id="assignment_done",
        summary="Tick an assignment off, or take that back",
        description=(
            "On all your devices, and for nobody else. An account has at most 2,000 ticks; they "
            "are deleted 13 months after the assignment is due."
        ),
        tags=["school data"],
        parameters=[number_in_path("number"), CHILD, ORG],
        request=DoneRequestSerializer,
        responses=success(
            "DoneAnswer",
            child=NamedChildSerializer(required=False),
            done=serializers.BooleanField(),
        ),
        examples=[
            OpenApiExample("ticked off", {"success": True, "done": True}, response_only=True)
        ],
    )
    def put(self, request: SignedInRequest, number: int) -> Response:
        choice = read_choice(request.query_params)
        body = DoneRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        done = body.validated_data["done"]
        child = set_done(caller=request.user, choice=choice, number=number, done=done)
        return Response({"success": True} | child_fields(child) | {"done": done})
