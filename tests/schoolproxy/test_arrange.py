"""The rules on lessons, for arbitrary lessons: the first of each slot, in ascending order."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from schoolproxy.services.schedule import arrange

MOMENTS: st.SearchStrategy[Any] = st.sampled_from(
    [
        "2026-03-09T08:20",
        "2026-03-09T09:25",
        "2026-03-09T09:40",
        "2026-03-10T08:20",
        "",
        None,
        7,
        [],
    ]
)
LESSONS = st.lists(
    st.fixed_dictionaries(
        {}, optional={"startDate": MOMENTS, "endDate": MOMENTS, "name": st.sampled_from("abc")}
    ),
    max_size=25,
)


def slot(lesson: dict[str, Any]) -> tuple[str, str]:
    end = lesson.get("endDate")
    return lesson["startDate"], end if isinstance(end, str) else ""


def in_order(lessons: list[Any], among: list[Any]) -> bool:
    """Whether these lessons are among those, by identity and in the same order."""
    rest = iter(among)
    return all(any(lesson is one for one in rest) for lesson in lessons)


@given(LESSONS)
def test_slots_are_unique_and_ascending(lessons: list[dict[str, Any]]) -> None:
    slots = [slot(lesson) for lesson in arrange(lessons, keep_parallel=False)]
    assert slots == sorted(set(slots))


@given(LESSONS)
def test_every_slot_with_a_start_is_there_and_nothing_else(lessons: list[dict[str, Any]]) -> None:
    good = [one for one in lessons if isinstance(one.get("startDate"), str) and one["startDate"]]
    found = arrange(lessons, keep_parallel=False)
    assert {slot(lesson) for lesson in found} == {slot(lesson) for lesson in good}
    for lesson in found:
        assert lesson is next(one for one in good if slot(one) == slot(lesson))


@given(LESSONS)
def test_keep_parallel_drops_only_exact_duplicates(lessons: list[dict[str, Any]]) -> None:
    good = [one for one in lessons if isinstance(one.get("startDate"), str) and one["startDate"]]
    found = arrange(lessons, keep_parallel=True)
    slots = [slot(lesson) for lesson in found]
    assert slots == sorted(slots)
    assert all(lesson in found for lesson in good)
    assert all(found.count(lesson) == 1 for lesson in found)
    for one in set(slots):
        assert in_order([x for x in found if slot(x) == one], [x for x in good if slot(x) == one])


def test_the_input_is_not_changed() -> None:
    lessons: list[dict[str, Any]] = [
        {"startDate": "b"},
        {"startDate": "a", "extra": {"deep": [1]}},
        {"startDate": "b"},
    ]
    before = [dict(lesson) for lesson in lessons]
    arrange(lessons, keep_parallel=False)
    assert lessons == before
