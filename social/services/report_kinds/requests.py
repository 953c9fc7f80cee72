"""Reports of invites into groups and of friend requests: who can report one, and what staff see of
it. Who received one can report it, also after it was withdrawn."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.errors import NotFound
from accounts.identifiers import require_id
from accounts.models import KeptText, Profile
from accounts.services.kept_texts import kept_since, kept_target, kept_texts
from accounts.services.people import NOBODY, people_of
from social.models import Friendship, Invite
from social.services.conversations.group_texts import author_of_name
from social.services.evidence import as_seen
from social.services.kept_requests import FRIEND_REQUEST, INVITE
from social.services.report_kinds.groups import remove_group_name
from social.services.report_kinds.places import place_of_invite


def find_invite(account_id: int, target_id: str) -> ReportTarget:
    """An invite that the account received: an open one, or one that was answered or withdrawn in
    the last fourteen days, also by an erasure. Raises: NotFound."""
    invite_id = require_id(target_id)
    recent = Q(status=Invite.PENDING) | Q(updated_at__gt=kept_since())
    invite = Invite.objects.filter(recent, pk=invite_id, invited=account_id).first()
    if invite is not None:
        return ReportTarget(invite_id.hex, invite.invited_by_id)
    return _kept_target(INVITE, invite_id, account_id)


def find_request(account_id: int, target_id: str) -> ReportTarget:
    """A friend request that the account received: an open one, or one that was withdrawn or
    declined in the last fourteen days. Raises: NotFound."""
    request_id = require_id(target_id)
    received = Friendship.objects.of(account_id).exclude(requested_by=account_id)
    row = received.filter(pk=request_id, status=Friendship.PENDING).first()
    if row is not None:
        return ReportTarget(request_id.hex, row.requested_by_id)
    return _kept_target(FRIEND_REQUEST, request_id, account_id)


def _kept_target(kind: str, request_id: UUID, account_id: int) -> ReportTarget:
    """What is kept of an invite or request to this account. Raises: NotFound."""
    kept = _kept(kind, request_id.hex)
    if kept is None or kept.reader_id != account_id:
        raise NotFound
    return kept_target(kept)


def _kept(kind: str, request_id: str) -> KeptText | None:
    """The invite or request as it was when it was taken back; not a name that it had before."""
    rows = kept_texts(kind, [request_id]).get(request_id, [])
    return next((row for row in reversed(rows) if row.change != KeptText.EDITED), None)


def invite_evidence(invite_id: str) -> Evidence | None:
    """Who sent it, and the name of the group in it, as they are now, with who gave the name; None
    when it is gone."""
    invite = Invite.objects.filter(pk=require_id(invite_id)).first()
    if invite is None:
        return None
    gone_at = invite.updated_at if invite.status == Invite.WITHDRAWN else None
    shown = _evidence(invite.invited_by_id, invite.invited_at, invite.group_name, gone_at=gone_at)
    author = author_of_name(invite.conversation_id, invite.group_name)
    return replace(shown, values={"name_by": author})


def request_evidence(request_id: str) -> Evidence | None:
    """Who asks, and their name at school; None when it is no open request any more."""
    rows = Friendship.objects.filter(pk=require_id(request_id), status=Friendship.PENDING)
    row = rows.first()
    if row is None:
        return None
    profile = Profile.objects.filter(account=row.requested_by_id).first()
    name = f"{profile.first_name} {profile.last_name}" if profile else ""
    return _evidence(row.requested_by_id, row.created_at, name)


def reported_invite(target: ReportTarget) -> Evidence | None:
    """The same, also of an erased one, with the names of its group that staff have removed."""
    now = invite_evidence(target.id) or _kept_evidence(INVITE, target)
    if now is None:
        return None
    rows = kept_texts(INVITE, [target.id]).get(target.id, [])
    return as_seen(now, [row for row in rows if row.change == KeptText.EDITED], None)


def reported_request(target: ReportTarget) -> Evidence | None:
    """The same, also of one that was withdrawn or declined."""
    return request_evidence(target.id) or _kept_evidence(FRIEND_REQUEST, target)


def _kept_evidence(kind: str, target: ReportTarget) -> Evidence | None:
    kept = _kept(kind, target.id)
    if kept is None:
        return None
    shown = kept.values
    text = shown.get("group_name") or f"{shown.get('first_name')} {shown.get('last_name')}"
    return _evidence(
        kept.account_id,
        datetime.fromisoformat(shown["sent_at"]),
        text,
        name=str(kept.person_name),
        display_name=shown.get("display_name", ""),
        gone_at=kept.gone_at,
        state=kept.change,
    )


def _evidence(
    account_id: int | None,
    at: datetime,
    text: str,
    *,
    name: str = "",
    display_name: str = "",
    gone_at: datetime | None = None,
    state: str = "withdrawn",
) -> Evidence:
    """`name` and `display_name` are those of an erased account, or from when it was withdrawn.
    `state` counts where it is gone."""
    sender = people_of([account_id or 0]).get(account_id or 0, NOBODY)
    line = EvidenceLine(
        key="request",
        author=sender.username or name,
        display_name=display_name or sender.display_name or name,
        at=at,
        text=text,
        state=state if gone_at else "",
        gone_at=gone_at,
        reported=True,
    )
    return Evidence(lines=[line])


def remove_name_of_invited_group(invite_id: str) -> bool:
    """Give the group of an invite a neutral name. Whether that is new. Raises: NotFound."""
    invite = Invite.objects.filter(pk=require_id(invite_id)).first()
    if invite is None:
        raise NotFound
    return remove_group_name(invite.conversation_id.hex)


INVITE_REPORTS = ReportKind(
    name=INVITE,
    label=_("Invite"),
    labels={"group_name": _("Name"), "name_by": _("Who gave the name")},
    find_target=find_invite,
    collect_evidence=invite_evidence,
    collect_reported=reported_invite,
    find_place=place_of_invite,
    actions=[
        ReportAction(
            "remove_invited_group_name",
            _("Remove the group's name"),
            _(
                "The group gets a neutral name, also in its open invites. "
                "Its admin can choose another one."
            ),
            remove_name_of_invited_group,
        ),
    ],
)
FRIEND_REQUEST_REPORTS = ReportKind(
    name=FRIEND_REQUEST,
    label=_("Friend request"),
    find_target=find_request,
    collect_evidence=request_evidence,
    collect_reported=reported_request,
)
