"""Which child of a guardian a request for school data is about."""

import time

from accounts.callers import Caller
from accounts.errors import ChildNotAllowed
from accounts.services.children import ChildList, children_of
from schoolproxy.models import ChildCalendarFeed
from schoolproxy.models.feeds import NOTHING_STORED
from schoolproxy.reads import ChildChoice, Fields
from upstream.records import ChosenChild


def known_children(caller: Caller) -> ChildList:
    """The caller's children, as `children_of`. Where upstream was asked, the lessons that feeds
    keep of other children are deleted."""
    began = time.time()
    children = children_of(caller)
    if children.fetched_at >= began:
        feeds = ChildCalendarFeed.objects.filter(account=caller.account_id, weeks__isnull=False)
        feeds.exclude(child_id__in=children.ids).update(**NOTHING_STORED)
    return children


def chosen_child(caller: Caller, choice: ChildChoice) -> ChosenChild | None:
    """The child that a guardian's request is about; None for other roles.

    Raises: ChildNotAllowed (another role names one), ChildRequired, ChildUnknown, and as
    `children_of`.
    """
    if caller.role != "guardian":
        if choice != ChildChoice():
            raise ChildNotAllowed
        return None
    return known_children(caller).choose(choice.child_id, choice.org_id)


def child_fields(child: ChosenChild | None) -> Fields:
    """What an answer has to say whose it is: `child`, for guardians."""
    return {} if child is None else {"child": {"id": str(child.id), "name": child.name}}
