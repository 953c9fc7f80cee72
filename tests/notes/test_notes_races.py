"""Simultaneous requests for notes and links."""

from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Account
from notes.limits import MAX_NOTES
from notes.models import Note, ShareLink
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.notes.notes import PATH, added, opened, read

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_tabs_at_once_lose_nothing(elsa: Caller) -> None:
    note = added(elsa, title="ett", content="ett")
    path = f"{PATH}/{note['id']}"

    def change(fields: dict[str, Any]) -> int:
        status: int = elsa.twin().patch(path, fields).status_code
        return status

    changes = [{"title": "två"}, {"content": "två"}, {"status": "published"}]
    assert at_once([partial(change, fields) for fields in changes]) == [200] * 3
    after = read(elsa, note)
    assert (after["title"], after["content"]) == ("två", "två")
    assert (after["status"], after["version"]) == ("published", 4)


def test_of_changes_of_the_same_version_one_succeeds(elsa: Caller) -> None:
    note = added(elsa, content="ett")

    def change(content: str) -> tuple[int, str]:
        answer = elsa.twin().patch(f"{PATH}/{note['id']}", {"content": content, "version": 1})
        return answer.status_code, answer.json()["note"]["content"]

    found = at_once([partial(change, str(i)) for i in range(4)])
    assert sorted(status for status, _ in found) == [200, 409, 409, 409]
    # The refused ones got the note that was stored.
    assert len({content for _, content in found}) == 1


def test_simultaneous_requests_do_not_exceed_the_limit(elsa: Caller) -> None:
    account, now = Account.objects.get(), timezone.now()
    Note.objects.bulk_create(
        Note(account=account, title="x", created_at=now, updated_at=now)
        for _ in range(MAX_NOTES - 1)
    )
    statuses = at_once([lambda: elsa.twin().post(PATH, {}).status_code] * 3)
    assert sorted(statuses) == [201, 409, 409]
    assert Note.objects.count() == MAX_NOTES


def test_simultaneous_requests_do_not_exceed_the_size_limit(
    elsa: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notes.services.notes.MAX_NOTES_BYTES", 5_000)
    small = added(elsa, content="a")
    body = {"content": "a" * 3_000}
    statuses = at_once(
        [
            lambda: elsa.twin().post(PATH, body).status_code,
            lambda: elsa.twin().patch(f"{PATH}/{small['id']}", body).status_code,
        ]
        * 2
    )
    assert sorted(statuses)[0] in (200, 201)
    assert sum(note.size for note in Note.objects.all()) <= 5_000


def test_of_simultaneous_new_links_one_remains(elsa: Caller) -> None:
    note = added(elsa)
    path = f"{PATH}/{note['id']}/share"
    tokens = at_once([lambda: str(elsa.twin().post(path).json()["token"])] * 4)
    (left,) = [token for token in tokens if opened(token).status_code == 200]
    assert read(elsa, note)["shareToken"] == left
    assert ShareLink.objects.count() == 1


def test_archiving_and_sharing_at_once_leave_no_archived_note_with_a_link(elsa: Caller) -> None:
    note = added(elsa)
    path = f"{PATH}/{note['id']}"

    def archive() -> int:
        status: int = elsa.twin().patch(path, {"status": "archived"}).status_code
        return status

    def share() -> int:
        status: int = elsa.twin().post(f"{path}/share").status_code
        return status

    assert at_once([archive, share]) == [200, 201]
    after = read(elsa, note)
    assert after["status"] in {"archived", "published"}
    assert (after["shareToken"] is None) == (after["status"] == "archived")
