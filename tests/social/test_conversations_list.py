"""The list of conversations: order, pages while others write, and the number of queries."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from social.access import membership_of
from social.models import Conversation, Membership, Message
from social.services.conversations.render import render_conversations
from tests.social.cast import CONVERSATIONS, Cast, Person, pupils

START = timezone.now() - timedelta(days=30)


def many(person: Person, count: int, *, members: int = 1) -> list[str]:
    """This many groups of this person with one message each; their ids, newest first."""
    others = pupils(members)
    groups = [
        Conversation(
            type="group",
            group_name=f"Grupp {number}",
            admin_id=person.account_id,
            last_seq=1,
            revision=2,
            info_revision=1,
            last_at=START + timedelta(minutes=number // 2),  # two at each time
            created_at=START,
        )
        for number in range(count)
    ]
    Conversation.objects.bulk_create(groups)
    Membership.objects.bulk_create(
        Membership(conversation=group, account_id=account_id, joined_at=START)
        for group in groups
        for account_id in [person.account_id, *(other.pk for other in others)]
    )
    Message.objects.bulk_create(
        Message(
            conversation=group,
            seq=1,
            revision=2,
            sender=others[0],
            content=f"I {group.group_name}",
            created_at=group.last_at,
        )
        for group in groups
    )
    newest = Conversation.objects.order_by("-last_at", "-pk")
    return [pk.hex for pk in newest.values_list("pk", flat=True)]


def walk(
    person: Person, limit: int, between: Callable[[int], None] = lambda _page: None
) -> list[str]:
    """The ids of all pages, in order."""
    ids: list[str] = []
    cursor, page = "", 0
    while True:
        answer = person.get(f"{CONVERSATIONS}?limit={limit}{cursor}").json()
        assert len(answer["conversations"]) <= limit
        ids += [each["id"] for each in answer["conversations"]]
        if answer["next"] is None:
            return ids
        cursor, page = f"&cursor={answer['next']}", page + 1
        between(page)


def test_nobody_has_any_at_first(cast: Cast) -> None:
    answer = cast.elsa.get(CONVERSATIONS).json()
    assert answer == {"success": True, "conversations": [], "next": None, "unreadTotal": 0}


def test_the_newest_message_comes_first(cast: Cast) -> None:
    elsa, bo, alva = cast.elsa, cast.bo, cast.alva
    first, second = elsa.dm(bo), elsa.dm(alva)
    assert [each["id"] for each in elsa.list()] == [second["id"], first["id"]]
    bo.send(first, "Hej")
    assert [each["id"] for each in elsa.list()] == [first["id"], second["id"]]


def test_it_shows_the_last_message_and_what_is_unread(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    bo.send(dm, "å" * 200)
    (shown,) = elsa.list()
    assert shown["lastMessage"] == "å" * 120
    assert shown["lastSenderUsername"] == "bo.ek"
    assert (shown["lastSeq"], shown["lastReadSeq"], shown["unreadCount"]) == (1, 0, 1)
    assert elsa.get(CONVERSATIONS).json()["unreadTotal"] == 1
    assert bo.get(CONVERSATIONS).json()["unreadTotal"] == 0
    assert shown == elsa.sees(dm)


def test_a_deleted_message_has_a_label_as_preview(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    message = cast.bo.send(dm, "Hemligt")
    cast.bo.delete(f"{CONVERSATIONS}/{dm['id']}/{message['id']}")
    (shown,) = cast.elsa.list()
    assert "Hemligt" not in shown["lastMessage"]
    assert shown["lastMessage"]
    assert shown["lastSenderUsername"] == "bo.ek"


def test_pages_contain_every_conversation_once(cast: Cast) -> None:
    ids = many(cast.elsa, 7)
    for limit in (1, 3, 7, 100):
        assert walk(cast.elsa, limit) == ids


def test_a_page_has_fifty_by_default(cast: Cast) -> None:
    ids = many(cast.elsa, 52)
    answer = cast.elsa.get(CONVERSATIONS).json()
    assert [each["id"] for each in answer["conversations"]] == ids[:50]
    assert answer["unreadTotal"] == 52
    last = cast.elsa.get(f"{CONVERSATIONS}?cursor={answer['next']}").json()
    assert [each["id"] for each in last["conversations"]] == ids[50:]
    assert (last["next"], last["unreadTotal"]) == (None, 52)


def test_pages_stay_right_while_others_write(cast: Cast) -> None:
    elsa = cast.elsa
    ids = many(elsa, 20)
    moved: list[str] = []

    def write(page: int) -> None:
        """One that was seen moves up, and one that was not; one is added, one is left."""
        for position in (page - 1, 20 - page):
            Conversation.objects.filter(pk=ids[position]).update(last_at=timezone.now())
            moved.append(ids[position])
        elsa.dm(cast.bo)
        Membership.objects.filter(conversation=UUID(ids[17]), account=elsa.account_id).delete()

    seen = walk(elsa, 6, write)
    assert len(seen) == len(set(seen))
    assert [each for each in ids if each not in {*moved, ids[17]}] == [
        each for each in seen if each not in moved
    ]
    # The ones that moved up are on the first page.
    assert set(moved[-2:]) <= {each["id"] for each in elsa.list("?limit=10")}


def test_a_cursor_works_after_its_conversation_is_gone_and_no_former_one_is_shown(
    cast: Cast,
) -> None:
    ids = many(cast.elsa, 4)
    first = cast.elsa.get(f"{CONVERSATIONS}?limit=2").json()
    assert cast.elsa.get(f"{CONVERSATIONS}?limit=2&cursor=").json() == first
    Conversation.objects.filter(pk=ids[1]).delete()
    rest = cast.elsa.get(f"{CONVERSATIONS}?cursor={first['next']}").json()
    assert [each["id"] for each in rest["conversations"]] == ids[2:]
    Membership.objects.filter(account=cast.elsa.account_id).delete()
    assert cast.elsa.get(CONVERSATIONS).json()["unreadTotal"] == 0
    assert cast.elsa.list() == []


NO_PAGES = [
    *("limit=0", "limit=101", "limit=-1", "limit=x", "limit=1.5", "limit=", "limit=²"),
    f"limit={'9' * 5000}",
    *("cursor=x", "cursor=å", "cursor=AAAA", "cursor=%00"),
    *(f"cursor={'A' * 33}", f"cursor={'_' * 32}", f"cursor={'A' * 5000}"),
]


def test_an_invalid_page_is_400(cast: Cast) -> None:
    for query in NO_PAGES:
        answer = cast.elsa.get(f"{CONVERSATIONS}?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), query
        assert list(answer.json()["fields"]) == [query.partition("=")[0]], query


def test_the_number_of_queries_does_not_depend_on_the_length(cast: Cast) -> None:
    def queries(query: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            cast.elsa.list(query)
        return len(captured)

    many(cast.elsa, 100, members=5)
    cast.elsa.list()  # the session is cached from here on
    assert queries("?limit=1") == queries("?limit=100") <= 6


def test_read_marks_do_not_count_rows(cast: Cast) -> None:
    many(cast.elsa, 9)
    cursor: Any = cast.elsa.get(f"{CONVERSATIONS}?limit=3").json()["next"]
    with CaptureQueriesContext(connection) as captured:
        cast.elsa.list(f"?limit=3&cursor={cursor}")
    statements = " ".join(query["sql"] for query in captured)
    assert "OFFSET" not in statements
    assert "COUNT" not in statements


def test_a_message_sent_during_the_read_does_not_contradict_it(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    cast.bo.send(dm, "ett")
    membership = membership_of(cast.elsa.account_id, UUID(dm["id"]))
    cast.bo.send(dm, "två")
    (shown,) = render_conversations([membership])
    assert (shown["lastMessage"], shown["lastSeq"], shown["unreadCount"]) == ("ett", 1, 1)
