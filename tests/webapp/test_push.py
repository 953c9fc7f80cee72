"""From a friend's message to the screen: the app in a real Firefox, the service, its worker and a
push service. A click on the notification opens the conversation."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from notifications.models import PushSubscription
from social.models import Membership
from tests.concurrency import wait_until
from tests.conftest import Caller
from tests.jobs import workers
from tests.notifications import autopush, firefox
from tests.notifications import push_service as push_services
from tests.notifications.certificates import make_certificates
from tests.notifications.firefox import NEEDS_FIREFOX, Firefox, FirefoxFailed
from tests.notifications.pages import SHOWN
from tests.service_process import ServiceProcess, running
from tests.social_actions import dm_of, say
from upstream.simulator.server import Simulator

pytestmark = NEEDS_FIREFOX

# Each is the body of an async function; `args` are a selector, and a text or a value. The first
# three tell whether there was something like that.
_FOUND = """
    const [selector, text = ""] = args;
    const canBeUsed = (each) => each.checkVisibility() && !each.disabled;
    const isIt = (each) => canBeUsed(each) && each.textContent.includes(text);
    const found = [...document.querySelectorAll(selector)].find(isIt);
"""
SEE = f"{_FOUND} return found !== undefined;"
PRESS = f"{_FOUND} found?.click(); return found !== undefined;"
UNSUBSCRIBE = """
    const registration = await navigator.serviceWorker.getRegistration("/app/");
    return (await registration.pushManager.getSubscription()).unsubscribe();
"""
# An option is chosen before the field loses the focus.
CHOOSE = f"""{_FOUND}
    found?.dispatchEvent(new PointerEvent("pointerdown", {{ bubbles: true }}));
    return found !== undefined;
"""
FILL = """
    const [selector, value] = args;
    const field = document.querySelector(selector);
    field.focus();
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
"""


@pytest.fixture
def push_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[push_services.PushService]:
    """A push service that the operator has listed, with its authority."""
    certificates = make_certificates(tmp_path)
    with push_services.running(certificates) as service:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
        monkeypatch.setenv("PUSH_HOSTS", f"+{service.url.removeprefix('https://')}")
        yield service


@pytest.fixture
def service(
    friends: tuple[Caller, Caller],
    push_service: push_services.PushService,
    simulator: Simulator,
    tmp_path: Path,
) -> Iterator[ServiceProcess]:
    """The service with its worker."""
    with (
        running(tmp_path, simulator.url, kind="sockets", WEB_THREADS="32") as server,
        workers.running(tmp_path),
    ):
        yield server


@pytest.fixture
def page(
    service: ServiceProcess, push_service: push_services.PushService, tmp_path: Path
) -> Iterator[Firefox]:
    """A browser with the app open."""
    (tmp_path / "firefox").mkdir()
    with firefox.running(tmp_path / "firefox", push_service.browsers.url) as browser:
        browser.open(address(service, "/app/"))
        yield browser


def address(service: ServiceProcess, path: str) -> str:
    return service.url.replace("127.0.0.1", "localhost") + path


def sign_in(page: Firefox) -> None:
    """As Elsa, with the form."""
    do(page, SEE, "[role=combobox]")
    page.run(FILL, "[role=combobox]", "björk")
    do(page, CHOOSE, "[role=option]", "Björkdal")
    page.run(FILL, "[name=username]", "elsa.nordvall")
    page.run(FILL, "[name=password]", "elsa-demo")
    do(page, PRESS, "form button")
    do(page, SEE, "nav")


def do(page: Firefox, script: str, selector: str, text: str = "") -> None:
    """As soon as something like that is there. Raises: AssertionError, with the page as it is."""

    def is_done() -> bool:
        try:
            return bool(page.run(script, selector, text, within=10))
        except FirefoxFailed:
            return False  # the page was left for another

    try:
        wait_until(is_done)
    except TimeoutError:
        shown = page.run("return `${location} ${document.body.innerHTML}`")
        raise AssertionError(f"{selector} {text!r} is not in {shown}") from None


def has_read(username: str, conversation: str) -> bool:
    """Up to its last message."""
    own = Membership.objects.get(account__username=username, conversation_id=UUID(conversation))
    return own.last_read_seq == own.conversation.last_seq


def renewed(before: PushSubscription) -> PushSubscription:
    """The only subscription, as soon as it is another one than before."""

    def is_another() -> bool:
        [*rows] = PushSubscription.objects.all()
        return len(rows) == 1 and rows[0].pk != before.pk and rows[0].gone_at is None

    wait_until(is_another)
    return PushSubscription.objects.get()


def test_a_lost_subscription_is_renewed(
    page: Firefox, service: ServiceProcess, push_service: push_services.PushService
) -> None:
    """Whoever lost it: the browser, the service after a 410, or the push service."""
    settings = address(service, "/app/settings/notifications")
    sign_in(page)
    page.open(settings)
    do(page, PRESS, "button", "Turn on push on this device")
    do(page, SEE, "button", "Turn off push on this device")

    first = PushSubscription.objects.get()
    page.run(UNSUBSCRIBE, within=30)
    page.open(settings)
    second = renewed(first)

    second.end()
    page.open(settings)
    third = renewed(second)
    do(page, SEE, "button", "Turn off push on this device")

    page.open("about:blank")
    push_service.browsers.forget()
    wait_until(lambda: PushSubscription.objects.exclude(pk=third.pk).exists())
    page.open(settings)
    fourth = renewed(third)

    fourth.delete()  # as if it was removed on another device
    page.open(settings)
    do(page, SEE, "button", "Turn on push on this device")
    assert not PushSubscription.objects.exists()


def test_a_push_about_a_message_leads_to_the_conversation(
    page: Firefox,
    service: ServiceProcess,
    push_service: push_services.PushService,
    friends: tuple[Caller, Caller],
) -> None:
    elsa, bo = friends
    sign_in(page)
    page.open(address(service, "/app/settings/notifications"))
    do(page, PRESS, "button", "Turn on push on this device")
    do(page, SEE, "button", "Turn off push on this device")
    assert PushSubscription.objects.get().account.username == "elsa.nordvall"
    chosen = {"kinds": {"message": "push"}, "quietHours": None, "language": "sv"}
    assert elsa.patch("/api/notifications/settings", chosen).status_code == 200

    dm = dm_of(bo, "elsa.nordvall")
    say(bo, dm, "Vi ses klockan tre")
    (said,) = push_service.browsers.wait_for_acknowledgements(1, within=30)
    assert said.code == autopush.DELIVERED
    assert not has_read("elsa.nordvall", dm)
    (shown,) = page.run(SHOWN, "Du har 1 nytt meddelande", within=30)
    assert "klockan" not in str(shown)
    page.click("Du har 1 nytt meddelande")
    wait_until(lambda: has_read("elsa.nordvall", dm))
    do(page, SEE, "[role=log] li", "Vi ses klockan tre")
    assert page.run("return location.pathname") == f"/app/chats/{dm}"
    assert page.tabs() == 1

    page.open(address(service, "/app/settings/notifications"))
    do(page, PRESS, "button", "Turn off push on this device")
    do(page, SEE, "button", "Turn on push on this device")
    assert not PushSubscription.objects.exists()
    wait_until(lambda: len(push_service.browsers.ended) == 1)
