"""A profile as clients read it: one form for its owner, and one with less for everyone else."""

from typing import Any

from accounts.models import Profile
from accounts.services.people import picture_url
from accounts.services.warnings import warnings_of
from accounts.timestamps import milliseconds


def render_profile(profile: Profile, *, own: bool) -> dict[str, Any]:
    """The JSON of a profile that `services.profiles` has read, with its account and pictures.

    Others see neither the e-mail address nor how the person wants to be reached, nor what staff
    told them.
    """
    shown = {
        "username": profile.account.username,
        "firstName": profile.first_name,
        "lastName": profile.last_name,
        "schoolName": profile.school_name,
        "userType": profile.user_type,
        "displayName": profile.display_name,
        "bio": profile.bio,
        "pronouns": profile.pronouns,
        "location": profile.location,
        "website": profile.website,
        "accentColor": profile.accent_color,
        "github": profile.github,
        "twitter": profile.twitter,
        "instagram": profile.instagram,
        "linkedin": profile.linkedin,
        "pfpUrl": picture_url(profile.avatar_name),
        "coverUrl": picture_url(profile.cover_name),
        "joinedAt": milliseconds(profile.account.created_at),
        "updatedAt": milliseconds(profile.updated_at),
    }
    if own:
        shown |= {
            "email": profile.email,
            "dmPrivacy": profile.dm_privacy,
            "discoverable": profile.discoverable,
            "warnings": warnings_of(profile.account_id),
        }
    return shown
