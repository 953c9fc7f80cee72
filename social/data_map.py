"""The personal data of this app. It is erased by `services/erasure.py`."""

from accounts.personal_data import PersonalData, Table
from social.services.erasure import erase
from social.services.export import export

TABLES = [
    Table(
        model="social.Friendship",
        purpose="who is a friend of whom",
        retention="until one of the two ends it",
        erasure="deleted",
        personal=["requested_by", "status", "created_at", "updated_at"],
        technical=["id", "low", "high"],
    ),
    Table(
        model="social.Block",
        purpose="who has blocked whom",
        retention="until it is lifted",
        erasure="deleted, both ways",
        personal=["blocked", "created_at"],
        technical=["id", "blocker"],
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
        model="social.Message",
        purpose="what people say to each other",
        retention="RETENTION_MONTHS; the content of a deleted message is deleted at once",
        erasure="emptied: its number stays, without sender and content",
        personal=[
            "content",
            "seq",
            "share_card",
            "reply_to_seq",
            "pinned",
            "edited_at",
            "deleted_at",
            "created_at",
        ],
        withheld={
            "client_id": "the client's own id for the message",
            "sent_hash": "recognises a repeated send; a keyed hash",
            "iv": "exported together with the encrypted content",
            "hidden_at": "a decision of staff; the person sees it in the app",
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
        model="social.Invite",
        purpose="inviting somebody to a group",
        retention="RETENTION_MONTHS after the answer",
        erasure="deleted",
        personal=["status", "invited_at", "updated_at"],
        technical=["id", "conversation", "invited", "invited_by"],
    ),
    Table(
        model="social.Report",
        purpose="asking staff to look at something",
        retention="six months after it was handled",
        erasure="emptied: that there was a report stays, without people and text",
        personal=["target_type", "reason", "text", "disclosed", "status", "created_at"],
        withheld={
            "target_id": "identifies the content of another person",
            "subject": "another person",
            "handled_at": "when staff closed it",
        },
        technical=["id", "reporter"],
    ),
]
PERSONAL_DATA = PersonalData(TABLES, export, erase)
