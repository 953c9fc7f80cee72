"""Where pages lead that sessions of apps may not read."""

from upstream.simulator.answers.admission import page
from upstream.simulator.pages import frame
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.wire import Request, Response


@page
def show(_request: Request, state: State, _person: Person) -> Response:
    text = "<p>Sidan &auml;r inte tillg&auml;nglig i appen.</p>"
    return frame.send("Sidan kan inte visas", frame.box("blocked", "Logga in", text), state)
