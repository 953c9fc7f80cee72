"""The models of this app. They refer to people by account, never by name."""

from social.models.blocks import Block, KeptBlock
from social.models.cases import Case, CaseAction
from social.models.conversations import Conversation, Membership
from social.models.friendships import Friendship
from social.models.invites import Invite
from social.models.messages import Message, Reaction, SpentIv
from social.models.reports import Report

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
