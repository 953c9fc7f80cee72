"""Lessons as upstream sends them, made by Hypothesis."""

from typing import Any

from hypothesis import strategies as st

Row = dict[str, Any]
YEAR, WEEK = 2026, 11
DAYS = [f"2026-03-{day:02}" for day in range(9, 14)]
TIMES = [("08:20", "09:25"), ("09:40", "10:40"), ("12:20", "13:20"), ("13:35", "14:40")]

NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


def row(number: int, day: str, times: tuple[str, str], **fields: Any) -> Row:
    return {
        "eventId": number,
        "name": "Ma",
        "startDate": f"{day}T{times[0]}",
        "endDate": f"{day}T{times[1]}",
        "room": "B204",
        "teacher": "Torbjörn Ekvik,Åsa Lindroos",
        "eventColor": "#6fa8dc",
    } | fields


@st.composite
def weeks(draw: st.DrawFn) -> list[Row]:
    """Lessons of one week, whose numbers come again each day as they do each week."""
    slots = [(day, times) for day in DAYS for times in TIMES]
    chosen = draw(st.lists(st.sampled_from(slots), unique=True, min_size=1, max_size=12))
    return [
        row(
            100 + TIMES.index(times),
            day,
            times,
            room=draw(st.sampled_from(["A101", "B204", "", None])),
            teacher=draw(st.sampled_from(["Åsa Lindroos", "Per-Olof Hägg,Inés Ruiz", ""])),
        )
        for day, times in chosen
    ]


@st.composite
def noisy(draw: st.DrawFn, rows: list[Row]) -> list[Row]:
    """The same lessons in another order, with other colours, attendance and duplicates."""
    again = [
        each
        | {
            "eventColor": draw(st.sampled_from(["#000000", "#ffffff", None])),
            "status": draw(st.integers(-1, 2)),
            "teacher": ",".join(draw(st.permutations((each["teacher"] or "").split(",")))),
            "eventId": draw(st.sampled_from([each["eventId"], str(each["eventId"])])),
        }
        for each in rows
    ]
    again += draw(st.lists(st.sampled_from(again), max_size=3))
    return draw(st.permutations(again))
