"""/api/profile/picture: uploading and removing one's pictures; /media: the picture files."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpResponse
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import PublicView, SuccessSerializer, success
from accounts.errors import (
    ChangedTooOften,
    InvalidInput,
    PictureBusy,
    PictureTooLarge,
    PictureUnknown,
)
from accounts.limits import HEIC_MEGAPIXELS, PICTURE_BYTES, PNG_MEGAPIXELS, WEBP_MEGAPIXELS
from accounts.models import Picture
from accounts.requests import SignedInRequest
from accounts.services.pictures import (
    counted_upload,
    keep_picture,
    read_picture,
    remove_picture,
    set_picture,
)

KINDS = [Picture.AVATAR, Picture.COVER]
KIND = OpenApiParameter("kind", enum=KINDS, default=Picture.AVATAR, description="Which of the two.")
# A name always belongs to the same file. Thirty days, so that removed pictures leave the caches.
HEADERS = {
    "Cache-Control": f"public, max-age={30 * 24 * 3600}, immutable",
    # Apps on other hosts show pictures, too.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Robots-Tag": "noindex, nofollow, noimageindex",
}
EXAMPLE = OpenApiExample(
    "a new picture",
    {"success": True, "url": "https://school.example/media/Hn0Yt3…Zw.webp"},
    status_codes=["201"],
)
# The file, and the rest of the form.
MAX_FORM_BYTES = PICTURE_BYTES + 64 * 1024


class FormParser(BaseParser):
    """Parses `multipart/form-data` into a dict of texts and of files as bytes.

    For views with `takes_forms = True`. DRF parses after authentication and throttling, so a body
    is only read if its sender may send it.
    """

    media_type = "multipart/form-data"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The fields. Raises: PictureTooLarge; InvalidInput if the body is not such a form."""
        length = (parser_context or {})["request"].META.get("CONTENT_LENGTH") or ""
        if length.isascii() and length.isdigit() and int(length) > MAX_FORM_BYTES:
            raise PictureTooLarge
        body = stream.read(MAX_FORM_BYTES + 1)
        if len(body) > MAX_FORM_BYTES:
            raise PictureTooLarge
        try:
            meta = {"CONTENT_TYPE": media_type or "", "CONTENT_LENGTH": len(body)}
            form, files = MultiPartParser(meta, BytesIO(body), [_InMemory()], "utf-8").parse()
            texts: dict[str, Any] = form.dict()
            uploads: dict[str, Any] = files.dict()
            return texts | {name: file.read() for name, file in uploads.items()}
        except (MultiPartParserError, ValueError):  # ValueError: unknown encoding
            raise InvalidInput(
                {"body": [_("Send a form (multipart/form-data) with a picture in it.")]}
            ) from None


class _InMemory(MemoryFileUploadHandler):
    """Keeps files of any size in memory: the size of the body is bounded."""

    def handle_raw_input(self, *args: Any, **words: Any) -> None:
        self.activated = True


@extend_schema_field(OpenApiTypes.BINARY)
class FileField(serializers.Field[bytes, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> bytes:
        if not isinstance(data, bytes) or not data:
            raise serializers.ValidationError(_("Send a file."))
        if len(data) > PICTURE_BYTES:
            raise PictureTooLarge
        return data


class UploadSerializer(serializers.Serializer[Any]):
    image = FileField(
        help_text=(
            "JPEG, PNG, WebP, GIF or HEIC; at most 10 MiB and 64 megapixels. Formats that are "
            f"decoded whole can have less: HEIC {HEIC_MEGAPIXELS}, PNG {PNG_MEGAPIXELS}, "
            f"WebP {WEBP_MEGAPIXELS}, progressive JPEG 13 to 36."
        )
    )
    kind = serializers.ChoiceField(
        KINDS,
        required=False,
        help_text="Without it, nothing changes until the profile names the new address.",
    )


UploadAnswer = success("UploadAnswer", url=serializers.URLField())


class UploadView(APIView):
    """Uploading a picture of oneself. With `kind` it replaces the previous one."""

    takes_forms = True
    parser_classes = (FormParser,)
    raises: tuple[type[Exception], ...] = (PictureTooLarge, PictureBusy, ChangedTooOften)

    @extend_schema(
        tags=["profiles"],
        request=UploadSerializer,
        responses={201: UploadAnswer},
        examples=[EXAMPLE],
    )
    def post(self, request: SignedInRequest) -> Response:
        account_id = request.user.account_id
        with counted_upload(account_id):
            form = UploadSerializer(data=request.data)
            form.is_valid(raise_exception=True)
            kind, image = form.validated_data.get("kind"), form.validated_data["image"]
            if kind is None:
                url = keep_picture(account_id, data=image)
            else:
                url = set_picture(account_id, kind=kind, data=image)
        return Response({"success": True, "url": url}, status=201)


@extend_schema_view(
    post=extend_schema(
        operation_id="profile_picture",
        summary="Upload a picture",
        description=(
            "With `kind` the profile shows the picture at once. Without it the picture waits for "
            "an hour until `PUT /api/profile` names its address. An avatar becomes a square of at "
            "most 512 pixels, a cover fits 1500. The file's metadata (location, time) is removed."
        ),
    )
)
class OwnPictureView(UploadView):
    """The caller's avatar or cover."""

    @extend_schema(
        operation_id="profile_picture_drop",
        summary="Remove a picture",
        tags=["profiles"],
        parameters=[KIND],
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest) -> Response:
        kind = request.query_params.get("kind", Picture.AVATAR)
        if kind not in KINDS:
            raise InvalidInput({"kind": [_("Must be avatar or cover.")]})
        remove_picture(request.user.account_id, kind=kind)
        return Response({"success": True})


@extend_schema_view(
    post=extend_schema(operation_id="pfp_upload", summary="Upload a picture (alias)")
)
class PfpUploadView(UploadView):
    """The path that older clients use for an upload."""


class PictureView(PublicView):
    """A picture file."""

    raises = (PictureUnknown,)

    @extend_schema(
        operation_id="picture",
        summary="A picture",
        tags=["profiles"],
        responses={(200, "image/webp"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        return HttpResponse(read_picture(name), content_type="image/webp", headers=HEADERS)
