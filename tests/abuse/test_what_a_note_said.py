"""What somebody has read by the link of a note can be reported for fourteen days."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import KeptText
from notes.models import EndedLink
from social.models import Case, Report
from tests.abuse.people import NOT_FOUND, report
from tests.accounts.full_account import columns_and_keys_with, export_of
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.notes.notes import PATH, Note, added, changed, opened, shared
from tests.social.cast import Cast
from tests.social.friend_requests import code_of
from tests.staff.cases import open_case
from tests.staff.conftest import Enter

THREAT, HARMLESS = "Jag vet var du bor", "Vi ses på matten"


@pytest.fixture
def threat(cast: Cast) -> Note:
    """A note of Bo's, which nobody has reported."""
    return added(cast.bo, title="Om Elsa", content=THREAT)


@pytest.fixture
def token(cast: Cast, threat: Note) -> str:
    """Its link, by which Elsa has read it."""
    link = shared(cast.bo, threat)
    assert opened(link).json()["note"]["content"] == THREAT
    return link


def edit(cast: Cast, note: Note) -> None:
    changed(cast.bo, note, title="Matte", content=HARMLESS)


def revoke(cast: Cast, note: Note) -> None:
    assert cast.bo.delete(f"{PATH}/{note['id']}/share").status_code == 200


def edit_and_revoke(cast: Cast, note: Note) -> None:
    edit(cast, note)
    revoke(cast, note)


def revoke_and_edit(cast: Cast, note: Note) -> None:
    revoke(cast, note)
    edit(cast, note)


def replace(cast: Cast, note: Note) -> None:
    shared(cast.bo, note)
    edit(cast, note)


def archive(cast: Cast, note: Note) -> None:
    changed(cast.bo, note, content=HARMLESS, status="archived")


def delete(cast: Cast, note: Note) -> None:
    assert cast.bo.delete(f"{PATH}/{note['id']}").status_code == 200


def revoke_and_delete(cast: Cast, note: Note) -> None:
    revoke(cast, note)
    delete(cast, note)


def erase(cast: Cast, note: Note) -> None:
    assert cast.bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200


def delete_and_erase(cast: Cast, note: Note) -> None:
    delete(cast, note)
    erase(cast, note)


Escape = Callable[[Cast, Note], None]
ESCAPES: list[Escape] = [
    edit, revoke, edit_and_revoke, revoke_and_edit, replace, archive, delete, revoke_and_delete,
    erase, delete_and_erase,
]  # fmt: skip


@pytest.mark.parametrize("publicly", [False, True])
@pytest.mark.parametrize("escape", ESCAPES, ids=lambda function: function.__name__)
def test_a_note_is_reported_after_it_was_taken_back(
    cast: Cast, threat: Note, token: str, enter: Enter, escape: Escape, publicly: bool
) -> None:
    escape(cast, threat)
    if publicly:
        answer = Caller().post(f"{PATH}/shared/{token}/report", {"reason": "threat"})
    else:
        answer = report(cast.elsa, "note", token)
    assert answer.status_code == 201, answer.content
    text = open_case(enter()).text()
    assert THREAT in text
    assert "Om Elsa" in text
    assert "bo.ek" in text
    case = Case.objects.get()
    assert case.target_id == threat["id"]
    assert case.person_hash
    assert (case.person is None) == ("erase" in escape.__name__)


def test_staff_see_each_text_with_what_became_of_it(
    cast: Cast, threat: Note, token: str, enter: Enter
) -> None:
    edit(cast, threat)
    opened(token)
    revoke(cast, threat)
    changed(cast.bo, threat, content="Bara siffror")
    report(cast.elsa, "note", token)
    text = open_case(enter()).text()
    order = [
        "The reporter could read it until", "Title Om Elsa", THREAT, "when it was edited", HARMLESS,
        "Bara siffror",
    ]  # fmt: skip
    positions = [text.rindex(words) for words in order]
    assert positions == sorted(positions)


