"""People of an import, before and after they sign in for the first time."""

from pathlib import Path
from typing import Any

import pytest

from accounts.models import Account, ImportedObject, Profile
from accounts.services.erasure import erase_account
from accounts.services.suspension import suspend_account
from tests.conftest import Caller, signed_in
from tests.import_files import BO, ELSA, TEACHER, ZOE, friendship, note, person, run
from tests.social_actions import new_group

UNREACHABLE = [
    ("/api/conversations", {"targetUsername": "bo.ek"}),
    ("/api/friends", {"targetUsername": "bo.ek"}),
    (
        "/api/conversations",
        {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]},
    ),
]


def test_the_first_sign_in_finds_the_profile(caller: Caller, tmp_path: Path) -> None:
    texts = {"displayName": "Elsa N", "bio": "8B, kör", "dmPrivacy": "friends"}
    done = run(tmp_path, person(ELSA, **texts, accentColor="#1a2b3c", schoolName="Old name"))
    assert (done.status, done.counts("person")) == (0, (1, 0, 0, 0))
    assert Account.objects.get().unclaimed_since is not None
    profile = signed_in("elsa.nordvall").get("/api/profile").json()["profile"]
    assert texts.items() <= profile.items()
    assert (profile["username"], profile["schoolName"]) == ("elsa.nordvall", "Björkdalsskolan")
    assert Account.objects.get().unclaimed_since is None


def test_an_account_that_is_there_keeps_its_profile(elsa: Caller, tmp_path: Path) -> None:
    elsa.put("/api/profile", {"bio": "mine"})
    done = run(tmp_path, person(ELSA, bio="theirs", displayName="Other"), note("n1", ELSA))
    assert (done.counts("person"), done.counts("note")) == ((0, 1, 0, 0), (1, 0, 0, 0))
    assert elsa.get("/api/profile").json()["profile"]["bio"] == "mine"
    assert len(elsa.get("/api/notes").json()["notes"]) == 1


