"""The web app in a browser, as people use it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from tests.browser.conftest import watch
from tests.concurrency import wait_until
from tests.conftest import running_simulator
from tests.service_process import ServiceProcess
from tests.sign_in import add_session

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
# Chromium reports each answer that is an error, and a socket that is closed while it opens. A
# session that has ended is no mistake of the app, and neither is a person who signs out quickly.
_EXPECTED = (
    "401 (Unauthorized)",
    "WebSocket is closed before the connection is established.",
)
# What it says, also somewhat later, of a service or a line that is away.
AWAY = ("net::ERR_", "WebSocket connection to ")
_STOCKHOLM = ZoneInfo("Europe/Stockholm")
# Every word that scripts of the page could read on the device: [store, name, content]. Of the files
# that the service worker keeps, the addresses.
_KEPT = """async () => {
  const asked = request => new Promise(done => (request.onsuccess = () => done(request.result)));
  const kept = [localStorage, sessionStorage].flatMap(each => Object.entries(each).map(
    ([name, content]) => ["storage", name, content]));
  for (const name of await caches.keys())
    for (const {url} of await (await caches.open(name)).keys()) kept.push(["cache", url, ""]);
  for (const {name} of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name));
    for (const each of database.objectStoreNames) {
      const store = database.transaction(each).objectStore(each);
      const [keys, values] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
      keys.forEach((key, index) => kept.push([
        "database", [key].flat().join(" "), JSON.stringify(values[index])]));
    }
    database.close();
  }
  return kept;
}"""
SCHOOLS = {"bjorkdalen": "Björkdal", "nyvang": "Nyvång"}


def tuesday_at(hour: int, minute: int = 0) -> datetime:
    """A moment of this week's Tuesday in Stockholm, when pupils have lessons."""
    now = datetime.now(_STOCKHOLM)
    tuesday = now + timedelta(days=1 - now.weekday())
    return tuesday.replace(hour=hour, minute=minute, second=0, microsecond=0)


class App:
    """The app in a browser of its own: one device of one person."""

    def __init__(self, context: BrowserContext, service: ServiceProcess) -> None:
        self.context = context
        self.service = service
        self._problems: list[str] = []
        self._expected = list(_EXPECTED)
        self.page = watch(context.new_page(), self._problems)

    @property
    def problems(self) -> list[str]:
        """Errors of the console and failed requests, but for expected ones."""
        return [
            problem
            for problem in self._problems
            if not any(words in problem for words in self._expected)
        ]

    def every_problem(self) -> list[str]:
        """The list of them, also of expected ones, which grows."""
        return self._problems

    def expect_problems(self, *words: str) -> None:
        """What the browser says with these words is none: the test makes requests fail. It may say
        so at any time until the end."""
        self._expected += words

    def expect_refusal(self, status: int) -> None:
        self.expect_problems(f"status of {status}")

    def open(self, path: str = "/app/") -> None:
        self.page.goto(self.service.url + path)

    def enter(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> None:
        """Become somebody who has signed in on this device: it gets the cookies of a session, and
        no page hears of it."""
        state = running_simulator().state
        cookies, *_ = add_session(state, state.person(school, username))
        self.context.add_cookies(
            [
                {
                    "name": settings.COOKIE_PREFIX + name,
                    "value": value,
                    "url": self.service.url,
                    "httpOnly": True,
                }
                for name, value in cookies.items()
            ]
        )

    def sign_in(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> None:
        """With the form, as a person does."""
        if not self.page.url.startswith(self.service.url):
            self.open()
        self.page.get_by_role("combobox").click()
        self.page.get_by_role("combobox").fill(SCHOOLS[school])
        self.page.get_by_role("option").first.click()
        self.page.locator("[name=username]").fill(username)
        self.page.locator("[name=password]").fill(f"{username.split('.')[0]}-demo")
        self.page.locator("form button").click()
        expect(self.page.locator("nav.tabs")).to_be_visible()

    def ask(self, path: str) -> Any:
        """What the service answers to this device: the JSON of a GET."""
        cookies = {each["name"]: each["value"] for each in self.context.cookies()}
        return self.service.request("GET", path, cookies=cookies)[1]

    def keeps(self, key: str, text: str) -> bool:
        """Whether this text is in the copy that the device keeps under this key."""
        ends = (f" {key}", f"/{key}")
        return any(name.endswith(ends) and text in content for _, name, content in self.kept())

    def kept(self) -> list[tuple[str, str, str]]:
        """Everything that the device keeps: store, name and content."""
        return [(area, name, content) for area, name, content in self.page.evaluate(_KEPT)]

    def wait_until(self, happened: Callable[[], bool]) -> None:
        """Such as that a change of a setting is stored, which is sent without a word on the page.
        The browser's events are heard only while something is asked of it."""
        # It is much work for a browser to say what it keeps, and other tests run beside it.
        wait_until(lambda: self.page.evaluate("true") and happened(), pause=0.1)

    def heading(self, name: str) -> None:
        """Wait for the page with this heading."""
        expect(self.page.get_by_role("heading", level=1, name=name)).to_be_visible()


NewApp = Callable[..., App]


def make_app(
    browser: Browser,
    service: ServiceProcess,
    *,
    language: str = "en",
    now: datetime | None = None,
    size: ViewportSize = PHONE,
    service_worker: bool = False,
    **options: Any,
) -> App:
    """A new browser profile. With `now`, its clock starts there; `options` are the browser's. With
    `service_worker` the app installs its own, which fetches all files of the app once more."""
    context = browser.new_context(
        locale="sv-SE" if language == "sv" else "en-GB",
        viewport=size,
        base_url=service.url,
        **options,
    )
    context.set_default_timeout(15_000)
    if not service_worker:
        context.add_init_script("delete Navigator.prototype.serviceWorker")
    if now is not None:
        context.clock.install(time=now)
    return App(context, service)
