"""A finger in a conversation: a long press opens a message's menu, a swipe answers it."""

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social_actions import say
from tests.webapp.chats import bubble
from tests.webapp.people import App, NewApp

pytestmark = NEEDS_CHROMIUM

PHONE: dict[str, Any] = {"has_touch": True, "size": {"width": 360, "height": 640}}


class Finger:
    """One finger on the screen, as the browser's own input."""

    def __init__(self, app: App) -> None:
        self._input = app.context.new_cdp_session(app.page)

    def put(self, place: Locator) -> tuple[float, float]:
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box
        x, y = box["x"] + min(box["width"] / 2, 60), box["y"] + 12
        self._send("touchStart", (x, y))
        return x, y

    def move(self, *places: tuple[float, float]) -> None:
        for place in places:
            self._send("touchMove", place)

    def lift(self) -> None:
        self._send("touchEnd")

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._input.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def drag(finger: Finger, place: Locator, x: float, y: float) -> None:
    """Put the finger there, move it so far in small steps, and lift it."""
    left, top = finger.put(place)
    finger.move(*((left + x * part / 8, top + y * part / 8) for part in range(1, 9)))
    finger.lift()


def test_a_long_press_opens_the_menu_and_a_short_one_does_not(
    new_app: NewApp, friends: tuple[Caller, Caller], dm: str
) -> None:
    elsa = new_app("elsa.nordvall", **PHONE)
    elsa.open(f"/app/chats/{dm}")
    text = bubble(elsa.page, "Hej Elsa!").locator(".bubble")
    finger = Finger(elsa)
    expect(text).to_be_visible()
    finger.put(text)
    finger.lift()
    finger.put(text)
    dialog = elsa.page.get_by_role("dialog", name="Message")
    expect(dialog).to_be_visible()
    finger.lift()
    expect(dialog.get_by_role("button", name="Reply")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_a_swipe_to_the_right_answers_and_other_ways_do_not(
    new_app: NewApp, friends: tuple[Caller, Caller], dm: str
) -> None:
    elsa = new_app("elsa.nordvall", **PHONE)
    elsa.open(f"/app/chats/{dm}")
    text = bubble(elsa.page, "Hej Elsa!").locator(".bubble")
    expect(text).to_be_visible()
    finger, answering = Finger(elsa), elsa.page.get_by_text("Reply to Bo Ek")
    for x, y in ((-90, 0), (30, 0), (20, -90)):
        drag(finger, text, x, y)
    expect(answering).to_have_count(0)
    drag(finger, text, 90, 4)
    expect(answering).to_be_visible()
    expect(elsa.page.get_by_role("textbox", name="Message")).to_be_focused()
    expect(text.locator("xpath=..")).to_have_css("transform", "none")


def test_in_a_page_from_right_to_left_the_swipe_is_to_the_left(
    new_app: NewApp, friends: tuple[Caller, Caller], dm: str
) -> None:
    elsa = new_app("elsa.nordvall", **PHONE)
    elsa.open(f"/app/chats/{dm}")
    elsa.page.evaluate("document.documentElement.dir = 'rtl'")
    text = bubble(elsa.page, "Hej Elsa!").locator(".bubble")
    expect(text).to_be_visible()
    answering = elsa.page.get_by_text("Reply to Bo Ek")
    drag(Finger(elsa), text, 90, 0)
    expect(answering).to_have_count(0)
    drag(Finger(elsa), text, -70, 0)
    expect(answering).to_be_visible()


def test_with_less_motion_a_swipe_moves_nothing(
    new_app: NewApp, friends: tuple[Caller, Caller], dm: str
) -> None:
    elsa = new_app("elsa.nordvall", reduced_motion="reduce", **PHONE)
    elsa.open(f"/app/chats/{dm}")
    text = bubble(elsa.page, "Hej Elsa!").locator(".bubble")
    expect(text).to_be_visible()
    finger = Finger(elsa)
    x, y = finger.put(text)
    finger.move((x + 40, y), (x + 80, y))
    expect(text.locator("xpath=..")).to_have_css("transform", "none")
    finger.lift()
    expect(elsa.page.get_by_text("Reply to Bo Ek")).to_be_visible()


def test_a_finger_scrolls_as_before(
    new_app: NewApp, friends: tuple[Caller, Caller], dm: str
) -> None:
    for number in range(25):
        say(friends[1], dm, f"Rad {number}.")
    elsa = new_app("elsa.nordvall", **PHONE)
    elsa.open(f"/app/chats/{dm}")
    text = bubble(elsa.page, "Rad 20.").locator(".bubble")
    expect(text).to_be_visible()
    drag(Finger(elsa), text, 8, 200)
    elsa.page.wait_for_function("document.querySelector('.messages').scrollTop < -50")
    expect(elsa.page.get_by_role("dialog")).to_have_count(0)
