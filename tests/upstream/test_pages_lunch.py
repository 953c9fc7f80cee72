"""The lunch page, and dishes from their text."""

import pytest

from tests.upstream.saved import saved
from upstream.errors import SessionDead, UpstreamChanged
from upstream.pages.lunch import read_dish, read_lunch, weekday
from upstream.records import Alternative, LunchDay


def menu(name: str) -> dict[int, list[list[tuple[str | None, str]]]]:
    return {
        day.day_id: [[(a.label, a.text) for a in dish.alternatives] for dish in day.dishes]
        for day in read_lunch(saved(name))
    }


def test_days_and_meals_may_alternate() -> None:
    assert menu("lunch_stacked.html") == {
        1: [[(None, "Kåldolmar med lingon"), ("Vegetariskt", "Linsbiffar med lingon")]],
        2: [[(None, "Fiskgratäng – dill & citron")]],
        4: [[(None, "Ärtsoppa"), (None, "Pannkakor")], [("Vegetarisk", "Grönsakssoppa")]],
    }


def test_all_days_may_come_before_all_meals() -> None:
    assert menu("lunch_columns.html") == {
        1: [[(None, "Köttbullar")]],
        2: [[(None, "Sej i ugn")]],
        3: [[(None, "Crêpes")]],
    }


def test_a_plain_table_has_the_day_first_and_the_meal_last() -> None:
    assert menu("lunch_table.html") == {
        1: [[(None, "Köttfärssås"), ("Veg", "Sojafärssås")]],
        3: [[(None, "Raggmunk"), ("Vegetariskt", "Raggmunk utan fläsk")]],
    }


@pytest.mark.parametrize("name", ["lunch_without_table.html", "lunch_sentence.html"])
def test_a_week_without_a_menu_is_an_empty_list(name: str) -> None:
    assert read_lunch(saved(name)) == []


@pytest.mark.parametrize("name", ["lunch_unknown_table.html", "blocked.html", "school_info.html"])
def test_a_page_without_a_menu_is_a_changed_layout(name: str) -> None:
    with pytest.raises(UpstreamChanged):
        read_lunch(saved(name))


def test_the_login_page_is_a_dead_session() -> None:
    with pytest.raises(SessionDead):
        read_lunch(saved("login.html"))


# --- Dishes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "alternatives"),
    [
        ("Sej\r\n\r\nVegetarisk\r\nBiffar\r\n", [(None, "Sej"), ("Vegetarisk", "Biffar")]),
        ("Veg:\r\nLinsbiffar\r\n\r\nKåldolmar", [("Veg", "Linsbiffar"), (None, "Kåldolmar")]),
        ("A \r\n\r\n B  b", [(None, "A"), (None, "B b")]),
        ("A\n\xa0\nVegetariskt\n\nB", [(None, "A"), ("Vegetariskt", "B")]),
        ("A Vegetariskt: B", [(None, "A"), ("Vegetariskt", "B")]),
        ("A Vegetariskt B", [(None, "A"), ("Vegetariskt", "B")]),
        ("Vegetarisk Ärtsoppa\n\nB", [("Vegetarisk", "Ärtsoppa"), (None, "B")]),
        ("Sallad med vegetarisk Quorn", [(None, "Sallad med vegetarisk Quorn")]),
        ("A\nVeg: B", [(None, "A"), ("Veg", "B")]),
        ("Vegetarisk lasagne", [(None, "Vegetarisk lasagne")]),
        ("Veganska biffar: goda", [(None, "Veganska biffar: goda")]),
        ("Sej\nmed dill", [(None, "Sej\nmed dill")]),
        ("Veg", [(None, "Veg")]),
        ("", []),
        (" \r\n ", []),
    ],
)  # fmt: skip
def test_alternatives_are_paragraphs_and_markers_are_labels(
    text: str, alternatives: list[tuple[str | None, str]]
) -> None:
    dish = read_dish("Lunch", text)
    assert dish.alternatives == tuple(Alternative(*one) for one in alternatives)


def test_the_text_of_a_dish_changes_only_in_its_line_ends() -> None:
    assert read_dish("", "A &  b \r\n\r\nVeg:\rC\r\n").dish == "A &  b \n\nVeg:\nC"


def test_weekdays_are_recognised_in_two_languages() -> None:
    assert [weekday(day) for day in ("Måndag 9 mars", "tis", "LÖRDAG", "Thursday", "Dag", "")] == [
        1, 2, 6, 4, None, None,
    ]  # fmt: skip


def test_days_are_in_order_and_listed_once() -> None:
    days = read_lunch(saved("lunch_stacked.html"))
    assert [day.day_id for day in days] == [1, 2, 4]
    assert all(isinstance(day, LunchDay) for day in days)
