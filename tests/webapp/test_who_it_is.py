"""Nobody passes for somebody else in the app: adults are marked, the name at school stands beside
another display name, and where two have the same name, their public names tell them apart."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller, signed_in
from tests.social_actions import befriend, dm_of, say
from tests.webapp.chats import bubble
from tests.webapp.full_app import group
from tests.webapp.one_device import call_from_other_device
from tests.webapp.people import DESKTOP, App, NewApp

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def imitator(friends: tuple[Caller, Caller]) -> tuple[Caller, Caller, Caller]:
    """Elsa; Bo, her friend, who calls himself as her friend Alva is called; and Alva."""
    elsa, bo = friends
    alva = signed_in("alva.lind")
    befriend(elsa, alva, ("elsa.nordvall", "alva.lind"))
    befriend(bo, alva, ("bo.ek", "alva.lind"))
    assert bo.put("/api/profile", {"displayName": "Alva Lind"}).status_code == 200
    return elsa, bo, alva


def picture(page: Page, name: str) -> None:
    page.screenshot(path=f"var/screenshots/who-it-is/{name}.png", full_page=True)


def test_lists_show_the_real_name_and_tell_namesakes_apart(
    imitator: tuple[Caller, Caller, Caller], new_app: NewApp
) -> None:
    elsa, bo, alva = imitator
    for friend, username in ((bo, "bo.ek"), (alva, "alva.lind")):
        say(friend, dm_of(elsa, username), "Hej Elsa!")
    app = new_app("elsa.nordvall")
    page = app.page
    for path in ("/app/people", "/app/chats", "/app/chats/new"):
        app.open(path)
        rows = page.get_by_role("main").get_by_role("listitem").filter(has_text="Alva Lind")
        expect(rows).to_have_count(2)
        bos = rows.filter(has_text="(Bo Ek)")
        expect(bos).to_have_count(1)
        expect(bos).to_contain_text("bo.ek")
        expect(rows.filter(has_text="alva.lind")).to_have_count(1)
        expect(rows.filter(has_text="alva.lind")).not_to_contain_text("Bo Ek")
        picture(page, f"{path.strip('/').replace('/', '-')}-360")
    page.set_viewport_size(DESKTOP)
    picture(page, "new-chat-1280")
    app.open("/app/people")
    page.get_by_role("textbox", name="Search for people").fill("alva lind")
    found = page.get_by_role("region", name="Search results").get_by_role("listitem")
    expect(found).to_have_count(2)
    expect(found.filter(has_text="Bo Ek")).to_contain_text("bo.ek")
    expect(found.filter(has_text="Bo Ek")).to_contain_text("Björkdal")
    picture(page, "search-1280")


def test_a_chat_shows_the_real_name_and_messages_in_a_group_too(
    imitator: tuple[Caller, Caller, Caller], new_app: NewApp
) -> None:
    elsa, bo, _ = imitator
    dm = dm_of(elsa, "bo.ek")
    say(bo, dm, "Det är jag, Alva")
    owls = group(elsa, "Ugglorna", "bo.ek")
    adding = {"action": "add_member", "targetUsername": "alva.lind"}
    assert elsa.patch(f"/api/conversations/{owls}", adding).status_code == 200
    said = say(bo, owls, "Lita på mig")
    quoting = {"content": "Vem är du?", "replyTo": {"messageId": said["id"]}}
    assert elsa.post(f"/api/conversations/{owls}/messages", quoting).status_code == 201
    app = new_app("elsa.nordvall")
    page = app.page
    app.open(f"/app/chats/{dm}")
    expect(bubble(page, "Det är jag, Alva")).to_be_visible()
    expect(page.get_by_text("Name at school: Bo Ek")).to_be_visible()
    picture(page, "dm-360")
    app.open(f"/app/chats/{owls}")
    expect(bubble(page, "Lita på mig").first).to_contain_text("Alva Lind (Bo Ek) bo.ek")
    expect(bubble(page, "Vem är du?").locator("blockquote")).to_contain_text("Bo Ek")
    picture(page, "group-360")
    app.open(f"/app/chats/{owls}/about")
    members = page.get_by_role("region", name="Members").get_by_role("listitem")
    expect(members.filter(has_text="Bo Ek")).to_contain_text("bo.ek")
    expect(members.filter(has_text="alva.lind")).to_have_count(1)
    app.open("/app/chats")
    row = page.get_by_role("listitem").filter(has_text="Ugglorna")
    expect(row).to_be_visible()
    app.open("/app/people/bo.ek")
    expect(page.get_by_text("Name at school: Bo Ek")).to_be_visible()


def test_a_new_display_name_is_seen_through_at_once(elsa: App, dm: str) -> None:
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    renamed = {"displayName": "Bosse"}
    call_from_other_device(elsa, "PUT", "/api/profile", renamed, username="bo.ek")
    elsa.heading("Bosse")
    expect(elsa.page.get_by_text("Name at school: Bo Ek")).to_be_visible()


@pytest.mark.parametrize(("language", "adult"), [("en", "Adult: teacher"), ("sv", "Vuxen: lärare")])
def test_adults_are_marked_in_words(
    friends: tuple[Caller, Caller], new_app: NewApp, language: str, adult: str
) -> None:
    elsa = friends[0]
    teacher = signed_in("torbjörn.ekvik")
    befriend(elsa, teacher, ("elsa.nordvall", "torbjörn.ekvik"))
    dm = dm_of(elsa, "torbjörn.ekvik")
    say(teacher, dm, "Glöm inte provet")
    class_group = group(elsa, "Biologi", "torbjörn.ekvik")
    say(teacher, class_group, "Hej allihop")
    app = new_app("elsa.nordvall", language=language, size=DESKTOP)
    page = app.page
    for path in ("/app/people", "/app/chats", "/app/chats/new", f"/app/chats/{dm}"):
        app.open(path)
        expect(page.get_by_role("main").get_by_text(adult).first).to_be_visible()
        picture(page, f"adult-{path.strip('/').split('/')[-1][:8]}-{language}-1280")
    app.open(f"/app/chats/{class_group}")
    expect(bubble(page, "Hej allihop")).to_contain_text(adult)
    app.open(f"/app/chats/{class_group}/about")
    expect(page.get_by_role("main").get_by_text(adult)).to_be_visible()
