"""The staff's pages for reports, conversations and invites."""

from social.admin import conversations, reports  # noqa: F401  (importing registers them)
