"""What an account has here, written down for its owner. Other people are named, not described."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet

from accounts.personal_data import Document, with_api_names
from accounts.services.people import NOBODY, people_of, person_hash_of
from social.models import (
    Block,
    Conversation,
    Friendship,
    GroupTextAuthor,
    Invite,
    KeptBlock,
    Membership,
    Message,
    PastMembership,
    Presence,
    Reaction,
    Refusal,
    Report,
)
from social.models.messages import public_id
from social.services.conversations.group_texts import COLUMNS

ROWS_A_PAGE = 500
MESSAGE_COLUMNS = (
    "seq",
    "content",
    "iv",
    "share_card",
    "reply_to_seq",
    "pinned",
    "edited_at",
    "deleted_at",
    "created_at",
)


def export(account_id: int) -> Iterator[Document]:
    """Friends, blocks, invites, refusals, reports, presence; one file a conversation, with the
    messages that the account wrote."""
    yield "friends.json", _friends(account_id)
    yield "blocks.json", _blocks(account_id)
    yield "invites.json", _invites(account_id)
    yield "refusals.json", _refusals(account_id)
    yield "reactions.json", _reactions(account_id)
    yield "reports.json", _reports(account_id)
    yield "left-groups.json", _left_groups(account_id)
    yield "group-texts.json", _group_texts(account_id)
    yield "presence.json", _presence(account_id)
    spoken_in = Message.objects.filter(sender_id=account_id).values("conversation")
    member_of = Membership.objects.filter(account_id=account_id).values("conversation")
    for conversation in Conversation.objects.filter(pk__in=spoken_in.union(member_of)):
        yield f"conversations/{conversation.pk.hex}.json", _conversation(account_id, conversation)


def _friends(account_id: int) -> list[dict[str, Any]]:
    rows = list(Friendship.objects.of(account_id))
    people = people_of(row.other(account_id) for row in rows)
    return [
        {
            "username": people.get(row.other(account_id), NOBODY).username,
            "status": row.status,
            "requestedByMe": row.requested_by_id == account_id,
            "createdAt": row.created_at,
            "updatedAt": row.updated_at,
            "endedAt": row.ended_at,
        }
        for row in rows
    ]


def _blocks(account_id: int) -> list[dict[str, Any]]:
    """Those of people who are erased come last, without a name."""
    rows = list(Block.objects.filter(blocker_id=account_id).order_by("created_at"))
    people = people_of(row.blocked_id for row in rows)
    named = [
        {"username": people.get(row.blocked_id, NOBODY).username, "createdAt": row.created_at}
        for row in rows
    ]
    kept = KeptBlock.objects.filter(blocker_id=account_id).order_by("created_at")
    return named + [{"username": "", "createdAt": row.created_at} for row in kept]


def _invites(account_id: int) -> list[dict[str, Any]]:
    rows = Invite.objects.filter(Q(invited_id=account_id) | Q(invited_by_id=account_id))
    return [
        {
            "groupName": row.group_name,
            "status": row.status,
            "sentByMe": row.invited_by_id == account_id,
            "invitedAt": row.invited_at,
            "updatedAt": row.updated_at,
        }
        for row in rows
    ]


def _refusals(account_id: int) -> list[dict[str, Any]]:
    """Those that hold still. No name: the other may have erased the account."""
    me = person_hash_of(account_id)
    rows = Refusal.objects.filter(Q(declined_by=me) | Q(asked_by=me)).order_by("until", "pk")
    return [
        {"kind": row.kind, "declinedByMe": row.declined_by == me, "until": row.until}
        for row in rows
    ]


def _reports(account_id: int) -> list[dict[str, Any]]:
    rows = Report.objects.filter(reporter_id=account_id).order_by("created_at")
    return [
        {
            "reason": report.reason,
            "text": report.text,
            "disclosed": report.disclosed,
            "suggested": report.suggested,
            "createdAt": report.created_at,
            "type": report.case.target_type,
            "status": report.case.status,
            "outcome": report.case.outcome,
        }
        for report in rows.select_related("case").defer("evidence")
    ]


def _left_groups(account_id: int) -> list[dict[str, Any]]:
    rows = PastMembership.objects.filter(account_id=account_id).order_by("left_at", "pk")
    return [{"conversation": row.conversation_id.hex, "leftAt": row.left_at} for row in rows]


def _group_texts(account_id: int) -> list[dict[str, Any]]:
    """Names and descriptions that the account gave to groups, and that these have now."""
    rows = GroupTextAuthor.objects.filter(account_id=account_id).select_related("conversation")
    return [
        {
            "conversation": row.conversation_id.hex,
            "text": row.text,
            "content": getattr(row.conversation, COLUMNS[row.text]),
        }
        for row in rows.order_by("pk")
    ]


def _presence(account_id: int) -> list[dict[str, Any]]:
    rows = Presence.objects.filter(account=account_id)
    return [with_api_names(row) for row in rows.values("last_seen")]


def _reactions(account_id: int) -> Iterator[dict[str, Any]]:
    rows = Reaction.objects.filter(account_id=account_id)
    columns = ("id", "emoji", "message__conversation", "message__seq")
    for row in _in_pages(rows.values(*columns), by="id"):
        message_id = public_id(row["message__conversation"], row["message__seq"])
        yield {"messageId": message_id, "emoji": row["emoji"]}


def _in_pages(rows: QuerySet[Any, Any], *, by: str) -> Iterator[dict[str, Any]]:
    """All rows in the order of a unique column, of which few are in memory at a time. Not by a
    cursor: the connection is given back while a client reads slowly."""
    page = list(rows.order_by(by)[:ROWS_A_PAGE])
    while page:
        yield from page
        page = list(rows.filter(**{f"{by}__gt": page[-1][by]}).order_by(by)[:ROWS_A_PAGE])


def _conversation(account_id: int, conversation: Conversation) -> dict[str, Any]:
    membership = Membership.objects.filter(account_id=account_id, conversation=conversation).first()
    members = Membership.objects.filter(conversation=conversation) if membership else ()
    people = people_of(member.account_id for member in members)
    messages = Message.objects.filter(sender_id=account_id, conversation=conversation)
    return {
        "type": conversation.type,
        # What a group is called now is its members' business.
        "groupName": conversation.group_name if membership else None,
        "groupDescription": conversation.group_description if membership else None,
        "encryption": conversation.encryption,
        "createdAt": conversation.created_at,
        "participants": sorted(person.username for person in people.values()),
        "joinedAt": membership and membership.joined_at,
        "lastReadSeq": membership and membership.last_read_seq,
        "messages": map(with_api_names, _in_pages(messages.values(*MESSAGE_COLUMNS), by="seq")),
    }
