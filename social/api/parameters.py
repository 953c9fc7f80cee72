"""How a request names a person, a message or the size of a page."""

from typing import Any, cast

from django.urls.converters import StringConverter
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.fields import TextField
from accounts.api.queries import refuse_nul

USERNAME_LENGTH = 300


class UsernameField(TextField):
    """A public username, in any case."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=USERNAME_LENGTH, **options)


class TargetSerializer(serializers.Serializer[Any]):
    targetUsername = UsernameField()


def target_parameter(description: str) -> OpenApiParameter:
    """The query parameter of a DELETE, for clients that send no body with one."""
    shape = {"type": "string", "minLength": 1, "maxLength": USERNAME_LENGTH}
    return OpenApiParameter("targetUsername", shape, description=description)


def query_and_body(request: Request) -> dict[str, Any]:
    """The fields of a DELETE, from its query and its body; the body wins. Raises: InvalidInput."""
    query = request.query_params.dict()
    refuse_nul(query)
    return query | cast("dict[str, Any]", request.data)


class MessageIdConverter(StringConverter):
    """The path converter for public ids of messages."""

    regex = "[0-9a-f]{32}-[1-9][0-9]{0,17}"
