"""What the front page of the staff site says about cases."""

from collections.abc import Sequence
from typing import Any

from django import template

from accounts.contribution_types import Words
from accounts.models.profiles import USER_TYPES
from social.models import Case
from social.services.cases.queue import StaffCount, count_cases, waiting_cases

register = template.Library()


@register.simple_tag(takes_context=True)
def case_counts(context: dict[str, Any]) -> Sequence[StaffCount]:
    """The numbers of cases that wait for the member of staff who looks at the page."""
    return count_cases(context["request"].user)


@register.simple_tag(takes_context=True)
def cases_to_open(context: dict[str, Any]) -> Sequence[Case]:
    """The first cases that wait for them."""
    return waiting_cases(context["request"].user)


@register.filter
def user_type_label(user_type: str) -> Words:
    return dict(USER_TYPES)[user_type]


@register.filter
def reasons(case: Any) -> str:
    """Why a case of the list was reported, each reason once."""
    return ", ".join(dict.fromkeys(report.get_reason_display() for report in case.listed_reports))
