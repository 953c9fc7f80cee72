"""A person changes their own profile, which is also brought up to date from upstream."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import session_cache
from accounts.callers import Caller
from accounts.errors import DisplayNameRefused, InvalidInput, SessionMismatch
from accounts.limits import PROFILE_CHANGES
from accounts.models import Picture, Profile
from accounts.services.display_names import is_username_of_another, passes_for_staff
from accounts.services.identity import ask_upstream
from accounts.services.kept_texts import require_changes_left
from accounts.services.pictures import show_picture
from accounts.services.profiles import (
    SHOWN_TEXTS,
    change_profile,
    locked_profile,
    profile_of,
    upstream_fields,
)
from accounts.services.session_answers import fetch_session_answer
from accounts.services.session_records import dialect_of_session
from upstream.errors import UpstreamInvalid, UpstreamNotFound, UpstreamTimeout, UpstreamUnavailable
from upstream.records import UpstreamSession


def update_own_profile(
    caller: Caller, *, values: Mapping[str, Any], pictures: Mapping[str, str]
) -> Profile:
    """Set columns by name, and pictures by kind (the address of one's own picture, or "" for none).

    Names, e-mail, school and role are taken from upstream; if it cannot be asked, the rest is
    saved. Returns the profile, ready for `render_profile`.

    Raises: NotSignedIn, when upstream says that the session is over; InvalidInput for a picture
    that is not the caller's, and for a display name that looks like somebody else's username;
    DisplayNameRefused; ChangedTooOften; TooManyRequests.
    """
    answer = _fetch_current_session(caller)
    with transaction.atomic():
        profile = locked_profile(caller.account_id)
        if answer:
            change_profile(profile, upstream_fields(answer))
        shown = values.get("display_name")
        if shown and is_username_of_another(shown, caller.account_id):
            raise InvalidInput({"displayName": [_("This is somebody else's user name.")]})
        if shown and passes_for_staff(shown, profile):
            raise DisplayNameRefused
        if any(values.get(name) not in (None, getattr(profile, name)) for name in SHOWN_TEXTS):
            require_changes_left("profile", str(caller.account_id), most=PROFILE_CHANGES)
        # Set pictures before removing any: the request may turn the avatar into the cover. The
        # cover first: a picture that becomes both is cropped for the avatar.
        order = sorted(pictures.items(), key=lambda pair: (not pair[1], pair[0] != Picture.COVER))
        for kind, address in order:
            show_picture(profile, kind=kind, address=address)
        change_profile(profile, values)
    return profile_of(caller.account_id)


def _fetch_current_session(caller: Caller) -> UpstreamSession | None:
    """What upstream says about the caller now; None if it cannot be asked."""
    dialect = dialect_of_session(caller.school, caller.session_id)
    try:
        answer = ask_upstream(
            caller,
            lambda web: fetch_session_answer(
                school=caller.school,
                web=web,
                accepted=caller.upstream.organization_id,
                dialect=dialect,
            ),
        )
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid, UpstreamNotFound):
        return None
    if answer.user_id != caller.upstream.user_id:
        session_cache.forget(caller.credential_hash)
        raise SessionMismatch
    session_cache.update(caller.credential_hash, answer)
    return answer
