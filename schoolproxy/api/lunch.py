"""GET /api/lunch: the menu of a week."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.callers import CredentialHint
from accounts.requests import SignedInRequest
from schoolproxy.api.school_data import (
    WEEK,
    SchoolDataSerializer,
    SchoolDataView,
    asked_of,
    describe,
    respond,
)
from schoolproxy.cache import Shelf, school_wide
from schoolproxy.services.lunch import copy_name, read_lunch
from schoolproxy.weeks import read_week

EXAMPLE = {
    "week": 11,
    "data": [
        {
            "dayId": 1,
            "dishes": [
                {
                    "dishType": "Dagens lunch",
                    "dish": "Kåldolmar med lingon\n\nVegetarisk\nLinsbiffar med lingon",
                    "alternatives": [
                        {"label": None, "text": "Kåldolmar med lingon"},
                        {"label": "Vegetarisk", "text": "Linsbiffar med lingon"},
                    ],
                }
            ],
        }
    ],
}


class AlternativeSerializer(serializers.Serializer[Any]):
    label = serializers.CharField(  # type: ignore[assignment]  # a field of that name
        allow_null=True, help_text='The word before it, as "Vegetarisk".'
    )
    text = serializers.CharField()


class DishSerializer(serializers.Serializer[Any]):
    dishType = serializers.CharField()
    dish = serializers.CharField(help_text="Upstream's text, with plain line ends.")
    alternatives = AlternativeSerializer(many=True)


class LunchDaySerializer(serializers.Serializer[Any]):
    dayId = serializers.IntegerField(min_value=1, max_value=7, help_text="1 is Monday.")
    dishes = DishSerializer(many=True)


class LunchSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    data = LunchDaySerializer(many=True)  # type: ignore[assignment]  # a field of that name


class LunchView(SchoolDataView):
    """What the school serves in a week. Days without a menu may be missing."""

    def shelf(self, hint: CredentialHint) -> Shelf:
        return school_wide(hint)

    def copy_name(self, request: Request) -> str:
        return copy_name(read_week(request.query_params.get("week")))

    @describe("lunch", LunchSerializer, EXAMPLE, summary="The menu of a week", parameters=[WEEK])
    def get(self, request: SignedInRequest) -> Response:
        week = read_week(request.query_params.get("week"))
        return respond(request, read_lunch(request.user, week=week, asked=asked_of(request)))
