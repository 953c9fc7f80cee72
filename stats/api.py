"""`GET /api/stats`: public totals in which nobody is identifiable."""

from drf_spectacular.utils import OpenApiExample, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from stats.facts import TOTALS, Histogram
from stats.totals import published_totals

_HISTOGRAMS: dict[Histogram, str] = {
    "messageHours": 'Messages by hour, "0" to "23".',
    "loginHours": 'Logins by hour, "0" to "23".',
    "loginDays": 'Logins by day of the week, "0" (Sunday) to "6".',
    "schools": "Logins by school slug.",
    "peakDates": "Logins by date, YYYY-MM-DD.",
}
StatsAnswer = inline_serializer(
    "StatsAnswer",
    {
        "success": serializers.BooleanField(),
        **{field: serializers.IntegerField(min_value=0) for field in TOTALS},
        **{
            histogram: serializers.DictField(
                child=serializers.IntegerField(min_value=0),
                help_text=description,
            )
            for histogram, description in _HISTOGRAMS.items()
        },
    },
)
_EXAMPLE = {
    "success": True,
    **dict.fromkeys(TOTALS, 0),
    "totalLogins": 5120,
    "failedLogins": 204,
    "uniqueLogins": 731,
    "totalApiCalls": 88213,
    "totalScheduleViews": 40117,
    "messageHours": {},
    "loginHours": {"7": 2210, "8": 1980, "15": 871, "other": 59},
    "loginDays": {"0": 610, "1": 1004, "2": 940, "3": 901, "4": 880, "5": 702, "6": 83},
    "schools": {"nyvang": 4102, "soderport": 1018},
    "peakDates": {"2026-11-19": 640, "2026-11-20": 655, "other": 3825},
}


class StatsView(APIView):
    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()

    @extend_schema(
        operation_id="stats",
        summary="Anonymous usage statistics",
        description=(
            "The numbers change once in 15 minutes. Buckets of fewer than "
            'ten accounts are summed up in "other". Hours and days are those of Europe/Stockholm.'
        ),
        responses={200: StatsAnswer},
        examples=[OpenApiExample("A school day", value=_EXAMPLE, response_only=True)],
        tags=["service"],
    )
    def get(self, _request: Request) -> Response:
        answer = {"success": True, **published_totals()}
        return Response(answer, headers={"Cache-Control": "public, max-age=60"})
