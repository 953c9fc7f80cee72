"""Pictures: uploaded, read, replaced, removed."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.limits import WAITING_PICTURE_SECONDS
from accounts.models import Account, Picture
from accounts.services.pictures import purge_waiting_pictures
from accounts.services.suspension import suspend_account, unsuspend_account
from accounts.signals import profile_changed
from tests.accounts.conftest import hearing
from tests.accounts.images import UPLOAD, new_picture, path_of, picture, send, shown
from tests.accounts.test_profile import own, put, saved
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator


def test_the_answer_has_its_address_and_the_profile_shows_it(elsa: Caller) -> None:
    answer = send(elsa, picture(), kind="avatar")
    url = answer.json()["url"]
    assert (answer.status_code, answer.json()) == (201, {"success": True, "url": url})
    assert url.startswith("http://testserver/media/")
    assert own(elsa)["pfpUrl"] == url
    assert own(elsa)["coverUrl"] == ""


@pytest.mark.parametrize("path", [UPLOAD, "/api/pfp-upload"])
def test_without_a_kind_nothing_is_replaced(elsa: Caller, path: str) -> None:
    avatar, cover = new_picture(elsa), new_picture(elsa, kind="cover")
    answer = send(elsa, picture(), path=path)
    assert answer.status_code == 201
    profile = own(elsa)
    assert (path_of(profile["pfpUrl"]), path_of(profile["coverUrl"])) == (avatar, cover)
    assert shown(answer.json()["url"]).size == (640, 480)


@pytest.mark.parametrize(
    ("field", "size"), [("pfpUrl", (480, 480)), ("coverUrl", (640, 480))], ids=["avatar", "cover"]
)
def test_a_waiting_picture_keeps_its_address(
    elsa: Caller, field: str, size: tuple[int, int]
) -> None:
    replaced = new_picture(elsa, kind="avatar" if field == "pfpUrl" else "cover")
    url = send(elsa, picture()).json()["url"]
    assert saved(elsa, **{field: url})[field] == url
    assert own(elsa)[field] == url
    assert shown(url).size == size
    assert Caller().get(replaced).status_code == 404


def test_a_waiting_picture_may_become_both(elsa: Caller) -> None:
    url = send(elsa, picture()).json()["url"]
    profile = saved(elsa, pfpUrl=url, coverUrl=url)
    assert (profile["coverUrl"], shown(profile["coverUrl"]).size) == (url, (640, 480))
    assert shown(profile["pfpUrl"]).size == (480, 480)


def test_four_pictures_wait_the_newest(elsa: Caller) -> None:
    urls = [send(elsa, picture()).json()["url"] for _ in range(5)]
    assert [Caller().get(path_of(url)).status_code for url in urls] == [404, 200, 200, 200, 200]
    assert put(elsa, pfpUrl=urls[0]).status_code == 400


def test_a_picture_waits_for_an_hour(elsa: Caller) -> None:
    url = send(elsa, picture()).json()["url"]
    shown(url)
    an_hour = timedelta(seconds=WAITING_PICTURE_SECONDS)
    Picture.objects.update(created_at=timezone.now() - an_hour)
    assert Caller().get(path_of(url)).status_code == 404
    assert put(elsa, coverUrl=url).status_code == 400
    assert purge_waiting_pictures(dry_run=True).expired == 1
    assert purge_waiting_pictures().expired == 1
    assert not Picture.objects.exists()


def test_what_the_profile_shows_does_not_expire(elsa: Caller) -> None:
    url = send(elsa, picture()).json()["url"]
    saved(elsa, pfpUrl=url)
    Picture.objects.update(created_at=timezone.now() - timedelta(days=400))
    assert purge_waiting_pictures().expired == 0
    shown(url)


def test_somebody_elses_waiting_picture_is_refused(elsa: Caller, zoe: Caller) -> None:
    url = send(elsa, picture()).json()["url"]
    assert put(zoe, pfpUrl=url).status_code == 400
    shown(url)


def test_the_headers_allow_long_caching_and_forbid_sniffing(elsa: Caller) -> None:
    path = new_picture(elsa)
    answer = Caller().get(path)
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["Cache-Control"] == "public, max-age=2592000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "Set-Cookie" not in answer.headers
    assert "Vary" not in answer.headers
    assert Caller().http.head(path).headers["Content-Length"] == str(len(answer.content))


def test_its_name_cannot_be_guessed(elsa: Caller) -> None:
    names = {new_picture(elsa).removeprefix("/media/").removesuffix(".webp") for _ in range(3)}
    assert len(names) == 3
    assert all(len(name) == 32 for name in names)  # 32 * 6 bits


def test_a_read_is_one_query(elsa: Caller) -> None:
    path = new_picture(elsa)
    with CaptureQueriesContext(connection) as queries:
        Caller().get(path)
    assert len(queries) == 1


def test_every_missing_picture_is_the_same_404(elsa: Caller) -> None:
    replaced = new_picture(elsa)
    dropped = new_picture(elsa)
    assert elsa.delete(UPLOAD).status_code == 200
    closed = new_picture(elsa)
    suspend_account(Account.objects.get().pk)
    gone = ["/media/nobody.webp", replaced, dropped, closed, "/media/" + "x" * 300 + ".webp"]
    answers = [Caller().get(path) for path in gone]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert {answer.headers["Cache-Control"] for answer in answers} == {"no-store"}
    unsuspend_account(Account.objects.get().pk)
    assert Caller().get(closed).status_code == 200


def test_a_new_picture_replaces_the_old_one(elsa: Caller) -> None:
    new_picture(elsa)
    new = new_picture(elsa, size=(30, 20))
    assert shown(own(elsa)["pfpUrl"]).size == (20, 20)
    assert path_of(own(elsa)["pfpUrl"]) == new
    assert Picture.objects.count() == 1


def test_removing_a_picture_is_idempotent(elsa: Caller) -> None:
    new_picture(elsa)
    new_picture(elsa, kind="cover")
    for _ in range(2):
        answer = elsa.delete(f"{UPLOAD}?kind=cover")
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert own(elsa)["coverUrl"] == ""
    assert own(elsa)["pfpUrl"] != ""
    assert elsa.delete(UPLOAD).status_code == 200
    assert own(elsa)["pfpUrl"] == ""
    assert elsa.delete(f"{UPLOAD}?kind=header").json()["fields"] == {
        "kind": ["Must be avatar or cover."]
    }


def test_nobody_can_remove_somebody_elses_picture(elsa: Caller, zoe: Caller) -> None:
    path = new_picture(elsa)
    assert zoe.delete(UPLOAD).status_code == 200
    assert put(zoe, pfpUrl=own(elsa)["pfpUrl"]).status_code == 400
    assert put(zoe, pfpUrl="").status_code == 200
    assert Caller().get(path).status_code == 200


def test_a_profile_takes_the_address_of_ones_own_picture(elsa: Caller) -> None:
    path = new_picture(elsa)
    for address in (path, own(elsa)["pfpUrl"], f"https://elsewhere.example{path}"):
        assert path_of(saved(elsa, pfpUrl=address)["pfpUrl"]) == path
    assert saved(elsa, pfpUrl="")["pfpUrl"] == ""
    assert Caller().get(path).status_code == 404
    assert put(elsa, pfpUrl=path).status_code == 400


def test_a_picture_can_be_used_for_the_other_kind_too(elsa: Caller) -> None:
    path = new_picture(elsa, kind="cover", size=(900, 300))
    profile = saved(elsa, pfpUrl=path, coverUrl="")
    assert profile["coverUrl"] == ""
    assert shown(profile["pfpUrl"]).size == (300, 300)


def test_a_new_avatar_is_announced_after_the_commit(
    elsa: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    capture = django_capture_on_commit_callbacks
    with hearing(profile_changed) as told:
        with capture(execute=True):
            new_picture(elsa, kind="cover")
            send(elsa, picture())
            send(elsa, b"nonsense")
            elsa.delete(UPLOAD)
        assert told == []
        with capture(execute=True):
            new_picture(elsa)
            assert told == []
        with capture(execute=True):
            elsa.delete(UPLOAD)
    assert told == [{"account_id": Account.objects.get().pk}] * 2


def test_ten_uploads_an_hour_count_if_they_were_decoded(elsa: Caller) -> None:
    for _ in range(12):
        assert send(elsa, b"nonsense").status_code == 400
    for _ in range(9):
        assert send(elsa, picture(size=(8, 8))).status_code == 201
    assert send(elsa, picture(size=(800, 800))[:-50]).status_code == 400
    answer = send(elsa, b"nonsense")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) > 0
    assert elsa.delete(UPLOAD).status_code == 200


def test_of_many_uploads_at_once_one_remains(transactional_db: None, simulator: Simulator) -> None:
    elsa = signed_in()
    phone = signed_in()
    callers = [elsa, phone] * 2
    answers = at_once([partial(send, who, picture(), kind="avatar") for who in callers])
    assert [answer.status_code for answer in answers] == [201] * 4
    (left,) = Picture.objects.values_list("name", flat=True)
    assert own(elsa)["pfpUrl"] in {answer.json()["url"] for answer in answers}
    assert left in own(elsa)["pfpUrl"]
