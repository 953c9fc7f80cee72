"""When a teacher or guardian may write to a pupil: as friends, or in answer."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Profile
from social.models import Friendship, Message
from tests.concurrency import at_once
from tests.social.cast import CONVERSATIONS, Cast, Person, block, privacy
from tests.social.friend_requests import BLOCKS, FRIENDS, befriend, code_of

REFUSED = (403, "dm_refused")
ADULTS = pytest.mark.parametrize("adult", ["teacher", "guardian"])


def become_friends(pupil: Person, adult: Person) -> None:
    befriend(pupil, pupil.username, adult, adult.username)


def end_friendship(one: Person, other: Person) -> None:
    answer = one.delete(FRIENDS, {"targetUsername": other.username})
    assert answer.status_code == 200, answer.content


def write(person: Person, conversation: Any, **fields: Any) -> tuple[int, str]:
    """Status and code of a send."""
    path = f"{CONVERSATIONS}/{conversation['id']}/messages"
    return code_of(person.post(path, {"content": "Hej"} | fields))


def change(person: Person, conversation: Any, message: Any, action: str) -> tuple[int, str]:
    """Status and code of a change of a message."""
    fields = {"action": action, "content": "Hej igen", "emoji": "🦉"}
    return code_of(person.patch(f"{CONVERSATIONS}/{conversation['id']}/{message['id']}", fields))


def days_ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


@pytest.mark.parametrize("who", ["elsa", "teacher"])
def test_it_does_not_matter_who_ends_it(cast: Cast, who: str) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    become_friends(elsa, teacher)
    dm = elsa.dm(teacher)
    elsa.send(dm, "Hej")
    end_friendship(elsa, teacher) if who == "elsa" else end_friendship(teacher, elsa)
    assert write(teacher, dm) == REFUSED


def test_a_block_that_was_lifted_has_ended_the_friendship_too(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    become_friends(elsa, teacher)
    dm = elsa.dm(teacher)
    elsa.send(dm, "Hej")
    body = {"targetUsername": teacher.username}
    assert elsa.post(BLOCKS, body).status_code == 201
    assert elsa.delete(BLOCKS, body).status_code == 200
    assert write(teacher, dm) == REFUSED


@ADULTS
def test_an_adult_who_was_never_a_friend_answers_for_thirty_days(cast: Cast, adult: str) -> None:
    grown_up, elsa = getattr(cast, adult), cast.elsa
    dm = elsa.dm(grown_up)
    assert write(grown_up, dm) == REFUSED  # the pupil opened it and wrote nothing
    elsa.send(dm, "Hej")
    assert write(grown_up, dm) == (201, "")
    Message.objects.filter(sender=elsa.account_id).update(created_at=days_ago(29.9))
    assert write(grown_up, dm) == (201, "")
    Message.objects.filter(sender=elsa.account_id).update(created_at=days_ago(30.1))
    assert write(grown_up, dm) == REFUSED
    assert write(elsa, dm) == (201, "")
    assert write(grown_up, dm) == (201, "")


def test_only_the_pupils_messages_in_that_conversation_ask_for_an_answer(cast: Cast) -> None:
    elsa, teacher, bo = cast.elsa, cast.teacher, cast.bo
    become_friends(elsa, teacher)
    dm = elsa.dm(teacher)
    teacher.send(dm, "Hej")
    become_friends(bo, teacher)
    befriend(elsa, elsa.username, bo, bo.username)
    group = bo.group(elsa)
    assert bo.do(group, "add_member", targetUsername=teacher.username).status_code == 200
    elsa.send(group, "Hej")
    elsa.send(elsa.dm(bo), "Hej")
    end_friendship(teacher, elsa)
    elsa.send(group, "Hej igen")
    assert write(teacher, dm) == REFUSED
    bo.send(bo.dm(teacher), "Hej")
    assert write(teacher, dm) == REFUSED


def test_the_end_is_remembered_through_later_requests(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    become_friends(elsa, teacher)
    dm = elsa.dm(teacher)
    elsa.send(dm, "Hej")
    end_friendship(elsa, teacher)
    body = {"targetUsername": teacher.username}
    assert elsa.post(FRIENDS, body).status_code == 201
    assert write(teacher, dm) == REFUSED
    assert elsa.delete(FRIENDS, body).status_code == 200
    assert write(teacher, dm) == REFUSED
    assert elsa.post(FRIENDS, body).status_code == 201
    declined = {"fromUsername": elsa.username, "accept": False}
    assert teacher.patch(FRIENDS, declined).status_code == 200
    assert write(teacher, dm) == REFUSED


def test_a_message_counts_although_the_pupil_deleted_it(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    dm = elsa.dm(teacher)
    sent = elsa.send(dm, "Hej")
    assert elsa.delete(f"{CONVERSATIONS}/{dm['id']}/{sent['id']}").status_code == 200
    assert write(teacher, dm) == (201, "")


def test_an_adult_without_an_answer_to_give_changes_nothing_but_may_take_back(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    become_friends(elsa, teacher)
    dm = elsa.dm(teacher)
    asked, answered, pinned = elsa.send(dm, "1"), teacher.send(dm, "2"), teacher.send(dm, "3")
    for action in ("edit", "pin", "react"):
        assert change(teacher, dm, pinned, action) == (200, "")
    end_friendship(elsa, teacher)
    for action in ("edit", "pin", "add_reaction", "react"):
        assert change(teacher, dm, answered, action) == REFUSED, action
    assert change(teacher, dm, asked, "react") == REFUSED
    assert write(teacher, dm, replyTo={"messageId": asked["id"]}) == REFUSED
    assert write(teacher, dm, shareCard={"type": "note", "noteId": "0" * 32}) == REFUSED
    for action in ("unpin", "remove_reaction"):
        assert change(teacher, dm, pinned, action) == (200, "")
    assert teacher.delete(f"{CONVERSATIONS}/{dm['id']}/{answered['id']}").status_code == 200
    assert teacher.do(dm, "mark_read").status_code == 200
    assert change(elsa, dm, asked, "edit") == (200, "")
    elsa.send(dm, "4")
    assert change(teacher, dm, pinned, "edit") == (200, "")


def test_answering_lifts_neither_privacy_nor_a_block(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    dm = elsa.dm(teacher)
    elsa.send(dm, "Hej")
    for value in ("friends", "nobody"):
        privacy(elsa, value)
        assert write(teacher, dm) == REFUSED
    privacy(elsa, "everyone")
    assert write(teacher, dm) == (201, "")
    block(elsa, teacher)
    assert write(teacher, dm) == REFUSED


def test_the_operator_can_lift_it(cast: Cast, settings: Settings) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    dm = elsa.dm(teacher)
    assert write(teacher, dm) == REFUSED
    settings.ADULT_DM_PUPIL = True
    assert write(teacher, dm) == (201, "")


def test_it_is_about_adults_who_write_to_pupils_only(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    assert write(cast.bo, cast.bo.dm(elsa)) == (201, "")
    assert write(teacher, teacher.dm(cast.guardian)) == (201, "")
    dm = elsa.dm(teacher)
    assert write(elsa, dm) == (201, "")
    Message.objects.update(created_at=days_ago(31))
    assert write(elsa, dm) == (201, "")
    Profile.objects.filter(account=teacher.account_id).update(user_type="student")
    Message.objects.update(created_at=days_ago(31))
    assert write(teacher, dm) == (201, "")


@pytest.mark.django_db(transaction=True)
def test_a_message_at_the_moment_when_the_friendship_ends_is_before_it_or_refused(
    cast: Cast,
) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    become_friends(elsa, teacher)
    dm = teacher.dm(elsa)
    calls: list[Callable[[], Any]] = [
        partial(write, teacher, dm),
        partial(end_friendship, elsa, teacher),
    ]
    (sent, _), _ = at_once(calls)
    assert sent in (201, 403)
    assert write(teacher, dm) == REFUSED
    assert len(elsa.read(dm).json()["messages"]) == (sent == 201)


def test_the_row_of_an_ended_friendship_is_never_shown(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    become_friends(elsa, teacher)
    friendship = elsa.get(FRIENDS).json()["friends"][0]["id"]
    end_friendship(elsa, teacher)
    assert Friendship.objects.get().status == "ended"
    for person in (elsa, teacher):
        lists = person.get(FRIENDS).json()
        assert [lists[name] for name in ("friends", "received", "sent")] == [[], [], []]
        assert lists["profileMap"] == {}
        reply = {"friendshipId": friendship, "action": "accept"}
        answers = [
            person.patch(FRIENDS, reply),
            person.delete(f"{FRIENDS}?friendshipId={friendship}"),
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
    again = elsa.post(FRIENDS, {"targetUsername": teacher.username})
    assert again.status_code == 201
    assert again.json()["friendship"]["id"] != friendship
