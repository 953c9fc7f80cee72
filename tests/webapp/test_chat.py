"""Conversations: two browsers, live and encrypted."""

from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from social.models import Message, Report
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.conftest import Caller
from tests.social.aes_group import seal
from tests.social_actions import say
from tests.webapp.chats import bubble, open_choices, write
from tests.webapp.full_app import group
from tests.webapp.people import App, NewApp

pytestmark = NEEDS_CHROMIUM

PASSPHRASE = "blå cyklar i regnet"


def test_two_people_chat_live(elsa: App, new_app: NewApp, dm: str) -> None:
    bo = new_app("bo.ek", language="sv")
    elsa.open("/app/chats")
    row = elsa.page.get_by_role("link", name="Bo Ek")
    expect(row).to_contain_text("1 unread")
    row.click()
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    bo.open(f"/app/chats/{dm}")
    writes = elsa.page.get_by_text("Bo Ek writes …")

    def elsa_sees_him_write() -> bool:
        """What he writes before his socket is open is told to nobody."""
        bo.page.get_by_role("textbox", name="Meddelande").press_sequentially("Ko", delay=20)
        return writes.is_visible()

    wait_until(elsa_sees_him_write)
    bo.page.get_by_role("textbox", name="Meddelande").fill("Kommer du?")
    bo.page.get_by_role("button", name="Skicka").click()
    expect(bubble(elsa.page, "Kommer du?")).to_be_visible()
    write(elsa.page, "Ja, snart")
    expect(bubble(bo.page, "Ja, snart")).to_be_visible()
    expect(elsa.page.get_by_text("Online")).to_be_visible()


def test_reply_react_edit_pin_and_delete(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    page = elsa.page
    elsa.open(f"/app/chats/{dm}")
    open_choices(page, "Hej Elsa!")
    page.get_by_role("button", name="React with 👍").click()
    expect(page.get_by_role("button", name="👍 from Elsa Nordvall")).to_be_visible()
    open_choices(page, "Hej Elsa!")
    page.get_by_role("button", name="Reply").click()
    write(page, "Hej Bo")
    expect(bubble(page, "Hej Bo").get_by_role("blockquote")).to_contain_text("Hej Elsa!")
    open_choices(page, "Hej Bo")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Message").fill("Hejsan Bo")
    page.get_by_role("button", name="Save").click()
    expect(bubble(page, "Hejsan Bo")).to_contain_text("edited")
    open_choices(page, "Hejsan Bo")
    page.get_by_role("button", name="Pin").click()
    expect(bubble(page, "Hejsan Bo")).to_contain_text("Pinned")
    open_choices(page, "Hejsan Bo")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("The message was deleted.")).to_be_visible()
    assert Message.objects.filter(deleted_at__isnull=False).count() == 1


