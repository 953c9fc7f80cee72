"""Mentions in the web app: offered while somebody writes, marked where they are read."""

import pytest
from playwright.sync_api import Route, expect
from pytest_django.fixtures import Settings

from social.models import Mention, Message
from tests.browser.axe_checker import Checker
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller, signed_in
from tests.social_actions import befriend, new_group, say
from tests.webapp.chats import bubble, write
from tests.webapp.people import AWAY, App, NewApp
from tests.webapp.test_chat import PASSPHRASE, create_encrypted_group, unlock

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def group(friends: tuple[Caller, Caller]) -> str:
    alva = signed_in("alva.lind")
    befriend(friends[0], alva, ("elsa.nordvall", "alva.lind"))
    return new_group(friends[0], "bo.ek", "alva.lind")


def test_members_are_offered_after_an_at_sign(elsa: App, group: str, axe: str) -> None:
    page = elsa.page
    elsa.open(f"/app/chats/{group}")
    field = page.get_by_role("textbox", name="Message")
    people = page.get_by_role("listbox", name="Mention somebody")
    field.press_sequentially("Hej @")
    expect(people.get_by_role("option")).to_have_count(2)
    expect(people.get_by_role("option", name="Elsa")).to_have_count(0)
    checker = Checker(page, axe, 800)
    checker.check("mentions")
    assert checker.found == []
    page.keyboard.press("ArrowDown")
    expect(people.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    field.press_sequentially("bo")
    expect(people.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(field).to_have_value("Hej @bo.ek ")
    expect(people).to_have_count(0)
    field.press_sequentially("och @al")
    people.get_by_role("option", name="Alva").click()
    expect(field).to_have_value("Hej @bo.ek och @alva.lind ")
    expect(field).to_be_focused()
    field.press_sequentially("@")
    page.keyboard.press("Escape")
    expect(people).to_have_count(0)
    page.keyboard.press("Backspace")
    page.get_by_role("button", name="Send").click()
    marks = bubble(page, "Hej @bo.ek").locator("mark")
    expect(marks).to_have_text(["@bo.ek", "@alva.lind"])
    expect(marks.first).to_have_attribute("data-own", "false")


def test_who_is_mentioned_sees_it_stronger(
    friends: tuple[Caller, Caller], elsa: App, group: str
) -> None:
    text = "@elsa.nordvall och bo.ek, fråga kim@alva.lind: @alva.lind2"
    say(friends[1], group, f"{text}, sida/@alva.lind, @ingen.alls, @@alva.lind, @Alva.Lind")
    elsa.open(f"/app/chats/{group}")
    marks = bubble(elsa.page, "fråga").locator("mark")
    expect(marks).to_have_text(["@elsa.nordvall", "@Alva.Lind"])
    expect(marks.first).to_have_attribute("data-own", "true")
    expect(marks.last).to_have_attribute("data-own", "false")


def test_nobody_is_offered_where_two_write(elsa: App, dm: str) -> None:
    elsa.open(f"/app/chats/{dm}")
    elsa.page.get_by_role("textbox", name="Message").press_sequentially("@bo")
    expect(elsa.page.get_by_role("listbox")).to_have_count(0)


def test_nobody_is_offered_whom_one_has_blocked(
    friends: tuple[Caller, Caller], elsa: App, group: str
) -> None:
    alva = {"targetUsername": "alva.lind"}
    assert friends[0].post("/api/blocks", alva).status_code == 201
    elsa.open(f"/app/chats/{group}")
    field = elsa.page.get_by_role("textbox", name="Message")
    people = elsa.page.get_by_role("listbox", name="Mention somebody")
    field.press_sequentially("@")
    expect(people.get_by_role("option")).to_have_text(["Bo Ek @bo.ek"])
    assert friends[0].delete("/api/blocks", alva).status_code == 200
    elsa.open(f"/app/chats/{group}")
    field.fill("")
    field.press_sequentially("@")
    expect(people.get_by_role("option")).to_have_count(2)


def test_members_are_offered_also_while_nobody_says_who_is_blocked(elsa: App, group: str) -> None:
    elsa.expect_problems(*AWAY)
    elsa.context.route("**/api/blocks", lambda route: route.abort())
    elsa.open(f"/app/chats/{group}")
    elsa.page.get_by_role("textbox", name="Message").press_sequentially("@")
    people = elsa.page.get_by_role("listbox", name="Mention somebody")
    expect(people.get_by_role("option")).to_have_count(2)


@pytest.mark.parametrize("how", ["mention", "reply", "push"])
def test_a_notification_opens_the_message_that_it_is_about(
    friends: tuple[Caller, Caller], new_app: NewApp, group: str, settings: Settings, how: str
) -> None:
    settings.LIMITS = {"messages": "100/86400"}
    bo = friends[1]
    mine = say(friends[0], group, "Vem har boken?")
    body = {"content": "Jag har den", "replyTo": {"messageId": mine["id"]}}
    if how != "reply":
        body = {"content": "Jag har den, @elsa.nordvall"}
    answer = bo.post(f"/api/conversations/{group}/messages", body)
    assert answer.status_code == 201
    for number in range(60):
        say(bo, group, f"Rad {number}.")
    app = new_app("elsa.nordvall")
    page = app.page
    if how == "push":
        # Where a push leads: the path of the API.
        app.open(f"/app/conversations/{group}?at={answer.json()['message']['seq']}")
    else:
        app.open("/app/notifications")
        row = page.get_by_role("main").get_by_role("listitem").filter(has_text="Bo Ek")
        words = "Mentioned you" if how == "mention" else "Replied to your message"
        row.filter(has_text=words).get_by_role("link").click()
    said = bubble(page, "Jag har den")
    expect(said).to_have_attribute("aria-current", "true")
    expect(said).to_be_in_viewport()
    expect(bubble(page, "Rad 59.")).not_to_be_in_viewport()


def test_a_second_answer_takes_nothing_away_that_was_read_back(
    friends: tuple[Caller, Caller], elsa: App, group: str, settings: Settings
) -> None:
    """The app asks for a chat again when its connection is back, perhaps while it still waits."""
    settings.LIMITS = {"messages": "100/86400"}
    for number in range(70):
        say(friends[1], group, f"Rad {number}.")
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    elsa.context.route(f"**/api/conversations/{group}", hold)
    elsa.open(f"/app/chats/{group}?at=2")
    elsa.wait_until(lambda: len(asked) == 1)
    elsa.page.evaluate("dispatchEvent(new Event('caught-up'))")
    elsa.wait_until(lambda: len(asked) >= 2)
    asked[0].continue_()
    said = bubble(elsa.page, "Rad 1.")
    expect(said).to_have_attribute("aria-current", "true")
    for route in asked[1:]:
        with elsa.page.expect_response(route.request.url) as answer:
            route.continue_()
        answer.value.finished()
    elsa.page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    expect(said).to_have_attribute("aria-current", "true")


def test_a_notification_opens_the_message_of_an_encrypted_group(
    elsa: App, new_app: NewApp, dm: str
) -> None:
    create_encrypted_group(elsa, "Hemligt")
    write(elsa.page, "@bo.ek kom!")
    expect(bubble(elsa.page, "kom!").locator("mark")).to_have_text(["@bo.ek"])
    write(elsa.page, "Annat")
    expect(bubble(elsa.page, "Annat")).to_be_visible()
    expect(elsa.page.get_by_text("Waiting to be sent")).to_have_count(0)
    bo = new_app("bo.ek")
    bo.open("/app/notifications")
    row = bo.page.get_by_role("main").get_by_role("listitem").filter(has_text="Mentioned you")
    row.get_by_role("link").click()
    unlock(bo.page, PASSPHRASE)
    expect(bubble(bo.page, "kom!")).to_have_attribute("aria-current", "true")
    expect(bubble(bo.page, "Annat")).not_to_have_attribute("aria-current", "true")


def test_an_encrypted_message_sends_the_names_beside_it(
    elsa: App, new_app: NewApp, dm: str
) -> None:
    create_encrypted_group(elsa, "Hemligt")
    write(elsa.page, "@bo.ek kom! @nobody")
    expect(bubble(elsa.page, "kom!").locator("mark")).to_have_text(["@bo.ek"])
    assert list(Mention.objects.values_list("account__username", flat=True)) == ["bo.ek"]
    assert "@" not in Message.objects.get(conversation__encryption="aes-gcm").content


def test_the_keyboard_is_never_caught_by_the_list(elsa: App, group: str) -> None:
    page = elsa.page
    elsa.open(f"/app/chats/{group}")
    field = page.get_by_role("textbox", name="Message")
    people = page.get_by_role("listbox")
    field.press_sequentially("kl @")
    expect(people).to_be_visible()
    page.keyboard.press("Enter")
    expect(bubble(page, "kl @")).to_be_visible()
    field.press_sequentially("@b")
    page.keyboard.press("Escape")
    expect(people).to_have_count(0)
    field.fill("")
    field.press_sequentially("@b")
    expect(people).to_be_visible()
    page.keyboard.press("Home")
    expect(people).to_have_count(0)
    page.keyboard.press("End")
    expect(people).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(people).to_have_count(0)
    expect(field).to_have_value("@b")
    expect(field).not_to_be_focused()
    field.fill("")
    field.press_sequentially("https://example.org/@b")
    expect(people).to_have_count(0)
