"""What apps declare for each other is complete, and a wrong declaration is named at start."""

from typing import Any

import pytest
from django.apps import apps

from accounts.contribution_types import Contributions, ReportKind, ReportTarget
from accounts.personal_data import PersonalData, Table
from accounts.registry import contributions, personal_data, problems

NO_DATA = PersonalData([])
SECOND = ReportKind(
    name="message",
    label="message",
    find_target=lambda account_id, target_id: ReportTarget(target_id, None),
    collect_evidence=lambda target_id: None,
)


def test_our_own_declarations_are_right() -> None:
    assert list(contributions()) == [
        "accounts",
        "staff",
        "notifications",
        "schoolproxy",
        "social",
        "notes",
    ]
    assert list(problems(contributions())) == []


def test_an_erasure_comes_to_accounts_last() -> None:
    assert personal_data()[-1] is contributions()["accounts"].personal_data


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("not an object", "is not a Contributions object"),
        (
            Contributions(personal_data=PersonalData([Table("notes.Diary", "", "", "")])),
            "there is no model notes.Diary",
        ),
        (
            Contributions(
                personal_data=NO_DATA, staff_permissions={"moderator": ["notes.read_note"]}
            ),
            "there is no permission notes.read_note",
        ),
        (
            Contributions(personal_data=NO_DATA, report_kinds=[SECOND]),
            "Two apps declare the report kind 'message'.",
        ),
    ],
)
def test_a_wrong_declaration_is_named(wrong: Any, named: str) -> None:
    found = list(problems({**contributions(), "stats": wrong}))
    assert len(found) == 1
    assert named in found[0]


def test_a_missing_declaration_is_named() -> None:
    found = {label: app for label, app in contributions().items() if label != "notes"}
    assert list(problems(found)) == ["notes has models, and no module notes.contributions."]
    assert apps.is_installed("notes")
