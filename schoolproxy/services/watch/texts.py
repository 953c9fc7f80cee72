"""What a person reads of a change, in their language. A summary has no name and no subject, and no
text ever has a grade."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.invisible_characters import visible_text
from accounts.notification_types import NotificationItem, NotificationKind, NotificationText

Details = Mapping[str, Any]
# Lines of a body; the rest is counted.
_LINES = 5


def describe(
    text_of: Callable[[Details], NotificationText], items: Sequence[NotificationItem]
) -> Mapping[UUID, NotificationText]:
    """The text of each notification, by `text_of`: one of the functions below."""
    return {item.id: text_of(item.details) for item in items}


def schedule(details: Details) -> NotificationText:
    title = ngettext(
        "%(count)d change of the schedule", "%(count)d changes of the schedule", details["count"]
    )
    summary = _("Your schedule has changed")
    if details["child"]:
        summary = _("The schedule of your child has changed")
    lines = [_change_line(change) for change in details["changes"]]
    data = {"changes": details["changes"], "count": details["count"]}
    return _text(details, title, lines, summary, "/schedule", data)


def assignment(details: Details) -> NotificationText:
    number: int = details["count"]
    topic = details.get("topic")  # notifications of 2026.2 have none
    if topic == "missing":
        title = ngettext(
            "%(count)d assignment not handed in", "%(count)d assignments not handed in", number
        )
        summary = _("An assignment has not been handed in")
        return _text_of_list(details, title, summary, "/todo", "assignmentId")
    where = _week_of(details["items"])
    if topic == "exams":
        title = ngettext("%(count)d new exam or task", "%(count)d new exams or tasks", number)
        summary = _("There is a new exam or task")
        return _text_of_list(details, title, summary, where, "assignmentId")
    if details["new"]:
        title = ngettext("%(count)d new assignment", "%(count)d new assignments", number)
        summary = _("There is a new assignment")
    else:
        title = ngettext("%(count)d changed assignment", "%(count)d changed assignments", number)
        summary = _("One of your assignments has changed")
    return _text_of_list(details, title, summary, where, "assignmentId")


def _week_of(items: Sequence[Mapping[str, str]]) -> str:
    """The page of the week of the first exam, which shows all that has a date; that of assignments
    for whatever has none."""
    day = min((item["day"] for item in items if "day" in item), default="")
    return f"/week?from={day}" if day else "/assignments"


def result(details: Details) -> NotificationText:
    title = ngettext("%(count)d new assessment", "%(count)d new assessments", details["count"])
    summary = _("One of your assessments is there")
    return _text_of_list(details, title, summary, "/results", "assignmentId")


def news(details: Details) -> NotificationText:
    title = ngettext(
        "%(count)d news item from the school",
        "%(count)d news items from the school",
        details["count"],
    )
    return _text_of_list(details, title, title, "/news", "newsId")


def inbox(details: Details) -> NotificationText:
    title = ngettext(
        "%(count)d new message from the school",
        "%(count)d new messages from the school",
        details["count"],
    )
    return _text_of_list(details, title, title, "/inbox", "messageId")


def _text_of_list(
    details: Details, title: str, summary: str, url: str, id_name: str
) -> NotificationText:
    """The text about rows of a list. One with an id of the school's system has it as data."""
    items: list[dict[str, str]] = details["items"]
    data: dict[str, Any] = {"count": details["count"]}
    if details["count"] == 1 and not items[0]["id"].startswith("title:"):
        data = {id_name: items[0]["id"]}
    lines = [_item_line(item) for item in items]
    return _text(details, title, lines, summary % {"count": details["count"]}, url, data)


def _item_line(item: Mapping[str, str]) -> str:
    """Who wrote it and when it takes place, if the list says so, and its title. Many messages have
    none."""
    title = item["title"] or _("No subject")
    if "day" in item:
        return f"{title}, {formats.date_format(date.fromisoformat(item['day']), 'D j M')}"
    return f"{item['from']}: {title}" if "from" in item else title


def _text(
    details: Details,
    title: str,
    lines: Sequence[str],
    summary: str,
    url: str,
    data: dict[str, Any],
) -> NotificationText:
    """`title` contains `%(count)d`. The name of a guardian's child goes before it."""
    title %= {"count": details["count"]}
    child = details["child"]
    if child:
        title = f"{child['name']}: {title}" if child["name"] else title
        data |= {"child": child["id"]}
    shown = list(lines[:_LINES])
    more = details["count"] - len(shown)
    if more > 0:
        shown.append(ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
    title, body = visible_text(title), visible_text("\n".join(shown))
    return NotificationText(
        title=title,
        body=body,
        summary=summary,
        preview_title=title,
        preview_body=body,
        url=url,
        data=data,
    )


def _change_line(change: dict[str, Any]) -> str:
    before, after = change["lesson"] or {}, change["after"] or {}
    lesson = before or after
    values = {"lesson": lesson["name"], "when": _moment(lesson["startDate"])}
    kind = change["change"]
    if kind == "cancelled":
        return _("%(lesson)s: cancelled, %(when)s") % values
    if kind == "added":
        return _("%(lesson)s: added, %(when)s") % values
    if kind == "moved":
        values["new"] = after["startDate"][11:]
        return _("%(lesson)s: moved from %(when)s to %(new)s") % values
    if kind == "room":
        values["new"] = after["room"] or "–"
        return _("%(lesson)s: room %(new)s, %(when)s") % values
    values["new"] = after["teacher"] or "–"
    return _("%(lesson)s: teacher %(new)s, %(when)s") % values


def _moment(text: str) -> str:
    return formats.date_format(datetime.fromisoformat(text), "D j M H:i")


KINDS: Final = (
    NotificationKind(name="schedule", describe=partial(describe, schedule), pushed=True),
    NotificationKind(name="assignment", describe=partial(describe, assignment)),
    NotificationKind(name="result", describe=partial(describe, result), pushed=True),
    NotificationKind(name="news", describe=partial(describe, news)),
    NotificationKind(name="inbox", describe=partial(describe, inbox)),
)
