"""The staff's pages for people and logins, and the site that they stand on."""

from accounts.admin import audit, logins, people

__all__ = ["audit", "logins", "people"]
