"""The staff's pages for cases, conversations and invites."""

from social.admin import cases, conversations  # noqa: F401  (importing registers them)
