"""Where pages lead that sessions of apps may not read."""

from upstream.simulator.answers.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.pages import frame
from upstream.simulator.people import Person
from upstream.simulator.state import State


@jsp_page
def show(_request: Request, state: State, _person: Person) -> Response:
    text = "<p>Sidan &auml;r inte tillg&auml;nglig i appen.</p>"
    return frame.render("Sidan kan inte visas", frame.box("blocked", "Logga in", text), state)
