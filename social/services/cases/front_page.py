"""The numbers of cases on the front page of the staff site."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import StaffCount
from accounts.services.staff import staff_schools
from social.services.cases.read import count_open


def count_cases(user: User | AnonymousUser) -> Sequence[StaffCount]:
    """The open cases, and those that nobody has opened; none for staff who may not see cases."""
    if not user.has_perm("social.view_case"):
        return []
    total, unopened = count_open(staff_schools(user))
    page = reverse("admin:social_case_changelist")
    return [
        StaffCount(_("Open cases"), total, f"{page}?status__exact=open"),
        StaffCount(
            _("Cases that nobody has opened"),
            unopened,
            f"{page}?status__exact=open&opened_at__isempty=1",
        ),
    ]
