"""/api/profile/picture: one's own pictures; /media: anyone's, for who knows the address."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import PublicView, SuccessSerializer
from accounts.api.uploads import FormParser, discard_body
from accounts.errors import (
    InvalidInput,
    PictureBusy,
    PictureTooLarge,
    PictureUnknown,
)
from accounts.limits import PICTURE_BYTES
from accounts.models import Picture
from accounts.requests import SignedInRequest
from accounts.services.pictures import counted_upload, drop_picture, keep_picture, read_picture

KINDS = [Picture.AVATAR, Picture.COVER]
KIND = OpenApiParameter("kind", enum=KINDS, default=Picture.AVATAR, description="Which of the two.")
# The name is of these very bytes, and nobody guesses it. Caches forget what was removed in the end.
HEADERS = {
    "Cache-Control": f"public, max-age={30 * 24 * 3600}, immutable",
    # Apps on another host show it too.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Robots-Tag": "noindex, nofollow, noimageindex",
}
EXAMPLE = OpenApiExample(
    "a new picture",
    {"success": True, "url": "https://school.example/media/Hn0Yt3…Zw.webp"},
    status_codes=["201"],
)


@extend_schema_field(OpenApiTypes.BINARY)
class FileField(serializers.Field[bytes, Any, Any, Any]):
    """The bytes of a file of a form."""

    def to_internal_value(self, data: Any) -> bytes:
        if not isinstance(data, bytes) or not data:
            raise serializers.ValidationError("Give a file.")
        if len(data) > PICTURE_BYTES:
            raise PictureTooLarge
        return data


class UploadSerializer(serializers.Serializer[Any]):
    image = FileField(help_text="JPEG, PNG, WebP or GIF; at most 5 MiB and 16 megapixels.")
    kind = serializers.ChoiceField(KINDS, default=Picture.AVATAR)


class UploadAnswerSerializer(SuccessSerializer):
    url = serializers.URLField()


class UploadView(APIView):
    """A picture of oneself, in place of the one before."""

    takes_forms = True
    parser_classes = (FormParser,)
    raises: tuple[type[Exception], ...] = (PictureTooLarge, PictureBusy)

    def handle_exception(self, exc: Exception) -> Response:
        """Refused, but not in the middle of its sentence."""
        discard_body(self.request._request)
        return super().handle_exception(exc)

    def post(self, request: SignedInRequest) -> Response:
        account_id = request.user.account_id
        with counted_upload(account_id):
            form = UploadSerializer(data=request.data)
            form.is_valid(raise_exception=True)
            kind, image = form.validated_data["kind"], form.validated_data["image"]
            url = keep_picture(account_id, kind=kind, data=image)
        return Response({"success": True, "url": url}, status=201)


class OwnPictureView(UploadView):
    """Make, or take away."""

    @extend_schema(
        operation_id="profile_picture",
        summary="A new picture",
        description=(
            "An avatar is cut to a square of at most 512 pixels, a cover made to fit into 1500. "
            "What the file knew besides (place, camera, time) is gone."
        ),
        tags=["profiles"],
        request=UploadSerializer,
        responses={201: UploadAnswerSerializer},
        examples=[EXAMPLE],
    )
    def post(self, request: SignedInRequest) -> Response:
        return super().post(request)

    @extend_schema(
        operation_id="profile_picture_drop",
        summary="No picture any more",
        tags=["profiles"],
        parameters=[KIND],
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest) -> Response:
        kind = request.query_params.get("kind", Picture.AVATAR)
        if kind not in KINDS:
            raise InvalidInput({"kind": ["Say avatar or cover."]})
        drop_picture(request.user.account_id, kind=kind)
        return Response({"success": True})


class PfpUploadView(UploadView):
    """The same under the name that older clients know."""

    @extend_schema(
        operation_id="pfp_upload",
        summary="A new picture (alias)",
        tags=["profiles"],
        request=UploadSerializer,
        responses={201: UploadAnswerSerializer},
        examples=[EXAMPLE],
    )
    def post(self, request: SignedInRequest) -> Response:
        return super().post(request)


class PictureView(PublicView):
    """A picture, for whoever knows its address."""

    raises = (PictureUnknown,)

    @extend_schema(
        operation_id="picture",
        summary="A picture",
        tags=["profiles"],
        responses={(200, "image/webp"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        return HttpResponse(read_picture(name), content_type="image/webp", headers=HEADERS)
