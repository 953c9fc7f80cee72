"""The lunch page, in the layouts that it has had."""

from datetime import timedelta

from upstream.simulator import swedish_dates
from upstream.simulator.answers.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.menu import Meal, meals_of
from upstream.simulator.pages import frame
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.timetable import monday_near


@jsp_page
def show(request: Request, state: State, person: Person) -> Response:
    """`requestid` is the week; the current one where it is -1, left out, or no week."""
    today = state.clock.today()
    number = request.query.get("requestid", "")
    asked = number.isdecimal() and 1 <= int(number) <= 53
    week = int(number) if asked else today.isocalendar().week
    meals = meals_of(person.school, week)
    wish = state.settings.lunch_page
    if wish == "no-menu":
        content = f"<p>Det finns ingen matsedel f&ouml;r vecka {week}.</p>"
    elif not meals or wish == "no-table":
        content = ""
    else:
        days = [
            swedish_dates.day_name(monday_near(week, today) + timedelta(days=meal.day - 1))
            for meal in meals
        ]
        content = _plain(days, meals) if wish == "plain" else _parallel(days, meals)
    body = frame.box("lunchmenu_con", f"Matsedel vecka {week}", content)
    return frame.render("Matsedel", body, state)


def _parallel(days: list[str], meals: list[Meal]) -> str:
    """Dates and meals in rows of their own, one after the other. Wednesday says nothing."""
    rows = "".join(
        f'<tr><td><div class="h3_bold">{_entities(day)}</div></td></tr>\n'
        f'<tr><td style="word-wrap: break-word{";" if meal.day % 2 else ""}">'
        f"{'&nbsp;' if meal.day == 3 else _lines(meal, '<br />')}</td></tr>\n"
        for day, meal in zip(days, meals, strict=True)
    )
    return f"<table>{rows}</table>"


def _plain(days: list[str], meals: list[Meal]) -> str:
    """A day a row: the day in the first cell, the meal in the last. No Thursday."""
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
    """Some letters as entities, some as bytes; an ampersand as it is."""
    return text.replace("å", "&aring;").replace("ä", "&auml;")
