"""Reactions: one row for each emoji and person; concurrent ones are not lost."""

from functools import partial
from itertools import pairwise

import pytest

from accounts.models import Account
from social.limits import DIFFERENT_EMOJI
from social.models import Conversation, Message, Reaction
from stats import counters
from stats.models import Counter
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.migration_states import migrated_back
from tests.social.factories import group_of
from tests.social.friend_requests import code_of
from tests.social.message_requests import change, changed, one, sent

EMOJI = [chr(0x1F600 + number) for number in range(DIFFERENT_EMOJI + 1)]


def test_react_toggles(elsa: Caller, bo: Caller, group: Conversation) -> None:
    message = sent(elsa, group)
    shown = [changed(elsa, group, message, "react", emoji="👍") for _ in range(3)]
    assert [each["reactions"] for each in shown] == [
        {"👍": ["elsa.nordvall"]}, {}, {"👍": ["elsa.nordvall"]}
    ]  # fmt: skip
    assert [each["revision"] for each in shown] == [2, 3, 4]
    both = changed(bo, group, message, "react", emoji="👍")
    assert both["reactions"] == {"👍": ["elsa.nordvall", "bo.ek"]}
    more = changed(bo, group, message, "react", emoji="❤️")
    assert more["reactions"] == {"👍": ["elsa.nordvall", "bo.ek"], "❤️": ["bo.ek"]}
    assert one(elsa, group, message) == more


def test_adding_and_removing_set_the_state(elsa: Caller, bo: Caller, group: Conversation) -> None:
    message = sent(elsa, group)
    added = changed(bo, group, message, "add_reaction", emoji="🇸🇪")
    assert changed(bo, group, message, "add_reaction", emoji="🇸🇪") == added
    assert added["reactions"] == {"🇸🇪": ["bo.ek"]}
    assert changed(elsa, group, message, "remove_reaction", emoji="🇸🇪") == added
    gone = changed(bo, group, message, "remove_reaction", emoji="🇸🇪")
    assert (gone["reactions"], gone["revision"]) == ({}, 3)
    assert changed(bo, group, message, "remove_reaction", emoji="🇸🇪") == gone


def test_one_grapheme_is_one_emoji(elsa: Caller, group: Conversation) -> None:
    message = sent(elsa, group)
    emoji = ["👍", "❤️", "👨‍👩‍👧‍👦", "🇸🇪", "1️⃣", "👍🏽", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
    for each in emoji:
        changed(elsa, group, message, "react", emoji=each)
    assert list(one(elsa, group, message)["reactions"]) == emoji


def test_an_emoji_with_and_without_its_selector_is_one(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    message = sent(elsa, group)
    changed(elsa, group, message, "react", emoji="❤")
    both = changed(bo, group, message, "add_reaction", emoji="❤️")
    assert both["reactions"] == {"❤️": ["elsa.nordvall", "bo.ek"]}
    assert changed(bo, group, message, "react", emoji="❤")["reactions"] == {"❤️": ["elsa.nordvall"]}
    assert changed(elsa, group, message, "react", emoji="❤")["reactions"] == {}


@pytest.mark.django_db(transaction=True)
def test_an_upgrade_makes_one_of_two_that_differ_by_their_selector(elsa: Caller) -> None:
    signed_in("bo.ek")
    group = group_of("elsa.nordvall", "bo.ek")
    message = sent(elsa, group)
    row = Message.objects.get(conversation=group, seq=message["seq"])
    kept = {"message": row, "account": Account.objects.get(username="elsa.nordvall")}
    other = {"message": row, "account": Account.objects.get(username="bo.ek")}
    with migrated_back([("social", "0015_own_unread")]):
        Reaction.objects.create(**kept, emoji="❤")
        Reaction.objects.create(**kept, emoji="❤️")
        Reaction.objects.create(**other, emoji="❤")
        Reaction.objects.create(**other, emoji="👍")
    assert one(elsa, group, message)["reactions"] == {
        "❤️": ["elsa.nordvall", "bo.ek"], "👍": ["bo.ek"]
    }  # fmt: skip


def test_anything_else_is_400(elsa: Caller, group: Conversation) -> None:
    message = sent(elsa, group)
    for text in (
        "",
        "a",
        "1",
        "👍👍",
        "👍a",
        " 👍",
        "<b>",
        "🇸",
        "👍" * 65,
        "\u200d",
        "\u200d".join("❤" * 12),
    ):
        answer = change(elsa, group, message, "react", emoji=text)
        assert code_of(answer) == (400, "invalid_input"), text


def test_twenty_different_ones_fit(elsa: Caller, bo: Caller, group: Conversation) -> None:
    message = sent(elsa, group)
    for emoji in EMOJI[:-1]:
        changed(elsa, group, message, "react", emoji=emoji)
    assert code_of(change(elsa, group, message, "react", emoji=EMOJI[-1])) == (409, "too_many_kept")
    changed(bo, group, message, "react", emoji=EMOJI[0])
    changed(elsa, group, message, "react", emoji=EMOJI[1])
    changed(bo, group, message, "react", emoji=EMOJI[-1])


def test_they_are_counted(elsa: Caller, group: Conversation) -> None:
    counters.flush()
    before = dict(Counter.objects.values_list("name", "value")).get("reaction", 0)
    message = sent(elsa, group)
    for _ in range(3):
        changed(elsa, group, message, "react", emoji="👍")
    counters.flush()
    assert Counter.objects.get(name="reaction").value == before + 2


def test_many_concurrent_sends_lose_nothing(transactional_db: None, elsa: Caller) -> None:
    bo = signed_in("bo.ek")
    group = group_of("elsa.nordvall", "bo.ek")
    message = sent(elsa, group)
    answers = at_once(
        [
            partial(change, caller.twin(), group, message, "add_reaction", emoji=emoji)
            for emoji in EMOJI[:4]
            for caller in (elsa, bo)
            for _ in range(2)
        ]
    )
    assert {answer.status_code for answer in answers} == {200}
    shown = one(elsa, group, message)
    assert {emoji: set(who) for emoji, who in shown["reactions"].items()} == {
        emoji: {"elsa.nordvall", "bo.ek"} for emoji in EMOJI[:4]
    }
    # Eight reactions have a revision each; repeating one has none.
    assert shown["revision"] == 9


def test_concurrent_toggles_happen_one_after_the_other(
    transactional_db: None, elsa: Caller
) -> None:
    group = group_of("elsa.nordvall")
    message = sent(elsa, group)
    answers = at_once(
        [partial(change, elsa.twin(), group, message, "react", emoji="👍") for _ in range(7)]
    )
    shown = sorted((answer.json()["message"] for answer in answers), key=lambda m: m["revision"])
    assert all(bool(a["reactions"]) != bool(b["reactions"]) for a, b in pairwise(shown))
    assert Reaction.objects.count() == 1


def test_concurrent_reactions_stay_within_twenty_emoji(
    transactional_db: None, elsa: Caller
) -> None:
    group = group_of("elsa.nordvall")
    message = sent(elsa, group)
    for emoji in EMOJI[: DIFFERENT_EMOJI - 1]:
        changed(elsa, group, message, "react", emoji=emoji)
    answers = at_once(
        [
            partial(change, elsa.twin(), group, message, "add_reaction", emoji=chr(0x1F680 + n))
            for n in range(4)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
