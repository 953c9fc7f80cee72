"""What the REST views of every app share."""

from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.views import APIView


class PublicView(APIView):
    """A view that needs no session and counts against no account's limits."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()


def in_language() -> dict[str, str]:
    """The headers of a successful answer with a sentence for a person."""
    return {"Content-Language": get_language(), "Vary": "Accept-Language"}


class SuccessSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
