"""Reports of profiles: what staff see of one, and how they remove its texts and pictures."""

import base64
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Evidence, ReportAction, ReportKind, ReportTarget
from accounts.errors import NotFound, NotSignedIn
from accounts.models import Picture, Profile
from accounts.services.people import Person, person_named
from accounts.services.pictures import remove_picture
from accounts.services.profiles import change_profile, locked_profile
from social.models import Block
from social.services.relations import blocked_between


def find_profile(account_id: int, target_id: str) -> ReportTarget:
    """A profile by its username; the report keeps the account id.

    The blocker in a blocked pair sees the other in the list of blocks, so may still report them.
    Raises: NotFound, for a person that the account cannot see.
    """
    person = person_named(target_id)
    if person is None or not person.is_reachable or not _can_see(account_id, person):
        raise NotFound
    return ReportTarget(str(person.account_id), person.account_id)


def _can_see(account_id: int, person: Person) -> bool:
    if not blocked_between(account_id, person.account_id):
        return True
    return Block.objects.filter(blocker=account_id, blocked=person.account_id).exists()


def profile_evidence(account_id: str) -> Evidence | None:
    profile = Profile.objects.select_related("account").filter(account_id=int(account_id)).first()
    if profile is None:
        return None
    pictures = Picture.objects.filter(account_id=profile.account_id).values_list("kind", "data")
    return Evidence(
        values={
            "username": profile.account.username,
            "school_name": profile.school_name,
            "display_name": profile.display_name,
            **{name: getattr(profile, name) for name in Profile.TEXTS},
        },
        pictures={kind: base64.b64encode(bytes(data)).decode() for kind, data in pictures},
        changed_at=profile.updated_at,
    )


@transaction.atomic
def _empty(account_id: str, columns: Sequence[str]) -> bool:
    """Empty these texts of the profile. Whether that changed anything. Raises: NotFound."""
    profile = _locked(account_id)
    before = [getattr(profile, name) for name in columns]
    change_profile(profile, dict.fromkeys(columns, ""))
    return before != [getattr(profile, name) for name in columns]


@transaction.atomic
def _remove_picture(account_id: str, kind: str) -> bool:
    """Whether there was one. Raises: NotFound."""
    profile = _locked(account_id)
    shown = Picture.objects.filter(account_id=profile.account_id, kind=kind).exists()
    remove_picture(profile.account_id, kind=kind)
    return shown


def _locked(account_id: str) -> Profile:
    try:
        return locked_profile(int(account_id))
    except NotSignedIn:  # the account is erased
        raise NotFound from None


PROFILE_REPORTS = ReportKind(
    name="profile",
    label=_("Profile"),
    labels={
        "username": _("Public name"),
        "school_name": _("School"),
        "display_name": _("Display name"),
        "bio": _("Bio"),
        "pronouns": _("Pronouns"),
        "location": _("Location"),
        "website": _("Website"),
        "github": "GitHub",
        "twitter": "Twitter",
        "instagram": "Instagram",
        "linkedin": "LinkedIn",
        "avatar": _("Picture"),
        "cover": _("Cover"),
    },
    find_target=find_profile,
    collect_evidence=profile_evidence,
    actions=[
        ReportAction(
            "remove_avatar",
            _("Remove the picture"),
            _("The profile has no picture until the person chooses another one."),
            partial(_remove_picture, kind=Picture.AVATAR),
        ),
        ReportAction(
            "remove_cover",
            _("Remove the cover"),
            _("The profile has no cover until the person chooses another one."),
            partial(_remove_picture, kind=Picture.COVER),
        ),
        ReportAction(
            "remove_profile_texts",
            _("Remove the bio and the other texts"),
            _("Bio, pronouns, location and links become empty. The person can write new ones."),
            partial(_empty, columns=Profile.TEXTS),
        ),
        ReportAction(
            "remove_display_name",
            _("Remove the display name"),
            _("The person is shown by their name at school until they choose another one."),
            partial(_empty, columns=["display_name"]),
        ),
    ],
)
