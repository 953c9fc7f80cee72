"""Conversations after a lost connection: nothing is missing, and nothing is sent twice."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Route, WebSocketRoute, expect

from social.models import Message
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social_actions import say
from tests.webapp.chats import bubble, follow_link
from tests.webapp.people import AWAY, App, NewApp

pytestmark = NEEDS_CHROMIUM

# As somebody who types the next message while this one is still being kept on the device.
SEND_AND_GO_ON = """(field, next) => {
  field.form.requestSubmit();
  field.value = next;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@pytest.mark.service_worker
def test_what_is_written_offline_is_sent_once_afterwards(elsa: App, dm: str) -> None:
    page = elsa.page
    elsa.expect_problems(*AWAY)
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(page, "Hej Elsa!")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    elsa.wait_until(lambda: elsa.keeps("chats", "Hej Elsa!"))
    elsa.context.set_offline(True)
    field = page.get_by_role("textbox", name="Message")
    field.fill("Skriven i tunneln")
    field.evaluate(SEND_AND_GO_ON, "Inte klar")
    expect(bubble(page, "Skriven i tunneln")).to_contain_text("Waiting to be sent")
    expect(field).to_have_value("Inte klar")
    elsa.wait_until(lambda: elsa.keeps("only-here/outbox", "Skriven i tunneln"))
    elsa.wait_until(lambda: elsa.keeps(f"only-here/draft-{dm}", "Inte klar"))
    page.reload()
    expect(bubble(page, "Skriven i tunneln")).to_contain_text("Waiting to be sent")
    expect(field).to_have_value("Inte klar")
    elsa.context.set_offline(False)
    expect(page.get_by_text("Waiting to be sent")).to_have_count(0)
    expect(bubble(page, "Skriven i tunneln")).to_have_count(1)
    assert Message.objects.filter(content="Skriven i tunneln").count() == 1


def test_after_sleep_everything_that_happened_is_there(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    page = elsa.page
    elsa.expect_problems(*AWAY)
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(page, "Hej Elsa!")).to_be_visible()
    elsa.context.set_offline(True)
    for number in range(3):
        say(friends[1], dm, f"Medan du sov {number}")
    elsa.context.set_offline(False)
    for number in range(3):
        expect(bubble(page, f"Medan du sov {number}")).to_have_count(1)


def test_an_answer_that_is_newer_than_the_messages_leaves_none_out(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    page = elsa.page

    def lose_events(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(text) if '"ready"' in text else None)

    def say_first(route: Route) -> None:
        if route.request.method == "PATCH" and not Message.objects.filter(content="Hann du?"):
            say(friends[1], dm, "Hann du?")
        route.continue_()

    page.route_web_socket("**/ws", lose_events)
    page.route(f"**/api/conversations/{dm}", say_first)
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(page, "Hej Elsa!")).to_be_visible()
    expect(bubble(page, "Hann du?")).to_be_visible()
    page.unroute_all()


def test_a_chat_that_could_not_be_read_is_read_when_the_service_is_back(elsa: App, dm: str) -> None:
    page = elsa.page
    elsa.expect_refusal(503)
    elsa.open("/app/chats")

    def fail(route: Route) -> None:
        route.fulfill(status=503, json={"success": False, "error": "Try again.", "code": "x"})

    # Until it is seen: a socket that has just opened reads the chat again, too.
    page.route(f"**/api/conversations/{dm}", fail)
    page.get_by_role("link", name="Bo Ek").click()
    expect(page.get_by_text("Try again.")).to_be_visible()
    page.unroute(f"**/api/conversations/{dm}")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(bubble(page, "Hej Elsa!")).to_be_visible()
    expect(page.get_by_text("Try again.")).to_have_count(0)


def test_a_chat_opens_while_another_one_is_still_being_read(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    owls = {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    made = friends[0].post("/api/conversations", owls).json()["conversation"]
    say(friends[0], made["id"], "Hoo")
    page = elsa.page
    elsa.open("/app/chats")
    asked: list[Route] = []

    def keep(route: Route) -> None:
        asked.append(route)

    page.route(f"**/api/conversations/{dm}", keep, times=1)
    page.get_by_role("link", name="Bo Ek").click()
    elsa.wait_until(lambda: bool(asked))
    follow_link(page, f"/app/chats/{made['id']}")
    expect(bubble(page, "Hoo")).to_be_visible()
    asked[0].continue_()
    page.go_back()
    expect(bubble(page, "Hej Elsa!")).to_be_visible()


def test_where_sockets_are_blocked_the_service_is_asked_again_and_again(
    new_app: NewApp, dm: str, friends: tuple[Caller, Caller]
) -> None:
    app = new_app("elsa.nordvall", now=datetime.now(UTC))
    page, is_blocked = app.page, True

    def block(socket: WebSocketRoute) -> None:
        if is_blocked:
            socket.close()
        else:
            socket.connect_to_server()

    def ask_until(shown: Locator) -> None:
        """Every 20 seconds; the answer to an earlier question may still be on its way."""
        for _ in range(5):
            page.clock.fast_forward(20_000)
            with suppress(AssertionError):
                expect(shown).to_be_visible(timeout=5_000)
                return
        expect(shown).to_be_visible()

    page.route_web_socket("**/ws", block)
    app.open("/app/chats")
    row, not_live = page.get_by_role("link", name="Bo Ek"), page.get_by_text("Not live")
    expect(row).to_contain_text("Hej Elsa!")
    expect(not_live).to_be_visible()
    say(friends[1], dm, "Hann du?")
    ask_until(row.filter(has_text="Hann du?"))
    row.click()
    expect(bubble(page, "Hann du?")).to_be_visible()
    expect(not_live).to_be_visible()
    say(friends[1], dm, "Jag väntar")
    ask_until(bubble(page, "Jag väntar"))
    is_blocked = False
    page.clock.fast_forward(60_000)
    expect(not_live).to_have_count(0)
