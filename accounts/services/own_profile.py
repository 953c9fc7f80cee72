"""A person changes their own profile, which is also brought up to date from upstream."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import session_cache
from accounts.callers import Caller
from accounts.errors import InvalidInput, SessionMismatch
from accounts.models import Picture, Profile
from accounts.services.identity import ask_upstream
from accounts.services.pictures import show_picture
from accounts.services.profiles import (
    change_profile,
    is_username_of_another,
    locked_profile,
    profile_of,
    upstream_fields,
)
from accounts.services.session_answers import fetch_session_answer
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
    TooManyRequests.
    """
    answer = _fetch_current_session(caller)
    with transaction.atomic():
        profile = locked_profile(caller.account_id)
        shown = values.get("display_name")
        if shown and is_username_of_another(shown, caller.account_id):
            raise InvalidInput({"displayName": [_("This is somebody else's user name.")]})
        # Set pictures before removing any: the request may turn the avatar into the cover. The
        # cover first: a picture that becomes both is cropped for the avatar.
        order = sorted(pictures.items(), key=lambda pair: (not pair[1], pair[0] != Picture.COVER))
        for kind, address in order:
            show_picture(profile, kind=kind, address=address)
        change_profile(profile, {**values, **(upstream_fields(answer) if answer else {})})
    return profile_of(caller.account_id)


def _fetch_current_session(caller: Caller) -> UpstreamSession | None:
    """What upstream says about the caller now; None if it cannot be asked."""
    try:
        answer = ask_upstream(
            caller,
            lambda web: fetch_session_answer(
                school=caller.school, web=web, accepted=caller.upstream.organization_id
            ),
        )
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid, UpstreamNotFound):
        return None
    if answer.user_id != caller.upstream.user_id:
        session_cache.forget(caller.credential_hash)
        raise SessionMismatch
    session_cache.update(caller.credential_hash, answer)
    return answer
