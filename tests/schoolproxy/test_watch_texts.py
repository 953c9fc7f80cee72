"""What people read of changes, in the list and in a push."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone, translation

from accounts.notification_types import NotificationItem, NotificationText
from accounts.registry import notification_kinds
from notifications.models import Notification
from notifications.push.payload import push_of

LESSON = {
    "eventId": "4410271",
    "name": "Matematik",
    "startDate": "2026-02-03T09:00",
    "endDate": "2026-02-03T10:00",
    "room": "B204",
    "teacher": "Torbjörn Ekvik",
}
CHILD = {"id": "730217", "name": "Bo Ek"}


def text(kind: str, **details: Any) -> NotificationText:
    details = {"child": None, "count": len(details.get("items") or details["changes"])} | details
    item = NotificationItem(uuid4(), 1, "", details, timezone.now(), read=False)
    return notification_kinds()[kind].describe([item])[item.id]


def change(kind: str, **after: Any) -> dict[str, Any]:
    before = None if kind == "added" else LESSON
    now = None if kind == "cancelled" else LESSON | after
    return {"change": kind, "date": "2026-02-03", "lesson": before, "after": now}


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        (change("cancelled"), "Matematik: cancelled, Tue 3 Feb 09:00"),
        (change("added"), "Matematik: added, Tue 3 Feb 09:00"),
        (
            change("moved", startDate="2026-02-03T13:30"),
            "Matematik: moved from Tue 3 Feb 09:00 to 13:30",
        ),
        (change("room", room="Aula"), "Matematik: room Aula, Tue 3 Feb 09:00"),
        (change("room", room=""), "Matematik: room –, Tue 3 Feb 09:00"),
        (change("teacher", teacher="Åsa"), "Matematik: teacher Åsa, Tue 3 Feb 09:00"),
    ],
)
def test_each_change_has_a_line(changed: dict[str, Any], line: str) -> None:
    found = text("schedule", changes=[changed])
    assert (found.title, found.body) == ("1 change of the schedule", line)
    assert found.summary == "Your schedule has changed"
    assert found.data == {"changes": [changed], "count": 1}


def test_nothing_in_a_text_is_invisible() -> None:
    hidden = change("room", room="\u202eAula\u200b")
    found = text("schedule", changes=[hidden], child=CHILD | {"name": "Bo\u2066 Ek"})
    assert found.title == found.preview_title == "Bo Ek: 1 change of the schedule"
    assert found.body == found.preview_body == "Matematik: room Aula, Tue 3 Feb 09:00"
    assert found.data["changes"] == [hidden]


def test_many_changes_are_counted() -> None:
    found = text("schedule", changes=[change("cancelled")] * 9, count=31)
    assert found.title == "31 changes of the schedule"
    assert found.body.splitlines()[-1] == "and 26 more"


def test_the_name_of_a_child_is_not_in_a_summary() -> None:
    found = text("schedule", changes=[change("cancelled")], child=CHILD)
    assert found.title == "Bo Ek: 1 change of the schedule"
    assert found.summary == "The schedule of your child has changed"
    assert found.data["child"] == "730217"
    push = push_of(Notification(account_id=1, kind="schedule"), found, preview=False)
    assert push.url == "/schedule?child=730217"


@pytest.mark.parametrize("kind", ["assignment", "result", "news", "inbox"])
@pytest.mark.parametrize("child", [None, CHILD])
@pytest.mark.parametrize("count", [1, 3])
def test_a_summary_has_no_subject(kind: str, child: Any, count: int) -> None:
    items = [{"id": str(n), "title": "Prov i kemi"} for n in range(count)]
    found = text(kind, items=items, new=True, child=child)
    assert "kemi" in found.body
    assert "kemi" not in found.summary.lower()
    assert "Bo Ek" not in found.summary
    name = {"news": "newsId", "inbox": "messageId"}.get(kind, "assignmentId")
    expected: dict[str, Any] = {name: "0"} if count == 1 else {"count": 3}
    assert found.data == expected | ({"child": "730217"} if child else {})


@pytest.mark.parametrize(
    ("language", "summary", "nameless"),
    [
        ("en", "2 new messages from the school", "Åsa Lindroos: No subject"),
        ("sv", "2 nya meddelanden från skolan", "Åsa Lindroos: Inget ämne"),
    ],
)
def test_a_message_has_its_sender_and_subject_in_a_preview_alone(
    language: str, summary: str, nameless: str
) -> None:
    items = [
        {"id": "88310", "title": "Utflykt", "from": "Torbjörn Ekvik"},
        {"id": "88311", "title": "", "from": "Åsa Lindroos"},
    ]
    with translation.override(language):
        found = text("inbox", items=items, new=True)
    assert found.summary == found.title == summary
    assert found.body == found.preview_body == f"Torbjörn Ekvik: Utflykt\n{nameless}"
