"""Settings: the profile, privacy, notifications, devices, the language, children, the account."""

from datetime import time
from pathlib import Path
from zipfile import ZipFile

from django.conf import settings
from playwright.sync_api import FilePayload, Route, expect

from accounts.models import Account, Picture, Profile
from notifications.models import NotificationSettings, PushSubscription
from tests.accounts.images import heic, picture
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.conftest import Caller, signed_in
from tests.contract.permission_matrix import PUSH
from tests.webapp.people import DESKTOP, App, NewApp, tuesday_at

pytestmark = NEEDS_CHROMIUM


def test_a_friend_sees_the_profile_and_the_picture_until_it_is_removed(
    friends: tuple[Caller, Caller], new_app: NewApp
) -> None:
    elsa, bo = new_app("elsa.nordvall"), new_app("bo.ek")
    elsa.expect_refusal(400)
    elsa.open("/app/settings/profile")
    page = elsa.page
    page.get_by_role("textbox", name="About you").fill("Spelar cello.")
    page.get_by_role("textbox", name="Website").fill("javascript:alert(1)")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("textbox", name="Website")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("textbox", name="Website").fill("https://example.org/cello")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    own = page.get_by_role("group", name="Your picture")
    own.get_by_label("Choose a picture").set_input_files(
        FilePayload(name="cello.png", mimeType="image/png", buffer=picture(size=(64, 64)))
    )
    expect(own.get_by_role("button", name="Remove the picture")).to_be_visible()
    first = Picture.objects.get().pk
    own.get_by_label("Choose a picture").set_input_files(
        FilePayload(name="IMG_0815.HEIC", mimeType="", buffer=heic(size=(64, 64)))
    )
    elsa.wait_until(lambda: Picture.objects.get().pk != first)

    bo.open("/app/people/elsa.nordvall")
    expect(bo.page.get_by_text("Spelar cello.")).to_be_visible()
    website = bo.page.get_by_role("link", name="example.org/cello")
    expect(website).to_have_attribute("href", "https://example.org/cello")
    shown = bo.page.locator(".profile-head img")
    wait_until(lambda: shown.evaluate("image => image.naturalWidth") > 0)

    own.get_by_role("button", name="Remove the picture").click()
    expect(own.get_by_role("button", name="Remove the picture")).to_have_count(0)
    assert Picture.objects.count() == 0
    bo.page.reload()
    expect(bo.page.get_by_text("Spelar cello.")).to_be_visible()
    expect(shown).to_have_count(0)


def test_privacy_and_notification_settings_survive_a_reload(app: App) -> None:
    page = app.page
    app.open("/app/settings/privacy")
    first: list[Route] = []

    def keep(route: Route) -> None:
        first.append(route)

    expect(page.get_by_role("radio", name="Everyone at my school")).to_be_checked()
    page.route("**/api/profile", keep, times=1)
    page.get_by_role("radio", name="Friends only").check()
    # While the first change is on its way.
    page.get_by_role("checkbox", name="Others can find me").uncheck()
    app.wait_until(lambda: bool(first))
    first[0].continue_()
    app.wait_until(lambda: not Profile.objects.get().discoverable)
    page.reload()
    expect(page.get_by_role("radio", name="Friends only")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Others can find me")).not_to_be_checked()

    app.open("/app/settings/notifications")
    page.get_by_role("combobox", name="Messages", exact=True).select_option("Off")
    page.get_by_role("combobox", name="Friend requests").select_option("Push")
    page.get_by_label("From", exact=True).fill("20:30")
    app.wait_until(NotificationSettings.objects.filter(quiet_from=time(20, 30)).exists)
    page.reload()
    expect(page.get_by_role("combobox", name="Messages", exact=True)).to_have_value("off")
    expect(page.get_by_role("combobox", name="Friend requests")).to_have_value("push")
    expect(page.get_by_label("From", exact=True)).to_have_value("20:30")
    expect(page.get_by_label("To", exact=True)).to_have_value("07:00")
    page.get_by_role("checkbox", name="Quiet hours").uncheck()
    app.wait_until(NotificationSettings.objects.filter(quiet_from=None).exists)
    page.reload()
    expect(page.get_by_role("checkbox", name="Quiet hours")).not_to_be_checked()
    expect(page.get_by_label("From", exact=True)).to_have_count(0)


def test_a_device_to_which_pushes_have_stopped_says_so(app: App) -> None:
    elsa = signed_in()
    subscription = elsa.post("/api/push/subscriptions", PUSH | {"device": "Elsas telefon"})
    assert subscription.status_code == 201
    app.open("/app/settings/notifications")
    device = app.page.get_by_role("listitem").filter(has_text="Elsas telefon")
    expect(device.get_by_role("button", name="Remove")).to_be_visible()
    PushSubscription.objects.get().end()
    app.page.reload()
    expect(device).to_contain_text("Has stopped")
    expect(device).to_contain_text("Open the app on that device")
    expect(device.get_by_role("button")).to_have_count(0)


def test_another_device_whose_session_is_ended_has_to_sign_in_again(new_app: NewApp) -> None:
    phone, computer = new_app("elsa.nordvall"), new_app("elsa.nordvall", size=DESKTOP)
    computer.open()
    computer.heading("Today")
    phone.open("/app/settings/sessions")
    page = phone.page
    expect(page.get_by_text("Signed in:")).to_have_count(2)
    expect(page.get_by_text("This device")).to_have_count(1)
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_text("Signed in:")).to_have_count(1)
    expect(page.get_by_text("This device")).to_have_count(1)
    expect(computer.page.get_by_text("You have been signed out.")).to_be_visible()
    computer.sign_in()
    computer.heading("Today")


