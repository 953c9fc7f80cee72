"""Whom a message names: `@username` in its text, or a list beside a ciphertext.

Only members are named, at the time of the message. Somebody across a block is named too, so that
the sender cannot find out who has blocked them; they are not told.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from accounts.models import Account
from accounts.name_comparison import normalize_username
from social.limits import MENTIONS
from social.models import Conversation, Mention, Message

Mentioned = Mapping[int, str]


def find_mentioned(
    sender_id: int,
    conversation: Conversation,
    *,
    content: str,
    named: Sequence[str],
    members: Collection[int],
) -> Mentioned:
    """Whom the sender names, account id -> public name, in the order of the names: in `content`, or
    in an encrypted conversation in `named`. The sender and who is no member are left out: a message
    may have waited on a device while somebody left.
    """
    if not (named if conversation.encrypted else "@" in content):
        return {}
    rows = Account.objects.filter(pk__in=members).values_list("username", "pk")
    accounts: dict[str, int] = dict(rows)
    if conversation.encrypted:
        names = [name for name in map(normalize_username, named) if name in accounts]
    else:
        names = names_in(content, accounts)
    mentioned = {accounts[name]: name for name in names if accounts[name] != sender_id}
    return dict(list(mentioned.items())[:MENTIONS])


def names_in(text: str, usernames: Iterable[str]) -> list[str]:
    """Those of these public names that stand in the text after an `@`, in its order.

    The longest name wins: `@anna.ek.2` is not `@anna.ek`, also where nobody has that name. An `@`
    within a word or after a slash begins no name, as in an e-mail address or a link.
    """
    longest_first = sorted(usernames, key=len, reverse=True)
    choices = "|".join(map(re.escape, longest_first))
    # A full stop or a hyphen goes on with a name only before a letter or a digit.
    pattern = rf"(?<![\w@/])@({choices})(?![\w@]|[.+-]\w)"
    return list(dict.fromkeys(re.findall(pattern, normalize_username(text))))


def save_mentions(message: Message, mentioned: Iterable[int]) -> None:
    """Record whom a new message mentions."""
    Mention.objects.bulk_create(
        Mention(message=message, account_id=account_id) for account_id in mentioned
    )


def readable_parts(messages: Iterable[Message]) -> dict[int, str]:
    """Message id -> what staff can read of encrypted messages: whom they mention, "@bo.ek"."""
    messages = list(messages)
    mentions = mentions_in(messages, {message.conversation_id for message in messages})
    return {pk: " ".join(f"@{name}" for name in names) for pk, names in mentions.items()}


def mentions_in(messages: Iterable[Message], encrypted: Collection[UUID]) -> dict[int, list[str]]:
    """Message id -> the public names of whom it mentions, in one query at most: none where no text
    has an `@`. `encrypted`: the conversations of these messages whose texts cannot be read."""
    wanted = [
        message.pk
        for message in messages
        if "@" in message.content or message.conversation_id in encrypted
    ]
    names: dict[int, list[str]] = {}
    if not wanted:
        return names
    rows = Mention.objects.filter(message__in=wanted).order_by("pk")
    for message_id, username in rows.values_list("message_id", "account__username"):
        names.setdefault(message_id, []).append(username)
    return names
