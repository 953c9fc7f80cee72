"""Lunch: the menu of a school, as JSON and as a page, as untidy as the real ones."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from upstream.simulator import dates, page_frame
from upstream.simulator.access import json_endpoint, jsp_page, requested_week
from upstream.simulator.dates import EMPTY_WEEKS, monday_near
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.settings import LunchWeek
from upstream.simulator.state import State

_DISHES = [
    ("Kåldolmar med lingon", "Linsbiffar med lingon"),
    ("Fiskgratäng med dill ", "Grönsaksgratäng med dill"),
    ("Köttfärssås & spaghetti", "Sojafärssås & spaghetti"),
    ("Ärtsoppa, pannkaka med sylt – grädde", "Ärtsoppa utan fläsk"),
    ("Kyckling à la Björkdal", "Halloumi med bulgur"),
    ("Raggmunk med  rårörda lingon", "Raggmunk med ”vego-bacon”"),
    ("Potatis- och purjolökssoppa", "Tomatsoppa med crème fraîche"),
    ("Panerad fisk, kall sås", "Panerad selleri, kall sås"),
]
_MARKERS = ["Vegetarisk\r\n", "Vegetariskt\r\n", "Veg:\r\n", "Veg: ", ""]
_KINDS = ["Dagens lunch", "Lunch", ""]


@dataclass(frozen=True, slots=True)
class Meal:
    """A day's lunch: the main dish and what there is without meat. `day` is 1 for Monday."""

    day: int
    main: str
    vegetarian: str
    marker: str
    kind: str
    vegetarian_first: bool
    """Whether the vegetarian dish comes first."""

    def combined(self) -> str:
        """Both dishes in one text, as in the JSON."""
        if self.vegetarian_first:
            return f"{self.marker}{self.vegetarian}\r\n\r\n{self.main}\r\n"
        return f"{self.main}\r\n\r\n{self.marker}{self.vegetarian}\r\n"


def meals_of(school: str, week: int) -> list[Meal]:
    """The meals of five days, or none in the middle of the summer."""
    if week in EMPTY_WEEKS:
        return []
    rng = Random(f"{school}/lunch/{week}")  # noqa: S311 - repeatable, not secret
    return [
        Meal(
            day,
            main,
            vegetarian,
            rng.choice(_MARKERS),
            rng.choice(_KINDS),
            vegetarian_first=rng.random() < 0.2,
        )
        for day, (main, vegetarian) in enumerate(rng.sample(_DISHES, 5), start=1)
    ]


def lunch_of(school: str, week: int, variant: LunchWeek) -> list[dict[str, Any]] | dict[str, Any]:
    """The JSON of a week.

    Usually Tuesday has two dishes, Wednesday has none, and Thursday is missing every third week.
    """
    meals = meals_of(school, week)
    if variant == "object":
        return {}
    if variant == "none":
        return []
    days = [_day(meal, variant) for meal in meals]
    if variant == "missing-days" or (variant == "usual" and week % 3 == 0):
        days = [day for day in days if day["dayId"] != 4]
    if variant == "missing-days":
        days = days[1:]
    return days


def _day(meal: Meal, variant: LunchWeek) -> dict[str, Any]:
    if variant == "no-dishes" or (variant == "usual" and meal.day == 3):
        return {"dayId": meal.day, "dishes": []}
    if variant == "several" or (variant == "usual" and meal.day == 2):
        dishes = [_dish("Lunch", meal.main), _dish("Veg", meal.vegetarian)]
    elif variant == "veg-marker":
        dishes = [_dish("Lunch", f"{meal.main}\r\n\r\nVeg:\r\n{meal.vegetarian}\r\n")]
    else:
        dishes = [_dish(meal.kind, meal.combined())]
    return {"dayId": meal.day, "dishes": dishes}


def _dish(kind: str, text: str) -> dict[str, str]:
    return {"dishType": kind, "dish": text}


@json_endpoint
def week_menu(request: Request, state: State, person: Person) -> Response:
    """The same for everybody at the school: the path has no role."""
    week = requested_week(request)
    if isinstance(week, Response):
        return week
    return as_json(lunch_of(person.school, week, state.settings.lunch))


@jsp_page
def lunch_page(request: Request, state: State, person: Person) -> Response:
    """`requestid` is the week; without a valid one, the current week."""
    today = state.clock.today()
    number = request.query.get("requestid", "")
    valid = number.isdecimal() and 1 <= int(number) <= 53
    week = int(number) if valid else today.isocalendar().week
    meals = meals_of(person.school, week)
    layout = state.settings.lunch_page
    if layout == "no-menu":
        content = f"<p>Det finns ingen matsedel f&ouml;r vecka {week}.</p>"
    elif not meals or layout == "no-table":
        content = ""
    else:
        names = [
            dates.day_name(monday_near(week, today) + timedelta(days=meal.day - 1))
            for meal in meals
        ]
        content = _plain(names, meals) if layout == "plain" else _parallel(names, meals)
    body = page_frame.box("lunchmenu_con", f"Matsedel vecka {week}", content)
    return page_frame.render("Matsedel", body, state)


def _parallel(days: list[str], meals: list[Meal]) -> str:
    """A row with the date, then a row with the meal. Wednesday is empty."""
    rows = "".join(
        f'<tr><td><div class="h3_bold">{_entities(day)}</div></td></tr>\n'
        f'<tr><td style="word-wrap: break-word{";" if meal.day % 2 else ""}">'
        f"{'&nbsp;' if meal.day == 3 else _lines(meal, '<br />')}</td></tr>\n"
        for day, meal in zip(days, meals, strict=True)
    )
    return f"<table>{rows}</table>"


def _plain(days: list[str], meals: list[Meal]) -> str:
    """One row for each day: the day in the first cell, the meal in the last. No Thursday."""
    rows = "".join(
        f"<tr><td>{day}</td><td>&nbsp;</td><td>{_lines(meal, '<br>')}</td></tr>\n"
        for day, meal in zip(days, meals, strict=True)
        if meal.day != 4
    )
    return f'<table class="table table-striped">{rows}</table>'


def _lines(meal: Meal, line_break: str) -> str:
    marker = ("Vegetariskt: ", "Vegetariskt ")[meal.day % 2]
    return line_break.join([_entities(meal.main), marker + _entities(meal.vegetarian)])


def _entities(text: str) -> str:
    """Encode some letters as entities and leave others, and ampersands, as they are."""
    return text.replace("å", "&aring;").replace("ä", "&auml;")
