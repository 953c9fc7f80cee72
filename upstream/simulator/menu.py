"""What there is for lunch: the same for a whole school, with the untidiness of the real menus."""

from dataclasses import dataclass
from random import Random
from typing import Any

from upstream.simulator.settings import LunchWeek
from upstream.simulator.timetable import EMPTY_WEEKS

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
        """Both in one text, as the JSON has them."""
        if self.vegetarian_first:
            return f"{self.marker}{self.vegetarian}\r\n\r\n{self.main}\r\n"
        return f"{self.main}\r\n\r\n{self.marker}{self.vegetarian}\r\n"


def meals_of(school: str, week: int) -> list[Meal]:
    """Five days; none in the middle of the summer."""
    if week in EMPTY_WEEKS:
        return []
    rng = Random(f"{school}/lunch/{week}")  # noqa: S311 - to be repeated, not to be secret
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


def lunch_of(school: str, week: int, wish: LunchWeek) -> list[dict[str, Any]] | dict[str, Any]:
    """The JSON of a week.

    Usually Tuesday has two dishes, Wednesday has none, and Thursday is missing every third week.
    """
    meals = meals_of(school, week)
    if wish == "object":
        return {}
    if wish == "none":
        return []
    days = [_day(meal, wish) for meal in meals]
    if wish == "missing-days" or (wish == "usual" and week % 3 == 0):
        days = [day for day in days if day["dayId"] != 4]
    if wish == "missing-days":
        days = days[1:]
    return days


def _day(meal: Meal, wish: LunchWeek) -> dict[str, Any]:
    if wish == "no-dishes" or (wish == "usual" and meal.day == 3):
        return {"dayId": meal.day, "dishes": []}
    if wish == "several" or (wish == "usual" and meal.day == 2):
        dishes = [_dish("Lunch", meal.main), _dish("Veg", meal.vegetarian)]
    elif wish == "veg-marker":
        dishes = [_dish("Lunch", f"{meal.main}\r\n\r\nVeg:\r\n{meal.vegetarian}\r\n")]
    else:
        dishes = [_dish(meal.kind, meal.combined())]
    return {"dayId": meal.day, "dishes": dishes}


def _dish(kind: str, text: str) -> dict[str, str]:
    return {"dishType": kind, "dish": text}
