"""`/_simulator/`: the control routes, for trying things out with the demo."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from upstream.simulator.faults.script import OPERATIONS, VALUES, Faults
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.settings import SimulatorSettings
from upstream.simulator.state import State

# No school can have this name: a slug begins with a letter or a digit.
PREFIX = "/_simulator/"


def respond(request: Request, state: State, faults: Faults) -> Response:
    handler = _HANDLERS.get((request.method, request.path.removeprefix(PREFIX)))
    if handler is None:
        return as_json({"error": "See upstream/simulator/README.md."}, 404)
    return handler(request, state, faults)


def _overview(_request: Request, state: State, faults: Faults) -> Response:
    overview = {
        "people": [
            {
                "school": person.school,
                "username": person.username,
                "password": person.password,
                "role": person.role,
                "webSessions": state.web_sessions.count_live(person),
            }
            for school in state.schools.values()
            for person in school.people.values()
        ],
        "faults": faults.describe(),
        "latency": faults.latency,
        "settings": state.settings.changed(),
        "today": str(state.clock.today()),
        "operations": OPERATIONS,
        "values": VALUES,
        "choices": SimulatorSettings.choices(),
    }
    return as_json(overview)


def _clear_faults(request: Request, state: State, faults: Faults) -> Response:
    faults.clear()
    return _overview(request, state, faults)


def _set_fault(request: Request, _state: State, faults: Faults) -> Response:
    """`{"operation", "value", "times"?, "school"?, ...}` or `{"latency": seconds}`."""
    data = request.json_object() or {}
    try:
        if "latency" in data:
            faults.latency = float(data["latency"])
        else:
            faults.set(**data)
    except (TypeError, ValueError) as error:
        return as_json({"error": str(error)}, 400)
    return as_json({"faults": faults.describe(), "latency": faults.latency})


def _set_settings(request: Request, state: State, _faults: Faults) -> Response:
    """`{"name": value, ...}`: sets all of them, or none if one is wrong."""
    data = request.json_object() or {}
    settings = replace(state.settings)
    try:
        for name, value in data.items():
            settings.set(name, value)
    except ValueError as error:
        return as_json({"error": str(error)}, 400)
    state.settings = settings
    return as_json({"settings": settings.changed()})


def _reset_settings(_request: Request, state: State, _faults: Faults) -> Response:
    state.settings = SimulatorSettings()
    return as_json({"settings": {}})


def _advance(request: Request, state: State, _faults: Faults) -> Response:
    """`{"advance": seconds}`."""
    seconds = (request.json_object() or {}).get("advance")
    if not isinstance(seconds, int | float):
        return as_json({"error": "advance is a number of seconds"}, 400)
    state.clock.advance(seconds)
    return as_json({"today": str(state.clock.today())})


def _change_schedule(request: Request, state: State, _faults: Faults) -> Response:
    """`{"school", "username", "kind", "date", "start"?, "value"?}`: changes a lesson."""
    data = request.json_object() or {}
    try:
        person = state.person(data["school"], data["username"])
        day = date.fromisoformat(data["date"])
        more = {name: str(data[name]) for name in ("start", "value") if name in data}
        state.schedule.add(person.school, person.user_id, data["kind"], day, **more)
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        return as_json({"error": f"no such change: {error}"}, 400)
    return as_json({"changed": data["kind"]})


_HANDLERS: dict[tuple[str, str], Callable[[Request, State, Faults], Response]] = {
    ("GET", ""): _overview,
    ("POST", "faults"): _set_fault,
    ("DELETE", "faults"): _clear_faults,
    ("POST", "settings"): _set_settings,
    ("DELETE", "settings"): _reset_settings,
    ("POST", "clock"): _advance,
    ("POST", "schedule"): _change_schedule,
}
