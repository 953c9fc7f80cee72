"""A picture that was replaced or removed is in the report of the profile for fourteen days."""

import base64
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.limits import PICTURE_CHANGES
from accounts.models import KeptText, Picture
from social.models import Report
from tests.abuse.people import report
from tests.accounts.full_account import columns_and_keys_with, export_of
from tests.accounts.images import UPLOAD, new_picture, path_of, picture, send
from tests.conftest import Caller
from tests.social.cast import Cast
from tests.social.friend_requests import code_of
from tests.staff.cases import open_case
from tests.staff.conftest import Enter

KINDS = [Picture.AVATAR, Picture.COVER]
REFUSED = (409, "changed_too_often")


def replace(cast: Cast, kind: str) -> None:
    new_picture(cast.bo, kind=kind)


def replace_by_a_waiting_one(cast: Cast, kind: str) -> None:
    url = send(cast.bo, picture()).json()["url"]
    field = {"avatar": "pfpUrl", "cover": "coverUrl"}[kind]
    assert cast.bo.put("/api/profile", {field: url}).status_code == 200


def remove(cast: Cast, kind: str) -> None:
    assert cast.bo.delete(f"{UPLOAD}?kind={kind}").status_code == 200


def remove_with_the_profile(cast: Cast, kind: str) -> None:
    field = {"avatar": "pfpUrl", "cover": "coverUrl"}[kind]
    assert cast.bo.put("/api/profile", {field: ""}).status_code == 200


ESCAPES = [replace, replace_by_a_waiting_one, remove, remove_with_the_profile]


def insult(cast: Cast, kind: str = Picture.AVATAR) -> tuple[str, str]:
    """A picture of Bo's: its address, and its file in base64."""
    url = send(cast.bo, picture(colour=(0, 0, 0)), kind=kind).json()["url"]
    address = path_of(url)
    return address, base64.b64encode(Caller().get(address).content).decode()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("escape", ESCAPES, ids=lambda function: function.__name__)
def test_staff_see_a_picture_that_is_not_there_any_more(
    cast: Cast, enter: Enter, escape: Callable[[Cast, str], None], kind: str
) -> None:
    address, file = insult(cast, kind)
    escape(cast, kind)
    assert Caller().get(address).status_code == 404
    assert report(cast.elsa, "profile", "bo.ek").status_code == 201
    page = open_case(enter())
    before = page.html().partition("What stood there before")[2]
    assert f"data:image/webp;base64,{file}" in before
    assert 'alt="The picture before"' in before


def test_what_staff_have_removed_is_in_the_next_report(cast: Cast, enter: Enter) -> None:
    _, file = insult(cast)
    report(cast.elsa, "profile", "bo.ek")
    page = open_case(enter())
    assert page.do("remove_avatar").endswith(": done.")
    assert KeptText.objects.get().values == {"avatar": file}


def test_after_fourteen_days_it_is_gone(cast: Cast) -> None:
    _, file = insult(cast)
    remove(cast, Picture.AVATAR)
    KeptText.objects.update(gone_at=timezone.now() - timedelta(days=14))
    report(cast.elsa, "profile", "bo.ek")
    assert file not in Report.objects.get().evidence
    call_command("purge_expired")
    assert not KeptText.objects.exists()


def test_no_picture_is_pushed_out_by_many_changes(cast: Cast) -> None:
    insult(cast)
    waiting = send(cast.bo, picture()).json()["url"]
    KeptText.objects.bulk_create(
        KeptText(
            target_type=KeptText.PICTURE,
            target_id=str(cast.bo.account_id),
            texts="{}",
            change=KeptText.EDITED,
            gone_at=timezone.now(),
        )
        for _ in range(PICTURE_CHANGES)
    )
    assert code_of(send(cast.bo, picture(), kind="avatar")) == REFUSED
    assert code_of(cast.bo.put("/api/profile", {"coverUrl": waiting})) == REFUSED
    shown = cast.bo.get("/api/profile").json()["profile"]["pfpUrl"]
    assert code_of(cast.bo.put("/api/profile", {"pfpUrl": shown})) == (200, "")  # no change
    remove(cast, Picture.AVATAR)
    KeptText.objects.update(gone_at=timezone.now() - timedelta(days=14))
    assert send(cast.bo, picture(), kind="avatar").status_code == 201


def test_it_is_sealed_and_in_the_export(cast: Cast) -> None:
    _, file = insult(cast)
    remove(cast, Picture.AVATAR)
    assert columns_and_keys_with(file) == []
    (kept,) = export_of(cast.bo)["earlier-texts.json"]
    assert (kept["targetType"], kept["texts"]) == ("picture", {"avatar": file})
