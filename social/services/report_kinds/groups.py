"""Reports of groups: what staff see of one, and how they remove its texts."""

from django.db import transaction
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
from accounts.models import Account
from accounts.name_comparison import normalize_username
from social.access import lock_conversation
from social.models import Conversation, Invite, Membership
from social.models.conversations import ENCRYPTION_LABELS
from social.services.conversations.changes import publish_change
from social.services.relations import blocked_between

# The name of a group whose own name was removed.
NEUTRAL_GROUP_NAME = "Group"


def find_group(account_id: int, target_id: str) -> ReportTarget:
    """A group that the account is in, or has an open invite to. Raises: NotFound.

    It is about nobody: not the admin, who may be the reporter.
    """
    group = _group(target_id)
    if group is None or group.closed_at is not None:
        raise NotFound
    invites = Invite.objects.filter(invited=account_id, conversation=group, status=Invite.PENDING)
    if not (_is_member(account_id, group) or invites.exists()):
        raise NotFound
    return ReportTarget(group.pk.hex, None, school=group.admin.school if group.admin else "")


def _group(group_id: str) -> Conversation | None:
    known = read_id(group_id)
    rows = Conversation.objects.filter(type=Conversation.GROUP).select_related("admin")
    return rows.filter(pk=known).first() if known else None


def _is_member(account_id: int, group: Conversation) -> bool:
    return Membership.objects.filter(account=account_id, conversation=group).exists()


def find_group_member(account_id: int, group_id: str, username: str) -> EvidencePerson:
    """A member of the group, by public name, in any case and either form of its accents. Raises:
    NotFound.

    Who is only invited does not learn whether somebody beyond a block is a member.
    """
    group = _group(group_id)
    named = Account.objects.filter(username=normalize_username(username)).select_related("profile")
    person = named.filter(memberships__conversation=group).first() if group else None
    if group is None or person is None:
        raise NotFound
    if not _is_member(account_id, group) and blocked_between(account_id, person.pk):
        raise NotFound
    return _evidence_person(person)


def group_evidence(group_id: str) -> Evidence | None:
    """The name, description and members of a group, and the names that its open invites show; none
    of its messages."""
    group = _group(group_id)
    if group is None:
        return None
    members = Account.objects.filter(memberships__conversation=group).select_related("profile")
    people = [_evidence_person(one) for one in members.order_by("memberships__joined_at", "pk")]
    return Evidence(
        values={
            "name": group.group_name,
            "invite_names": _names_in_invites(group),
            "description": group.group_description,
            "admin": group.admin.username if group.admin else "",
            "members": ", ".join(person.username for person in people),
            "encryption": group.encryption,
        },
        people=people,
    )


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
    changed = _change(group_id, "group_name", NEUTRAL_GROUP_NAME)
    invites = Invite.objects.filter(conversation=require_id(group_id), status=Invite.PENDING)
    others = invites.exclude(group_name=NEUTRAL_GROUP_NAME).order_by("pk")
    shown = list(others.select_for_update(no_key=True).values_list("pk", flat=True))
    Invite.objects.filter(pk__in=shown).update(group_name=NEUTRAL_GROUP_NAME)
    return changed or bool(shown)


def remove_group_description(group_id: str) -> bool:
    """Whether there was one. Raises: NotFound."""
    return _change(group_id, "group_description", "")


@transaction.atomic
def _change(group_id: str, field: str, value: str) -> bool:
    # Closed ones too: a case about them may still be open.
    group = lock_conversation(require_id(group_id), closed_too=True)
    if getattr(group, field) == value:
        return False
    setattr(group, field, value)
    group.save(update_fields=[field])
    publish_change(group)
    return True


GROUP_REPORTS = ReportKind(
    name="group",
    label=_("Group"),
    labels={
        "name": _("Name"),
        "invite_names": _("Name in open invites"),
        "description": _("Description"),
        "admin": _("Admin"),
        "members": _("Members"),
        "encryption": _("Encryption"),
    },
    codes={"encryption": ENCRYPTION_LABELS},
    find_target=find_group,
    find_person=find_group_member,
    collect_evidence=group_evidence,
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
