"""The staff of a school, and its files and links."""

from upstream.client import UpstreamClient
from upstream.endpoints import LIBRARY_PAGE, STAFF_PAGE
from upstream.page_records import LibrarySection, StaffMember
from upstream.pages.library import read_library
from upstream.pages.staff import read_staff
from upstream.records import ProvenSession


def fetch_staff(client: UpstreamClient, *, web: ProvenSession) -> list[StaffMember]:
    """Raises: as `UpstreamClient.fetch_page`, and UpstreamChanged."""
    return read_staff(client.fetch_page(STAFF_PAGE, web=web))


def fetch_library(client: UpstreamClient, *, web: ProvenSession) -> list[LibrarySection]:
    """Raises: as `UpstreamClient.fetch_page`, and UpstreamChanged."""
    return read_library(client.fetch_page(LIBRARY_PAGE, web=web))
