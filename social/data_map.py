"""What this app keeps of a person. How it is removed is in `services/erasure.py`."""

from accounts.personal_data import PersonalData, Table
from social.services.erasure import erase
from social.services.export import export

TABLES = [
    Table(
        model="social.Friendship",
        purpose="who is whose friend",
        retention="until one of the two ends it",
        erasure="deleted",
        personal=["requested_by", "status", "created_at", "updated_at"],
        technical=["id", "low", "high"],
    ),
    Table(
        model="social.Block",
        purpose="who wants nothing to do with whom",
        retention="until it is lifted",
        erasure="deleted, both ways",
        personal=["blocked", "created_at"],
        technical=["id", "blocker"],
    ),
    Table(
        model="social.Conversation",
        purpose="a place to talk",
        retention="until its last member has left, and 30 days",
        erasure="stays for its other members; the pair and the admin are forgotten",
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
        retention="RETENTION_MONTHS; the content of a deleted one is gone at once",
        erasure="emptied: the place stays, without sender and content",
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
            "client_id": "the client's own name for a message",
            "sent_hash": "tells a repeated send; says nothing without our key",
            "iv": "goes with an encrypted content, and is exported with it",
            "hidden_at": "what staff decided; the person sees it in the app",
        },
        technical=["id", "conversation", "revision", "sender", "epoch"],
    ),
    Table(
        model="social.SpentIv",
        purpose="that nobody encrypts two messages with one IV",
        retention="as long as the conversation",
        erasure="deleted with the account",
        withheld={"iv": "random; says nothing about anyone"},
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
        purpose="asking somebody into a group",
        retention="RETENTION_MONTHS after it is answered",
        erasure="deleted",
        personal=["status", "invited_at", "updated_at"],
        technical=["id", "conversation", "invited", "invited_by"],
    ),
    Table(
        model="social.Report",
        purpose="having staff look at something",
        retention="six months after it is handled",
        erasure="emptied: that there was one stays, without people and words",
        personal=["target_type", "reason", "text", "disclosed", "status", "created_at"],
        withheld={
            "target_id": "somebody else's thing",
            "subject": "somebody else",
            "handled_at": "the staff's part",
        },
        technical=["id", "reporter"],
    ),
]
PERSONAL_DATA = PersonalData(TABLES, export, erase)
