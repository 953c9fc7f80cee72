"""Erasing the account and signing in again gives back no limit."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.registry import rate_limits
from tests.abuse.people import ask, report
from tests.abuse.returning import erase, returned
from tests.accounts.full_account import picture
from tests.contract.permission_matrix import PUSH
from tests.social.cast import INVITES, Cast, Person, pupils

BO = "bo.ek"


def statuses(calls: list[Any]) -> dict[int, int]:
    """How many answers there are of each status."""
    codes = [answer.status_code for answer in calls]
    return {code: codes.count(code) for code in sorted(set(codes))}


def new_dm(person: Person, username: str) -> Any:
    return person.post("/api/conversations", {"targetUsername": username})


def test_twenty_strangers_a_day_however_often_the_account_is_new(cast: Cast) -> None:
    names = [account.username for account in pupils(60)]
    answers, bo = [], cast.bo
    for turn in range(3):
        answers += [new_dm(bo, name) for name in names[turn * 20 : turn * 20 + 20]]
        bo = returned(bo, BO)
    assert statuses(answers) == {201: 20, 429: 40}


def test_thirty_invites_and_thirty_requests_an_hour_in_three_rounds(cast: Cast) -> None:
    names = [account.username for account in pupils(40)]
    invites, requests, bo = [], [], cast.bo
    for _ in range(3):
        group = bo.new_group(cast.elsa).json().get("conversation", {"id": "0" * 32})
        for name in names[:26]:
            body = {"conversationId": group["id"], "targetUsername": name}
            invites.append(bo.post(INVITES, body))
            requests.append(bo.post("/api/friends", {"targetUsername": name}))
        bo = returned(bo, BO)
    # Two more were spent on the groups; what is refused is not counted.
    assert statuses(requests) == {201: 30, 429: 48}
    sent = statuses(invites)
    assert (sent[201], sum(sent.values())) == (28, 78)


def test_three_requests_to_one_person_and_five_invites(cast: Cast) -> None:
    bo, elsa = cast.bo, cast.elsa
    answers = []
    for _ in range(4):
        answers.append(ask(bo, elsa))
        bo = returned(bo, BO)
    assert statuses(answers) == {201: 3, 409: 1}
    answers = []
    for _ in range(6):
        answers.append(bo.new_group(elsa))
        bo = returned(bo, BO)
    assert statuses(answers) == {201: 5, 429: 1}


def test_it_counts_when_the_other_one_erases_the_account(cast: Cast) -> None:
    bo, elsa = cast.bo, cast.elsa
    answers = []
    for _ in range(4):
        answers.append(ask(bo, elsa))
        elsa = returned(elsa, "elsa.nordvall")
    assert statuses(answers) == {201: 3, 409: 1}


def upload(person: Person) -> Any:
    form = {"image": picture(), "kind": "avatar"}
    return person.http.post("/api/profile/picture", form)


def invite_alva(person: Person) -> Any:
    body = {"type": "group", "groupName": "Ugglorna", "members": ["alva.lind"]}
    return person.post("/api/conversations", body)


def subscribe(person: Person) -> Any:
    return person.post("/api/push/subscriptions", PUSH)


def push_a_test(person: Person) -> Any:
    kept = subscribe(person).json()["subscription"]["id"]
    return person.post(f"/api/push/subscriptions/{kept}/test")


# What each limit counts, as somebody does it once.
BY_PERSON: dict[str, Callable[[Person], Any]] = {
    "downloads": lambda person: person.get("/api/news/1/attachments/1"),
    "erasures": erase,
    "exports": lambda person: person.get("/api/account/export"),
    "fresh_reads": lambda person: person.get("/api/lunch", **{"Cache-Control": "no-cache"}),
    "friend_requests": lambda person: person.post("/api/friends", {"targetUsername": "alva.lind"}),
    "friend_requests_to_one": lambda person: person.post(
        "/api/friends", {"targetUsername": "alva.lind"}
    ),
    "invites": invite_alva,
    "invites_to_one": invite_alva,
    "messages": lambda person: person.post(f"/api/conversations/{'0' * 32}/messages", {}),
    "new_dms": lambda person: new_dm(person, "alva.lind"),
    "new_groups": invite_alva,
    "push_subscriptions": subscribe,
    "push_tests": push_a_test,
    "refresh": lambda person: person.post("/api/refresh"),
    "reports": lambda person: report(person, "profile", "alva.lind"),
    "search": lambda person: person.get("/api/users/search?q=alva"),
    "uploads": upload,
}
# These have a test of their own: an erasure is a write, and sockets need a server
# (`tests/social/test_socket_opening_limits.py`).
ELSEWHERE = {"new_sockets", "reads", "writes"}
# By client address, which an erasure does not change, or by user name and address.
OTHERS = {
    "feed_reads",
    "login",
    "login_address",
    "note_reports",
    "page_starts",
    "share_reads",
    "sockets_without_session",
    "unknown_cookies",
}


def test_every_limit_is_one_of_these() -> None:
    assert set(rate_limits()) == BY_PERSON.keys() | ELSEWHERE | OTHERS


def test_reads_and_writes_are_counted_for_the_person_too(cast: Cast, settings: Settings) -> None:
    settings.LIMITS = {"reads": "1/3600", "writes": "1/3600"}
    assert cast.bo.get("/api/notes").status_code == 200
    assert cast.bo.post("/api/token").status_code == 200
    again = returned(cast.bo, BO)
    assert again.get("/api/notes").status_code == 429
    assert again.post("/api/token").status_code == 429
    assert cast.elsa.get("/api/notes").status_code == 200


@pytest.mark.parametrize("name", BY_PERSON)
def test_a_new_account_of_the_person_has_spent_what_the_one_before_has(
    cast: Cast, name: str, settings: Settings
) -> None:
    do = BY_PERSON[name]
    assert cast.alva.username == "alva.lind"
    bo, elsa = cast.bo, cast.elsa
    settings.LIMITS = {name: "1/3600"}
    assert do(bo).status_code < 500
    again = do(returned(bo, BO))
    assert again.status_code in (409, 429)
    assert again.json()["code"] in ("too_many_requests", "asked_recently")
    assert do(elsa).status_code not in (409, 429)
