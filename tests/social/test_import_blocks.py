"""Blocks of the other back end hold here, whatever else the file says."""

from pathlib import Path
from typing import Any

import pytest

from social.limits import MAX_BLOCKS
from social.models import Block, Friendship, Invite
from tests.conftest import Caller, signed_in
from tests.import_files import (
    ALVA,
    BO,
    ELSA,
    ZOE,
    Run,
    ago,
    block,
    conversation,
    friendship,
    group,
    message,
    person,
    run,
    write,
)
from tests.social.cast import Cast, befriend, pupils

PEOPLE = [person(each) for each in (ELSA, BO, ALVA, ZOE)]
BLOCKED = "There is a block between the two."


def reasons(tmp_path: Path, *rows: Any) -> dict[str, str]:
    return run(tmp_path, *PEOPLE, *rows).reasons


def test_it_is_there_at_the_first_sign_in(caller: Caller, tmp_path: Path) -> None:
    done = run(tmp_path, *PEOPLE, block(ELSA, BO), block(BO, ELSA), block(ELSA, ALVA))
    assert done.counts("block") == (3, 0, 0, 0)
    shown = signed_in("elsa.nordvall").get("/api/blocks").json()["blocks"]
    assert {each["username"] for each in shown} == {"bo.ek", "alva.lind"}
    assert all(each["createdAt"] <= ago(days=69) for each in shown)
    signed_in("alva.lind")
    bo = signed_in("bo.ek")
    assert bo.post("/api/friends", {"targetUsername": "elsa.nordvall"}).status_code == 404


def test_nothing_after_it_crosses_it(caller: Caller, tmp_path: Path) -> None:
    rows = [
        block(ELSA, BO),
        friendship(BO, ELSA),
        conversation("c", ELSA, BO),
        group("g", BO, ELSA, ALVA),
    ]
    found = reasons(tmp_path, *rows)
    assert found["bo-elsa"] == BLOCKED
    assert found["c"].startswith("Neither of the two may write to the other")
    assert found["g"] == "There is a block between 'bo' and 'elsa'."


def test_it_ends_what_stands_before_it(caller: Caller, tmp_path: Path) -> None:
    """As a block here does: the friendship ends, the conversation stays as it is."""
    rows = [
        friendship(ELSA, BO),
        conversation("c", ELSA, BO),
        message("m1", "c", BO),
        block(ELSA, BO),
        message("m2", "c", BO),
    ]
    assert reasons(tmp_path, *rows) == {"m2": BLOCKED}
    ended = Friendship.objects.get()
    assert (ended.status, ended.ended_at is None) == ("ended", False)
    elsa = signed_in("elsa.nordvall")
    assert elsa.get("/api/friends").json()["friends"] == []
    (dm,) = elsa.get("/api/conversations").json()["conversations"]
    bo = signed_in("bo.ek")
    sent = bo.post(f"/api/conversations/{dm['id']}/messages", {"content": "hej"})
    assert (sent.status_code, sent.json()["code"]) == (403, "dm_refused")


def test_it_answers_what_is_open_here(cast: Cast, tmp_path: Path) -> None:
    run(tmp_path, *PEOPLE)
    cast.bo.post("/api/friends", {"targetUsername": cast.elsa.username})
    cast.elsa.post("/api/friends", {"targetUsername": cast.alva.username})
    befriend(cast.elsa, cast.omer)
    owls = cast.elsa.group(cast.omer)
    assert cast.elsa.invite(owls, cast.bo).status_code == 201
    assert cast.elsa.invite(owls, cast.alva).status_code == 201
    assert reasons(tmp_path, block(ELSA, BO), block(ELSA, ALVA)) == {}
    pairs = Friendship.objects.exclude(status="accepted").values_list("requested_by", "status")
    assert list(pairs) == [(cast.bo.account_id, "declined")]
    assert set(Invite.objects.values_list("status", flat=True)) == {"withdrawn"}
    assert (cast.bo.invites(), cast.alva.invites()) == ([], [])


def test_who_unblocked_here_stays_unblocked(cast: Cast, tmp_path: Path) -> None:
    assert reasons(tmp_path, block(ELSA, BO), block(ELSA, ALVA)) == {}
    cast.elsa.delete(f"/api/blocks?targetUsername={cast.bo.username}")
    done = run(tmp_path, *PEOPLE, block(ELSA, BO), block(ELSA, ALVA) | {"id": "again"})
    assert done.counts("block") == (0, 2, 0, 0)
    assert list(Block.objects.values_list("blocked", flat=True)) == [cast.alva.account_id]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "oneself": (block(ELSA, ELSA), "The two are one person here."),
    "nobody": (block(ELSA, "x"), "There is no person 'x' before this line."),
    "tomorrow": (block(ELSA, BO, createdAt=ago(days=-1)), "createdAt: This is in the future."),
    "a wrong shape": (block(ELSA, BO, blocked=[BO]), "blocked: Not a valid string."),
    "another field": (block(ELSA, BO, reason="x"), "reason: There is no such field."),
}


@pytest.mark.parametrize(("row", "reason"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused(caller: Caller, tmp_path: Path, row: dict[str, Any], reason: str) -> None:
    assert reasons(tmp_path, row) == {row["id"]: reason}
    assert not Block.objects.exists()


def test_one_has_so_many(cast: Cast, tmp_path: Path) -> None:
    Block.objects.bulk_create(
        Block(blocker_id=cast.elsa.account_id, blocked=each) for each in pupils(MAX_BLOCKS - 1)
    )
    found = reasons(tmp_path, block(ELSA, BO), block(ELSA, ALVA), block(BO, ELSA))
    assert found == {"elsa-alva": "They have as many blocks as one may have."}
    assert reasons(tmp_path, block(ELSA, BO)) == {}


def test_a_dry_run_makes_none(cast: Cast, tmp_path: Path) -> None:
    run(tmp_path, *PEOPLE)
    befriend(cast.elsa, cast.bo)
    path = write(tmp_path / "import.ndjson", [*PEOPLE, block(ELSA, BO)])
    done = Run(path, "--dry-run")
    assert done.counts("block") == (1, 0, 0, 0)
    assert not Block.objects.exists()
    assert Friendship.objects.get().status == "accepted"
