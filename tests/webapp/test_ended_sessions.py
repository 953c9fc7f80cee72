"""Sessions that end elsewhere, or without a connection: the device forgets everything at once."""

import pytest
from playwright.sync_api import WebSocketRoute, expect

from accounts.models import Account, ServiceSession
from accounts.services.suspension import suspend_account
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.webapp.chats import bubble, write
from tests.webapp.one_device import (
    call_from_other_device,
    end_elsas_other_logins,
    hear_no_events,
    left_of_elsa,
    shows,
    tab,
    wait_until_nothing_is_left,
    wake,
)
from tests.webapp.people import AWAY, App
from upstream.simulator.server import Simulator

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.service_worker]

FORGOTTEN = "This device has forgotten everything that it kept of you."


@pytest.fixture
def reading(elsa: App, dm: str) -> App:
    """Elsa's app with her conversation open, and with all of it on the device."""
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    elsa.page.get_by_role("textbox", name="Message").fill("Hej, inte klar")
    elsa.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    elsa.wait_until(lambda: elsa.keeps("chats", "Hej Elsa!"))
    elsa.wait_until(lambda: elsa.keeps(f"only-here/draft-{dm}", "Hej, inte klar"))
    assert len(left_of_elsa(elsa)) > 2
    elsa.expect_problems(*AWAY)
    return elsa


def suspend_elsa() -> None:
    account = Account.objects.get(username="elsa.nordvall")
    suspend_account(account.pk, reason="Hot mot andra.")


def test_a_session_that_another_device_ends_is_forgotten_at_once(reading: App) -> None:
    end_elsas_other_logins(reading)
    wait_until_nothing_is_left(reading)
    expect(reading.page.get_by_text(FORGOTTEN)).to_be_visible()


def test_a_tab_that_slept_forgets_when_it_wakes_up(elsa: App, dm: str) -> None:
    hear_no_events(elsa)
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    end_elsas_other_logins(elsa)
    assert left_of_elsa(elsa) != []
    wake(elsa)
    wait_until_nothing_is_left(elsa)


def test_a_device_without_a_connection_forgets_when_it_has_one(reading: App) -> None:
    reading.context.set_offline(True)
    end_elsas_other_logins(reading)
    reading.context.set_offline(False)
    wait_until_nothing_is_left(reading)


def test_an_app_that_was_closed_forgets_when_it_is_opened(reading: App) -> None:
    reading.page.close()
    end_elsas_other_logins(reading)
    again = tab(reading)
    again.open()
    wait_until_nothing_is_left(again)


def test_a_suspension_is_explained_and_everything_forgotten(reading: App, dm: str) -> None:
    """Which the page hears of when its socket opens again."""
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    reading.expect_refusal(403)
    reading.page.route_web_socket("**/ws", connect)
    reading.open(f"/app/chats/{dm}")
    expect(bubble(reading.page, "Hej Elsa!")).to_be_visible()
    reading.wait_until(lambda: bool(sockets))
    suspend_elsa()
    sockets[0].close()
    wait_until_nothing_is_left(reading)
    expect(reading.page.get_by_text("Hot mot andra.")).to_be_visible()


def test_a_suspension_that_was_slept_through_is_explained_and_everything_forgotten(
    elsa: App, dm: str
) -> None:
    elsa.expect_refusal(403)
    hear_no_events(elsa)
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Hej Elsa!")).to_be_visible()
    suspend_elsa()
    wake(elsa)
    wait_until_nothing_is_left(elsa)
    expect(elsa.page.get_by_text("Hot mot andra.")).to_be_visible()


def test_an_account_that_is_erased_elsewhere_is_forgotten_here(reading: App) -> None:
    call_from_other_device(reading, "DELETE", "/api/account", {"password": "elsa-demo"})
    wait_until_nothing_is_left(reading)


def test_when_only_the_time_of_a_session_is_over_what_was_not_sent_stays(
    reading: App, dm: str, simulator: Simulator
) -> None:
    """And nothing else: the rest can be read again."""
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    simulator.state.kill_tokens(elsa)
    simulator.state.kill_web_sessions(elsa)
    reading.page.evaluate("dispatchEvent(new Event('online'))")
    expect(reading.page.get_by_text("You have to sign in again.")).to_be_visible()
    reading.wait_until(
        lambda: (
            {name for _, name, _ in left_of_elsa(reading)}
            == {f"elsa.nordvall only-here/draft-{dm}"}
        )
    )
    reading.sign_in()
    expect(reading.page.get_by_role("textbox", name="Message")).to_have_value("Hej, inte klar")


