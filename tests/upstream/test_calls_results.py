"""Results in every form of JSON, without a school."""

from typing import Any

import pytest

from upstream.calls.results import letter_of, read_details, read_results

ROW = {
    "assignmentId": 61007,
    "activityId": 900,
    "title": "Uppsats",
    "subjects": [{"name": "Svenska", "color": ""}],
    "assignmentType": "Inlämningsuppgift",
    "teacher": "Åsa Lindroos",
    "publishDate": "2026-04-02 09:12",
    "read": False,
}


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({}, {"assignment_id": 61007, "subject": "Svenska", "unread": True}),
        ({"assignmentId": "61007"}, {"assignment_id": 61007}),
        ({"subjects": None}, {"subject": None}),
        ({"subjects": ["Svenska", {"name": " Musik "}]}, {"subject": "Svenska, Musik"}),
        ({"title": None, "teacher": 7, "publishDate": " "}, {"title": "", "teacher": None}),
        ({"read": None}, {"unread": False}),
        ({"read": "false"}, {"unread": False}),
    ],
)
def test_a_row_of_any_form(change: dict[str, Any], shown: dict[str, Any]) -> None:
    [result] = read_results([ROW | change])
    assert {name: getattr(result, name) for name in shown} == shown


def test_rows_that_nobody_could_open_are_left_out_and_others_come_once() -> None:
    without = {name: value for name, value in ROW.items() if name != "assignmentId"}
    rows = [ROW, without, ROW | {"assignmentId": -1}, ROW | {"title": "Igen"}, ROW]
    assert [result.title for result in read_results(rows)] == ["Uppsats"]


@pytest.mark.parametrize(
    ("moments", "points"),
    [
        ([{"points": 11, "max": 16}, {"points": 7.5, "max": 10}], (18.5, 26)),
        ([{"points": 0, "max": 10}], (0, 10)),
        ([{"points": 0.1, "max": 1}, {"points": 0.2, "max": 1}], (0.3, 2)),
        # A part that is not marked yet would make the others look worse or better.
        ([{"points": 11, "max": 16}, {"points": None, "max": 10}], None),
        ([{"points": 11, "max": 16}, {"points": 3}], None),
        ([{"points": 11, "max": 16}, {"name": "Muntligt"}], (11, 16)),
        ([{"points": "11", "max": 16}], None),
        ([{"points": True, "max": True}], None),
        ([{"points": 1, "max": 0}], None),
        ([{"points": 1e9, "max": 1e9}], None),
        ([None, 3, {}], None),
        ("11/16", None),
        (None, None),
    ],
)
def test_points_are_added_up_only_where_every_part_has_them(moments: Any, points: Any) -> None:
    assert read_details({"assessmentPartialMoments": moments}).points == points


def tab(name: Any, *levels: Any) -> dict[str, Any]:
    return {"content": {"name": name}, "assessedCriteria": [{"level": level} for level in levels]}


@pytest.mark.parametrize(
    ("tabs", "levels"),
    [
        ([tab("Musik", {"levelEnum": "MEET_C_LEVEL", "description": "Meets C level"})], ["C"]),
        ([tab("Musik", {"description": "På god väg", "levelEnum": "ON_THE_WAY"})], ["På god väg"]),
        ([tab("Musik", {"levelEnum": "NOT_ASSESSED", "description": ""})], []),
        ([tab("Musik", {"levelEnum": " NOT_ASSESSED", "description": "Ej bedömt"})], []),
        ([tab("Musik", {"levelEnum": "NOT_REPORTED", "description": ""})], ["NOT_REPORTED"]),
        ([tab("Musik", {"levelEnum": "MEET_G_LEVEL"})], ["MEET_G_LEVEL"]),
        ([tab("Musik", {"value": 7}, None, "C", {})], []),
        ([tab("Musik", {"levelEnum": "A"}, {"levelEnum": "E"})], ["A", "E"]),
        ([None, {"assessedCriteria": 3}, {"assessedCriteria": [None, {}]}], []),
        (None, []),
    ],
)
def test_levels_that_are_not_known_stay_as_they_are(tabs: Any, levels: list[str]) -> None:
    found = read_details({"assessedCriteriaTabs": tabs}).levels
    assert found == tuple(("Musik", level) for level in levels)


@pytest.mark.parametrize("content", [None, "Musik", {"name": None}, {}])
def test_a_level_without_the_name_of_what_was_assessed(content: Any) -> None:
    level = {"levelEnum": "MEET_B_LEVEL"}
    tabs = [{"content": content, "assessedCriteria": [{"level": level}]}]
    assert read_details({"assessedCriteriaTabs": tabs}).levels == (("", "B"),)
    assert letter_of(level) == "B"


def test_texts_of_another_type_are_nothing() -> None:
    details = read_details({"review": 7, "teacherComment": ["x"]})
    assert (details.review, details.comment) == ("", "")
    assert (read_details({}).review, read_details({}).levels) == ("", ())
