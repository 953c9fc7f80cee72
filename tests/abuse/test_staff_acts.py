"""What staff do reaches whom it is about, and nobody else."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.abuse.people import Everybody, become_friends, change, code_of, own_lists, report
from tests.abuse.staff_site import Site
from tests.social.cast import Person
from tests.staff.conftest import Enter

THREAT, WORDS = "Jag vet var du bor", "Skriv inte så till någon."


@pytest.fixture
def site(enter: Enter) -> Site:
    """The front page, as a moderator sees it."""
    return Site(enter())


@pytest.fixture
def group(cast: Everybody) -> Any:
    """Elsa's group with Bo and Alva."""
    for friend in (cast.bo, cast.alva):
        become_friends(cast.elsa, friend)
    return cast.elsa.group(cast.bo, cast.alva)


@pytest.fixture
def threat(cast: Everybody, group: Any) -> Any:
    """Bo's message, which Elsa has reported."""
    message = cast.bo.send(group, THREAT)
    assert report(cast.elsa, "message", message["id"]).status_code == 201
    return message


def works(person: Person) -> bool:
    """Whether the account is not suspended."""
    return bool(person.get("/api/friends").status_code == 200)


def own_report(person: Person) -> tuple[str, str | None]:
    (found,) = person.get("/api/reports").json()["reports"]
    assert WORDS not in str(found)
    return found["status"], found["outcome"]


def shown(person: Person, message: Any) -> str:
    messages = person.read({"id": message["conversationId"]}).json()["messages"]
    return str(next(one["content"] for one in messages if one["id"] == message["id"]))


def test_suspending_on_a_group_report_needs_a_person(
    cast: Everybody, group: Any, site: Site
) -> None:
    """The admin of the group, who reported it, is not guessed."""
    assert report(cast.elsa, "group", group["id"]).status_code == 201
    site.open_case()
    assert not site.has("^suspend")
    assert not site.has("^warn")
    site.choose(cast.bo.username).press("^suspend", words=WORDS)
    assert (works(cast.elsa), works(cast.bo), works(cast.alva)) == (True, False, True)


def test_acting_on_the_reporter_asks_twice(cast: Everybody, group: Any, site: Site) -> None:
    assert report(cast.elsa, "group", group["id"]).status_code == 201
    site.open_case().choose(cast.elsa.username)
    assert "one of those who reported it. Tick the box if you are sure." in site.text
    assert not site.has("^suspend")
    site.choose(cast.elsa.username, sure=True).press("^suspend", words=WORDS)
    assert "This field is required." in site.text
    assert works(cast.elsa)
    site.press("^suspend", words=WORDS, **{"suspend-confirmed": "on"})
    assert not works(cast.elsa)


def test_a_message_that_was_hidden_is_not_shown_again_by_its_sender(
    cast: Everybody, threat: Any, site: Site
) -> None:
    site.open_case().press("^hide")
    assert shown(cast.elsa, threat) == shown(cast.alva, threat) == ""
    assert change(cast.bo, threat, "edit", content=THREAT)[0] in (403, 404, 409)
    assert shown(cast.alva, threat) == ""


def test_hiding_and_warning_do_not_exclude_each_other(
    cast: Everybody, threat: Any, site: Site
) -> None:
    site.open_case().press("^hide").press("^warn", words=WORDS)
    (warning,) = cast.bo.get("/api/profile").json()["profile"]["warnings"]
    assert warning["text"] == WORDS
    assert {"id", "createdAt"} < warning.keys()
    assert own_report(cast.elsa) == ("open", None)  # closing is an act of its own
    site.press("^close")
    assert own_report(cast.elsa) == ("closed", "acted")
    assert shown(cast.alva, threat) == ""


def test_a_case_that_is_closed_without_an_act_says_so(
    cast: Everybody, threat: Any, site: Site
) -> None:
    before = own_lists(cast.bo)
    site.open_case().press("^close")
    assert own_report(cast.elsa) == ("closed", "no_action")
    assert (own_lists(cast.bo), shown(cast.alva, threat)) == (before, THREAT)


