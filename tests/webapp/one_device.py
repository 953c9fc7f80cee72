"""Tabs of one browser, and what is left of somebody on the device."""

from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.webapp.people import App

# What names Elsa in what the app keeps, and what she and Bo have said to each other. "Hej" alone is
# in the school's news too.
OF_ELSA = ("elsa", "Elsa", "nordvall", "Nordvall", "inte klar", "Hej igen", "tunneln", "Biologi")


def tab(app: App) -> App:
    """Another tab of the same browser."""
    return App(app.context, app.service)


def left_of_elsa(app: App) -> list[Any]:
    """What the device still keeps that names her or quotes her."""
    return [
        each for each in app.kept() if any(word in part for word in OF_ELSA for part in each[1:])
    ]


def wait_until_nothing_is_left(app: App) -> None:
    app.heading("Sign in")
    app.wait_until(lambda: left_of_elsa(app) == [])


def hear_no_events(app: App) -> None:
    """As a tab that sleeps: its socket says no more than `ready`, and never closes."""

    def lose(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(text) if '"ready"' in text else None)
        server.on_close(lambda _code, _reason: None)

    app.page.route_web_socket("**/ws", lose)


def wake(app: App) -> None:
    """As the browser says it to a tab that is shown again."""
    app.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def has_started_again(app: App) -> None:
    """On the first page, after another one."""
    # `wait_for_url` fails when one navigation takes the place of another.
    expect(app.page).to_have_url(f"{app.service.url}/app/")
    app.heading("Today")


def shows(app: App, name: str) -> None:
    """The app names who is signed in on its page of settings."""
    app.open("/app/settings")
    expect(app.page.get_by_text(f"Signed in as {name}")).to_be_visible()


def call_from_other_device(
    app: App, method: str, path: str, body: Any = None, *, username: str = "elsa.nordvall"
) -> None:
    """A request to the same service, of a new session of Elsa's or somebody else's."""
    cookies = app.service.sign_in(username)
    status, answer, _ = app.service.request(method, path, body, cookies=cookies)
    assert status == 200, answer


def end_elsas_other_logins(app: App) -> None:
    call_from_other_device(app, "DELETE", "/api/sessions")