def test_who_has_an_old_link_reports_nothing_of_later(cast: Cast, threat: Note, token: str) -> None:
    replace(cast, threat)
    changed(cast.bo, threat, content="Elsa får inte läsa det")
    opened(shared(cast.bo, threat))
    edit(cast, threat)
    report(cast.elsa, "note", token)
    assert "Elsa får inte" not in Report.objects.get().evidence


def test_what_nobody_has_read_is_not_kept(cast: Cast, threat: Note) -> None:
    link = shared(cast.bo, threat)
    edit(cast, threat)
    opened(link)
    changed(cast.bo, threat, content="a")
    changed(cast.bo, threat, content="ab")
    changed(cast.bo, threat, status="published")
    (kept,) = KeptText.objects.all()
    assert kept.values["text"] == HARMLESS
    other = added(cast.bo)
    never_read = shared(cast.bo, other)
    delete(cast, other)
    assert KeptText.objects.count() == 1
    refused = [report(cast.elsa, "note", name) for name in (never_read, "x" * 43, threat["id"])]
    assert {code_of(answer) for answer in refused} == {NOT_FOUND}
    assert len({answer.content for answer in refused}) == 1


def test_after_fourteen_days_nothing_is_kept(cast: Cast, threat: Note, token: str) -> None:
    edit_and_revoke(cast, threat)
    for age, answer in ((timedelta(days=13, hours=23), (201, "")), (timedelta(days=14), NOT_FOUND)):
        KeptText.objects.update(gone_at=timezone.now() - age)
        EndedLink.objects.update(ended_at=timezone.now() - age)
        assert code_of(report(cast.elsa, "note", token)) == answer
        Case.objects.all().delete()
    call_command("purge_expired")
    assert not KeptText.objects.exists()
    assert not EndedLink.objects.exists()


def test_nothing_is_pushed_out_by_many_changes(
    cast: Cast, threat: Note, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notes.services.kept_notes.KEPT_CHARACTERS", 10)
    path = f"{PATH}/{threat['id']}"
    edit(cast, threat)
    assert code_of(cast.bo.patch(path, {"content": "a"})) == (200, "")  # nobody has read it
    opened(token)
    refused = (409, "changed_too_often")
    assert code_of(cast.bo.patch(path, {"content": "b"})) == refused
    assert code_of(cast.bo.patch(path, {"status": "published"})) == (200, "")
    assert code_of(cast.bo.post(f"{path}/share")) == refused
    revoke(cast, threat)
    assert code_of(cast.bo.patch(path, {"content": "b"})) == (200, "")
    assert code_of(cast.bo.post(f"{path}/share")) == refused
    report(cast.elsa, "note", token)
    assert THREAT in Report.objects.get().evidence


def test_the_author_is_suspended_by_the_hash_after_an_erasure(
    cast: Cast, threat: Note, token: str, enter: Enter
) -> None:
    erase(cast, threat)
    report(cast.elsa, "note", token)
    page = open_case(enter())
    assert "The account was erased." in page.text()
    done = page.do("suspend", **{"suspend-words": "Du har hotat någon."})
    assert done.startswith("Suspend the account: done.")


def test_what_is_kept_is_sealed_and_in_the_export_of_its_author(
    cast: Cast, threat: Note, token: str
) -> None:
    delete(cast, threat)
    assert columns_and_keys_with(THREAT, token) == []
    (kept,) = export_of(cast.bo)["earlier-texts.json"]
    assert (kept["targetType"], kept["texts"]["text"], kept["change"]) == (
        ("note", THREAT, "deleted")
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("escape", [edit, delete, revoke], ids=lambda each: each.__name__)
def test_who_reads_while_it_is_taken_back_can_report_what_they_read(
    cast: Cast, threat: Note, escape: Escape, settings: Settings
) -> None:
    settings.RATE_LIMITS = False
    link = shared(cast.bo, threat)
    cast.elsa.get("/api/profile")
    answer, _ = at_once([partial(opened, link), partial(escape, cast, threat)])
    seen: Any = answer.json()
    if answer.status_code == 200 and seen["note"]["content"] == THREAT:
        assert report(cast.elsa, "note", link).status_code == 201
        assert THREAT in Report.objects.get().evidence
