"""Reports of groups: what staff see of one, and how they remove its texts."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    Evidence,
    EvidencePerson,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.errors import NotFound
from accounts.identifiers import read_id, require_id
from accounts.models import Account, KeptOfPerson
from accounts.name_comparison import normalize_username
from accounts.services.kept_texts import kept_since, kept_texts
from social.access import lock_conversation, readable_until
from social.models import Conversation, Invite, Membership, PastMembership
from social.models.conversations import ENCRYPTION_LABELS
from social.services.conversations.changes import publish_change
from social.services.conversations.group_texts import COLUMNS, authors_of, change_group_texts
from social.services.evidence import as_seen
from social.services.invites.render import members_shown
from social.services.kept_requests import keep_names_in_invites
from social.services.report_kinds.places import place_of_conversation

# The name of a group whose own name was removed.
NEUTRAL_GROUP_NAME = "Group"


def find_group(account_id: int, target_id: str) -> ReportTarget:
    """A group that the account is in, was in during the last fourteen days, or has an open invite
    to. Raises: NotFound.

    It is about nobody: not the admin, who may be the reporter.
    """
    group = _group(target_id)
    if group is None:
        raise NotFound
    seen_until = None
    if group.closed_at is not None or not _open_invites(account_id, group).exists():
        seen_until = readable_until(account_id, group.pk)
    school = group.admin.school if group.admin else ""
    return ReportTarget(group.pk.hex, None, school=school, seen_until=seen_until)


def _group(group_id: str) -> Conversation | None:
    pk = read_id(group_id)
    rows = Conversation.objects.filter(type=Conversation.GROUP).select_related("admin")
    return rows.filter(pk=pk).first() if pk else None


def _open_invites(account_id: int, group: Conversation) -> QuerySet[Invite]:
    return Invite.objects.filter(invited=account_id, conversation=group, status=Invite.PENDING)


def find_group_member(account_id: int, group_id: str, username: str) -> EvidencePerson:
    """A member of the group, or somebody who was one in the last fourteen days, by public name, in
    any case and either form of its accents. Raises: NotFound.

    Who is only invited learns of no member whom the invite does not show, nor who was one;
    who has left does not learn who has joined since, nor a member who was there before.
    """
    group = _group(group_id)
    name = normalize_username(username)
    if group is None:
        raise NotFound
    membership = Membership.objects.filter(account=account_id, conversation=group).first()
    past = _left(group).filter(account=account_id).order_by("-left_at").first()
    if membership is not None:
        people = _members(group) + _people_who_left(group, since=membership.joined_at)
    elif past is not None:
        people = _members(group, until=past.left_at) + _people_who_left(group)
    else:
        people = _members_in_invite(account_id, group)
    person = next((person for person in people if person.username == name), None)
    if person is None:
        raise NotFound
    return person


def group_evidence(group_id: str) -> Evidence | None:
    """The name and description of a group, with who gave them, its members, who left it in the last
    fourteen days, and the names that its open invites show; none of its messages."""
    group = _group(group_id)
    if group is None:
        return None
    people, left = _members(group), _people_who_left(group)
    given_by = {f"{name}_by": row.public_name for name, row in authors_of(group).items()}
    return Evidence(
        values={
            "name": group.group_name,
            "invite_names": _names_in_invites(group),
            "description": group.group_description,
            "admin": group.admin.username if group.admin else "",
            "members": ", ".join(person.username for person in people),
            "left": ", ".join(person.username for person in left),
            "encryption": group.encryption,
            **given_by,
        },
        people=people,
    )


def reported_group(target: ReportTarget) -> Evidence | None:
    """The same, with the names and descriptions before, and with who left, or gave one of these
    texts, as people whom it may be about; for a reporter who has left with the texts that they saw
    last."""
    group, now = _group(target.id), group_evidence(target.id)
    if group is None or now is None:
        return None
    kept = kept_texts("group", [target.id]).get(target.id, [])
    authors = [_person(row) for row in [*authors_of(group).values(), *kept] if row.is_known]
    people = dict.fromkeys([*now.people, *_people_who_left(group), *authors])
    return as_seen(replace(now, people=list(people)), kept, target.seen_until)


def _members(group: Conversation, *, until: datetime | None = None) -> list[EvidencePerson]:
    """Those of now; `until`: who had joined by then."""
    rows = Membership.objects.filter(conversation=group).select_related("account__profile")
    if until is not None:
        rows = rows.filter(joined_at__lte=until)
    return [_evidence_person(row.account) for row in rows.order_by("joined_at", "account_id")]


def _members_in_invite(account_id: int, group: Conversation) -> list[EvidencePerson]:
    """Those whom the account's open invite into the group shows. Raises: NotFound, without one."""
    invite = _open_invites(account_id, group).first()
    if invite is None:
        raise NotFound
    members = Account.objects.filter(pk__in=members_shown(invite, account_id))
    return [_evidence_person(account) for account in members.select_related("profile")]