def test_the_language_changes_at_once_and_stays(app: App) -> None:
    app.open("/app/settings")
    expect(app.page.get_by_text(f"Version {settings.VERSION}")).to_be_visible()
    app.page.get_by_role("combobox", name="Language").select_option("Svenska")
    app.heading("Inställningar")
    expect(app.page.locator("html")).to_have_attribute("lang", "sv")
    app.open("/app/")
    app.heading("Idag")
    assert app.ask("/api/notifications/settings")["settings"]["language"] == "sv"


def test_everything_is_downloaded_and_erased_with_the_right_password_only(
    app: App, tmp_path: Path
) -> None:
    app.expect_refusal(403)
    app.open("/app/settings/account")
    page = app.page
    with page.expect_download() as download:
        page.get_by_role("link", name="Download your data").click()
    download.value.save_as(tmp_path / "data.zip")
    with ZipFile(tmp_path / "data.zip") as data:
        assert data.testzip() is None
        assert any(b"elsa.nordvall" in data.read(name) for name in data.namelist())

    page.get_by_role("button", name="Erase my account").click()
    erase = page.get_by_role("button", name="Erase everything")
    page.get_by_label("Your password at school").fill("wrong")
    page.get_by_label("to show that you mean it").fill("yes")
    erase.click()
    expect(page.get_by_text("Write the word “erase” here.")).to_be_visible()
    page.get_by_label("to show that you mean it").fill("erase")
    erase.click()
    expect(page.get_by_text("This is not your password.")).to_be_visible()
    assert Account.objects.count() == 1
    page.get_by_label("Your password at school").fill("elsa-demo")
    erase.click()
    app.heading("Sign in")
    wait_until(lambda: Account.objects.count() == 0)
    expect(page.get_by_text("You have to sign in again.")).to_have_count(0)
    page.reload()
    app.heading("Sign in")


def test_a_guardian_sees_the_default_child_first_on_every_device(new_app: NewApp) -> None:
    now = tuesday_at(10, 5)
    phone, computer = new_app("eva.ek", now=now), new_app("eva.ek", now=now)
    phone.open()
    page = phone.page
    page.get_by_role("button", name="Bo Ek").click()
    phone.open("/app/settings/children")
    expect(page.get_by_role("radio", name="Ask each time")).to_be_checked()
    page.get_by_role("radio", name="Alva Lind").click()
    phone.wait_until(lambda: Account.objects.get().default_child_id is not None)
    for app in (phone, computer):
        app.open()
        shown = app.page.get_by_role("group", name="You see what belongs to")
        alva = shown.get_by_role("button", name="Alva Lind")
        expect(alva).to_have_attribute("aria-pressed", "true")
        app.page.reload()
        expect(alva).to_have_attribute("aria-pressed", "true")
        lessons = app.page.get_by_role("region", name="Lessons").get_by_role("listitem")
        expect(lessons.first).to_be_visible()


def test_an_answer_that_comes_late_does_not_take_a_choice_back(new_app: NewApp) -> None:
    app = new_app("eva.ek")
    page = app.page
    app.open("/app/settings/children")
    alva = page.get_by_role("radio", name="Alva Lind")
    expect(alva).not_to_be_checked()
    page.get_by_role("link", name="Back").click()
    asked: list[Route] = []

    def keep(route: Route) -> None:
        asked.append(route)

    page.route("**/api/children", keep, times=1)
    page.get_by_role("link", name="Children").click()  # shows what the device kept, and asks
    expect(alva).not_to_be_checked()
    app.wait_until(lambda: bool(asked))
    late = asked[0].fetch()
    alva.click()
    app.wait_until(lambda: Account.objects.get().default_child_id is not None)
    with page.expect_response("**/api/children"):
        asked[0].fulfill(response=late)
    page.evaluate("new Promise(done => setTimeout(done, 0))")
    expect(alva).to_be_checked()
