"""The bars of the charts: positions, labels and tables."""

from datetime import date
from typing import Any

import pytest

from stats.charts import MAX_NAME_LENGTH, MAX_ROWS, PLOT_HEIGHT, WIDTH, Chart, abbreviate, charts
from stats.facts import HISTOGRAMS

TODAY = date(2026, 11, 21)


def drawn(**histograms: dict[str, int]) -> dict[str, Chart]:
    totals: dict[str, Any] = {name: {} for name in HISTOGRAMS}
    return {chart.key: chart for chart in charts(totals | histograms, today=TODAY)}


def test_a_week_begins_with_monday() -> None:
    week = drawn(loginDays={"0": 5, "1": 20, "6": 10, "other": 4})["week"]
    assert " ".join(bar.axis_label for bar in week.bars) == "Mon Tue Wed Thu Fri Sat Sun"
    heights = [bar.height / PLOT_HEIGHT for bar in week.bars]
    assert heights == [1, 0, 0, 0, 0, 1 / 2, 1 / 4]
    assert [bar.value_label for bar in week.bars] == ["20", "", "", "", "", "10", "5"]
    assert week.summary == "Sign-ins by day of the week. Most: Monday, 20. Other: 4."
    assert week.rows[0] == ("Monday", "20")
    assert week.rows[1] == ("Tuesday", "–")
    assert week.rows[-1] == ("other", "4")


def test_a_day_has_24_hours_and_a_number_over_the_highest() -> None:
    day = drawn(loginHours={str(hour): hour + 10 for hour in range(24)})["day"]
    assert len(day.bars) == 24
    assert [bar.value_label for bar in day.bars if bar.value_label] == ["33"]
    assert [bar.axis_label for bar in day.bars if bar.axis_label] == ["00", "06", "12", "18"]


def test_four_weeks_end_today() -> None:
    dates = {"2026-10-24": 99, "2026-10-25": 10, "2026-11-21": 12_345, "other": 7}
    recent = drawn(peakDates=dates)["recent"]
    assert len(recent.bars) == 28
    assert (recent.bars[0].name, recent.bars[-1].name) == ("Sunday 25 Oct", "Saturday 21 Nov")
    assert recent.bars[0].height == 2  # visible, though it is a thousandth of the other
    assert recent.bars[-1].value_label == "12k"
    labels = [bar.axis_label for bar in recent.bars if bar.axis_label]
    assert labels == ["26 Oct", "2 Nov", "9 Nov", "16 Nov"]


def test_a_suppressed_bar_looks_like_zero() -> None:
    week = drawn(loginDays={"1": 20})["week"]
    assert (week.bars[1].height, week.bars[1].number) == (0, "fewer than ten accounts")


def test_schools_come_by_size_and_other_last() -> None:
    schools = {f"school-{n}": 100 - n for n in range(MAX_ROWS + 3)} | {"other": 1000}
    chart = drawn(schools=schools)["schools"]
    assert [bar.name for bar in chart.bars[-3:]] == [f"school-{MAX_ROWS - 1}", "3 more", "other"]
    assert len(chart.bars) == MAX_ROWS + 2
    assert len(chart.rows) == MAX_ROWS + 4
    assert chart.bars[-1].width == WIDTH
    assert chart.summary == "Sign-ins by school. Most: school-0, 100."


def test_a_long_name_is_cut_in_the_drawing_only() -> None:
    chart = drawn(schools={"a" * 63: 10})["schools"]
    assert len(chart.bars[0].name) == MAX_NAME_LENGTH
    assert chart.rows == [("a" * 63, "10")]


def test_a_histogram_of_other_alone_is_not_drawn() -> None:
    found = drawn(**{name: {"other": 9} for name in HISTOGRAMS})
    assert [chart.bars for chart in found.values()] == [[]] * 5


def test_everything_is_inside_its_drawing() -> None:
    full = drawn(
        loginDays={str(day): 10**9 for day in range(7)},
        loginHours={str(hour): 1 for hour in range(24)},
        messageHours={"23": 10**12},
        schools={"one": 1, "two": 10**15},
        peakDates={"2026-11-21": 5},
    )
    for chart in full.values():
        for bar in chart.bars:
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
            assert 0 <= bar.y <= bar.y + bar.height <= chart.height
            assert 0 <= bar.label_x <= WIDTH


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (999, "999"), (1000, "1k"), (1249, "1.2k"), (9960, "10k"), (64_300, "64k"),
     (3_140_000, "3.1M"), (8_000_000_000, "8G")],
)  # fmt: skip
def test_numbers_above_bars_are_abbreviated(value: int, text: str) -> None:
    assert abbreviate(value) == text
