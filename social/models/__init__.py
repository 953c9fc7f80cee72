"""The models of this app. They refer to people by account, never by name."""

from social.models.blocks import Block, KeptBlock
from social.models.cases import Case, CaseAction
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
    "Case",
    "CaseAction",
    "Conversation",
    "Friendship",
    "Invite",
    "KeptBlock",
    "Membership",
    "Message",
    "Reaction",
    "Report",
    "SpentIv",
]
