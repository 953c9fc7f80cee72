"""`/stats`: the public numbers for people."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views import View

from stats.charts import charts, format_number
from stats.totals import cached_totals

CONTENT_POLICY: Final = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# Field of `GET /api/stats` -> what it counts, in the order of the page.
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
    """The charts, drawn here: no script, one style sheet of our own beside that of all pages."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """The same page for everyone."""
        totals = cached_totals()
        context = {
            "is_empty": not any(totals[field] for field in TOTAL_NAMES),
            "totals": [(name, format_number(totals[field])) for field, name in TOTAL_NAMES.items()],
            "charts": charts(totals, today=timezone.localdate()),
        }
        response = render(request, "stats/page.html", context)
        response.headers["Cache-Control"] = "public, max-age=30"
        response.headers["Content-Security-Policy"] = CONTENT_POLICY
        return response
