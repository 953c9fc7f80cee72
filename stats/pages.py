"""The page `/stats`: the public totals as text and charts."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views import View

from stats.charts import charts, format_number
from stats.totals import published_totals

# Field of `GET /api/stats` -> its name on the page, in this order.
TOTAL_NAMES: Final = {
    "uniqueLogins": _("people"),
    "totalLogins": _("sign-ins"),
    "totalApiCalls": _("requests"),
    "totalScheduleViews": _("schedules read"),
    "totalAssignmentFetches": _("assignments read"),
    "totalLunchFetches": _("menus read"),
    "totalNewsFetches": _("news read"),
    "totalSchoolLooks": _("looks at the school"),
    "totalSchoolChanges": _("changes at the school told"),
    "totalMessagesSent": _("messages sent"),
    "totalConversations": _("conversations"),
    "totalReactions": _("reactions"),
    "totalNotesCreated": _("notes written"),
    "failedLogins": _("failed sign-ins"),
}


class StatsPageView(View):
    """Needs no script: the charts are drawn here."""

    def get(self, request: HttpRequest) -> HttpResponse:
        totals = published_totals()
        context = {
            "is_empty": not any(totals[field] for field in TOTAL_NAMES),
            "totals": [(name, format_number(totals[field])) for field, name in TOTAL_NAMES.items()],
            "charts": charts(totals, today=timezone.localdate()),
        }
        response = render(request, "stats/page.html", context)
        response.headers["Cache-Control"] = "public, max-age=30"
        return response
