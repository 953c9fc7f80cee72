"""One request brings a client up to date: what is in the answer, and what is not."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from social.models import Conversation, Membership, Message
from tests.conftest import Caller
from tests.social.cast import Cast, Person, befriend, block
from tests.social.friend_requests import code_of
from tests.social.syncing_client import SyncingClient
from tests.social.test_conversations_list import many

SYNC = "/api/sync"


def sync(caller: Caller, known: Any) -> Any:
    answer = caller.post(SYNC, {"conversations": known})
    assert answer.status_code == 200, answer.content
    return answer.json()


def filled(person: Person, count: int) -> Conversation:
    """A group of this person alone with so many messages, one revision each."""
    now = timezone.now()
    group = Conversation.objects.create(
        type="group", last_seq=count, revision=count, last_at=now, created_at=now
    )
    Membership.objects.create(conversation=group, account_id=person.account_id, joined_at=now)
    Message.objects.bulk_create(
        Message(conversation=group, seq=seq, revision=seq, content=f"{seq}", created_at=now)
        for seq in range(1, count + 1)
    )
    return group


def test_a_new_client_gets_everything(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    message = cast.bo.send(dm, "Hej")
    answer = sync(cast.elsa, {})
    assert answer == {
        "success": True,
        "conversations": cast.elsa.list(),
        "removed": [],
        "messages": {dm["id"]: [message]},
        "more": [],
        "unreadTotal": 1,
    }


def test_what_is_known_is_not_sent_again(cast: Cast) -> None:
    dm, group = cast.elsa.dm(cast.bo), cast.elsa.group(cast.alva)
    cast.bo.send(dm, "Hej")
    client = SyncingClient(cast.elsa)
    client.sync()
    revisions = {key: each["revision"] for key, each in client.conversations.items()}
    nothing: dict[str, Any] = {"conversations": [], "removed": [], "messages": {}, "more": []}
    assert sync(cast.elsa, revisions) == {"success": True, **nothing, "unreadTotal": 1}
    message = cast.bo.send(dm, "Hallå")
    answer = sync(cast.elsa, revisions)
    assert answer["conversations"] == [cast.elsa.sees(dm)]
    assert answer["messages"] == {dm["id"]: [message]}
    cast.elsa.do(group, "rename", groupName="Falkarna")
    answer = sync(cast.elsa, revisions | {dm["id"]: message["revision"]})
    assert answer["conversations"] == [cast.elsa.sees(group)]
    assert answer["messages"] == {}


def test_a_changed_message_comes_as_it_is_now(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    first, second = cast.bo.send(dm, "Hej"), cast.bo.send(dm, "Hallå")
    path = f"/api/conversations/{dm['id']}"
    cast.bo.patch(f"{path}/{first['id']}", {"action": "edit", "content": "Hejsan"})
    cast.bo.delete(f"{path}/{second['id']}")
    answer = sync(cast.elsa, {dm["id"]: second["revision"]})
    assert [each["seq"] for each in answer["messages"][dm["id"]]] == [1, 2]
    assert [each["content"] for each in answer["messages"][dm["id"]]] == ["Hejsan", ""]


def test_quotes_reactions_and_cards_are_there(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    first = cast.elsa.send(dm, "Vem tar kalkstenen?")
    path = f"/api/conversations/{dm['id']}"
    note = cast.bo.post("/api/notes", {"title": "Sten", "content": "Kalk"}).json()["note"]
    body: dict[str, Any] = {"content": "Jag", "replyTo": {"messageId": first["id"]}}
    body |= {"shareCard": {"type": "note", "noteId": note["id"]}}
    answered = cast.bo.post(f"{path}/messages", body).json()["message"]
    cast.elsa.patch(f"{path}/{answered['id']}", {"action": "react", "emoji": "👍"})
    (message,) = sync(cast.elsa, {dm["id"]: first["revision"]})["messages"][dm["id"]]
    assert message["replyTo"]["content"] == "Vem tar kalkstenen?"
    assert message["shareCard"]["title"] == "Sten"
    assert message["reactions"] == {"👍": ["elsa.nordvall"]}
    assert message == cast.elsa.get(f"{path}/messages").json()["messages"][0]


def test_what_one_left_and_what_never_was_is_removed(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    others = cast.elsa.group(cast.alva)
    assert cast.bo.do(group, "leave").status_code == 200
    known = {group["id"]: 1, others["id"]: 1, "0" * 32: 5, "nonsense": {"revision": 0}, "": 7}
    answer = sync(cast.bo, known)
    assert answer["removed"] == list(known)
    assert (answer["conversations"], answer["messages"]) == ([], {})


def test_who_comes_back_gets_what_came_after(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    first = cast.elsa.send(group, "Hej")
    cast.elsa.do(group, "remove_member", targetUsername="bo.ek")
    cast.elsa.send(group, "Utan Bo")
    cast.elsa.do(group, "add_member", targetUsername="bo.ek")
    path = f"/api/conversations/{group['id']}/messages"
    body = {"content": "Välkommen", "replyTo": {"messageId": first["id"]}}
    cast.elsa.post(path, body)
    answer = sync(cast.bo, {group["id"]: 1})
    (shown,) = answer["conversations"]
    assert shown["joinedSeq"] == 2
    (message,) = answer["messages"][group["id"]]
    assert (message["content"], message["replyTo"]["content"]) == ("Välkommen", "")


def test_reading_on_another_device_is_heard_by_who_asks(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    revision = cast.bo.send(dm, "Hej")["revision"]
    cast.elsa.do(dm, "mark_read")
    assert sync(cast.elsa, {dm["id"]: revision})["conversations"] == []
    assert sync(cast.elsa, {dm["id"]: {"revision": revision}})["conversations"] == []
    answer = sync(cast.elsa, {dm["id"]: {"revision": revision, "lastReadSeq": 0}})
    assert answer["conversations"][0]["lastReadSeq"] == 1
    assert (answer["messages"], answer["unreadTotal"]) == ({}, 0)
    known = {dm["id"]: {"revision": revision, "lastReadSeq": 1}}
    assert sync(cast.elsa, known)["conversations"] == []


def test_a_revision_from_the_future_begins_anew(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    message = cast.bo.send(dm, "Hej")
    assert sync(cast.elsa, {dm["id"]: 99})["messages"] == {dm["id"]: [message]}


def test_two_hundred_messages_few_changes_first(cast: Cast) -> None:
    long, short, longest = filled(cast.elsa, 150), filled(cast.elsa, 3), filled(cast.elsa, 400)
    answer = sync(cast.elsa, {each.pk.hex: 1 for each in (longest, long, short)})
    found = {key: len(messages) for key, messages in answer["messages"].items()}
    assert found == {short.pk.hex: 2, long.pk.hex: 149, longest.pk.hex: 49}
    assert answer["more"] == [longest.pk.hex]
    client = SyncingClient(cast.elsa)
    client.sync()
    assert {key: len(each) for key, each in client.messages.items()} == {
        long.pk.hex: 150,
        short.pk.hex: 3,
        longest.pk.hex: 400,
    }


def test_known_conversations_come_before_new_ones(cast: Cast, monkeypatch: Any) -> None:
    monkeypatch.setattr("social.services.sync.SYNC_CONVERSATIONS", 2)
    keys = many(cast.elsa, 4)  # the newest first
    answer = sync(cast.elsa, {keys[3]: 0})
    assert [each["id"] for each in answer["conversations"]] == [keys[3], keys[0]]


def test_across_a_block_names_are_hidden_as_in_the_list(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    cast.bo.send(dm, "Hej")
    block(cast.elsa, cast.bo)
    answer = sync(cast.elsa, {})
    assert answer["conversations"] == cast.elsa.list()
    (message,) = answer["messages"][dm["id"]]
    assert message["senderDisplayName"] == "bo.ek"
    assert sync(cast.bo, {})["messages"][dm["id"]][0]["senderDisplayName"] == "Bo Ek"


def test_it_takes_few_queries(cast: Cast) -> None:
    keys = many(cast.elsa, 200)
    known = dict.fromkeys(keys, 2)
    for key in keys[:5]:
        for _ in range(2):
            cast.elsa.send({"id": key}, "Hej")
    cast.elsa.get("/api/token")
    with CaptureQueriesContext(connection) as queries:
        answer = sync(cast.elsa, known)
    assert len(answer["conversations"]) == 5
    assert {len(each) for each in answer["messages"].values()} == {2}
    assert len(queries) <= 8, [query["sql"] for query in queries]
    with CaptureQueriesContext(connection) as queries:
        sync(cast.elsa, {each["id"]: each["revision"] for each in answer["conversations"]})
    assert len(queries) <= 8


STATES: list[Any] = ["1", -1, True, 1.5, None, {}, {"revision": 1, "lastReadSeq": "2"}]
WRONG: list[Any] = [
    {},
    {"conversations": None},
    {"conversations": []},
    {"conversations": "0"},
    *({"conversations": {"0" * 32: state}} for state in STATES),
    {"conversations": {f"{number:032x}": 1 for number in range(501)}},
]


def test_a_body_of_the_wrong_shape_is_400(cast: Cast) -> None:
    for body in WRONG:
        answer = cast.elsa.post(SYNC, body)
        assert code_of(answer) == (400, "invalid_input"), body
        assert list(answer.json()["fields"]) == ["conversations"], body


def test_five_hundred_may_be_named(cast: Cast) -> None:
    known = {f"{number:032x}": 1 for number in range(500)}
    assert sync(cast.elsa, known)["removed"] == list(known)
