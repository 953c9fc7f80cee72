"""The form of an import file, and of its people."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.api.fields import LineField, NameField, TextField, WholeNumberField
from accounts.api.profiles import ProfileForm
from accounts.errors import SchoolUnknown
from accounts.import_types import ImportKind
from accounts.limits import IMPORT_ID_LENGTH
from accounts.models import ImportedObject
from accounts.models.profiles import USER_TYPES
from accounts.services.imports.people import save_people
from accounts.services.schools import known_school
from accounts.timestamps import EPOCH, from_milliseconds

_ISO = re.compile(
    r"\d{4}-\d\d-\d\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:[0-5]\d)", re.ASCII
)


class ReferenceField(TextField):
    """The id of another object in the source."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=IMPORT_ID_LENGTH, trim_whitespace=False, **options)


class PastField(serializers.Field[datetime, Any, int, Any]):
    """When something happened: Unix milliseconds, as in the API, or a time with an offset, as in
    an export. Not in the future."""

    default_error_messages = {  # noqa: RUF012 - DRF's name for it
        "invalid": _("Give Unix milliseconds, or a time such as 2026-11-20T14:05:00Z."),
        "future": _("This is in the future."),
    }

    def to_internal_value(self, data: Any) -> datetime:
        try:
            if isinstance(data, int) and not isinstance(data, bool):
                moment = from_milliseconds(data)
            elif isinstance(data, str) and _ISO.fullmatch(data):
                moment = datetime.fromisoformat(data)
            else:
                self.fail("invalid")
        except (ValueError, OverflowError):
            self.fail("invalid")
        if moment < EPOCH:
            self.fail("invalid")
        if moment > timezone.now():
            self.fail("future")
        return moment


class ImportSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know: a misspelt one would be lost without a word."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(
                    {name[:80]: [_("There is no such field.")] for name in unknown}
                )
        return super().to_internal_value(data)


class PersonImportSerializer(ImportSerializer, ProfileForm):
    """A person: who it is at school, and the profile as its owner wrote it."""

    pfpUrl = None  # type: ignore[assignment]
    coverUrl = None  # type: ignore[assignment]
    school = TextField(max_length=63)
    upstreamUserId = WholeNumberField(source="person.user_id", min_value=1, max_value=2**63 - 1)
    organizationId = WholeNumberField(
        source="person.organization_id", min_value=1, max_value=2**63 - 1, default=None
    )
    username = NameField(source="person.user_name", max_length=200)
    firstName = LineField(source="person.first_name", max_length=200, allow_blank=True, default="")
    lastName = LineField(source="person.last_name", max_length=200, allow_blank=True, default="")
    email = LineField(source="person.email", max_length=254, allow_blank=True, default="")
    schoolName = LineField(
        source="person.organization_name", max_length=200, allow_blank=True, default=""
    )
    userType = serializers.ChoiceField([name for name, _label in USER_TYPES], source="person.role")

    def validate_school(self, slug: str) -> str:
        try:
            known_school(slug)
        except SchoolUnknown:
            raise serializers.ValidationError(_("No school has this name.")) from None
        return slug


# One in a transaction: an account is made as at a sign-in, which locks people before accounts.
PEOPLE = ImportKind(
    name=ImportedObject.PERSON, serializer=PersonImportSerializer, save=save_people, batch=1
)
