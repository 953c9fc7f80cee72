"""The staff's pages for reports, conversations and invites."""

from social.admin import conversations, reports

__all__ = ["conversations", "reports"]
