"""What the REST views of every app share."""

from typing import Any

from rest_framework import serializers
from rest_framework.views import APIView


class PublicView(APIView):
    """A view that needs no session and counts against no account's limits."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()


class SuccessSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