def test_a_message_is_reported_in_two_taps_or_in_own_words(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    page = elsa.page
    say(friends[1], dm, "Svara då!")
    elsa.open(f"/app/chats/{dm}")
    open_choices(page, "Hej Elsa!")
    page.get_by_role("button", name="Bullying").click()
    expect(page.get_by_text("Your report was sent.")).to_be_visible()
    assert Report.objects.get().reason == "bullying"
    page.get_by_role("button", name="Close").click()
    open_choices(page, "Svara då!")
    page.get_by_role("button", name="Report in your own words").click()
    page.get_by_label("Do you want to say more?").fill("Det är tredje gången.")
    page.get_by_role("button", name="A threat").click()
    expect(page.get_by_text("Your report was sent.")).to_be_visible()
    report = Report.objects.exclude(reason="bullying").get()
    assert (report.reason, report.text) == ("threat", "Det är tredje gången.")


def test_earlier_messages_are_read_when_asked_for(
    elsa: App, dm: str, friends: tuple[Caller, Caller], settings: Settings
) -> None:
    settings.LIMITS = {"messages": "100/86400"}
    for number in range(70):
        say(friends[1], dm, f"Rad {number}.")
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Rad 69.")).to_be_visible()
    expect(bubble(elsa.page, "Hej Elsa!")).to_have_count(0)
    elsa.page.get_by_role("button", name="Show earlier messages").click()
    expect(bubble(elsa.page, "Hej Elsa!")).to_have_count(1)


def test_an_encrypted_group_is_read_by_those_who_know_the_passphrase_and_renamed_for_all(
    elsa: App, new_app: NewApp, dm: str
) -> None:
    page = elsa.page
    create_encrypted_group(elsa, "Hemligt")
    write(page, "Ingen annan ser det här")
    expect(bubble(page, "Ingen annan ser det här")).to_have_count(1)
    expect(page.get_by_text("Waiting to be sent")).to_have_count(0)

    bo = new_app("bo.ek")
    bo.open("/app/chats")
    bo.page.get_by_role("link", name="Hemligt").click()
    expect(bo.page.get_by_text("Ask Elsa Nordvall for it")).to_be_visible()
    unlock(bo.page, "fel lösenfras")
    expect(bo.page.get_by_text("This is not the group's passphrase.")).to_be_visible()
    unlock(bo.page, PASSPHRASE)
    expect(bubble(bo.page, "Ingen annan ser det här")).to_be_visible()
    write(bo.page, "Nu ser jag det")
    expect(bubble(page, "Nu ser jag det")).to_be_visible()
    bo.page.reload()  # the key stays in the browser
    expect(bubble(bo.page, "Nu ser jag det")).to_be_visible()
    stored = list(Message.objects.filter(conversation__encryption="aes-gcm"))
    assert len(stored) == 2
    assert not any(" " in message.content for message in stored)

    bo.page.get_by_role("link", name="Back").click()
    expect(bo.page.get_by_role("link", name="Hemligt")).to_be_visible()
    page.get_by_role("link", name="About this chat").click()
    page.get_by_role("textbox", name="Name of the group").fill("Grupp två")
    page.get_by_role("button", name="Save").click()
    expect(bo.page.get_by_role("link", name="Grupp två")).to_be_visible()
    page.get_by_role("button", name="Leave the group").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the group").click()
    elsa.heading("Chats")
    expect(page.get_by_role("link", name="Grupp två")).to_have_count(0)


def test_the_list_says_in_the_app_s_language_what_has_no_text_to_show(
    friends: tuple[Caller, Caller], dm: str, new_app: NewApp
) -> None:
    locked = group(friends[1], "Hemligt", "elsa.nordvall", encrypted=True)
    say(friends[1], locked, seal(b"x" * 32, "Ingen annan ser det här"))
    deleted = say(friends[1], dm, "Hoppsan")
    assert friends[1].delete(f"/api/conversations/{dm}/{deleted['id']}").status_code == 200
    elsa = new_app("elsa.nordvall", language="sv")
    elsa.open("/app/chats")
    for words in ("Bo Ek: Krypterat meddelande", "Borttaget meddelande"):
        expect(elsa.page.get_by_text(words, exact=True)).to_be_visible()

    # Who comes later sees no message, and is asked for the passphrase that is there all the same.
    path = f"/api/conversations/{locked}"
    back = {"action": "add_member", "targetUsername": "elsa.nordvall"}
    assert friends[0].patch(path, {"action": "leave"}).status_code == 200
    assert friends[1].patch(path, back).status_code == 200
    elsa.open(f"/app/chats/{locked}")
    expect(elsa.page.get_by_role("textbox", name="Gruppens lösenfras")).to_be_visible()


def create_encrypted_group(app: App, name: str) -> None:
    """With Bo; one friend and no encryption would make a direct conversation."""
    app.open("/app/chats/new")
    app.page.get_by_role("checkbox", name="Bo Ek").check()
    app.page.get_by_role("checkbox", name="Encrypted").check()
    app.page.get_by_role("textbox", name="Name of the group").fill(name)
    create = app.page.get_by_role("button", name="Create the group")
    for first, again, fault in (
        ("kort", "kort", "At least 12 characters."),
        (PASSPHRASE, PASSPHRASE + "x", "The two are not the same."),
        (PASSPHRASE, PASSPHRASE, ""),
    ):
        app.page.get_by_role("textbox", name="Choose a passphrase").fill(first)
        app.page.get_by_role("textbox", name="The passphrase again").fill(again)
        create.click()
        if fault:
            expect(app.page.get_by_text(fault, exact=True)).to_be_visible()
    app.heading(name)


def test_a_message_keeps_its_indentation_and_runs_in_its_own_direction(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    say(friends[1], dm, "for each:\n    print(each)")
    say(friends[1], dm, "שלום לכם")
    elsa.open(f"/app/chats/{dm}")
    code = bubble(elsa.page, "print").locator(".written")
    expect(code).to_have_css("white-space", "pre-wrap")
    assert "\n    print" in code.inner_text()
    hebrew = bubble(elsa.page, "שלום").locator(".written")
    expect(hebrew).to_have_css("direction", "rtl")
    write_field = elsa.page.get_by_role("textbox", name="Message")
    write_field.fill("שלום")
    expect(write_field).to_have_css("direction", "rtl")


def unlock(page: Page, passphrase: str) -> None:
    page.get_by_role("textbox", name="The group's passphrase").fill(passphrase)
    page.get_by_role("button", name="Open").click()