@pytest.mark.parametrize(("path", "body"), UNREACHABLE)
def test_nobody_begins_contact_before_that(
    elsa: Caller, tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    run(tmp_path, person(ELSA), person(BO), friendship(BO, ELSA))
    assert elsa.post(path, body).status_code == 404
    signed_in("bo.ek")
    assert elsa.post(path, body).status_code in (201, 409)


def test_nobody_adds_them_to_a_group(elsa: Caller, tmp_path: Path) -> None:
    signed_in("alva.lind")
    elsa.post("/api/friends", {"targetUsername": "alva.lind"})
    group = new_group(elsa, "alva.lind")
    run(tmp_path, person(ELSA), person(BO), friendship(BO, ELSA))
    adding = {"action": "add_member", "targetUsername": "bo.ek"}
    assert elsa.patch(f"/api/conversations/{group}", adding).status_code == 404


def test_they_are_not_shown_before_that(elsa: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(BO, bio="secret"))

    def seen() -> tuple[int, int, str]:
        presence = elsa.get("/api/presence?users=bo.ek").json()
        return (
            len(elsa.get("/api/users/search?q=bo.ek").json()["users"]),
            elsa.get("/api/profile/bo.ek").status_code,
            str(presence),
        )

    assert seen()[:2] == (0, 404)
    assert "online" not in seen()[2]
    report = {"type": "profile", "id": "bo.ek", "reason": "bullying"}
    assert elsa.post("/api/reports", report).status_code == 404
    signed_in("bo.ek")
    assert seen()[:2] == (1, 200)


def test_they_can_be_blocked(elsa: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(BO))
    assert elsa.post("/api/blocks", {"targetUsername": "bo.ek"}).status_code == 201
    signed_in("bo.ek")
    assert elsa.get("/api/profile/bo.ek").status_code == 404


def test_the_name_of_the_file_gives_way_to_that_of_the_school(
    caller: Caller, tmp_path: Path
) -> None:
    """In the other back end anybody may have chosen the name of a teacher."""
    run(tmp_path, person(BO, username="Torbjörn.Ekvik", displayName="Torbjörn.Ekvik"))
    assert Account.objects.get().username == "torbjörn.ekvik"
    profile = signed_in("bo.ek").get("/api/profile").json()["profile"]
    assert (profile["username"], profile["displayName"]) == ("bo.ek", "Bo Ek")
    assert not Profile.objects.filter(search_key__contains="torbjorn").exists()


def test_a_name_that_is_taken_gets_the_school(zoe: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(ELSA, username="Zoe.Åkerman"))
    assert Account.objects.get(school="bjorkdalen").username == "zoe.åkerman@bjorkdalen"


def test_the_role_is_that_of_the_school(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(TEACHER, userType="student"))
    profile = signed_in("torbjörn.ekvik").get("/api/profile").json()["profile"]
    assert profile["userType"] == "teacher"


REFUSED = {
    "no school": ({"school": "nowhere"}, "school: No school has this name."),
    "no number": ({"upstreamUserId": "7"}, "upstreamUserId: A valid integer is required."),
    "nobody's number": (
        {"upstreamUserId": 0},
        "upstreamUserId: Ensure this value is greater than or equal to 1.",
    ),
    "a wrong role": ({"userType": "admin"}, 'userType: "admin" is not a valid choice.'),
    "a long text": ({"bio": "a" * 501}, "bio: Ensure this field has no more than 500 characters."),
    "two lines": ({"displayName": "a\nb"}, "displayName: This must be one line of plain text."),
    "a script": ({"website": "javascript:1"}, "website: Must begin with http:// or https://."),
    "an unknown field": ({"nick": "e"}, "nick: There is no such field."),
    "a picture": ({"pfpUrl": "/x"}, "pfpUrl: There is no such field."),
    "a missing field": ({"username": None}, "username: This field may not be null."),
}


@pytest.mark.parametrize(("fields", "reason"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused(caller: Caller, tmp_path: Path, fields: dict[str, Any], reason: str) -> None:
    done = run(tmp_path, person(ELSA, **fields), note("n1", ELSA), person(BO))
    assert (done.status, done.counts("person")) == (1, (1, 0, 1, 0))
    assert done.reasons[ELSA] == reason
    assert done.reasons["n1"] == f"The person 'elsa' of line 2 was refused: {reason}"
    assert [row["line"] for row in done.report] == [2, 3]
    assert Account.objects.get().username == "bo.ek"


def test_nobody_takes_the_name_of_somebody_else(zoe: Caller, tmp_path: Path) -> None:
    done = run(tmp_path, person(ELSA, displayName="zoе.åkerman"))  # a Cyrillic e
    assert done.reasons == {ELSA: "displayName: This is somebody else's user name."}


def test_a_suspension_stays(elsa: Caller, tmp_path: Path) -> None:
    suspend_account(Account.objects.get().pk)
    assert run(tmp_path, person(ELSA), note("n1", ELSA)).status == 0
    assert Account.objects.get().has_suspension
    assert elsa.get("/api/notes").status_code == 403


@pytest.mark.parametrize("suspended", [False, True])
def test_somebody_who_was_erased_is_not_brought_back(
    elsa: Caller, tmp_path: Path, suspended: bool
) -> None:
    account = Account.objects.get()
    if suspended:
        suspend_account(account.pk)
    erase_account(account.pk)
    name = {"username": "other"} if suspended else {}
    done = run(tmp_path, person(ELSA, **name), note("n1", ELSA))
    assert done.counts("person") == (0, 0, 1, 0)
    assert done.reasons[ELSA] == "An account of this person, or of this name, was erased here."
    assert not Account.objects.exists()


def test_an_erasure_after_the_import_stays_when_it_is_repeated(
    caller: Caller, tmp_path: Path
) -> None:
    rows = [person(ELSA, bio="hej"), note("n1", ELSA)]
    run(tmp_path, *rows)
    elsa = signed_in("elsa.nordvall")
    assert elsa.delete("/api/account", {"password": "elsa-demo"}).status_code == 200
    assert not ImportedObject.objects.exclude(account=None).exists()
    again = signed_in("elsa.nordvall")
    done = run(tmp_path, *rows, note("n2", ELSA))
    assert (done.counts("person"), done.counts("note")) == ((0, 1, 0, 0), (0, 1, 1, 0))
    assert done.reasons == {"n2": "The person 'elsa' was erased."}
    assert again.get("/api/notes").json()["notes"] == []
    assert again.get("/api/profile").json()["profile"]["bio"] == ""


@pytest.mark.parametrize("signed_in_before", [False, True])
def test_the_second_person_of_one_number_is_refused(
    caller: Caller, tmp_path: Path, signed_in_before: bool
) -> None:
    """Somebody else's messages and notes would be hers."""
    if signed_in_before:
        signed_in("elsa.nordvall")
    twin = person(ELSA) | {"id": "twin"}
    rows = [person(ELSA), twin, note("n1", "twin")]
    for times in (1, 2):
        done = run(tmp_path, *rows)
        assert done.counts("person")[2] == 1
        reason = "upstreamUserId: Another person of this source has the same number."
        assert done.reasons["twin"] == reason, times
        assert done.counts("note") == (0, 0, 1, 0)


def test_one_number_at_two_schools_is_two_people(zoe: Caller, tmp_path: Path) -> None:
    number = Account.objects.get().upstream_user_id
    done = run(tmp_path, person(ELSA, upstreamUserId=number), person(ZOE))
    assert done.counts("person") == (1, 1, 0, 0)
    assert Account.objects.filter(upstream_user_id=number).count() == 2
