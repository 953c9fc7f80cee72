"""Reporting where one sees it: invites, friend requests, and messages that were changed since."""

import pytest
from playwright.sync_api import Page, expect

from social.models import Report
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social.cast import Cast, befriend
from tests.social_actions import say
from tests.webapp.chats import bubble, open_choices
from tests.webapp.people import DESKTOP, App, NewApp
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM

INSULT = "Elsa är ful"


@pytest.fixture
def cast(simulator: Simulator, transactional_db: None) -> Cast:
    return Cast()


def reported(kind: str, page: Page) -> Report:
    """The only report, which the page says was sent."""
    expect(page.get_by_text("Your report was sent.")).to_be_visible()
    report = Report.objects.select_related("case").get()
    assert report.case.target_type == kind
    return report


def look_again(page: Page) -> None:
    """The app asks what has changed, as after a break of the connection: it does not hear of what
    the process of the tests does."""
    page.evaluate("dispatchEvent(new Event('online'))")


def test_an_invite_is_reported_also_when_it_is_withdrawn_meanwhile(
    cast: Cast, new_app: NewApp
) -> None:
    befriend(cast.bo, cast.alva)
    group = cast.bo.group(cast.alva, cast.elsa, groupName=INSULT)
    (invite,) = cast.elsa.invites()
    elsa = new_app("elsa.nordvall", size=DESKTOP)
    elsa.open("/app/people")
    card = elsa.page.get_by_role("listitem").filter(has_text="Bo Ek invites you.")
    card.get_by_role("button", name="Report").click()
    withdrawn = cast.bo.delete(f"/api/group-invites?inviteId={invite['id']}")
    assert withdrawn.status_code == 200
    look_again(elsa.page)
    expect(card).to_have_count(0)
    elsa.page.get_by_role("button", name="Bullying").click()
    report = reported("invite", elsa.page)
    assert report.case.person_id == cast.bo.account_id
    assert INSULT in str(report.evidence)
    assert group["id"] not in report.case.target_id


def test_a_friend_request_is_reported_also_when_it_is_withdrawn_meanwhile(
    cast: Cast, new_app: NewApp
) -> None:
    asked = cast.bo.post("/api/friends", {"targetUsername": cast.elsa.username})
    assert asked.status_code == 201
    elsa = new_app("elsa.nordvall")
    elsa.open("/app/people")
    request = elsa.page.get_by_role("listitem").filter(has_text="Bo Ek")
    report_button = request.get_by_role("button", name="Report")
    expect(report_button).to_have_accessible_description("Bo Ek")
    report_button.click()
    taken_back = cast.bo.delete("/api/friends", {"targetUsername": cast.elsa.username})
    assert taken_back.status_code == 200
    look_again(elsa.page)
    expect(request).to_have_count(0)
    elsa.page.get_by_role("textbox", name="Do you want to say more?").fill("Igen!")
    elsa.page.get_by_role("button", name="Spam").click()
    report = reported("friend_request", elsa.page)
    assert (report.text, report.case.person_id) == ("Igen!", cast.bo.account_id)


def test_a_deleted_message_is_reported_and_nothing_else_is_offered(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    message = say(friends[1], dm, INSULT)
    own = say(friends[0], dm, "Oj")
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, INSULT)).to_be_visible()
    for caller, sent in ((friends[1], message), (friends[0], own)):
        assert caller.delete(f"/api/conversations/{dm}/{sent['id']}").status_code == 200
    look_again(elsa.page)
    deleted = bubble(elsa.page, "The message was deleted.")
    expect(deleted).to_have_count(2)
    # One's own is not reported.
    expect(deleted.get_by_role("button", name="More")).to_have_count(1)
    deleted.first.hover()
    deleted.first.get_by_role("button", name="More").click()
    dialog = elsa.page.get_by_role("dialog")
    expect(dialog.get_by_text("Staff can read what it said before")).to_be_visible()
    for name in ("Reply", "Copy", "Pin", "React with 👍"):
        expect(dialog.get_by_role("button", name=name)).to_have_count(0)
    dialog.get_by_role("button", name="Bullying").click()
    assert INSULT in str(reported("message", elsa.page).evidence)


def test_an_edited_message_is_reported_with_what_it_said_before(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    message = say(friends[1], dm, INSULT)
    edit = {"action": "edit", "content": "Vi ses"}
    edited = friends[1].patch(f"/api/conversations/{dm}/{message['id']}", edit)
    assert edited.status_code == 200
    elsa.open(f"/app/chats/{dm}")
    open_choices(elsa.page, "Vi ses")
    expect(elsa.page.get_by_text("Staff can read what it said before")).to_be_visible()
    elsa.page.get_by_role("button", name="Bullying").click()
    assert INSULT in str(reported("message", elsa.page).evidence)