def test_what_stayed_of_somebody_goes_when_somebody_else_signs_in(
    reading: App, simulator: Simulator
) -> None:
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    simulator.state.kill_tokens(elsa)
    simulator.state.kill_web_sessions(elsa)
    reading.page.evaluate("dispatchEvent(new Event('online'))")
    expect(reading.page.get_by_text("You have to sign in again.")).to_be_visible()
    reading.sign_in("alva.lind")
    reading.wait_until(lambda: left_of_elsa(reading) == [])
    shows(reading, "Alva Lind")


def sign_out_offline(app: App) -> None:
    app.page.get_by_role("link", name="More").click()
    app.page.get_by_role("link", name="Settings", exact=True).click()
    app.heading("Settings")
    app.context.set_offline(True)
    app.page.get_by_role("button", name="Sign out").click()
    expect(app.page.get_by_text("There is no connection now")).to_be_visible()
    app.wait_until(lambda: left_of_elsa(app) == [])
    assert ServiceSession.objects.filter(account__username="elsa.nordvall").count() == 2


def elsas_logins() -> int:
    """Without that of the client of the API."""
    return ServiceSession.objects.filter(account__username="elsa.nordvall").count() - 1


def test_signing_out_offline_forgets_at_once_and_ends_the_session_later(reading: App) -> None:
    sign_out_offline(reading)
    reading.context.set_offline(False)
    expect(reading.page.get_by_text("your session has ended")).to_be_visible()
    assert elsas_logins() == 0


def test_a_session_that_was_signed_out_offline_ends_when_the_app_is_opened_again(
    reading: App,
) -> None:
    sign_out_offline(reading)
    reading.page.reload()
    reading.heading("Sign in")
    expect(reading.page.get_by_text("There is no connection now")).to_be_visible()
    reading.page.close()
    assert elsas_logins() == 1
    reading.context.set_offline(False)
    again = tab(reading)
    again.open()
    again.heading("Sign in")
    wait_until(lambda: elsas_logins() == 0)
    assert left_of_elsa(again) == []


def test_somebody_else_who_signs_in_meanwhile_stays_signed_in(reading: App) -> None:
    sign_out_offline(reading)
    reading.page.close()
    reading.context.set_offline(False)
    again = tab(reading)
    again.page.route("**/api/logout", lambda route: route.abort(), times=1)
    again.open()
    again.sign_in("alva.lind")
    wait_until(lambda: elsas_logins() == 0)
    again.page.reload()
    again.heading("Today")
    shows(again, "Alva Lind")
    assert ServiceSession.objects.filter(account__username="alva.lind").count() == 1


def test_somebody_whose_cookies_are_there_already_stays_signed_in(reading: App) -> None:
    sign_out_offline(reading)
    reading.page.close()
    reading.enter("alva.lind")  # before the answer to the sign-out, which ends its own cookies
    reading.context.set_offline(False)
    again = tab(reading)
    again.open()
    again.heading("Today")
    wait_until(lambda: elsas_logins() == 0)
    shows(again, "Alva Lind")
    assert ServiceSession.objects.filter(account__username="alva.lind").count() == 1


def test_the_service_worker_ends_the_session_after_the_tab_was_closed(reading: App) -> None:
    page = reading.page
    versions: list[dict[str, str]] = []
    devtools = reading.context.new_cdp_session(page)
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: versions.extend(event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    session = ServiceSession.objects.filter(account__username="elsa.nordvall").latest("created_at")
    sign_out_offline(reading)
    page.goto("about:blank")
    reading.context.set_offline(False)
    wait_until(lambda: page.evaluate("true") and bool(versions))
    devtools.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": reading.service.url,
            "registrationId": versions[0]["registrationId"],
            "tag": f"sign-out/{session.pk}",
            "lastChance": False,
        },
    )
    wait_until(lambda: elsas_logins() == 0)


def test_unsent_messages_do_not_leave_after_signing_out(reading: App, dm: str) -> None:
    reading.context.set_offline(True)
    write(reading.page, "Hej ur tunneln")
    expect(bubble(reading.page, "Hej ur tunneln")).to_contain_text("Waiting to be sent")
    sign_out_offline(reading)
    reading.context.set_offline(False)
    expect(reading.page.get_by_text("your session has ended")).to_be_visible()
    reading.sign_in()
    reading.open(f"/app/chats/{dm}")
    expect(bubble(reading.page, "Hej Elsa!")).to_be_visible()
    expect(bubble(reading.page, "Hej ur tunneln")).to_have_count(0)
