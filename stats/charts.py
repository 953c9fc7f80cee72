"""The public numbers as drawings: where each bar stands. Pure; the template writes the SVG.

A drawing is 320 units wide, about what a phone has, so that its text stays readable there. A bar
that is folded away has no value: nobody can tell it from nothing, and it is drawn as a dot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from stats.names import OTHER

WIDTH: Final = 320.0
PLOT: Final = 112.0
ABOVE, BELOW = 20.0, 22.0
ROW: Final = 34.0
THICK: Final = 8.0
HALF_A_WORD: Final = 19.0
MOST_ROWS: Final = 8
MOST_LETTERS: Final = 32
RECENT_DAYS: Final = 28
# More columns than this stand too close for a number over each.
NUMBERED: Final = 7
DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Bars = dict[str, int]


@dataclass(frozen=True, slots=True)
class Item:
    """One bar before it is drawn. `tick` stands at the axis; a `value` of None is not known."""

    name: str
    tick: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar as drawn. `label` is the number written over it, `tick` what stands below it."""

    name: str
    tick: str
    number: str
    x: float
    y: float
    width: float
    height: float
    label: str = ""

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def anchor(self) -> str:
        """Words near an edge are written inwards, or they would be cut."""
        if HALF_A_WORD < self.middle < WIDTH - HALF_A_WORD:
            return "middle"
        return "start" if self.middle <= HALF_A_WORD else "end"

    @property
    def words_x(self) -> float:
        ends = {"start": self.x, "middle": self.middle, "end": self.x + self.width}
        return round(ends[self.anchor], 2)


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with its words. `rows` are (name, number) of the table beside it."""

    key: str
    title: str
    summary: str
    height: float
    bars: list[Bar] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    lying: bool = False

    @property
    def baseline(self) -> float:
        return ABOVE + PLOT


def number(value: int) -> str:
    return f"{value:,}"


def short(value: int) -> str:
    """A few signs: 940, 1.2k, 64k, 3.1M."""
    for size, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if value >= size:
            places = 1 if value < 10 * size else 0
            return f"{value / size:.{places}f}".removesuffix(".0") + letter
    return str(value)


def charts(totals: dict[str, Any], *, today: date) -> list[Chart]:
    """The drawings of the page, in its order; `today` is the last of the four weeks."""
    days, hours = totals["loginDays"], totals["loginHours"]
    talk, dates = totals["messageHours"], totals["peakDates"]
    return [
        _columns("week", "A week", "Sign-ins by day of the week.", days, _week(days)),
        _columns("day", "A day", "Sign-ins by hour.", hours, _hours(hours)),
        _columns("talk", "When people write", "Messages by hour.", talk, _hours(talk)),
        by_date("recent", "Four weeks", "Sign-ins by date.", dates, today=today),
        _lying("schools", "Schools", "Sign-ins by school.", totals["schools"]),
    ]


def _week(bars: Bars) -> list[Item]:
    # Theirs begins with Sunday, a Swedish week with Monday.
    return [Item(name, name[:3], bars.get(str((n + 1) % 7))) for n, name in enumerate(DAYS)]


def _hours(bars: Bars) -> list[Item]:
    return [
        Item(f"{hour:02}:00", "" if hour % 6 else f"{hour:02}", bars.get(str(hour)))
        for hour in range(24)
    ]


def by_date(
    key: str, title: str, what: str, bars: Bars, *, today: date, count: int = RECENT_DAYS
) -> Chart:
    """The last `count` days, ending with `today`, of bars named by ISO dates."""
    days = [today - timedelta(days=back) for back in reversed(range(count))]
    items = [
        Item(f"{day:%A} {_day(day)}", _day(day) if not day.weekday() else "", bars.get(str(day)))
        for day in days
    ]
    return _columns(key, title, what, {}, items)


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"


def _columns(key: str, title: str, what: str, bars_of: Bars, items: Sequence[Item]) -> Chart:
    """`bars_of` is the histogram, for what of it is folded; empty where that says nothing."""
    known = [item.value for item in items if item.value]
    if not known:
        return Chart(key, title, what, height=0.0)
    most = max(known)
    best = next(item for item in items if item.value == most)
    step = WIDTH / len(items)
    bars = [
        _column(item, place * step, step, most, numbered=len(items) <= NUMBERED or item is best)
        for place, item in enumerate(items)
    ]
    rows = [(item.name, "–" if item.value is None else number(item.value)) for item in items]
    summary = f"{what} Most: {best.name}, {number(most)}."
    if folded := bars_of.get(OTHER):
        rows.append((OTHER, number(folded)))
        summary += f" Other: {number(folded)}."
    return Chart(key, title, summary, ABOVE + PLOT + BELOW, bars, rows)


def _column(item: Item, left: float, step: float, most: int, *, numbered: bool) -> Bar:
    value = item.value or 0
    # A bar that is there is seen, however small it is beside the others.
    height = max(2.0, PLOT * value / most) if value else 0.0
    width = round(step * 0.7, 2)
    return Bar(
        name=item.name,
        tick=item.tick,
        number="fewer than ten accounts" if item.value is None else number(item.value),
        x=round(left + (step - width) / 2, 2),
        y=round(ABOVE + PLOT - height, 2),
        width=width,
        height=round(height, 2),
        label=short(value) if numbered and value else "",
    )


def _lying(key: str, title: str, what: str, bars: Bars) -> Chart:
    """One row below the other, the longest first, what is folded last."""
    named = sorted(
        ((name, value) for name, value in bars.items() if name != OTHER),
        key=lambda one: (-one[1], one[0]),
    )
    if not named:
        return Chart(key, title, what, height=0.0)
    drawn, rest = named[:MOST_ROWS], named[MOST_ROWS:]
    if rest:
        drawn.append((f"{len(rest)} more", sum(value for _, value in rest)))
    if bars.get(OTHER):
        drawn.append((OTHER, bars[OTHER]))
    most = max(value for _, value in drawn)
    drawings = [
        Bar(
            name=name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…",
            tick="",
            number=number(value),
            x=0.0,
            y=place * ROW + ROW - 2 * THICK,
            width=round(max(2.0, WIDTH * value / most), 2),
            height=THICK,
        )
        for place, (name, value) in enumerate(drawn)
    ]
    rows = [(name, number(value)) for name, value in named]
    if bars.get(OTHER):
        rows.append((OTHER, number(bars[OTHER])))
    summary = f"{what} Most: {named[0][0]}, {number(named[0][1])}."
    return Chart(key, title, summary, ROW * len(drawings), drawings, rows, lying=True)
