"""Push in Chromium, which has no push service here: the page gets a subscription that it can lose.

A real one, in Firefox, is in test_push.py.
"""

import json

import pytest
from playwright.sync_api import Locator, expect

from notifications.models import PushSubscription
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.contract.permission_matrix import PUSH
from tests.webapp.people import App

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.push, pytest.mark.service_worker]

# The number of the subscription is kept; 0 while there is none.
PUSH_MANAGER = f"""
  const number = () => Number(localStorage.subscription ?? 0);
  const subscription = () => ({{
    endpoint: "{PUSH["endpoint"]}" + number(),
    unsubscribe: async () => (localStorage.subscription = 0),
    toJSON() {{ return {{ endpoint: this.endpoint, keys: {json.dumps(PUSH["keys"])} }}; }},
  }});
  PushManager.prototype.getSubscription = async () => (number() ? subscription() : null);
  PushManager.prototype.subscribe = async () => {{
    localStorage.subscription = Date.now();
    return subscription();
  }};
"""


@pytest.fixture
def subscribed(app: App) -> App:
    """An app in which push was turned on."""
    app.context.add_init_script(PUSH_MANAGER)
    app.context.grant_permissions(["notifications"])
    app.open("/app/settings/notifications")
    app.page.get_by_role("button", name="Turn on push on this device").click()
    expect(turn_off(app)).to_be_visible()
    return app


def turn_off(app: App) -> Locator:
    return app.page.get_by_role("button", name="Turn off push on this device")


def renewed_after(app: App, before: PushSubscription) -> None:
    """At the next start of the app, another subscription is the only one."""
    app.page.reload()
    app.wait_until(lambda: not PushSubscription.objects.filter(pk=before.pk).exists())
    expect(turn_off(app)).to_be_visible()
    assert PushSubscription.objects.get().gone_at is None


def test_what_the_browser_lost_is_renewed(subscribed: App) -> None:
    before = PushSubscription.objects.get()
    subscribed.page.evaluate("localStorage.subscription = 0")
    renewed_after(subscribed, before)


def test_what_the_push_service_ended_is_renewed(subscribed: App) -> None:
    before = PushSubscription.objects.get()
    before.end()
    renewed_after(subscribed, before)


def test_what_was_removed_on_another_device_is_not(subscribed: App) -> None:
    PushSubscription.objects.all().delete()
    subscribed.page.reload()
    button = subscribed.page.get_by_role("button", name="Turn on push on this device")
    expect(button).to_be_visible()
    assert not PushSubscription.objects.exists()


def test_without_the_permission_the_settings_say_that_it_has_stopped(subscribed: App) -> None:
    PushSubscription.objects.get().end()
    subscribed.context.clear_permissions()
    subscribed.page.reload()
    expect(subscribed.page.get_by_text("Push has stopped on this device")).to_be_visible()
