"""The class list of a pupil."""

from functools import partial
from typing import Final

from upstream.client import UpstreamClient
from upstream.endpoints import CLASS_PAGE
from upstream.errors import PageHidden
from upstream.fan_out import gather, value_or_raise
from upstream.pages.people import ClassLink, read_chooser, read_class
from upstream.records import Classmate, ProvenSession

# A pupil has a class and some groups. Of a whole school's classes only this many are read.
MAX_CLASSES: Final = 20


def fetch_class(client: UpstreamClient, *, web: ProvenSession) -> list[Classmate]:
    """The pupils of every class on the page; none if the school hides the page.

    If the page offers a choice of classes, each is fetched, at most `MAX_CLASSES`. All of them
    must succeed, because an incomplete class list looks like a complete one.

    Raises: as `UpstreamClient.fetch_page` without PageHidden, and UpstreamChanged.
    """
    try:
        page = client.fetch_page(CLASS_PAGE, web=web)
    except PageHidden:
        return []
    classmates = read_class(page)
    if classmates:
        return classmates

    def fetch_chosen(link: ClassLink) -> list[Classmate]:
        chosen = client.fetch_page(CLASS_PAGE, web=web, query={"requestid": link.id})
        return read_class(chosen, class_name=link.name)

    calls = [partial(fetch_chosen, link) for link in read_chooser(page)[:MAX_CLASSES]]
    for result in gather(client, web.school, calls):
        classmates += value_or_raise(result)
    return classmates
