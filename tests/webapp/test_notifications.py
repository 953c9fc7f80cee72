"""Notifications, and the countdowns that stand beside the school's day."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from notifications.models import Notification
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social_actions import dm_of
from tests.webapp.people import NewApp, tuesday_at

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def dm(friends: tuple[Caller, Caller]) -> str:
    """The id of the conversation of Elsa and Bo, who became her friend just now."""
    return dm_of(friends[1], "elsa.nordvall")


def test_a_message_is_counted_at_once_and_the_list_leads_to_it(dm: str, new_app: NewApp) -> None:
    elsa, bo = new_app("elsa.nordvall"), new_app("bo.ek", language="sv")
    bo.open(f"/app/chats/{dm}")
    elsa.open()
    page = elsa.page
    alerts = page.get_by_role("navigation").get_by_role("link", name="Alerts")
    expect(alerts).to_contain_text("unread")  # that Bo is a friend now
    alerts.click()
    page.get_by_role("button", name="Mark all as read").click()
    expect(alerts).not_to_contain_text("unread")
    expect(page.get_by_role("main").get_by_text("New", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)
    unread = Notification.objects.filter(read_at=None, account__username="elsa.nordvall")
    assert unread.count() == 0

    page.get_by_role("link", name="Week", exact=True).click()
    elsa.heading("Week")
    bo.page.get_by_role("textbox", name="Meddelande").fill("Kommer du?")
    bo.page.get_by_role("button", name="Skicka").click()
    expect(alerts).to_contain_text("1 unread")
    alerts.click()
    new = page.get_by_role("listitem").filter(has_text="Bo Ek").filter(has_text="New")
    new.get_by_role("link").click()
    elsa.heading("Bo Ek")
    expect(page.get_by_role("log").get_by_text("Kommer du?")).to_be_visible()
    expect(alerts).not_to_contain_text("unread")
    assert unread.count() == 0


def test_a_countdown_is_shown_beside_the_day(new_app: NewApp) -> None:
    now = tuesday_at(10, 5)
    app = new_app("elsa.nordvall", now=now)
    page = app.page
    app.open("/app/countdowns")
    page.get_by_role("button", name="New countdown").click()
    page.get_by_role("textbox", name="Title").fill("Simtävling")
    page.get_by_label("Date").fill(f"{now + timedelta(days=10):%Y-%m-%d}")
    page.get_by_role("button", name="⚽").click()
    page.get_by_role("button", name="Save").click()
    card = page.get_by_role("listitem").filter(has_text="Simtävling")
    expect(card).to_contain_text("10 days left")
    app.open("/app/")
    row = page.get_by_role("region", name="Countdowns").get_by_role("listitem")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Simtävling")
    expect(row).to_contain_text("10 days left")
    app.open("/app/countdowns")
    card.get_by_role("button", name="Delete").click()
    card.get_by_role("button", name="Yes, delete").click()
    expect(page.get_by_text("Is there a day you are waiting for?")).to_be_visible()
