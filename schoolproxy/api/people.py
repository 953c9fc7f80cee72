"""GET /api/people/class: the pupils of the caller's classes."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from schoolproxy.api.school_data import SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.reads import SchoolRead
from schoolproxy.services.people import class_read

EXAMPLE = {
    "students": [
        {
            "name": "Elsa Nordvall",
            "firstName": "Elsa",
            "lastName": "Nordvall",
            "class": "8C",
            "email": "elsa.nordvall@elev.bjorkdalen.example",
            "phone": None,
            "address": "Granvägen 4\n123 45 Björkdalen",
        }
    ]
}
# `class` is a keyword, so it cannot be an attribute in a class body.
PUPIL_FIELDS: dict[str, Any] = {
    "name": serializers.CharField(),
    "firstName": serializers.CharField(),
    "lastName": serializers.CharField(help_text="The last word of the name."),
    "class": serializers.CharField(allow_null=True),
    "email": serializers.CharField(allow_null=True),
    "phone": serializers.CharField(allow_null=True),
    "address": serializers.CharField(allow_null=True, help_text="Lines joined by newlines."),
}
PupilSerializer = type("PupilSerializer", (serializers.Serializer,), PUPIL_FIELDS)


class ClassSerializer(SchoolDataSerializer):
    students = PupilSerializer(many=True)


@describe("class", ClassSerializer, EXAMPLE, summary="The pupils of the caller's classes")
class ClassView(SchoolDataView):
    """The pupils of all classes that the school's system shows the caller."""

    def school_read(self, request: Request) -> SchoolRead:
        return class_read()
