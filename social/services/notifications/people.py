"""Notifications of friend requests, invites into groups, and closed reports.

`about` is the id of the friendship, of the invite, or of the report. What they say is read when
they are shown, so a request that was answered or withdrawn meanwhile is not shown any more.

A request and an invite name their sender by the name at school: a display name is no way to write
to somebody.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from accounts.notification_types import NotificationItem, NotificationKind, NotificationText
from accounts.real_names import name_in_text
from accounts.services.people import people_of
from notifications.services.notifications import end_about
from notifications.services.notify import notify, notify_all
from social.models import Case, Friendship, Invite, Report

Row = TypeVar("Row", bound=Model)


def tell_of_friendship(friendship: Friendship) -> None:
    """Notify the person who receives the request; once it is accepted, the person who sent it."""
    if friendship.status == Friendship.PENDING:
        notify(friendship.other(friendship.requested_by_id), "friend", about=friendship.pk.hex)
    elif friendship.status == Friendship.ACCEPTED:
        notify(friendship.requested_by_id, "friend", about=friendship.pk.hex)


def tell_of_invites(invites: Iterable[Invite]) -> None:
    notify_all("invite", [(invite.invited_id, invite.pk.hex) for invite in invites])


def end_notifications_of_friendship(friendship: Friendship) -> None:
    """What the two were told of it is over: it was answered, withdrawn or ended."""
    both = friendship.low_id, friendship.high_id
    end_about("friend", [(account_id, friendship.pk.hex) for account_id in both])


def end_notifications_of_invites(invites: Iterable[Invite]) -> None:
    """Those who were invited see no notification of an invite that was answered or withdrawn."""
    end_about("invite", [(invite.invited_id, invite.pk.hex) for invite in invites])


def tell_reporters(case: Case) -> None:
    """Notify those who reported it that the case is closed."""
    reports = Report.objects.filter(case=case, added_to=None).values_list("reporter_id", "pk")
    notify_all("report", [(reporter, pk.hex) for reporter, pk in reports if reporter is not None])


def describe_friendships(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    pairs = _with_rows(items, Friendship.objects.all())
    people = people_of(row.other(item.account_id) for item, row in pairs)
    texts: dict[UUID, NotificationText] = {}
    for item, row in pairs:
        person = people.get(row.other(item.account_id))
        if person is None or person.suspended:
            continue
        name = person.name_at_school
        is_recipient = row.requested_by_id != item.account_id
        if is_recipient and row.status == Friendship.PENDING:
            body, summary = _("Wants to be your friend"), _("You have a friend request")
        elif not is_recipient and row.status == Friendship.ACCEPTED:
            name = name_in_text(person.display_name, person.other_real_name)
            body, summary = _("Accepted your friend request"), _("Your friend request was accepted")
        else:
            continue
        data = {"friendshipId": row.pk.hex}
        texts[item.id] = _text_of(name, body, summary=summary, url="/friends", data=data)
    return texts


def describe_invites(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    pairs = _with_rows(items, Invite.objects.filter(status=Invite.PENDING))
    people = people_of(row.invited_by_id for _item, row in pairs)
    return {
        item.id: _text_of(
            people[row.invited_by_id].name_at_school,
            _("Invites you to %(group)s") % {"group": row.group_name or _("a group")},
            summary=_("You are invited to a group"),
            url="/invites",
            data={"inviteId": row.pk.hex, "conversationId": row.conversation_id.hex},
        )
        for item, row in pairs
        if row.invited_by_id in people
    }


def describe_reports(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    closed = Report.objects.filter(case__status=Case.CLOSED)
    pairs = _with_rows(items, closed.select_related("case").defer(*Report.SEALED))
    return {
        item.id: NotificationText(
            title=_("Your report was closed"),
            body=_("We did something about it.")
            if report.case.outcome == Case.ACTED
            else _("We looked at it and did nothing."),
            summary=_("One of your reports was closed"),
            data={"reportId": report.pk.hex},
        )
        for item, report in pairs
    }


FRIEND = NotificationKind(name="friend", describe=describe_friendships, pushed=True)
INVITE = NotificationKind(name="invite", describe=describe_invites, pushed=True)
REPORT = NotificationKind(name="report", describe=describe_reports)


def _with_rows(
    items: Sequence[NotificationItem], rows: QuerySet[Row]
) -> list[tuple[NotificationItem, Row]]:
    """Each item and the row that it is about, without those whose row is not among these."""
    by_id = rows.in_bulk([UUID(item.about) for item in items])
    return [(item, row) for item in items if (row := by_id.get(UUID(item.about)))]


def _text_of(
    name: str, body: str, *, summary: str, url: str, data: dict[str, str]
) -> NotificationText:
    """The text about something that the person with this name did. While they only ask for contact
    it is their name at school."""
    return NotificationText(
        title=name,
        body=body,
        summary=summary,
        preview_title=name,
        preview_body=body,
        url=url,
        data=data,
    )
