"""Notifications, and the countdowns that stand beside the school's day."""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from playwright.sync_api import expect

from accounts.models import Account
from notifications.models import Notification
from notifications.services.notify import notify
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social_actions import dm_of
from tests.webapp.people import App, NewApp, tuesday_at

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


def ask(app: App, method: str, path: str, body: dict[str, str]) -> None:
    """As another page of this person: what the test's own process publishes reaches no socket."""
    answer = app.context.request.fetch(f"{app.service.url}{path}", method=method, data=body)
    assert answer.ok, answer.text()


def test_the_list_follows_more_messages_and_what_is_read_on_another_device(
    dm: str, new_app: NewApp
) -> None:
    elsa, other, bo = new_app("elsa.nordvall"), new_app("elsa.nordvall"), new_app("bo.ek")
    page = elsa.page
    elsa.open("/app/notifications")
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text="new message")
    alerts = page.get_by_role("navigation").get_by_role("link", name="Alerts")
    messages = f"/api/conversations/{dm}/messages"
    ask(bo, "POST", messages, {"content": "Ett"})
    expect(row).to_contain_text("1 new message")
    ask(bo, "POST", messages, {"content": "Två"})
    expect(row).to_contain_text("2 new messages")
    own = Notification.objects.filter(account__username="elsa.nordvall", read_at=None)
    expect(alerts).to_contain_text(f"{own.count()} unread")
    ask(other, "PATCH", f"/api/conversations/{dm}", {"action": "mark_read"})
    expect(row).to_have_count(0)
    expect(alerts).to_contain_text(f"{own.count()} unread")
    assert not own.filter(kind="message").exists()


def test_a_long_list_drops_what_is_gone(dm: str, new_app: NewApp) -> None:
    elsa, other, bo = new_app("elsa.nordvall"), new_app("elsa.nordvall"), new_app("bo.ek")
    account = Account.objects.get(username="elsa.nordvall")
    Notification.objects.bulk_create(Notification(account=account, kind="test") for _ in range(60))
    ask(bo, "POST", f"/api/conversations/{dm}/messages", {"content": "Ett"})
    elsa.open("/app/notifications")
    rows = elsa.page.get_by_role("main").get_by_role("listitem")
    elsa.page.get_by_role("button", name="Show more").click()
    count = Notification.objects.filter(account=account).count()
    expect(rows).to_have_count(count)
    ask(other, "PATCH", f"/api/conversations/{dm}", {"action": "mark_read"})
    expect(rows).to_have_count(count - 1)
    expect(rows.filter(has_text="new message")).to_have_count(0)


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


def test_several_exams_of_a_child_open_their_week_with_that_child(new_app: NewApp) -> None:
    app = new_app("eva.ek", now=tuesday_at(10, 5))
    app.open()
    page = app.page
    children = page.get_by_role("group", name="Choose a child").get_by_role("button")
    children.first.click()
    named = app.ask("/api/children")["children"]
    shown = page.get_by_role("group", name="You see what belongs to")
    for child, weeks in ((named[1], 5), (named[0], 6)):
        day = f"{tuesday_at(8) + timedelta(weeks=weeks):%Y-%m-%d}"
        exams = [{"id": str(number), "title": "Prov", "day": day} for number in (1, 2)]
        details = {"child": child, "topic": "exams", "items": exams, "count": 2, "new": True}
        account = Account.objects.get(username="eva.ek")
        notify(account.pk, "assignment", details=details)
        app.open("/app/notifications")
        row = page.get_by_role("listitem").filter(has_text=f"{child['name']}: 2 new exams or tasks")
        row.get_by_role("link").click()
        app.page.wait_for_url(f"**/app/week?from={day}&child={child['id']}")
        app.heading(f"Week {(tuesday_at(8) + timedelta(weeks=weeks)).isocalendar().week}")
        expect(shown.get_by_role("button", name=child["name"])).to_have_attribute(
            "aria-pressed", "true"
        )


@pytest.mark.push
@pytest.mark.service_worker
def test_a_push_counts_what_is_shown_on_the_icon(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall")
    app.context.grant_permissions(["notifications"])
    app.open("/app/settings")
    app.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    (worker,) = app.context.service_workers
    worker.evaluate("""() => {
        self.badges = [];
        self.navigator.setAppBadge = async count => void self.badges.push(count);
    }""")
    push = pusher(app)

    def is_counted(pushes: int) -> bool:
        return bool(worker.evaluate("badges.length") == pushes)

    for number, tag in enumerate("abac", start=1):
        push({"title": f"Nummer {number}", "navigate": "/app/", "tag": tag})
        app.wait_until(partial(is_counted, number))
    assert worker.evaluate("badges") == [1, 2, 2, 3]
    shown = "self.registration.getNotifications().then(all => all.map(({title}) => title).sort())"
    assert worker.evaluate(shown) == ["Nummer 2", "Nummer 3", "Nummer 4"]


def pusher(app: App) -> Callable[[dict[str, str]], None]:
    """Delivers a push to the service worker of the app, as the browser does for a push service."""
    devtools = app.context.new_cdp_session(app.page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(
            each["registrationId"] for each in event["registrations"] if not each["isDeleted"]
        ),
    )
    devtools.send("ServiceWorker.enable")
    app.wait_until(lambda: bool(registrations))

    def push(notification: dict[str, str]) -> None:
        message = {
            "origin": app.service.url,
            "registrationId": registrations[-1],
            "data": json.dumps({"web_push": 8030, "notification": notification}),
        }
        devtools.send("ServiceWorker.deliverPushMessage", message)

    return push


@pytest.mark.push
@pytest.mark.service_worker
def test_the_icon_has_the_number_of_unread_notifications_until_somebody_signs_out(
    new_app: NewApp,
) -> None:
    app = new_app("elsa.nordvall")
    app.page.add_init_script(
        "navigator.setAppBadge = async count => { (window.badges ??= []).push(count); }"
    )
    account = Account.objects.get(username="elsa.nordvall")
    for _ in range(2):
        notify(account.pk, "test")
    app.open("/app/settings")
    app.wait_until(lambda: app.page.evaluate("window.badges?.at(-1)") == 2)
    app.page.get_by_role("button", name="Sign out").click()
    app.wait_until(lambda: app.page.evaluate("window.badges.at(-1)") == 0)
    assert app.problems == []
