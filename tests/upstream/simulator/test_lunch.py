"""Lunch: as JSON, and the page."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from bs4 import BeautifulSoup

from tests.upstream.simulator.pages import one, read, text_of
from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

PAGE = "/jsp/student/right_student_lunchmenu.jsp"


def lunch(client: PlainClient, week: int | str = 11, cookies: str = "") -> Any:
    return client.open(cookies or client.sign_in(), f"/rest-api/lunchmenu/week/{week}").json()


def page(client: PlainClient, query: str = "?requestid=11") -> BeautifulSoup:
    return read(client.open(client.sign_in(), PAGE + query))


def days(answer: Any) -> list[int]:
    return [day["dayId"] for day in answer]


def test_a_week_has_five_days_one_without_dishes(client: PlainClient) -> None:
    week = lunch(client)
    assert days(week) == [1, 2, 3, 4, 5]
    assert [len(day["dishes"]) for day in week] == [1, 2, 0, 1, 1]
    assert week[1]["dishes"][1]["dishType"] == "Veg"


def test_alternatives_are_joined_with_blank_lines_and_markers(client: PlainClient) -> None:
    cookies = client.sign_in()
    texts = [
        dish["dish"]
        for week in range(1, 26)
        for day in lunch(client, week, cookies)
        for dish in day["dishes"]
        if dish["dishType"] != "Veg"
    ]
    glued = [text for text in texts if "\r\n\r\n" in text]
    assert glued
    assert all(text.endswith("\r\n") for text in glued)
    for marker in ("\r\nVegetarisk\r\n", "\r\nVegetariskt\r\n", "\r\nVeg:\r\n", "\r\nVeg: "):
        assert any(marker in text for text in glued), marker
    assert any(re.match("Veg", text) for text in glued), "never the vegetarian dish first"
    assert any(" \r\n" in text for text in glued), "never a blank before a break"


def test_every_third_week_lacks_a_thursday_and_the_summer_everything(client: PlainClient) -> None:
    assert days(lunch(client, 12)) == [1, 2, 3, 5]
    assert lunch(client, 30) == []


def test_a_school_has_one_menu_and_schools_differ(client: PlainClient) -> None:
    path = "/rest-api/lunchmenu/week/11"
    people = ["elsa.nordvall", "torbjörn.ekvik", "gun.nordvall"]
    menus = {client.open(client.sign_in(name), path).content for name in people}
    assert len(menus) == 1
    nils = client.sign_in("nils.bergqvist", "nyvang")
    assert client.open(nils, path, "nyvang").content not in menus


def test_weeks_are_parsed_as_those_of_lessons(simulator: Simulator, client: PlainClient) -> None:
    assert lunch(client, "05") == lunch(client, 5)
    cookies = client.sign_in()
    assert client.open(cookies, "/rest-api/lunchmenu/week/54").status_code == 400
    simulator.state.settings.bad_week = "empty"
    assert lunch(client, 54) == []
    assert client.open("", "/rest-api/lunchmenu/week/11").status_code == 401


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("full", [1, 1, 1, 1, 1]),
        ("missing-days", [1, 1, 1]),
        ("no-dishes", [0, 0, 0, 0, 0]),
        ("several", [2, 2, 2, 2, 2]),
        ("veg-marker", [1, 1, 1, 1, 1]),
        ("none", []),
    ],
)
def test_the_setting_decides_the_form_of_the_week(
    simulator: Simulator, client: PlainClient, value: str, shape: list[int]
) -> None:
    simulator.state.settings.set("lunch", value)
    week = lunch(client)
    assert [len(day["dishes"]) for day in week] == shape
    if value == "veg-marker":
        assert all("\r\n\r\nVeg:\r\n" in day["dishes"][0]["dish"] for day in week)


def test_the_week_can_be_an_object(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.lunch = "object"
    assert lunch(client) == {}


def test_days_and_meals_are_parallel_on_the_page(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.clock.set(datetime(2026, 3, 10, 12, tzinfo=UTC))
    content = one(page(client), "#lunchmenu_con_content")
    dates = [text_of(date) for date in content.select("div.h3_bold")]
    meals = content.select("td[style*=word-wrap]")
    assert dates[0] == "Måndag 9 mars"
    assert len(dates) == len(meals) == 5
    assert {meal["style"] for meal in meals} == {
        "word-wrap: break-word",
        "word-wrap: break-word;",
    }
    assert meals[0].select("br")
    assert "Vegetariskt" in text_of(meals[0])
    assert text_of(meals[2]) == ""


def test_the_page_has_a_plain_layout_too(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.lunch_page = "plain"
    rows = page(client).select("#lunchmenu_con_content tr")
    assert len(rows) == 4
    assert text_of(one(rows[0], "td:first-child")).startswith("Måndag")
    assert "Vegetariskt" in text_of(one(rows[0], "td:last-child"))


def test_an_empty_week_has_no_table(simulator: Simulator, client: PlainClient) -> None:
    assert not page(client, "?requestid=30").select("#lunchmenu_con_content table")
    simulator.state.settings.lunch_page = "no-table"
    assert not page(client).select("#lunchmenu_con_content table")
    simulator.state.settings.lunch_page = "no-menu"
    content = one(page(client), "#lunchmenu_con_content")
    assert text_of(content) == "Det finns ingen matsedel för vecka 11."


@pytest.mark.parametrize("query", ["", "?requestid=-1", "?requestid=77"])
def test_without_a_week_the_page_shows_the_current_one(
    simulator: Simulator, client: PlainClient, query: str
) -> None:
    simulator.state.clock.set(datetime(2026, 3, 17, 12, tzinfo=UTC))
    heading = one(page(client, query), "#lunchmenu_con .h2_box > div:nth-of-type(2)")
    assert text_of(heading) == "Matsedel vecka 12"


def test_page_and_json_have_the_same_dishes(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.lunch = "several"
    dishes = [dish["dish"] for dish in lunch(client)[0]["dishes"]]
    meal = one(page(client), "td[style*=word-wrap]")
    assert all(" ".join(dish.split()) in text_of(meal) for dish in dishes)
