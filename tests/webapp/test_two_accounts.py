"""Two accounts in one browser: a page shows, keeps and writes nothing for another one than the one
that it shows."""

import pytest
from playwright.sync_api import Download, Route, WebSocketRoute, expect

from accounts.models import ServiceSession
from social.models import Membership, Message
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social_actions import say
from tests.webapp.chats import bubble, write
from tests.webapp.one_device import (
    has_started_again,
    left_of_elsa,
    shows,
    tab,
    wait_until_nothing_is_left,
)
from tests.webapp.people import AWAY, App, NewApp

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.service_worker]


def test_a_tab_with_the_sign_in_form_follows_who_signs_in_in_another_tab(new_app: NewApp) -> None:
    first = new_app()
    second = tab(first)
    for each in (first, second):
        each.open()
        each.heading("Sign in")
    first.sign_in("alva.lind")
    second.heading("Today")
    shows(second, "Alva Lind")


def test_of_two_sign_ins_at_once_both_tabs_show_the_first(new_app: NewApp) -> None:
    first = new_app()
    second = tab(first)
    # As in a tab that the browser has put to sleep.
    second.page.add_init_script("BroadcastChannel.prototype.postMessage = () => undefined")
    second.page.add_init_script(
        "Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {set() {}})"
    )
    for each in (first, second):
        each.open()
        each.heading("Sign in")
    first.sign_in("alva.lind")
    second.heading("Sign in")
    second.sign_in("elsa.nordvall")
    assert ServiceSession.objects.get().account.username == "alva.lind"
    shows(second, "Alva Lind")
    shows(first, "Alva Lind")


def test_signing_out_in_one_tab_signs_out_the_others(elsa: App, dm: str) -> None:
    second = tab(elsa)
    second.open(f"/app/chats/{dm}")
    expect(bubble(second.page, "Hej Elsa!")).to_be_visible()
    elsa.open("/app/settings")
    elsa.page.get_by_role("button", name="Sign out").click()
    wait_until_nothing_is_left(elsa)
    second.heading("Sign in")
    assert left_of_elsa(second) == []


def test_what_somebody_writes_is_not_sent_in_the_name_of_who_has_signed_in_since(
    elsa: App, dm: str
) -> None:
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    # Else that would be what is sent in her name, and starts the app again.
    elsa.wait_until(
        Membership.objects.filter(account__username="elsa.nordvall", last_read_seq=1).exists
    )
    elsa.enter("alva.lind")
    write(elsa.page, "Hej, Elsa var det")
    has_started_again(elsa)
    shows(elsa, "Alva Lind")
    assert left_of_elsa(elsa) == []
    assert not Message.objects.filter(content="Hej, Elsa var det").exists()


def test_an_unsent_message_does_not_leave_as_somebody_elses(elsa: App, dm: str) -> None:
    elsa.expect_problems(*AWAY)
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    elsa.context.set_offline(True)
    write(elsa.page, "Hej ur tunneln")
    expect(bubble(elsa.page, "Hej ur tunneln")).to_contain_text("Waiting to be sent")
    elsa.wait_until(lambda: elsa.keeps("only-here/outbox", "Hej ur tunneln"))
    elsa.page.close()
    elsa.context.set_offline(False)
    elsa.enter("alva.lind")
    again = tab(elsa)
    again.open("/app/more")
    has_started_again(again)
    shows(again, "Alva Lind")
    assert left_of_elsa(again) == []
    assert not Message.objects.filter(content="Hej ur tunneln").exists()


def test_what_the_service_says_to_the_other_account_is_not_kept(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    """An answer that was asked for before, and comes after somebody else has signed in."""
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    elsa.page.route("**/api/friends", hold, times=1)
    elsa.open("/app/people")
    elsa.wait_until(lambda: bool(asked))
    elsa.enter("alva.lind")
    second = tab(elsa)
    second.open()
    second.heading("Today")
    asked[0].continue_()
    has_started_again(elsa)
    shows(elsa, "Alva Lind")
    assert left_of_elsa(elsa) == []


def test_a_tab_that_wakes_up_hears_who_has_signed_in(elsa: App) -> None:
    second = tab(elsa)
    second.page.add_init_script(
        "Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {set() {}})"
    )
    second.open("/app/more")
    second.heading("More")
    elsa.open("/app/settings")
    elsa.page.get_by_role("button", name="Sign out").click()
    elsa.heading("Sign in")
    elsa.sign_in("alva.lind")
    second.page.evaluate("dispatchEvent(new Event('focus'))")
    has_started_again(second)
    shows(second, "Alva Lind")


def test_a_socket_of_somebody_else_is_not_heard(
    elsa: App, dm: str, friends: tuple[Caller, Caller]
) -> None:
    """The cookies change between two connections of a page that asks for nothing else."""
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    elsa.page.route_web_socket("**/ws", connect)
    elsa.open("/app/settings/account")
    elsa.heading("Your data")
    elsa.wait_until(lambda: bool(sockets))
    elsa.enter("alva.lind")
    sockets[0].close()
    has_started_again(elsa)
    shows(elsa, "Alva Lind")
    say(friends[0], dm, "Hej igen")
    assert left_of_elsa(elsa) == []


def test_the_download_of_ones_data_is_ones_own(elsa: App) -> None:
    elsa.open("/app/settings/account")
    elsa.heading("Your data")
    # No answer tells the page of Alva before the click.
    elsa.page.wait_for_load_state("networkidle")
    elsa.enter("alva.lind")
    downloads: list[Download] = []

    def keep(download: Download) -> None:
        downloads.append(download)

    elsa.page.on("download", keep)
    elsa.page.get_by_role("link", name="Download your data").click()
    has_started_again(elsa)
    shows(elsa, "Alva Lind")
    assert downloads == []


def test_the_choice_of_a_child_is_nobody_elses(new_app: NewApp) -> None:
    app = new_app("eva.ek")
    app.open()
    app.page.get_by_role("button", name="Alva Lind").click()
    app.enter("elsa.nordvall")
    app.open("/app/more")
    has_started_again(app)
    shows(app, "Elsa Nordvall")
    assert not any("eva.ek" in name + text for _, name, text in app.kept())


def test_the_browser_keeps_no_answers_beside_the_app(elsa: App) -> None:
    """What it kept of its own could not be taken away when somebody signs out."""
    with elsa.page.expect_response("**/api/schedule?*") as asked:
        elsa.open("/app/week")
    asked.value.finished()
    ask = "address => fetch(address, {cache: 'force-cache'}).then(() => 'kept', () => 'gone')"
    elsa.expect_problems(*AWAY)
    elsa.context.set_offline(True)
    assert elsa.page.evaluate(ask, asked.value.url) == "gone"
    elsa.context.set_offline(False)
