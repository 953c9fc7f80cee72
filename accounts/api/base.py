"""What the REST views of every app share."""

from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.views import APIView


class PublicView(APIView):
    """A view that needs no session and counts against no account's limits."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()


class StreamedResponse(StreamingHttpResponse):
    """Sends each piece of a synchronous iterator as soon as it is made. Under ASGI, Django would
    make all of them first, in memory."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter(self)
        next_piece = sync_to_async(lambda: next(pieces, None))
        while (piece := await next_piece()) is not None:
            yield piece


def in_language() -> dict[str, str]:
    """The headers of a successful answer with a sentence for a person."""
    return {"Content-Language": get_language(), "Vary": "Accept-Language"}


class SuccessSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()


def success(name: str, **fields: serializers.Field[Any, Any, Any, Any]) -> type[SuccessSerializer]:
    """The serializer of an answer: `success` and these fields. `name` is its name in the schema."""
    return type(name, (SuccessSerializer,), fields)
