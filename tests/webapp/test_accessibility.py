"""axe finds nothing to object to on any page of the app, in both languages, both themes and on both
widths; and the keyboard is enough. A picture of each page in Swedish is kept in
var/screenshots/web-app."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect

from tests.browser import staff
from tests.browser.axe_checker import NEEDS_AXE, Checker
from tests.conftest import Caller
from tests.webapp.chats import follow_link
from tests.webapp.full_app import fill
from tests.webapp.people import App, NewApp, tuesday_at

pytestmark = [*NEEDS_AXE, pytest.mark.service_worker]

ROUTES = settings.BASE_DIR / "webapp/src/shell/pages.tsx"
SCREENSHOTS = settings.BASE_DIR / "var/screenshots/web-app"
# So tall that axe sees all of a page: it does not judge what it would have to scroll to.
HEIGHT = 8000
PHONE_HEIGHT = 740
LANGUAGES = pytest.mark.parametrize("language", ["en", "sv"])

# In a text that is edited, the arrow keys go to what is out of sight.
IN_EDITOR = re.compile(r"scrollable-region-focusable \| (pre|\.tableWrapper) ")

# Routes with what is on their page when it is complete, in every language.
OF_A_PUPIL = {
    "/app": ".lessons .lesson, .lunch, .countdown",
    "/app/week": ".day .slot",
    "/app/assignments/:id": "#result",
    "/app/news": ".article-card",
    "/app/news/:id": "#files",
    "/app/inbox": ".article-card",
    "/app/inbox/:id": ".card .rich-text",
    "/app/results": ".result-letter",
    "/app/assessments": ".tag-warn",
    "/app/assessments/:id": ".result-review",
    "/app/subjects": "text=Matematik",
    "/app/subjects/:id": "main .rows a",
    "/app/plannings/:id": "#files",
    "/app/todo": ".todo",
    "/app/attendance": "main h2",
    "/app/calendar": "main [readonly]",
    "/app/class": "text=Amélie Berg",
    "/app/staff": "main .rows >> text=Lindroos",
    "/app/files": ".file-row",
    "/app/chats": ".rows >> text=Bo Ek",
    "/app/chats/new": ".rows >> text=Bo Ek",
    "/app/chats/:id": ".reactions",
    "/app/chats/:id/about": ".rows >> text=Bo Ek",
    "/app/people": ".invite-members",
    "/app/people/:username": ".profile-card",
    "/app/notes": "text=Biologi",
    "/app/notes/:id": ".note-text table",
    "/app/notifications": ".notification",
    "/app/countdowns": "text=Nationella prov",
    "/app/more": "text=Elsa Nordvall",
    "/app/search": "search input",
    "/app/share": "#shared",
    "/app/settings": "text=Elsa Nordvall",
    "/app/settings/profile": "form .field",
    "/app/settings/privacy": "form, fieldset",
    "/app/settings/notifications": ".kinds",
    "/app/settings/sessions": "main .tag",
    "/app/settings/blocked": "text=Torbjörn Ekvik",
    "/app/settings/account": "main .rows",
}
OF_A_GUARDIAN = {"/app/settings/children": "text=Alva Lind"}
# Further screens of those pages: what is pressed for them, and what it shows.
OPENED = {
    "message": ("/app/chats/:id", [".bubble-more >> nth=0"], "dialog .emoji-row"),
    "lesson": ("/app/week", [".slot button >> nth=0"], "dialog .facts"),
    "report": ("/app/chats/:id", [".bubble-more >> nth=0", ".choice >> nth=-1"], "dialog fieldset"),
    "passphrase": ("locked", [], "form.card"),
    "about a group": ("group", [], ".button-danger"),
    "leaving a group": ("group", ["main .button-danger"], "dialog .button-danger"),
    "new group": (
        "/app/chats/new",
        [".row-check", "main form > .check input", "main form > .button"],
        ".field-error",
    ),
    "blocking": ("/app/people/:username", [".safety-buttons button >> nth=0"], ".confirm"),
    "table in a note": ("/app/notes/:id", [".note-text td >> nth=0"], ".toolbar >> nth=1"),
    "new countdown": ("/app/countdowns", ["main .button >> nth=0"], "dialog [type=date]"),
    "archived countdowns": ("/app/countdowns", ["details summary"], "text=Sommarlov"),
    "erasing": ("/app/settings/account", ["main .button-danger"], "dialog .button-danger"),
    "not found": ("/app/nothing-here", [], "main p a"),
}


class Screens(Checker):
    """The screens of one person's app."""

    def __init__(self, app: App, axe: str, language: str) -> None:
        super().__init__(app.page, axe, HEIGHT)
        self._app = app
        self._language = language

    def open(self, address: str, shown: str) -> None:
        """A page, until everything is there."""
        self._app.open(address)
        self.wait_for(shown)

    def follow(self, address: str, shown: str) -> None:
        """The same, by a link of the app."""
        follow_link(self.page, address)
        # The next page is there when its heading has the focus.
        expect(self.page.locator("h1")).to_be_focused()
        self.wait_for(shown)

    def wait_for(self, shown: str) -> None:
        expect(self.page.locator(shown).first).to_be_visible()
        expect(self.page.locator(".skeleton")).to_have_count(0)

    def check(self, name: str) -> None:
        super().check(f"{name} ({self._language})")
        assert self.page.evaluate("document.documentElement.scrollHeight") <= HEIGHT, name
        self.found = [each for each in self.found if not IN_EDITOR.search(each)]
        if self._language == "sv":
            self._keep(re.sub(r"\W+", "-", name).strip("-"))

    def _keep(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.emulate_media(color_scheme="light")
        for width in staff.SIZES:
            self.page.set_viewport_size({"width": width, "height": PHONE_HEIGHT})
            path = SCREENSHOTS / f"{name}-{width}.png"
            self.page.screenshot(path=path, full_page=True, animations="disabled")


NewScreens = Callable[..., Screens]


@pytest.fixture
def addresses(friends: tuple[Caller, Caller]) -> dict[str, str]:
    """The pages of what Elsa has, by route."""
    return fill(*friends)


@pytest.fixture
def screens(new_app: NewApp, axe: str) -> NewScreens:
    """Signs somebody in."""

    def signed_in_as(username: str, language: str) -> Screens:
        app = new_app(username, language=language, now=tuesday_at(10, 5))
        return Screens(app, axe, language)

    return signed_in_as


def test_every_route_is_among_the_pages_that_are_checked() -> None:
    routes = set(re.findall(r'<Route path="([^"]+)"', ROUTES.read_text()))
    assert routes == OF_A_PUPIL.keys() | OF_A_GUARDIAN.keys()


@LANGUAGES
def test_the_pages_of_a_pupil(
    addresses: dict[str, str], screens: NewScreens, language: str
) -> None:
    elsas = screens("elsa.nordvall", language)
    elsas.open("/app/nothing-here", "main p a")
    for route, shown in OF_A_PUPIL.items():
        elsas.follow(addresses.get(route, route), shown)
        elsas.check(route.removeprefix("/app") or "today")
    assert elsas.found == []


@LANGUAGES
def test_what_opens_on_the_pages_of_a_pupil(
    addresses: dict[str, str], screens: NewScreens, language: str
) -> None:
    elsas = screens("elsa.nordvall", language)
    for name, (route, pressed, shown) in OPENED.items():
        elsas.open(addresses.get(route, route), OF_A_PUPIL.get(route, "main"))
        for each in pressed:
            elsas.page.locator(each).click()
        elsas.wait_for(shown)
        elsas.check(name)
    assert elsas.found == []


@LANGUAGES
def test_the_pages_of_a_guardian_before_and_after_a_child_is_chosen(
    screens: NewScreens, language: str
) -> None:
    evas = screens("eva.ek", language)
    evas.open("/app", ".child-chooser button")
    evas.check("before the choice of a child")
    evas.page.locator(".child-chooser button").last.click()
    evas.wait_for(OF_A_PUPIL["/app"])
    evas.check("after the choice of a child")
    for route, shown in OF_A_GUARDIAN.items():
        evas.open(route, shown)
        evas.check(route.removeprefix("/app"))
    assert evas.found == []


@LANGUAGES
def test_the_first_page_of_a_teacher(screens: NewScreens, language: str) -> None:
    torbjorns = screens("torbjörn.ekvik", language)
    torbjorns.open("/app", ".lunch")
    torbjorns.check("today of a teacher")
    assert torbjorns.found == []


@LANGUAGES
def test_the_sign_in_and_its_errors(new_app: NewApp, axe: str, language: str) -> None:
    app = new_app(language=language)
    screens = Screens(app, axe, language)
    screens.open("/app/", "form")
    screens.check("sign-in")
    app.page.get_by_role("combobox").click()
    screens.wait_for("[role=option]")
    screens.check("sign-in, choice of a school")
    app.page.locator("form button").click()
    screens.wait_for(".field-error")
    screens.check("sign-in, fields missing")
    app.page.get_by_role("combobox").fill("Björkdal")
    app.page.get_by_role("option").first.click()
    app.page.locator("[name=username]").fill("elsa.nordvall")
    app.page.locator("[name=password]").fill("wrong")
    app.page.locator("form button").click()
    screens.wait_for("[role=alert]")
    screens.check("sign-in refused")
    assert screens.found == []


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus, which is seen wherever it is."""
    expect(wanted).to_be_visible()
    for _ in range(80):
        page.keyboard.press("Tab")
        assert page.evaluate(OUTLINE) != "none"
        if wanted.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError("not within reach of the keyboard")


OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"


def test_the_keyboard_is_enough_to_sign_in_and_to_chat(dm: str, new_app: NewApp) -> None:
    app = new_app()
    page, press = app.page, app.page.keyboard
    app.open()
    tab_to(page, page.get_by_role("combobox", name="School"))
    press.type("bjork")
    expect(page.get_by_role("option")).to_have_count(1)
    press.press("Enter")
    tab_to(page, page.get_by_label("Username"))
    press.type("elsa.nordvall")
    tab_to(page, page.get_by_label("Password"))
    press.type("elsa-demo")
    press.press("Enter")
    app.heading("Today")
    for name in ("Chats", "Bo Ek"):
        tab_to(page, page.get_by_role("link", name=re.compile(f"^{name}")))
        press.press("Enter")
        expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    tab_to(page, page.get_by_role("textbox", name="Message"))
    press.type("Utan mus")
    press.press("Enter")
    sent = page.get_by_role("log").get_by_role("listitem").filter(has_text="Utan mus")
    expect(sent).to_have_count(1)
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()


def test_a_dialog_keeps_the_focus_and_gives_it_back(elsa: App, dm: str) -> None:
    elsa.open(f"/app/chats/{dm}")
    page, press = elsa.page, elsa.page.keyboard
    more = page.get_by_role("button", name="More").first
    tab_to(page, page.locator(".bubble-row").last)
    press.press("Home")
    press.press("ArrowRight")
    expect(more).to_be_focused()
    press.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    tab_to(page, dialog.get_by_role("button", name="Report"))
    press.press("Escape")
    expect(dialog).to_have_count(0)
    expect(more).to_be_focused()
    press.press("Enter")
    tab_to(page, dialog.get_by_role("button", name="Report"))
    press.press("Enter")
    tab_to(page, dialog.get_by_role("button", name="Bullying"))
    press.press("Escape")
    expect(dialog).to_have_count(0)
    expect(more).to_be_focused()
    press.press("Enter")
    tab_to(page, dialog.get_by_role("button", name="Reply"))
    press.press("Enter")
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
