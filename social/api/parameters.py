"""How a request names another person."""

from typing import Any, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.fields import TextField

USERNAME_LENGTH = 300


class UsernameField(TextField):
    """A public username, in any case."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=USERNAME_LENGTH, **options)


class TargetSerializer(serializers.Serializer[Any]):
    targetUsername = UsernameField()


def named_user(description: str) -> OpenApiParameter:
    """The query parameter of a DELETE, for clients that send no body with one."""
    shape = {"type": "string", "minLength": 1, "maxLength": USERNAME_LENGTH}
    return OpenApiParameter("targetUsername", shape, description=description)


def target_of(request: Request) -> dict[str, Any]:
    """What a DELETE names, in its body or in its query; the body counts."""
    return request.query_params.dict() | cast("dict[str, Any]", request.data)
