"""/api/layout."""

from functools import partial
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from notes.limits import MAX_WIDGETS
from tests.concurrency import at_once
from tests.conftest import Caller

PATH = "/api/layout"
SCHEDULE = {"instanceId": "schedule-1", "widgetId": "schedule", "size": "2x2"}


def layout(*widgets: dict[str, Any]) -> dict[str, Any]:
    return {"layout": {"version": 1, "widgets": list(widgets)}}


def test_it_is_null_until_it_is_saved(elsa: Caller) -> None:
    assert elsa.get(PATH).json() == {"success": True, "layout": None}


def test_it_is_stored_in_order(elsa: Caller, zoe: Caller) -> None:
    every = [
        {"instanceId": f"{widget} å {size}"[:64], "widgetId": widget, "size": size}
        for widget, size in zip(
            ("weather", "homework", "schedule", "notes", "lunch", "news", "countdown", "messages"),
            ("1x1", "2x1", "4x1", "1x2", "2x2", "4x2", "1x1", "2x1"),
            strict=True,
        )
    ]
    answer = elsa.put(PATH, layout(*every))
    assert (answer.status_code, answer.json()) == (200, {"success": True} | layout(*every))
    assert elsa.get(PATH).json() == answer.json()
    assert zoe.get(PATH).json()["layout"] is None


def test_a_new_layout_replaces_the_old_one(elsa: Caller) -> None:
    elsa.put(PATH, layout(SCHEDULE))
    elsa.put(PATH, layout())
    assert elsa.get(PATH).json() == {"success": True} | layout()


def test_unknown_fields_are_not_stored(elsa: Caller) -> None:
    answer = elsa.put(PATH, {"layout": layout(SCHEDULE | {"x": 1})["layout"] | {"y": 2}, "z": 3})
    assert answer.json() == {"success": True} | layout(SCHEDULE)


def test_forty_widgets_fit_and_one_more_does_not(elsa: Caller) -> None:
    many = [SCHEDULE | {"instanceId": str(number)} for number in range(MAX_WIDGETS + 1)]
    assert elsa.put(PATH, layout(*many[:-1])).status_code == 200
    assert elsa.put(PATH, layout(*many)).status_code == 400
    assert len(elsa.get(PATH).json()["layout"]["widgets"]) == MAX_WIDGETS


def test_thousands_of_invalid_widgets_are_one_error(elsa: Caller) -> None:
    answer = elsa.put(PATH, layout(*[{}] * 60_000))
    assert answer.status_code == 400
    assert answer.json()["fields"] == {
        "layout.widgets": ["Ensure this field has no more than 40 elements."]
    }


def test_an_invalid_layout_is_400_and_the_stored_one_stays(elsa: Caller) -> None:
    elsa.put(PATH, layout(SCHEDULE))
    names: list[Any] = ["", " ", None, 1, [], "a" * 65]
    words: list[Any] = ["", "clock", "Notes", None, 1, {}]
    sizes: list[Any] = ["", "3x3", "2X2", None, 2, []]
    wrong: list[Any] = [
        {},
        {"layout": None},
        {"layout": []},
        {"layout": {"version": 1}},
        {"layout": {"widgets": []}},
        *({"layout": {"version": version, "widgets": []}} for version in (0, 2, "1", True, None)),
        {"layout": {"version": 1, "widgets": None}},
        {"layout": {"version": 1, "widgets": {}}},
        layout(SCHEDULE, SCHEDULE),
        layout(SCHEDULE, SCHEDULE | {"instanceId": " schedule-1 "}),
        *(layout(SCHEDULE | {"instanceId": name}) for name in names),
        *(layout(SCHEDULE | {"widgetId": word}) for word in words),
        *(layout(SCHEDULE | {"size": size}) for size in sizes),
        {"layout": {"version": 1, "widgets": ["schedule"]}},
    ]
    for body in wrong:
        answer = elsa.put(PATH, body)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), body
        assert all(name.startswith("layout") for name in answer.json()["fields"]), body
    assert elsa.get(PATH).json() == {"success": True} | layout(SCHEDULE)


def test_it_costs_one_query(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    elsa.get(PATH)
    with django_assert_num_queries(1):
        elsa.put(PATH, layout(SCHEDULE))
    with django_assert_num_queries(1):
        elsa.get(PATH)


@pytest.mark.django_db(transaction=True)
def test_simultaneous_layouts_are_not_mixed(elsa: Caller) -> None:
    layouts = [
        layout(*(SCHEDULE | {"instanceId": f"{who}-{number}"} for number in range(3)))
        for who in range(3)
    ]
    answers = at_once([partial(elsa.twin().put, PATH, body) for body in layouts])
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert elsa.get(PATH).json()["layout"] in [body["layout"] for body in layouts]
