"""All routes of people and conversations: invalid input, and the school being down."""

import unicodedata
from itertools import product
from urllib.parse import quote

import pytest
from pytest_django.fixtures import Settings

from social.models import Conversation
from tests.conftest import Caller, signed_in
from tests.social.friend_requests import code_of
from tests.social.message_requests import read, sent
from tests.social_actions import befriend
from upstream.simulator.server import Simulator

WITH_BODY = [
    ("POST", "/api/friends"),
    ("PATCH", "/api/friends"),
    ("DELETE", "/api/friends"),
    ("POST", "/api/blocks"),
    ("DELETE", "/api/blocks"),
    ("PATCH", "/api/presence"),
    ("POST", "/api/reports"),
    ("POST", "/api/conversations"),
    ("PATCH", "/api/conversations/{dm}"),
    ("POST", "/api/conversations/{dm}/messages"),
    ("POST", "/api/group-invites"),
    ("PATCH", "/api/group-invites"),
    ("POST", "/api/sync"),
]
NONSENSE = [
    (b'{"targetUsername": "bo\\u0000ek"}', (400, "invalid_json")),
    (b'{"targetUsername": "\\ud800"}', (400, "invalid_json")),
    (b'{"targetUsername": NaN}', (400, "invalid_json")),
    (b'["bo.ek"]', (400, "invalid_json")),
    (b"\xff\xfe", (400, "invalid_json")),
    (b'{"a":' * 40 + b"1" + b"}" * 40, (400, "nested_too_deep")),
    (b'{"a": "' + b"x" * 1_000_000 + b'"}', (413, "too_large")),
]
READS = [
    "/api/friends",
    "/api/blocks",
    "/api/presence?users=bo.ek",
    "/api/users/search?q=bo.ek",
    "/api/people/staff?q=bo.ek",
    "/api/profile/bo.ek",
    "/api/conversations",
    "/api/conversations/{dm}",
    "/api/conversations/{dm}/messages",
]


def test_invalid_json_is_refused_by_every_route(elsa: Caller, dm: Conversation) -> None:
    for (method, path), (body, refused) in product(WITH_BODY, NONSENSE):
        address = path.format(dm=dm.pk.hex)
        answer = elsa.http.generic(method, address, body, content_type="text/plain")
        assert code_of(answer) == refused, (method, path, body[:40])


def test_these_routes_work_while_the_school_is_down(
    elsa: Caller, dm: Conversation, simulator: Simulator, settings: Settings
) -> None:
    elsa.get("/api/friends")
    settings.SESSION_CHECK_SECONDS = 0
    simulator.faults.set("session", "500")
    named = {"targetUsername": "bo.ek"}
    for path in READS:
        assert elsa.get(path.format(dm=dm.pk.hex)).status_code == 200, path
    message = sent(elsa, dm)
    assert read(elsa, dm)["messages"] == [message]
    marked = elsa.patch(f"/api/conversations/{dm.pk.hex}", {"action": "mark_read"})
    assert marked.status_code == 200
    assert elsa.patch("/api/presence").status_code == 200
    assert elsa.post("/api/friends", named).status_code == 201
    assert elsa.delete("/api/friends", named).status_code == 200
    assert elsa.post("/api/blocks", named).status_code == 201
    report = {"type": "profile", "id": "bo.ek", "reason": "other"}
    assert elsa.post("/api/reports", report).status_code == 201


NAME = "ömer.sjölin"
# As a file system or another keyboard writes it: o and a mark above.
DECOMPOSED = unicodedata.normalize("NFD", NAME)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/profile/{}"),
        ("DELETE", "/api/blocks?targetUsername={}"),
        ("GET", "/api/users/search?q={}"),
    ],
)
def test_a_name_in_a_url_is_found_in_each_normal_form(elsa: Caller, method: str, path: str) -> None:
    assert DECOMPOSED != NAME
    signed_in(NAME)
    answers = [elsa.http.generic(method, path.format(quote(name))) for name in (NAME, DECOMPOSED)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    if method == "GET":
        assert NAME in answers[1].content.decode()


def test_presence_is_asked_for_in_each_normal_form(elsa: Caller) -> None:
    other = signed_in(NAME)
    befriend(elsa, other, ("elsa.nordvall", NAME))
    other.patch("/api/presence", {"status": "online"})
    answer = elsa.get(f"/api/presence?users={quote(DECOMPOSED)}")
    assert list(answer.json()["presences"].values()) == ["online"]


def test_a_block_in_another_normal_form_is_lifted(elsa: Caller) -> None:
    signed_in(NAME)
    assert elsa.post("/api/blocks", {"targetUsername": DECOMPOSED}).status_code == 201
    assert len(elsa.get("/api/blocks").json()["blocks"]) == 1
    elsa.delete(f"/api/blocks?targetUsername={quote(DECOMPOSED)}")
    assert elsa.get("/api/blocks").json()["blocks"] == []