def test_undo_offers_only_what_was_done(cast: Everybody, threat: Any, site: Site) -> None:
    site.open_case()
    assert not site.has("again|undo|lift")
    site.press("^hide")
    assert not site.has("lift")
    site.press("show .*again")
    assert shown(cast.alva, threat) == THREAT
    assert works(cast.bo)


def test_reports_of_one_message_are_one_case(cast: Everybody, threat: Any, site: Site) -> None:
    assert report(cast.alva, "message", threat["id"]).status_code == 201
    assert report(cast.alva, "message", threat["id"]).status_code in (200, 201)
    site.open_case().press("^hide").press("^close")
    assert own_report(cast.elsa) == ("closed", "acted")
    for row in cast.alva.get("/api/reports").json()["reports"]:
        assert (row["status"], row["outcome"]) == ("closed", "acted")


def test_a_suspension_says_why_how_long_and_whom_to_write_to(
    cast: Everybody, threat: Any, site: Site
) -> None:
    last_day = timezone.localdate() + timedelta(days=7)
    site.open_case().press("^suspend", words=WORDS, until=last_day.isoformat())
    answer = cast.bo.get("/api/friends")
    assert code_of(answer) == (403, "account_suspended")
    body = answer.json()
    assert body["reason"] == WORDS
    assert "contact" in body
    days = body["until"] / 1000 / 86_400 - timezone.now().timestamp() / 86_400
    assert 6 < days < 9
    assert WORDS.rstrip(".") in body["error"]
    site.press("lift")
    assert works(cast.bo)


def test_a_suspension_ends_by_itself(cast: Everybody, threat: Any, site: Site, later: Any) -> None:
    last_day = timezone.localdate() + timedelta(days=7)
    site.open_case().press("^suspend", words=WORDS, until=last_day.isoformat())
    assert not works(cast.bo)
    with later(cast.bo, days=9):
        assert works(cast.bo)


def test_a_shared_note_that_was_taken_down_stays_down(cast: Everybody, site: Site) -> None:
    note = cast.bo.post("/api/notes", {"title": "Om Elsa", "content": THREAT}).json()["note"]
    path = f"/api/notes/{note['id']}/share"
    token = cast.bo.post(path).json()["token"]
    assert report(cast.elsa, "note", token).status_code == 201
    site.open_case().press("offline|link|take")
    assert cast.elsa.get(f"/api/notes/shared/{token}").status_code == 404
    assert code_of(cast.bo.post(path)) == (403, "taken_down")


@pytest.mark.parametrize(("button", "field"), [("bio", "bio"), ("display name", "displayName")])
def test_words_of_a_profile_can_be_removed(
    cast: Everybody, site: Site, button: str, field: str
) -> None:
    cast.bo.put("/api/profile", {"bio": THREAT, "displayName": THREAT})
    assert report(cast.elsa, "profile", cast.bo.username).status_code == 201
    site.open_case().press(f"remove.*{button}")
    profile = cast.elsa.get(f"/api/profile/{cast.bo.username}").json()["profile"]
    assert profile[field] != THREAT


def test_the_name_of_a_group_can_be_removed(cast: Everybody, site: Site) -> None:
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.omer, groupName=THREAT)
    assert report(cast.omer, "group", group["id"]).status_code == 201
    site.open_case().press("remove.*name")
    assert cast.omer.sees(group)["groupName"] != THREAT


def test_a_report_names_nobody_who_is_not_in_the_group(cast: Everybody, group: Any) -> None:
    named = report(cast.elsa, "group", group["id"], username=cast.omer.username)
    unknown = report(cast.elsa, "group", group["id"], username="nobody.here")
    assert code_of(named) == code_of(unknown) == (404, "not_found")
    assert named.content == unknown.content


def test_many_reports_of_an_innocent_person_do_nothing_by_themselves(
    cast: Everybody, group: Any, site: Site
) -> None:
    for reporter in (cast.bo, cast.alva, cast.omer):
        assert report(reporter, "profile", cast.elsa.username).status_code == 201
    assert works(cast.elsa)
    assert cast.omer.get(f"/api/profile/{cast.elsa.username}").status_code == 200
    assert len(site.cases()) == 1
