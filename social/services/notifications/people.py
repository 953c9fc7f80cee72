"""Notifications of friend requests, invites into groups, and closed reports.

`about` is the id of the friendship, of the invite, or of the report. What they say is read when
they are shown, so a request that was answered or withdrawn meanwhile is not shown any more.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Model
from django.utils.translation import gettext as _

from accounts.notification_types import NotificationItem, NotificationKind, NotificationText
from accounts.services.people import people_of
from notifications.services.notify import notify, notify_each
from social.models import Case, Friendship, Invite, Report

Row = TypeVar("Row", bound=Model)


def tell_of_friendship(friendship: Friendship) -> None:
    """Tell the person who was asked, or that a request was accepted, the one who had asked."""
    if friendship.status == Friendship.PENDING:
        notify(friendship.other(friendship.requested_by_id), "friend", about=friendship.pk.hex)
    elif friendship.status == Friendship.ACCEPTED:
        notify(friendship.requested_by_id, "friend", about=friendship.pk.hex)


def tell_of_invites(invites: Iterable[Invite]) -> None:
    notify_each("invite", [(each.invited_id, each.pk.hex) for each in invites])


def tell_reporters(case: Case) -> None:
    """Tell those who reported it that the case is closed."""
    reports = Report.objects.filter(case=case).values_list("reporter_id", "pk")
    notify_each("report", [(reporter, pk.hex) for reporter, pk in reports if reporter is not None])


def describe_friendships(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    rows = _by_id(Friendship.objects.filter(pk__in=_ids(items)))
    others = {
        item.id: rows[item.about].other(item.account_id) for item in items if item.about in rows
    }
    people = people_of(others.values())
    texts: dict[UUID, NotificationText] = {}
    for item in items:
        row, person = rows.get(item.about), people.get(others.get(item.id, 0))
        if row is None or person is None or person.suspended:
            continue
        asked = row.requested_by_id != item.account_id
        if asked and row.status == Friendship.PENDING:
            body, summary = _("Wants to be your friend"), _("You have a friend request")
        elif not asked and row.status == Friendship.ACCEPTED:
            body, summary = _("Accepted your friend request"), _("Your friend request was accepted")
        else:
            continue
        name = person.display_name or person.username
        texts[item.id] = NotificationText(
            title=name,
            body=body,
            summary=summary,
            preview_title=name,
            preview_body=body,
            url="/friends",
            data={"friendshipId": row.pk.hex},
        )
    return texts


def describe_invites(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    open_ones = Invite.objects.filter(pk__in=_ids(items), status=Invite.PENDING)
    rows = _by_id(open_ones)
    people = people_of(row.invited_by_id for row in rows.values())
    texts: dict[UUID, NotificationText] = {}
    for item in items:
        row = rows.get(item.about)
        person = people.get(row.invited_by_id) if row else None
        if row is None or person is None:
            continue
        name = person.display_name or person.username
        body = _("Invites you to %(group)s") % {"group": row.group_name or _("a group")}
        texts[item.id] = NotificationText(
            title=name,
            body=body,
            summary=_("You are invited to a group"),
            preview_title=name,
            preview_body=body,
            url="/invites",
            data={"inviteId": row.pk.hex, "conversationId": row.conversation_id.hex},
        )
    return texts


def describe_reports(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    rows = Report.objects.filter(pk__in=_ids(items)).select_related("case").defer(*Report.SEALED)
    reports = _by_id(rows)
    texts: dict[UUID, NotificationText] = {}
    for item in items:
        report = reports.get(item.about)
        if report is None or report.case.status != Case.CLOSED:
            continue
        acted = report.case.outcome == Case.ACTED
        texts[item.id] = NotificationText(
            title=_("Your report was closed"),
            body=_("We did something about it.")
            if acted
            else _("We looked at it and did nothing."),
            summary=_("One of your reports was closed"),
            data={"reportId": report.pk.hex},
        )
    return texts


FRIEND = NotificationKind(name="friend", describe=describe_friendships)
INVITE = NotificationKind(name="invite", describe=describe_invites)
REPORT = NotificationKind(name="report", describe=describe_reports)


def _ids(items: Iterable[NotificationItem]) -> list[UUID]:
    return [UUID(hex=item.about) for item in items]


def _by_id(rows: Iterable[Row]) -> dict[str, Row]:
    return {row.pk.hex: row for row in rows}
