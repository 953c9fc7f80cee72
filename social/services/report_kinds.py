"""The kinds of things in this app that can be reported: messages, groups and profiles."""

from django.db.models import Q

from accounts.contribution_types import (
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.identifiers import read_id
from accounts.models import Profile
from accounts.services.people import NOBODY, Person, people_of, person_named
from social.access import membership_of, message_for_member
from social.errors import NotThere
from social.models import Block, Conversation, Membership, Message
from social.services.moderation import hide_message, message_by_id, unhide_message
from social.services.relations import blocked_between

# Messages around the reported one that staff see.
NEIGHBOURS = 5


def find_message(account_id: int, target_id: str) -> ReportTarget:
    """A message that the account can read, by its public id. Raises: NotThere."""
    conversation_id = read_id(target_id.partition("-")[0])
    if conversation_id is None:
        raise NotThere
    membership, message = message_for_member(account_id, conversation_id, target_id)
    return ReportTarget(
        message.public_id, message.sender_id, encrypted=membership.conversation.encrypted
    )


def message_evidence(message_id: str) -> Evidence | None:
    try:
        message = message_by_id(message_id)
    except NotThere:
        return None
    conversation = message.conversation
    near = Q(seq__gte=message.seq - NEIGHBOURS, seq__lte=message.seq + NEIGHBOURS)
    others = Message.objects.filter(near, conversation=conversation).exclude(pk=message.pk)
    nearest = sorted(others, key=lambda one: (abs(one.seq - message.seq), one.seq))[:NEIGHBOURS]
    shown = sorted([message, *nearest], key=lambda one: one.seq)
    people = people_of(one.sender_id for one in shown if one.sender_id)
    return Evidence(
        title=f"A message in a {'group' if conversation.is_group else 'direct conversation'}",
        facts=[("Encrypted", "yes: only what was disclosed can be read")]
        if conversation.encrypted
        else [],
        lines=[
            EvidenceLine(
                author=people.get(one.sender_id or 0, NOBODY).username,
                at=one.created_at,
                text=_text(one, conversation),
                reported=one.pk == message.pk,
            )
            for one in shown
        ],
    )


def _text(message: Message, conversation: Conversation) -> str:
    if message.deleted_at is not None:
        return "(deleted)"
    if conversation.encrypted:
        return "(encrypted)"
    return f"(hidden) {message.content}" if message.hidden_at else message.content


def find_group(account_id: int, target_id: str) -> ReportTarget:
    """A group that the account is in. Its admin is responsible for it. Raises: NotThere."""
    conversation_id = read_id(target_id)
    if conversation_id is None:
        raise NotThere
    conversation = membership_of(account_id, conversation_id).conversation
    if not conversation.is_group:
        raise NotThere
    return ReportTarget(conversation.pk.hex, conversation.admin_id)


def group_evidence(conversation_id: str) -> Evidence | None:
    """The name, description and size of a group; none of its messages."""
    known = read_id(conversation_id)
    conversation = Conversation.objects.filter(pk=known).first() if known else None
    if conversation is None:
        return None
    admin = people_of([conversation.admin_id or 0]).get(conversation.admin_id or 0, NOBODY)
    return Evidence(
        title="A group",
        facts=[
            ("Name", conversation.group_name),
            ("Description", conversation.group_description),
            ("Admin", admin.username),
            ("Members", Membership.objects.filter(conversation=conversation).count()),
            ("Encryption", conversation.encryption),
        ],
    )


def find_profile(account_id: int, target_id: str) -> ReportTarget:
    """A profile by its username; the report keeps the account id.

    The blocker in a blocked pair sees the other in the list of blocks, so may still report them.
    Raises: NotThere, for a person that the account cannot see.
    """
    person = person_named(target_id)
    if person is None or person.suspended or not _can_see(account_id, person):
        raise NotThere
    return ReportTarget(str(person.account_id), person.account_id)


def _can_see(account_id: int, person: Person) -> bool:
    if not blocked_between(account_id, person.account_id):
        return True
    return Block.objects.filter(blocker=account_id, blocked=person.account_id).exists()


def profile_evidence(account_id: str) -> Evidence | None:
    profile = Profile.objects.select_related("account").filter(account_id=int(account_id)).first()
    if profile is None:
        return None
    person = people_of([profile.account_id]).get(profile.account_id, NOBODY)
    shown = ("display_name", "pronouns", "bio", "location", "website")
    return Evidence(
        title="A profile",
        facts=[
            ("Public name", profile.account.username),
            ("School", profile.school_name),
            *((name.replace("_", " ").capitalize(), getattr(profile, name)) for name in shown),
        ],
        picture_url=person.picture_url,
    )


SHOW_MESSAGE = ReportAction("show_message", "Show the message again", unhide_message)
HIDE_MESSAGE = ReportAction("hide_message", "Hide the message", hide_message, undo=SHOW_MESSAGE)
MESSAGE_REPORTS = ReportKind("message", find_message, message_evidence, actions=[HIDE_MESSAGE])
GROUP_REPORTS = ReportKind("group", find_group, group_evidence)
PROFILE_REPORTS = ReportKind("profile", find_profile, profile_evidence)
