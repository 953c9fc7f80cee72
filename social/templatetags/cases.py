"""What the front page of the staff site says about cases."""

from collections.abc import Sequence
from typing import Any

from django import template

from social.services.cases.read import StaffCount, count_cases

register = template.Library()


@register.simple_tag(takes_context=True)
def case_counts(context: dict[str, Any]) -> Sequence[StaffCount]:
    """The numbers of cases that wait for the member of staff who looks at the page."""
    return count_cases(context["request"].user)
