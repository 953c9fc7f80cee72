"""The page `/stats`: the public totals as text and charts."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views import View

from stats.charts import charts, format_number
from stats.totals import cached_totals

# Field of `GET /api/stats` -> its name on the page, in this order.
TOTAL_NAMES: Final = {
    "uniqueLogins": "people",
    "totalLogins": "sign-ins",
    "totalApiCalls": "requests",
    "totalScheduleViews": "schedules read",
    "totalAssignmentFetches": "assignments read",
    "totalLunchFetches": "menus read",
    "totalNewsFetches": "news read",
    "totalMessagesSent": "messages sent",
    "totalConversations": "conversations",
    "totalReactions": "reactions",
    "totalNotesCreated": "notes written",
    "failedLogins": "failed sign-ins",
}


class StatsPageView(View):
    """Needs no script: the charts are drawn here."""

    def get(self, request: HttpRequest) -> HttpResponse:
        totals = cached_totals()
        context = {
            "is_empty": not any(totals[field] for field in TOTAL_NAMES),
            "totals": [(name, format_number(totals[field])) for field, name in TOTAL_NAMES.items()],
            "charts": charts(totals, today=timezone.localdate()),
        }
        response = render(request, "stats/page.html", context)
        response.headers["Cache-Control"] = "public, max-age=30"
        return response
