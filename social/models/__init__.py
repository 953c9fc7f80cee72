"""The models of this app. They refer to people by account, never by name."""

from social.models.blocks import Block
from social.models.conversations import Conversation
from social.models.friendships import Friendship
from social.models.invites import Invite
from social.models.memberships import Membership
from social.models.messages import Message
from social.models.reactions import Reaction
from social.models.reports import Report
from social.models.spent_ivs import SpentIv

__all__ = [
    "Block",
    "Conversation",
    "Friendship",
    "Invite",
    "Membership",
    "Message",
    "Reaction",
    "Report",
    "SpentIv",
]
