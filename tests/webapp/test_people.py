"""Other people: searched, asked to be friends, written to, reported, blocked; and invites."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from social.models import Block, Case, Friendship, Membership, Report
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social.cast import Cast, befriend
from tests.social.friend_requests import ask
from tests.webapp.people import AWAY, NewApp
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def cast(simulator: Simulator, transactional_db: None) -> Cast:
    """Elsa, who has a group with a teacher, her friend, and invites Alva."""
    cast = Cast()
    befriend(cast.elsa, cast.teacher)
    group = cast.elsa.group(cast.teacher)
    assert cast.elsa.invite(group, cast.alva).status_code == 201
    return cast


def search_for(page: Page, text: str) -> Locator:
    """What the search shows."""
    page.get_by_role("textbox", name="Search for people").fill(text)
    return page.get_by_role("region", name="Search results")


def test_somebody_is_found_asked_and_written_to_while_both_are_here(new_app: NewApp) -> None:
    elsa, bo = new_app("elsa.nordvall"), new_app("bo.ek")
    for app in (bo, elsa):
        app.open("/app/people")
        expect(app.page.get_by_text("You have no friends here yet.")).to_be_visible()
    expect(search_for(elsa.page, "zzz")).to_have_text("Nobody was found.")
    search_for(elsa.page, "bo e").get_by_role("link", name="Bo Ek").click()
    elsa.heading("Bo Ek")
    elsa.page.get_by_role("button", name="Add friend").click()
    expect(elsa.page.get_by_role("button", name="Withdraw request")).to_be_visible()

    expect(bo.page.get_by_role("heading", name="Friend requests")).to_be_visible()
    bo.page.get_by_role("button", name="Accept").click()
    expect(bo.page.get_by_role("heading", name="Friend requests")).to_have_count(0)
    expect(bo.page.get_by_role("link", name="Elsa Nordvall")).to_be_visible()
    expect(elsa.page.get_by_role("button", name="Remove friend")).to_be_visible()
    assert Friendship.objects.get().status == Friendship.ACCEPTED

    elsa.page.get_by_role("button", name="Message").click()
    elsa.heading("Bo Ek")
    elsa.page.get_by_role("textbox", name="Message").fill("Hej Bo!")
    elsa.page.get_by_role("button", name="Send").click()
    bo.page.get_by_role("link", name="Chats").click()
    expect(bo.page.get_by_role("link", name="Elsa Nordvall")).to_contain_text("Hej Bo!")


def test_a_person_is_reported_and_blocked_in_two_taps_each_and_neither_finds_the_other(
    friends: tuple[Caller, Caller], new_app: NewApp
) -> None:
    elsa, bo = new_app("elsa.nordvall"), new_app("bo.ek")
    bo.expect_refusal(404)
    page = elsa.page
    elsa.open("/app/people/bo.ek")
    page.get_by_role("button", name="Report").click()
    page.get_by_role("button", name="A threat").click()
    expect(page.get_by_text("Your report was sent.")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    report = Report.objects.select_related("case").get()
    assert (report.reason, report.case.target_type) == ("threat", "profile")

    page.get_by_role("button", name="Block").click()
    page.get_by_role("button", name="Yes, block").click()
    expect(page.get_by_text("You have blocked this person.")).to_be_visible()
    expect(page.get_by_role("button", name="Message")).to_have_count(0)
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_text("You have no friends here yet.")).to_be_visible()
    expect(search_for(page, "bo ek")).to_have_text("Nobody was found.")

    bo.open("/app/people")
    expect(search_for(bo.page, "elsa")).to_have_text("Nobody was found.")
    bo.open("/app/people/elsa.nordvall")
    bo.heading("Nobody here")
    # What she wrote about him in her profile can be reported all the same.
    bo.page.get_by_role("button", name="Report").click()
    bo.page.get_by_role("button", name="Bullying").click()
    expect(bo.page.get_by_text("Your report was sent.")).to_be_visible()
    assert Case.objects.filter(person__username="elsa.nordvall").count() == 1

    elsa.open("/app/settings/blocked")
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("You have not blocked anybody.")).to_be_visible()
    assert Block.objects.count() == 0


def test_an_invite_names_the_members_and_who_of_them_is_an_adult(
    cast: Cast, new_app: NewApp
) -> None:
    alva = new_app("alva.lind")
    alva.open("/app/people")
    invite = alva.page.get_by_role("listitem").filter(has_text="Elsa Nordvall invites you.")
    expect(invite.get_by_role("heading", name="Ugglorna")).to_be_visible()
    members = invite.get_by_role("listitem")
    expect(members).to_have_text(["Elsa Nordvall", "Torbjörn Ekvik Adult: teacher"])
    invite.get_by_role("button", name="Accept").click()
    alva.heading("Ugglorna")
    expect(alva.page.get_by_role("textbox", name="Message")).to_be_visible()
    assert Membership.objects.filter(account=cast.alva.account_id).count() == 1


def test_a_teacher_is_offered_nothing_that_would_be_refused(
    friends: tuple[Caller, Caller], new_app: NewApp
) -> None:
    teacher = new_app("torbjörn.ekvik")
    teacher.open("/app/people/elsa.nordvall")
    nothing = "You cannot write to Elsa Nordvall or ask to be friends now."
    expect(teacher.page.get_by_text(nothing)).to_be_visible()
    for name in ("Add friend", "Message"):
        expect(teacher.page.get_by_role("button", name=name)).to_have_count(0)
    assert ask(friends[0], "torbjörn.ekvik").status_code == 201
    teacher.open("/app/people/elsa.nordvall")
    teacher.page.get_by_role("button", name="Accept").click()
    expect(teacher.page.get_by_role("button", name="Message")).to_be_visible()


def test_without_a_connection_it_says_so_once_and_reads_all_of_it_again(
    cast: Cast, new_app: NewApp
) -> None:
    app = new_app("alva.lind")
    app.expect_problems(*AWAY)
    page = app.page
    page.route(re.compile("/api/(friends|group-invites)"), lambda route: route.abort())
    app.open("/app/people")
    expect(page.get_by_role("alert")).to_be_visible()
    app.wait_until(lambda: any("group-invites" in each for each in app.every_problem()))
    expect(page.get_by_role("alert")).to_have_count(1)
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Invites to groups")).to_be_visible()
    expect(page.get_by_role("heading", name="Friends")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