def _left(group: Conversation) -> QuerySet[PastMembership]:
    return PastMembership.objects.filter(conversation=group, left_at__gt=kept_since())


def _people_who_left(group: Conversation, *, since: datetime | None = None) -> list[EvidencePerson]:
    """Who left the group, or was removed, in the last fourteen days (after `since`), and has not
    come back; also with an erased account."""
    inside = Membership.objects.filter(conversation=group).values("account")
    rows = _left(group).exclude(account__in=inside).select_related("account__profile")
    if since is not None:
        rows = rows.filter(left_at__gte=since)
    return list(dict.fromkeys(map(_person, rows.order_by("left_at", "pk"))))


def _person(row: KeptOfPerson) -> EvidencePerson:
    if row.account is not None:
        return _evidence_person(row.account)
    name = str(row.person_name)
    return EvidencePerson(name, name, row.school, 0, person_hash=row.person_hash)


def _names_in_invites(group: Conversation) -> str:
    """Each on a line: an invite keeps the name that the group had when it was sent."""
    invites = Invite.objects.filter(conversation=group, status=Invite.PENDING)
    names = invites.order_by("invited_at", "pk").values_list("group_name", flat=True)
    return "\n".join(dict.fromkeys(names))


def _evidence_person(account: Account) -> EvidencePerson:
    name = account.profile.display_name
    return EvidencePerson(account.username, name, account.school, account.upstream_user_id)


@transaction.atomic
def remove_group_name(group_id: str) -> bool:
    """Give the group a neutral name, also in its open invites, which keep the name that it had when
    they were sent. Whether that changed anything. Raises: NotFound."""
    changed = _change(group_id, "name", NEUTRAL_GROUP_NAME)
    invites = Invite.objects.filter(conversation=require_id(group_id), status=Invite.PENDING)
    others = invites.exclude(group_name=NEUTRAL_GROUP_NAME).order_by("pk")
    named = list(others.select_for_update(no_key=True))
    keep_names_in_invites(named)
    changed_invites = Invite.objects.filter(pk__in=[invite.pk for invite in named])
    return bool(changed_invites.update(group_name=NEUTRAL_GROUP_NAME)) or changed


def remove_group_description(group_id: str) -> bool:
    """Whether there was one. Raises: NotFound."""
    return _change(group_id, "description", "")


@transaction.atomic
def _change(group_id: str, name: str, text: str) -> bool:
    # Closed ones too: a case about them may still be open.
    group = lock_conversation(require_id(group_id), closed_too=True)
    if getattr(group, COLUMNS[name]) == text:
        return False
    change_group_texts(group, {name: text}, account_id=None)
    publish_change(group)
    return True


GROUP_REPORTS = ReportKind(
    name="group",
    label=_("Group"),
    labels={
        "name": _("Name"),
        "name_by": _("Who gave the name"),
        "invite_names": _("Name in open invites"),
        "description": _("Description"),
        "description_by": _("Who gave the description"),
        "admin": _("Admin"),
        "members": _("Members"),
        "left": _("Left in the last 14 days"),
        "encryption": _("Encryption"),
    },
    codes={"encryption": ENCRYPTION_LABELS},
    find_target=find_group,
    find_person=find_group_member,
    collect_evidence=group_evidence,
    collect_reported=reported_group,
    find_place=place_of_conversation,
    actions=[
        ReportAction(
            "remove_group_name",
            _("Remove the group's name"),
            _(
                "The group gets a neutral name, also in its open invites. "
                "Its admin can choose another one."
            ),
            remove_group_name,
        ),
        ReportAction(
            "remove_group_description",
            _("Remove the group's description"),
            _("The description becomes empty. Its admin can write another one."),
            remove_group_description,
        ),
    ],
)
