"""Bar charts of the public totals: the position and text of every bar. The templates write the SVG.

Titles, names and numbers are in the active language. A drawing is 320 units wide, about the width
of a phone, so that its text stays readable there. A bar without a value is suppressed or zero: the
public totals do not say which. It is a dot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from django.utils import dates, formats
from django.utils.translation import gettext as _

from stats.facts import OTHER

WIDTH: Final = 320.0
PLOT_HEIGHT: Final = 112.0
MARGIN_TOP, MARGIN_BOTTOM = 20.0, 22.0
ROW_HEIGHT: Final = 34.0
BAR_HEIGHT: Final = 8.0
HALF_LABEL_WIDTH: Final = 19.0
MAX_ROWS: Final = 8
MAX_NAME_LENGTH: Final = 32
RECENT_DAYS: Final = 28
# With more columns than this there is no space for a number above each.
MAX_LABELLED_COLUMNS: Final = 7

Histogram = dict[str, int]


@dataclass(frozen=True, slots=True)
class Value:
    """The data of one column. `value` is None where the histogram has no such bucket."""

    name: str
    axis_label: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar as drawn. `value_label` is written above it, `axis_label` below it."""

    name: str
    axis_label: str
    number: str
    x: float
    y: float
    width: float
    height: float
    value_label: str = ""

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def text_anchor(self) -> str:
        """SVG's `text-anchor`: labels near an edge grow inwards, so that they are not cut off."""
        if HALF_LABEL_WIDTH < self.middle < WIDTH - HALF_LABEL_WIDTH:
            return "middle"
        return "start" if self.middle <= HALF_LABEL_WIDTH else "end"

    @property
    def label_x(self) -> float:
        ends = {"start": self.x, "middle": self.middle, "end": self.x + self.width}
        return round(ends[self.text_anchor], 2)


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, its title and summary, and the (name, number) rows of the table below it."""

    key: str
    title: str
    summary: str
    height: float
    bars: list[Bar] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    is_horizontal: bool = False

    @property
    def baseline(self) -> float:
        return MARGIN_TOP + PLOT_HEIGHT


def format_number(value: int) -> str:
    """The number with the separators of the language: 12,345 or 12 345."""
    return formats.number_format(value, force_grouping=True)


def abbreviate(value: int) -> str:
    """The number in at most four characters: 940, 1.2k, 64k, 3.1M."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if value >= size:
            decimals = 1 if value < 10 * size else 0
            number = f"{value / size:.{decimals}f}".removesuffix(".0")
            return formats.number_format(number) + unit
    return str(value)


def charts(totals: dict[str, Any], *, today: date) -> list[Chart]:
    """The charts of the statistics page, in its order. `today` is the last of the four weeks."""
    days, hours = totals["loginDays"], totals["loginHours"]
    messages, peak_dates = totals["messageHours"], totals["peakDates"]
    return [
        _vertical("week", _("A week"), _("Sign-ins by day of the week."), _by_weekday(days), days),
        _vertical("day", _("A day"), _("Sign-ins by hour."), _by_hour(hours), hours),
        _vertical(
            "messages", _("When people write"), _("Messages by hour."), _by_hour(messages), messages
        ),
        by_date("recent", _("Four weeks"), _("Sign-ins by date."), peak_dates, today=today),
        _horizontal("schools", _("Schools"), _("Sign-ins by school."), totals["schools"]),
    ]


def _by_weekday(histogram: Histogram) -> list[Value]:
    # The histogram's day 0 is Sunday; a Swedish week begins with Monday.
    return [
        Value(str(name), str(dates.WEEKDAYS_ABBR[n]), histogram.get(str((n + 1) % 7)))
        for n, name in dates.WEEKDAYS.items()
    ]


def _by_hour(histogram: Histogram) -> list[Value]:
    return [
        Value(f"{hour:02}:00", "" if hour % 6 else f"{hour:02}", histogram.get(str(hour)))
        for hour in range(24)
    ]


