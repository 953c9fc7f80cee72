"""GET /api/people/class: the pupils of the caller's classes."""

import pytest

from tests.conftest import Caller
from upstream.simulator.server import Simulator

PATH = "/api/people/class"
FIELDS = {"name", "firstName", "lastName", "class", "email", "phone", "address"}


@pytest.mark.parametrize("layout", ["A", "B", "C", "D", "single-column", "no-contact"])
def test_each_layout_has_the_pupils_and_no_staff(
    elsa: Caller, simulator: Simulator, layout: str
) -> None:
    simulator.state.settings.set("class_page", layout)
    pupils = elsa.get(PATH).json()["students"]
    assert len(pupils) >= 10
    for pupil in pupils:
        assert pupil.keys() == FIELDS
        assert pupil["name"] == f"{pupil['firstName']} {pupil['lastName']}".strip()
        assert " " not in pupil["lastName"]
        assert not {pupil[field] for field in ("email", "phone", "address")} & {"", " "}
    names = {pupil["name"] for pupil in pupils}
    assert "Elsa Nordvall" in names
    assert "Torbjörn Ekvik" not in names


@pytest.mark.parametrize(
    ("layout", "there"),
    [("A", {"email", "address"}), ("B", {"phone", "address"}), ("no-contact", set())],
)
def test_contact_details_are_null_where_absent(
    elsa: Caller, simulator: Simulator, layout: str, there: set[str]
) -> None:
    simulator.state.settings.set("class_page", layout)
    pupils = elsa.get(PATH).json()["students"]
    for field in ("email", "phone", "address"):
        kinds = {type(pupil[field]) for pupil in pupils}
        assert kinds == ({str, type(None)} if field in there else {type(None)})
    addresses = [pupil["address"] for pupil in pupils if pupil["address"]]
    assert any("\n" in address for address in addresses) is ("address" in there)


def test_all_classes_of_the_page_are_read(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("class_page", "D")
    pupils = elsa.get(PATH).json()["students"]
    assert len({pupil["class"] for pupil in pupils}) == 2


@pytest.mark.parametrize("layout", ["hidden", "hidden-redirect"])
def test_a_page_that_a_school_hides_is_an_empty_list(
    elsa: Caller, simulator: Simulator, layout: str
) -> None:
    simulator.state.settings.set("class_page", layout)
    assert elsa.get(PATH).json() == {"success": True, "students": []}


def test_an_unknown_page_is_an_error_not_an_empty_list(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("class_page", "unknown")
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_changed")
