"""Reports of profiles: what staff see of one, and how they remove its texts and pictures."""

import base64
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    EarlierText,
    Evidence,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.errors import NotFound, NotSignedIn
from accounts.models import KeptText, Picture, Profile
from accounts.services.kept_profiles import PROFILE, kept_of_former_name
from accounts.services.kept_texts import kept_target, kept_texts
from accounts.services.people import person_named
from accounts.services.pictures import remove_picture
from accounts.services.profiles import change_profile, locked_profile
from social.services.evidence import as_seen
from social.services.relations import require_not_hidden


def find_profile(account_id: int, target_id: str) -> ReportTarget:
    """A profile by its username; the report keeps the account id.

    The same across a block, whoever made it, and of somebody suspended: who was insulted in a
    profile and is blocked then has read it all the same. So the answer tells of no block. It tells
    that there is somebody of this name, as blocking them does.
    A name whose account was erased in the last fourteen days finds what the profile showed then.
    Raises: NotFound, for nobody, and for a hidden pupil of another school whom the reporter never
    knew.
    """
    person = person_named(target_id)
    if person is not None:
        require_not_hidden(account_id, person, knew_too=True)
        return ReportTarget(str(person.account_id), person.account_id)
    kept = kept_of_former_name(target_id)
    if kept is None:
        raise NotFound
    return kept_target(kept)


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


def reported_profile(target: ReportTarget) -> Evidence | None:
    """The same, with the texts and pictures of the last fourteen days; of an erased account these
    alone."""
    now = profile_evidence(target.id)
    kept = kept_texts(PROFILE, [target.id]).get(target.id, [])
    if now is None and not kept:
        return None
    seen = as_seen(now or Evidence(), kept, None)
    pictures = [
        EarlierText(data, row.gone_at, row.change, name, is_picture=True)
        for row in kept_texts(KeptText.PICTURE, [target.id]).get(target.id, [])
        for name, data in row.values.items()
    ]
    return replace(seen, earlier=[*seen.earlier, *pictures])


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
    name=PROFILE,
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
    collect_reported=reported_profile,
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
