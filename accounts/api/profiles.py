"""/api/profile: one's own profile."""

from collections.abc import Callable
from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.fields import (
    UNPRINTABLE,
    LineField,
    NameField,
    RealNameField,
    TextField,
    TrueOrFalseField,
    UserTypeField,
    all_visible,
)
from accounts.errors import ChangedTooOften, DisplayNameRefused, PictureBusy
from accounts.real_names import NAME_LENGTH
from accounts.requests import SignedInRequest
from accounts.services.own_profile import update_own_profile
from accounts.services.profiles import profile_of, render_profile

DM_PRIVACY = ["everyone", "friends", "nobody"]
# No characters that could end an HTML attribute, hide the host behind user info, or split the URL.
_IN_ADDRESS = rf"""[^\s\\<>"'`{UNPRINTABLE}]"""
_IN_HOST = rf"""[^\s\\<>"'`/?#@{UNPRINTABLE}]"""
_ADDRESS = rf"[Hh][Tt][Tt][Pp][Ss]?://{_IN_HOST}+(?:[/?#]{_IN_ADDRESS}*)?"
WEBSITE: list[Callable[[str], None]] = [
    RegexValidator(rf"\A(?:{_ADDRESS})?\Z", _("Must begin with http:// or https://.")),
    all_visible,
]
# A user name or a whole address. A colon in anything else could be another scheme.
HANDLE: list[Callable[[str], None]] = [
    RegexValidator(
        rf"\A(?:{_ADDRESS}|[^:{UNPRINTABLE}]*)\Z",
        _("Must be a user name, or begin with http:// or https://."),
    ),
    all_visible,
]
COLOR = RegexValidator(r"\A(?:#[0-9a-fA-F]{6})?\Z", _("Must be a colour like #1a2b3c."))
BIO = RegexValidator(
    r"\A[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*\Z",
    _("This must be plain text."),
)


class PublicProfileSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    firstName = serializers.CharField(allow_blank=True)
    lastName = serializers.CharField(allow_blank=True)
    schoolName = serializers.CharField(allow_blank=True)
    userType = UserTypeField()
    displayName = serializers.CharField()
    realName = RealNameField()
    bio = serializers.CharField(allow_blank=True)
    pronouns = serializers.CharField(allow_blank=True)
    location = serializers.CharField(allow_blank=True)
    website = serializers.CharField(allow_blank=True)
    accentColor = serializers.CharField(allow_blank=True, help_text="#rrggbb")
    github = serializers.CharField(allow_blank=True)
    twitter = serializers.CharField(allow_blank=True)
    instagram = serializers.CharField(allow_blank=True)
    linkedin = serializers.CharField(allow_blank=True)
    pfpUrl = serializers.CharField(allow_blank=True)
    coverUrl = serializers.CharField(allow_blank=True)
    joinedAt = serializers.IntegerField(help_text="Unix milliseconds.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


class WarningSerializer(serializers.Serializer[Any]):
    """A warning by staff after a report."""

    id = serializers.CharField()
    text = serializers.CharField(help_text="In the words of a member of staff.")
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


class OwnProfileSerializer(PublicProfileSerializer):
    """One's own profile: the public part, and what only the person sees."""

    email = serializers.CharField(allow_blank=True)
    dmPrivacy = serializers.ChoiceField(DM_PRIVACY)
    discoverable = serializers.BooleanField()
    warnings = WarningSerializer(many=True, help_text="Those of the last half year, newest first.")


ProfileAnswer = success("ProfileAnswer", profile=OwnProfileSerializer())


class ProfileForm(serializers.Serializer[Any]):
    """What a person may change. `source` is the column, or the kind of picture."""

    displayName = NameField(
        source="display_name",
        required=False,
        allow_blank=True,
        max_length=NAME_LENGTH,
        help_text="Empty: the first and last name in the school's system.",
    )
    bio = TextField(required=False, allow_blank=True, max_length=500, validators=[BIO])
    pronouns = LineField(required=False, allow_blank=True, max_length=40)
    location = LineField(required=False, allow_blank=True, max_length=80)
    website = TextField(required=False, allow_blank=True, max_length=200, validators=WEBSITE)
    accentColor = TextField(
        source="accent_color", required=False, allow_blank=True, validators=[COLOR]
    )
    github = TextField(required=False, allow_blank=True, max_length=100, validators=HANDLE)
    twitter = TextField(required=False, allow_blank=True, max_length=100, validators=HANDLE)
    instagram = TextField(required=False, allow_blank=True, max_length=100, validators=HANDLE)
    linkedin = TextField(required=False, allow_blank=True, max_length=200, validators=HANDLE)
    dmPrivacy = serializers.ChoiceField(DM_PRIVACY, source="dm_privacy", required=False)
    discoverable = TrueOrFalseField(required=False)
    pfpUrl = TextField(source="pictures.avatar", required=False, allow_blank=True, max_length=500)
    coverUrl = TextField(source="pictures.cover", required=False, allow_blank=True, max_length=500)


class OwnProfileView(APIView):
    """The caller's own profile."""

    raises = (ChangedTooOften, DisplayNameRefused, PictureBusy)

    @extend_schema(
        operation_id="profile",
        summary="Your profile",
        tags=["profiles"],
        responses=ProfileAnswer,
    )
    def get(self, request: SignedInRequest) -> Response:
        profile = profile_of(request.user.account_id)
        return Response({"success": True, "profile": render_profile(profile, own=True)})

    @extend_schema(
        operation_id="profile_update",
        summary="Change your profile",
        description=(
            "Fields that are left out do not change. `pfpUrl` and `coverUrl` take the address of "
            "one of your pictures, or an empty text to remove it."
        ),
        tags=["profiles"],
        request=ProfileForm,
        responses=ProfileAnswer,
        examples=[
            OpenApiExample(
                "some of it", {"displayName": "Elsa", "bio": "8B, kör"}, request_only=True
            )
        ],
    )
    def put(self, request: SignedInRequest) -> Response:
        form = ProfileForm(data=request.data)
        form.is_valid(raise_exception=True)
        values = form.validated_data
        pictures = values.pop("pictures", {})
        profile = update_own_profile(request.user, values=values, pictures=pictures)
        return Response({"success": True, "profile": render_profile(profile, own=True)})
