"""GET /api/lunch: the menu of a week."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from schoolproxy.api.school_data import WEEK, SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.reads import SchoolRead
from schoolproxy.services.lunch import lunch_read
from schoolproxy.weeks import read_week

EXAMPLE = {
    "week": 11,
    "year": 2026,
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
        allow_null=True, help_text='The word before it, such as "Vegetarisk".'
    )
    text = serializers.CharField()


class DishSerializer(serializers.Serializer[Any]):
    dishType = serializers.CharField()
    dish = serializers.CharField(help_text="Upstream's text, with LF as line ends.")
    alternatives = AlternativeSerializer(many=True)


class LunchDaySerializer(serializers.Serializer[Any]):
    dayId = serializers.IntegerField(min_value=1, max_value=7, help_text="1 is Monday.")
    dishes = DishSerializer(many=True)


class LunchSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    year = serializers.IntegerField(help_text="Of the nearest such week: the school takes none.")
    data = LunchDaySerializer(many=True)  # type: ignore[assignment]  # a field of that name


@describe("lunch", LunchSerializer, EXAMPLE, summary="The menu of a week", parameters=[WEEK])
class LunchView(SchoolDataView):
    """The school's menu of a week. Days without a menu may be missing."""

    def school_read(self, request: Request) -> SchoolRead:
        return lunch_read(week=read_week(request.query_params.get("week")))
