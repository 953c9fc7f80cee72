"""Staff read a reported note, end its link, and allow sharing again."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.errors import NotFound
from accounts.models import Account
from accounts.services.suspension import suspend_account
from notes.services.report_kinds import ALLOW_SHARING, TAKE_DOWN, note_evidence
from social.models import Case, Report
from tests.conftest import Caller
from tests.notes.documents import RICH, doc, link, node, text
from tests.notes.notes import PATH, added, changed, opened, read, shared


def report(token: str, **fields: str) -> Any:
    """The answer to a report without an account."""
    answer: Any = Caller().post(f"{PATH}/shared/{token}/report", {"reason": "spam", **fields})
    return answer


def test_staff_see_the_text_and_its_author(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    note = added(elsa, title="Biologi", content=RICH)
    shared(elsa, note)
    with django_assert_num_queries(2):
        evidence = note_evidence(note["id"])
    assert evidence is not None
    (line,) = evidence.lines
    assert evidence.values == {"title": "Biologi", "status": "published"}
    assert (line.author, line.reported) == ("elsa.nordvall", True)
    assert line.text.startswith("Fotosyntesen")


def test_links_in_a_note_are_not_links_for_staff(elsa: Caller) -> None:
    evil = doc(node("paragraph", text("<b>x</b>", link("https://evil.example"))))
    evidence = note_evidence(added(elsa, content=evil)["id"])
    assert evidence is not None
    assert evidence.lines[0].text == "<b>x</b>"


def test_a_long_text_is_kept_whole(elsa: Caller) -> None:
    long = "x" * 900_000 + " Fult ord"
    evidence = note_evidence(added(elsa, content=long)["id"])
    assert evidence is not None
    assert evidence.lines[0].text == long


def test_a_note_that_was_taken_down_cannot_be_shared_again(elsa: Caller) -> None:
    note = added(elsa, content="ord")
    token = shared(elsa, note)
    assert TAKE_DOWN.run(note["id"])
    after = read(elsa, note)
    assert (after["content"], after["status"], after["shareToken"]) == ("ord", "draft", None)
    assert opened(token).status_code == 404
    refused = elsa.post(f"{PATH}/{note['id']}/share")
    assert (refused.status_code, refused.json()["code"]) == (403, "taken_down")
    changed(elsa, note, status="published")
    assert elsa.post(f"{PATH}/{note['id']}/share").status_code == 403
    assert not TAKE_DOWN.run(note["id"])  # it is already


def test_sharing_can_be_allowed_again_with_a_new_link(elsa: Caller) -> None:
    note = added(elsa, content="ord")
    token = shared(elsa, note)
    assert not ALLOW_SHARING.run(note["id"])
    TAKE_DOWN.run(note["id"])
    assert ALLOW_SHARING.run(note["id"])
    assert opened(token).status_code == 404
    assert opened(shared(elsa, note)).status_code == 200


def test_a_deleted_note_is_none(elsa: Caller) -> None:
    note = added(elsa)
    elsa.delete(f"{PATH}/{note['id']}")
    for gone in (note["id"], "", "x"):
        assert note_evidence(gone) is None
        with pytest.raises(NotFound):
            TAKE_DOWN.run(gone)


def test_a_shared_note_is_reported_without_an_account(elsa: Caller) -> None:
    note = added(elsa, title="Biologi", content="Fult ord")
    token = shared(elsa, note)
    answer = report(token, text="Ugly.")
    assert (answer.status_code, answer.json()) == (201, {"success": True})
    kept = Report.objects.get()
    assert (kept.reporter, kept.has_account, kept.text) == (None, False, "Ugly.")
    assert "Fult ord" in kept.evidence
    assert (kept.case.person, kept.case.school) == (Account.objects.get(), "bjorkdalen")
    assert report(token).status_code == 201
    assert Case.objects.count() == 1


def test_only_what_the_link_shows_is_reported_without_an_account(elsa: Caller) -> None:
    note = added(elsa)
    token = shared(elsa, note)
    for hidden in (note["id"], f"{token}x", "x" * 43):
        assert report(hidden).status_code == 404
    assert report(token, reason="ugly").status_code == 400
    assert report(token, text="x" * 1001).status_code == 400
    suspend_account(Account.objects.get().pk)
    assert report(token).status_code == 404
    assert not Report.objects.exists()


def test_reports_without_an_account_are_limited_by_address(elsa: Caller) -> None:
    token = shared(elsa, added(elsa))
    assert [report(token).status_code for _ in range(6)] == [201] * 5 + [429]


def test_the_page_of_a_note_leads_to_a_form_that_reports_it(elsa: Caller) -> None:
    token = shared(elsa, added(elsa, content="Fult ord"))
    visitor = Caller()
    assert f'href="/shared/{token}/report"' in visitor.get(f"/shared/{token}").content.decode()
    page = visitor.get(f"/shared/{token}/report")
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert "script-src" not in page.headers["Content-Security-Policy"]
    path, form = f"/shared/{token}/report", {"reason": "threat", "text": "Ugly."}
    assert visitor.http.post(path, {"reason": "ugly"}).status_code == 400
    sent = visitor.http.post(path, form, headers={"Sec-Fetch-Site": "same-origin"})
    assert (sent.status_code, "Thank you" in sent.content.decode()) == (201, True)
    forged = visitor.http.post(path, form, headers={"Sec-Fetch-Site": "cross-site"})
    assert forged.status_code == 403
    gone = visitor.http.post("/shared/nobody/report", form)
    assert gone.status_code == 404
    kept = Report.objects.get()
    assert (kept.reason, kept.text, kept.has_account) == ("threat", "Ugly.", False)
