"""The personal data of this app. It is erased by `services/erasure.py`."""

from accounts.personal_data import PersonalData, Table
from accounts.services.erased_people import return_evidence
from social.models import GroupTextAuthor, PastMembership
from social.services.blocks import restore_blocks
from social.services.cases.people import link_new_account
from social.services.erasure import erase
from social.services.export import MESSAGE_COLUMNS, export

TABLES = [
    Table(
        model="social.Friendship",
        purpose="who is a friend of whom",
        retention="until 30 days after one of the two ended or declined it",
        erasure="deleted",
        personal=["requested_by", "status", "created_at", "updated_at", "ended_at"],
        technical=["id", "low", "high"],
    ),
    Table(
        model="social.Block",
        purpose="who has blocked whom",
        retention="until it is lifted",
        erasure="deleted, both ways; a block of the person is kept as a `KeptBlock`",
        personal=["blocked", "created_at"],
        technical=["id", "blocker"],
    ),
    Table(
        model="social.KeptBlock",
        purpose="a block that the erasure of the blocked person does not end",
        retention="until that person signs in again",
        erasure="deleted with the account of the person who blocked; a keyed hash of the other",
        personal=["created_at"],
        withheld={"person_hash": "recognises the blocked person; a keyed hash"},
        technical=["id", "blocker"],
    ),
    Table(
        model="social.Presence",
        purpose="showing friends and members of a conversation who is there",
        retention="15 minutes after the last heartbeat, until the next `purge_expired`",
        erasure="deleted",
        personal=["last_seen"],
        technical=["account"],
    ),
    Table(
        model="social.Refusal",
        purpose="leaving somebody alone who declined a friend request or an invite",
        retention="30 days; 24 hours for invites by the same person into other groups",
        erasure="stays until its time is over, so that an erasure resets no refusal; the two are"
        " keyed hashes",
        personal=["kind", "until"],
        withheld={
            "declined_by": "recognises the person who declined; a keyed hash",
            "asked_by": "recognises the person who asked; a keyed hash",
        },
        technical=["id", "conversation"],
    ),
    Table(
        model="social.Conversation",
        purpose="a direct conversation or a group",
        retention="until its last member has left, and 30 days",
        erasure="stays for its other members, without the pair and the admin",
        personal=["group_name", "group_description", "type", "encryption", "created_at"],
        technical=[
            "id",
            "admin",
            "key_check",
            "epoch",
            "pair_low",
            "pair_high",
            "last_seq",
            "revision",
            "info_revision",
            "last_at",
            "closed_at",
        ],
    ),
    Table(
        model="social.Membership",
        purpose="who is in a conversation, and how far they have read",
        retention="until they leave",
        erasure="deleted",
        personal=["joined_at", "last_read_seq"],
        technical=["id", "conversation", "account", "joined_seq", "own_unread"],
    ),
    Table(
        model="social.PastMembership",
        purpose="reporting what somebody could read before they left a group, and who was in it",
        retention="14 days after they left",
        erasure="stays as evidence, linked to the person by a keyed hash only",
        personal=["left_at"],
        withheld={
            "person_hash": "recognises an erased person; a keyed hash",
            "person_name": "the public name of an erased person; encrypted",
            "school": "the school of an erased person",
        },
        technical=["id", "account", "conversation", "joined_seq", "left_seq"],
    ),
    Table(
        model="social.GroupTextAuthor",
        purpose="who answers for the name and the description that a group has now",
        retention="until the text is changed, or with the group",
        erasure="stays as evidence, linked to the person by a keyed hash only",
        personal=["text"],
        withheld={
            "person_hash": "recognises an erased person; a keyed hash",
            "person_name": "the public name of an erased person; encrypted",
            "school": "the school of an erased person",
        },
        technical=["id", "account", "conversation"],
    ),
    Table(
        model="social.AcceptedAdult",
        purpose="which adults a pupil agreed to meet in a group, by accepting an invite",
        retention="until one of the two leaves the group",
        erasure="deleted",
        technical=["id", "membership", "adult"],
    ),
    Table(
        model="social.Message",
        purpose="what people say to each other",
        retention="RETENTION_MONTHS; a deleted message keeps no content (see `accounts.KeptText`)",
        erasure="emptied: its number stays, without sender and content",
        personal=MESSAGE_COLUMNS,
        withheld={
            "client_id": "the client's own id for the message",
            "sent_hash": "recognises a repeated send; a keyed hash",
            "hidden_at": "a decision of staff; the person sees it in the app",
            "search_key": "the text again, in the form that search compares",
        },
        technical=["id", "conversation", "revision", "sender", "epoch"],
    ),
    Table(
        model="social.SpentIv",
        purpose="refusing a second message with the same IV",
        retention="as long as the conversation",
        erasure="deleted with the account",
        withheld={"iv": "a random number"},
        technical=["id", "conversation", "sender"],
    ),
    Table(
        model="social.Reaction",
        purpose="an emoji under a message",
        retention="with its message",
        erasure="deleted",
        personal=["emoji"],
        technical=["id", "message", "account"],
    ),
    Table(
        model="social.Mention",
        purpose="whom a message names, who is told of it",
        retention="with its message",
        erasure="deleted",
        technical=["id", "message", "account"],
    ),
    Table(
        model="social.Invite",
        purpose="inviting somebody to a group",
        retention="RETENTION_MONTHS after the answer",
        erasure="deleted",
        personal=["group_name", "status", "invited_at", "updated_at"],
        technical=["id", "conversation", "invited", "invited_by", "members_seen"],
    ),
    Table(
        model="social.Case",
        purpose="what staff decide about something that was reported",
        retention="half a year after it was closed; names and the note EVIDENCE_DAYS after that",
        erasure="stays, linked to the person by a keyed hash only, so that no report is lost",
        personal=["target_type", "status", "outcome"],
        withheld={
            "target_id": "identifies the content of another person",
            "person": "whom it is about, who is told by a warning or a suspension",
            "person_hash": "recognises an erased person; a keyed hash",
            "person_name": "the public name when it was reported; encrypted",
            "school": "whose moderators see it",
            "closing_note": "for staff; encrypted",
            "created_at": "the time of the first report",
            "opened_at": "when staff opened it",
            "taken_by": "which member of staff handles it",
            "closed_at": "when staff closed it",
        },
        technical=["id", "version", "evidence_deleted_at", "announced_at", "reminded_at"],
    ),
    Table(
        model="social.CaseAction",
        purpose="what staff did about it",
        retention="with the case; names and words as long as its evidence",
        erasure="stays with the case",
        withheld={
            "person": "who was warned or suspended",
            "person_hash": "recognises an erased person; a keyed hash",
            "person_name": "the public name at that time; encrypted",
            "words": "what the person was told, which is in their profile; encrypted",
            "until": "the end of a suspension, which the person is told",
            "staff": "the member of staff",
            "at": "when it was done",
            "undone_at": "when it was taken back",
        },
        technical=["id", "case", "name"],
    ),
    Table(
        model="social.Report",
        purpose="asking staff to look at something, and the evidence",
        retention="with the case; words, evidence and hash until EVIDENCE_DAYS after it was closed",
        erasure="stays as evidence, encrypted, linked to the reporter by a keyed hash only",
        personal=["reason", "text", "disclosed", "suggested", "created_at"],
        withheld={
            "evidence": "content of other people as it was when reported; encrypted",
            "reporter_hash": "recognises the reporter after an erasure; a keyed hash",
        },
        technical=["id", "case", "added_to", "reporter", "has_account"],
    ),
]


def restore(account_id: int, person_hash: str) -> None:
    """Apply what was kept of an erased person to their new account: blocks against them, the cases
    about them, in which groups they were, and whose texts they gave."""
    restore_blocks(account_id, person_hash)
    return_evidence(PastMembership.objects.all(), account_id, person_hash)
    return_evidence(GroupTextAuthor.objects.all(), account_id, person_hash)
    link_new_account(account_id, person_hash)


PERSONAL_DATA = PersonalData(TABLES, export, erase, restore)
