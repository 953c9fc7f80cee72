"""The models of this app. They refer to people by account, never by name."""

from social.models.blocks import Block, KeptBlock
from social.models.cases import Case, CaseAction
from social.models.conversations import (
    AcceptedAdult,
    Conversation,
    GroupTextAuthor,
    Membership,
    PastMembership,
)
from social.models.friendships import Friendship
from social.models.invites import Invite
from social.models.messages import Mention, Message, Reaction, SpentIv
from social.models.presence import Presence
from social.models.refusals import Refusal
from social.models.reports import Report

__all__ = [
    "AcceptedAdult",
    "Block",
    "Case",
    "CaseAction",
    "Conversation",
    "Friendship",
    "GroupTextAuthor",
    "Invite",
    "KeptBlock",
    "Membership",
    "Mention",
    "Message",
    "PastMembership",
    "Presence",
    "Reaction",
    "Refusal",
    "Report",
    "SpentIv",
]
