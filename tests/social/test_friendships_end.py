"""DELETE /api/friends: ending a friendship, withdrawing a request."""

import pytest

from social.models import Friendship
from tests.conftest import Caller, signed_in
from tests.social.friend_requests import FRIENDS, answer, ask, befriend, code_of, listed

ELSA, BO = "elsa.nordvall", "bo.ek"


@pytest.mark.parametrize("how", ["body", "query"])
def test_either_side_ends_it_and_it_always_succeeds(elsa: Caller, bo: Caller, how: str) -> None:
    for ending, other in ((elsa, BO), (bo, ELSA)):
        befriend(elsa, ELSA, bo, BO)
        for _ in range(2):
            if how == "body":
                ended = ending.delete(FRIENDS, {"targetUsername": other})
            else:
                ended = ending.delete(f"{FRIENDS}?targetUsername={other}")
            assert (ended.status_code, ended.json()) == (200, {"success": True})
        assert listed(elsa)["friends"] == listed(bo)["friends"] == []
        assert Friendship.objects.get().status == "ended"


def test_by_id_the_second_time_is_404(elsa: Caller, bo: Caller) -> None:
    friendship = befriend(elsa, ELSA, bo, BO)
    path = f"{FRIENDS}?friendshipId={friendship['id']}"
    assert bo.delete(path).json() == {"success": True}
    assert code_of(bo.delete(path)) == code_of(elsa.delete(path)) == (404, "not_found")


def test_a_request_is_withdrawn(elsa: Caller, bo: Caller) -> None:
    ask(elsa, BO)
    elsa.delete(FRIENDS, {"targetUsername": BO})
    assert listed(bo)["received"] == []
    assert code_of(answer(bo, ELSA)) == (404, "not_found")


def test_somebody_unknown_and_oneself_succeed_too(elsa: Caller) -> None:
    for name in ("nobody.here", ELSA, "\u2028"):
        assert elsa.delete(f"{FRIENDS}?targetUsername={name}x").status_code == 200
    assert elsa.delete(FRIENDS, {"targetUsername": ELSA}).status_code == 200


def test_a_friendship_of_others_stays(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, ELSA, bo, BO)
    signed_in("alva.lind").delete(FRIENDS, {"targetUsername": BO})
    assert len(listed(elsa)["friends"]) == 1


def test_nobody_named_is_400(elsa: Caller) -> None:
    for path in (FRIENDS, f"{FRIENDS}?targetUsername=", f"{FRIENDS}?friendshipId="):
        assert code_of(elsa.delete(path)) == (400, "invalid_input")
    assert code_of(elsa.delete(f"{FRIENDS}?targetUsername=%00")) == (400, "invalid_input")