def by_date(
    key: str,
    title: str,
    description: str,
    histogram: Histogram,
    *,
    today: date,
    count: int = RECENT_DAYS,
) -> Chart:
    """A chart of the `count` days up to `today`. The buckets are named by ISO dates."""
    days = [today - timedelta(days=back) for back in reversed(range(count))]
    values = [
        Value(
            # Formats of Django's `date` filter: Swedish months begin with a small letter.
            formats.date_format(day, _("l j M")),
            "" if day.weekday() else formats.date_format(day, _("j M")),
            histogram.get(day.isoformat()),
        )
        for day in days
    ]
    return _vertical(key, title, description, values)


def _vertical(
    key: str,
    title: str,
    description: str,
    values: Sequence[Value],
    histogram: Histogram | None = None,
) -> Chart:
    """A column for each value. The "other" of a `histogram` is in the summary and the table."""
    known = [item.value for item in values if item.value]
    if not known:
        return Chart(key, title, description, height=0.0)
    highest = max(known)
    peak = next(item for item in values if item.value == highest)
    step = WIDTH / len(values)
    label_all = len(values) <= MAX_LABELLED_COLUMNS
    bars = [
        _column(item, index * step, step, highest, labelled=label_all or item is peak)
        for index, item in enumerate(values)
    ]
    rows = [
        (item.name, "–" if item.value is None else format_number(item.value)) for item in values
    ]
    summary = f"{description} {_most(peak.name, highest)}"
    if other := (histogram or {}).get(OTHER):
        rows.append((_("other"), format_number(other)))
        summary += " " + _("Other: %(number)s.") % {"number": format_number(other)}
    return Chart(key, title, summary, MARGIN_TOP + PLOT_HEIGHT + MARGIN_BOTTOM, bars, rows)


def _most(name: str, value: int) -> str:
    return _("Most: %(name)s, %(number)s.") % {"name": name, "number": format_number(value)}


def _column(item: Value, left: float, step: float, highest: int, *, labelled: bool) -> Bar:
    value = item.value or 0
    # At least two units high, so that a small bar beside a large one can be seen.
    height = max(2.0, PLOT_HEIGHT * value / highest) if value else 0.0
    width = round(step * 0.7, 2)
    return Bar(
        name=item.name,
        axis_label=item.axis_label,
        number=_("fewer than ten accounts") if item.value is None else format_number(value),
        x=round(left + (step - width) / 2, 2),
        y=round(MARGIN_TOP + PLOT_HEIGHT - height, 2),
        width=width,
        height=round(height, 2),
        value_label=abbreviate(value) if labelled and value else "",
    )


def _horizontal(key: str, title: str, description: str, histogram: Histogram) -> Chart:
    """A row for each bucket, the longest first; then those that do not fit, then "other"."""
    named = sorted(
        ((name, value) for name, value in histogram.items() if name != OTHER),
        key=lambda row: (-row[1], row[0]),
    )
    if not named:
        return Chart(key, title, description, height=0.0)
    other = [(_("other"), histogram[OTHER])] if histogram.get(OTHER) else []
    drawn, more = named[:MAX_ROWS], named[MAX_ROWS:]
    if more:
        name = _("%(count)d more") % {"count": len(more)}
        drawn.append((name, sum(value for _name, value in more)))
    drawn += other
    highest = max(value for _name, value in drawn)
    bars = [
        Bar(
            name=name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…",
            axis_label="",
            number=format_number(value),
            x=0.0,
            y=index * ROW_HEIGHT + ROW_HEIGHT - 2 * BAR_HEIGHT,
            width=round(max(2.0, WIDTH * value / highest), 2),
            height=BAR_HEIGHT,
        )
        for index, (name, value) in enumerate(drawn)
    ]
    rows = [(name, format_number(value)) for name, value in named + other]
    summary = f"{description} {_most(*named[0])}"
    return Chart(key, title, summary, ROW_HEIGHT * len(bars), bars, rows, is_horizontal=True)
