"""Staff read a reported note and end its link."""

from pytest_django import DjangoAssertNumQueries

from notes.limits import EVIDENCE_LENGTH
from notes.services.report_kinds import note_evidence, unpublish_reported_note
from tests.conftest import Caller
from tests.notes.documents import RICH, doc, link, node, text
from tests.notes.notes import PATH, added, opened, read, shared


def test_staff_see_the_text_and_its_author(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    note = added(elsa, title="Biologi", content=RICH)
    shared(elsa, note)
    with django_assert_num_queries(2):
        evidence = note_evidence(note["id"])
    assert evidence is not None
    (line,) = evidence.lines
    assert evidence.facts == [
        ("Title", "Biologi"),
        ("Status", "published"),
        ("Shared by a link", "yes"),
    ]
    assert (line.author, line.reported) == ("elsa.nordvall", True)
    assert line.text.startswith("Fotosyntesen")


def test_links_in_a_note_are_not_links_for_staff(elsa: Caller) -> None:
    evil = doc(node("paragraph", text("<b>x</b>", link("https://evil.example"))))
    evidence = note_evidence(added(elsa, content=evil)["id"])
    assert evidence is not None
    assert evidence.lines[0].text == "<b>x</b>"


def test_a_long_text_is_cut(elsa: Caller) -> None:
    evidence = note_evidence(added(elsa, content="x" * (EVIDENCE_LENGTH + 1))["id"])
    assert evidence is not None
    assert len(evidence.lines[0].text) == EVIDENCE_LENGTH


def test_staff_see_the_note_after_its_link_was_revoked(elsa: Caller) -> None:
    note = added(elsa, content="ord")
    shared(elsa, note)
    elsa.delete(f"{PATH}/{note['id']}/share")
    evidence = note_evidence(note["id"])
    assert evidence is not None
    assert evidence.facts[2] == ("Shared by a link", "not any more")


def test_unpublishing_ends_the_link_and_leaves_the_note_to_its_owner(elsa: Caller) -> None:
    note = added(elsa, content="ord")
    token = shared(elsa, note)
    for _ in range(2):
        unpublish_reported_note(note["id"])
    after = read(elsa, note)
    assert (after["content"], after["status"], after["shareToken"]) == ("ord", "draft", None)
    assert opened(token).status_code == 404


def test_a_deleted_note_is_none(elsa: Caller) -> None:
    note = added(elsa)
    elsa.delete(f"{PATH}/{note['id']}")
    for gone in (note["id"], "", "x"):
        assert note_evidence(gone) is None
        unpublish_reported_note(gone)
