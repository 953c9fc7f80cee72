"""A reported note, as staff see it and end its link."""

from pytest_django import DjangoAssertNumQueries

from notes.limits import EXHIBIT_LENGTH
from notes.services.moderation import note_exhibit, unpublish_reported_note
from tests.conftest import Caller
from tests.notes.documents import RICH, doc, link, node, text
from tests.notes.notes import PATH, added, opened, read, shared


def test_staff_see_the_words_and_whose_they_are(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    note = added(elsa, title="Biologi", content=RICH)
    shared(elsa, note)
    with django_assert_num_queries(2):
        exhibit = note_exhibit(note["id"])
    assert exhibit is not None
    (line,) = exhibit["lines"]
    assert exhibit["facts"] == [
        ("Title", "Biologi"),
        ("Status", "published"),
        ("Shared by a link", "yes"),
    ]
    assert (line["who"], line["reported"]) == ("elsa.nordvall", True)
    assert line["text"].startswith("Fotosyntesen")


def test_no_link_of_a_note_is_one_on_their_page(elsa: Caller) -> None:
    evil = doc(node("paragraph", text("<b>x</b>", link("https://evil.example"))))
    exhibit = note_exhibit(added(elsa, content=evil)["id"])
    assert exhibit is not None
    assert exhibit["lines"][0]["text"] == "<b>x</b>"


def test_a_long_one_is_cut(elsa: Caller) -> None:
    exhibit = note_exhibit(added(elsa, content="x" * (EXHIBIT_LENGTH + 1))["id"])
    assert exhibit is not None
    assert len(exhibit["lines"][0]["text"]) == EXHIBIT_LENGTH


def test_taking_the_link_back_does_not_hide_it_from_staff(elsa: Caller) -> None:
    note = added(elsa, content="ord")
    shared(elsa, note)
    elsa.delete(f"{PATH}/{note['id']}/share")
    exhibit = note_exhibit(note["id"])
    assert exhibit is not None
    assert exhibit["facts"][2] == ("Shared by a link", "not any more")


def test_unpublishing_ends_the_link_and_leaves_the_note_to_its_owner(elsa: Caller) -> None:
    note = added(elsa, content="ord")
    token = shared(elsa, note)
    for _ in range(2):
        unpublish_reported_note(note["id"])
    after = read(elsa, note)
    assert (after["content"], after["status"], after["shareToken"]) == ("ord", "draft", None)
    assert opened(token).status_code == 404


def test_what_is_gone_is_nothing(elsa: Caller) -> None:
    note = added(elsa)
    elsa.delete(f"{PATH}/{note['id']}")
    for gone in (note["id"], "", "x"):
        assert note_exhibit(gone) is None
        unpublish_reported_note(gone)
