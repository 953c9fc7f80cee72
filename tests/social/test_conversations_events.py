"""Who receives which event of a conversation, over real sockets."""

from typing import Any

from tests.social.cast import Cast, befriend, block
from tests.social.conftest import Listen


def types(frames: list[dict[str, Any]]) -> list[str]:
    return [frame["type"] for frame in frames]


def test_a_new_conversation_is_published_as_each_member_would_read_it(
    cast: Cast, listen: Listen
) -> None:
    elsa, bo = listen(cast.elsa, cast.bo)
    dm = cast.elsa.dm(cast.bo)
    cast.elsa.dm(cast.bo)  # exists already: no event
    for listener in (elsa, bo):
        assert listener.heard() == [
            {
                "type": "conversation.created",
                "conversationId": dm["id"],
                "revision": 1,
                "conversation": listener.person.sees(dm),
            }
        ]


def test_a_group_and_its_invites(cast: Cast, listen: Listen) -> None:
    befriend(cast.elsa, cast.bo)
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    group = cast.elsa.group(cast.bo, cast.alva)
    assert types(elsa.heard()) == ["conversation.created"]
    assert types(bo.heard()) == ["conversation.created"]
    (invite,) = cast.alva.invites()
    assert alva.heard() == [{"type": "invite.created", "invite": invite}]
    answered = cast.alva.answer(invite).json()["invite"]
    resolved = {"type": "invite.resolved", "invite": answered}
    created, updated = alva.heard(), elsa.heard()
    assert created[0] == updated[0] == resolved
    assert [frame["type"] for frame in (created[1], updated[1])] == [
        "conversation.created",
        "conversation.updated",
    ]
    assert created[1]["conversation"] == cast.alva.sees(group)
    (heard,) = bo.heard()
    assert (heard["type"], heard["revision"]) == ("conversation.updated", 2)
    assert heard["conversation"] == cast.bo.sees(group)


def test_who_leaves_receives_the_removal_and_nothing_after_it(cast: Cast, listen: Listen) -> None:
    befriend(cast.elsa, cast.bo, cast.alva)
    group = cast.elsa.group(cast.bo, cast.alva)
    invite = cast.elsa.invite(group, cast.omer).json()["invite"]
    elsa, bo, omer = listen(cast.elsa, cast.bo, cast.omer)
    cast.elsa.do(group, "leave")
    cast.bo.send(group, "Nu är hon borta")
    assert types(elsa.heard()) == ["conversation.removed", "invite.resolved"]
    updated, created = bo.heard()
    assert updated["conversation"]["adminUsername"] == "bo.ek"
    assert created["type"] == "message.created"
    (resolved,) = omer.heard()
    assert resolved["invite"] == invite | {
        "status": "withdrawn",
        "members": [],
        "updatedAt": resolved["invite"]["updatedAt"],
    }


def test_reading_is_published_to_the_members_once(cast: Cast, listen: Listen) -> None:
    dm = cast.elsa.dm(cast.bo)
    cast.bo.send(dm, "Hej")
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    for seq in (1, 1, 0):
        assert cast.elsa.do(dm, "mark_read", seq=seq).status_code == 200
    read = {
        "type": "conversation.read",
        "conversationId": dm["id"],
        "username": "elsa.nordvall",
        "seq": 1,
    }
    assert (elsa.heard(), bo.heard(), alva.heard()) == ([read], [read], [])


def test_reading_is_not_published_across_a_block(cast: Cast, listen: Listen) -> None:
    befriend(cast.elsa, cast.bo)
    dm, group = cast.elsa.dm(cast.bo), cast.elsa.group(cast.bo)
    for conversation in (dm, group):
        cast.bo.send(conversation, "Hej")
    block(cast.elsa, cast.bo)
    elsa, bo = listen(cast.elsa, cast.bo)
    for conversation in (dm, group):
        assert cast.elsa.do(conversation, "mark_read").status_code == 200
    assert [frame["conversationId"] for frame in elsa.heard()] == [dm["id"], group["id"]]
    assert bo.heard() == []


def test_a_refused_change_publishes_nothing(cast: Cast, listen: Listen) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    elsa, bo = listen(cast.elsa, cast.bo)
    for answer in (
        cast.bo.do(group, "rename", groupName="Falkarna"),
        cast.elsa.do(group, "rename", groupName="Ugglorna"),
        cast.elsa.do(group, "transfer_admin", targetUsername="nobody.here"),
        cast.elsa.do(group, "transfer_admin", targetUsername="elsa.nordvall"),
        cast.elsa.do(group, "mark_read", seq=5),
        cast.bo.invite(group, cast.alva),
    ):
        assert answer.status_code in (200, 400, 403, 404)
    assert (elsa.heard(), bo.heard()) == ([], [])
