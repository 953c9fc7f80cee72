"""Parses the dishes of a menu, and the lunch page of schools without JSON."""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import Tag

from upstream.errors import UpstreamChanged
from upstream.pages.html import Page, attribute, classes, line, lines, parse, read_text
from upstream.records import Alternative, Dish, LunchDay

# Of one week.
MAX_MEALS: Final = 200

_DAYS: Final = {
    "mån": 1, "tis": 2, "ons": 3, "tor": 4, "fre": 5, "lör": 6, "sön": 7,
    "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7,
}  # fmt: skip
_WORD: Final = (
    r"(?i:vegetari(?:sk|skt|ska|an)(?: (?:alternativ|alternative|rätt))?|vegan(?:sk|skt|ska)?|veg)"
)
# With a colon, or before a capital: "vegetarisk lasagne" is a dish, "Vegetariskt Lasagne" is not.
_MARKER_LINE: Final = re.compile(rf"({_WORD})\s?[.:]?\Z")
_MARKER_START: Final = re.compile(rf"({_WORD})(?:\s?:\s?|\s(?=[A-ZÅÄÖÉ]))")
_MARKER_INSIDE: Final = re.compile(rf"\s(?={_WORD}\s?:|(?=V){_WORD}\s[A-ZÅÄÖÉ])")


def read_dish(dish_type: str, text: str) -> Dish:
    """A dish from its text. Blank lines and markers ("Vegetarisk:") separate the alternatives."""
    plain = "\n".join(text.replace("\xa0", " ").splitlines()).strip()
    alternatives: list[Alternative] = []
    label: str | None = None
    words: list[str] = []
    for row in [*_rows(plain), ""]:
        marker = _MARKER_LINE.match(row) or _MARKER_START.match(row)
        if words and (marker or not row):
            alternatives.append(Alternative(label, "\n".join(words)))
            label, words = None, []
        if marker:
            # A marker at the end of a paragraph belongs to the next paragraph.
            label = marker[1]
        rest = row[marker.end() :] if marker else row
        if rest:
            words.append(rest)
    if plain and not alternatives:
        # A text that is only a marker is the name of the dish.
        alternatives.append(Alternative(None, plain))
    return Dish(dish_type, plain, tuple(alternatives))


def _rows(text: str) -> Iterator[str]:
    """The lines of a text, whitespace collapsed, split before a marker inside a line."""
    for row in text.split("\n"):
        yield from _MARKER_INSIDE.split(" ".join(row.split()))


def read_lunch(page: Page) -> list[LunchDay]:
    """The days of the lunch page in the order of the week; days without a dish are left out.

    A page without the table, or with a sentence instead of it, is a week without a menu.

    Raises: SessionDead for the login page; UpstreamChanged for a page without the menu's box, or
    with a table without days.
    """
    root = parse(read_text(page))
    box = root.find(id="lunchmenu_con_content")
    if box is None:
        if root.find(id="lunchmenu_con"):
            return []
        raise UpstreamChanged("the lunch page")
    meals = _stacked(box) or _tabled(box)
    if not meals and any(line(cell) for cell in box.find_all("td")):
        raise UpstreamChanged("the table of the lunch page")
    if len(meals) > MAX_MEALS:
        raise UpstreamChanged("a menu with too many meals")
    days: dict[int, list[Dish]] = {}
    for day, meal in meals:
        dish = read_dish("", "\n\n".join(lines(meal)))
        if dish.dish:
            days.setdefault(day, []).append(dish)
    return [LunchDay(day, tuple(days[day])) for day in sorted(days)]


def _stacked(box: Tag) -> list[tuple[int, Tag]]:
    """Meals in cells that wrap, each after the heading of its day, or all after all days."""
    days: list[int] = []
    meals: list[tuple[int, Tag]] = []
    days_before: list[int] = []
    for element in box.find_all(["div", "td"]):
        if element.name == "div" and "h3_bold" in classes(element):
            day = weekday(line(element))
            if day is not None:
                days.append(day)
        elif element.name == "td" and "word-wrap" in attribute(element, "style"):
            meals.append((days[-1] if days else 0, element))
            days_before.append(len(days))
    if days_before and min(days_before) == len(days) == len(meals):
        return [(day, meal) for day, (_, meal) in zip(days, meals, strict=True)]
    return [(day, meal) for day, meal in meals if day]


def _tabled(box: Tag) -> list[tuple[int, Tag]]:
    """Meals in a table with a row per day: the day in the first cell, the meal in the last."""
    meals: list[tuple[int, Tag]] = []
    for row in box.find_all("tr"):
        cells = row.find_all("td", recursive=False)
        day = weekday(line(cells[0])) if len(cells) > 1 else None
        if day is not None:
            meals.append((day, cells[-1]))
    return meals


def weekday(text: str) -> int | None:
    """The number of the weekday that a heading begins with, in Swedish or English; else None."""
    return _DAYS.get(text[:3].lower())
