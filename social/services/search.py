"""Searching one's own notes, and the messages that one may read now, in one list."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q

from accounts.callers import Caller
from accounts.cursors import after_cursor, read_cursor, write_cursor
from accounts.name_comparison import normalize_for_search
from accounts.timestamps import milliseconds
from limits import spend
from notes.services.search import find_notes, short_texts
from social.limits import (
    EXCERPT_BEFORE,
    EXCERPT_LENGTH,
    EXCERPT_READ,
    SEARCH,
    SEARCH_MAX,
    SEARCH_MIN,
)
from social.models import Membership, Message
from social.models.messages import NEVER_UNREAD as GONE
from social.services.conversations.render import render_conversations

Json = dict[str, Any]
MESSAGES, NOTES = "messages", "notes"
_MAX_ID = 2**63 - 1
# Characters of a text that are compared with the words at a time.
_PIECE = 1_000
# A result with the two columns by which the list is ordered. The number of a message as a UUID is
# smaller than the random id of any note.
Found = tuple[datetime, UUID, Json]


def search(
    caller: Caller, *, text: str, within: Collection[str], limit: int, cursor: str = ""
) -> tuple[list[Json], str | None]:
    """What contains each word of `text` as a part, in any order, ignoring case and accents, the
    newest first; and the cursor of the next page.

    `within`: `messages`, `notes`. Encrypted messages are not found: the server cannot read them.
    Raises: InvalidInput (cursor), TooManyRequests.
    """
    spend(SEARCH, caller.person_hash)
    words = normalize_for_search(text).split()
    if max(map(len, words), default=0) < SEARCH_MIN:  # nearly everything would match
        return [], None
    results: list[Found] = []
    if NOTES in within:
        results += _notes(caller.account_id, words, limit + 1, cursor)
    if MESSAGES in within:
        results += _messages(caller.account_id, words, limit + 1, cursor)
    results.sort(key=lambda row: row[:2], reverse=True)
    following = write_cursor(*results[limit - 1][:2]) if len(results) > limit else None
    return [result for *_, result in results[:limit]], following


def _notes(account_id: int, words: Sequence[str], count: int, cursor: str) -> Iterable[Found]:
    after = after_cursor(cursor, moment="updated_at")
    notes = find_notes(account_id, words, after=after, count=count)
    texts = short_texts(notes)
    for note in notes:
        result = {
            "kind": "note",
            "id": note.pk.hex,
            "title": note.title,
            "excerpt": excerpt(texts.get(note.pk, note.excerpt), words),
            "at": milliseconds(note.updated_at),
        }
        yield note.updated_at, note.pk, result


def _messages(account_id: int, words: Sequence[str], count: int, cursor: str) -> Iterable[Found]:
    own_memberships = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    memberships = own_memberships.filter(conversation__encryption="none")
    joined_seq = F("conversation__memberships__joined_seq")
    own = Q(conversation__memberships__in=memberships, seq__gt=joined_seq)
    readable = Message.objects.filter(own)
    matching = readable.filter(_after(cursor)).exclude(GONE)
    for word in words:
        matching = matching.filter(search_key__contains=word)
    messages = list(matching.defer("search_key").order_by("-created_at", "-pk")[:count])
    titles = _titles(memberships.filter(conversation__in={row.conversation_id for row in messages}))
    for message in messages:
        result = {
            "kind": "message",
            "id": message.public_id,
            "conversationId": message.conversation_id.hex,
            "seq": message.seq,
            "title": titles.get(message.conversation_id, ""),
            "excerpt": excerpt(message.shown_text, words),
            "at": milliseconds(message.created_at),
        }
        yield message.created_at, UUID(int=message.pk), result


def _after(cursor: str) -> Q:
    if not cursor:
        return Q()
    at, last = read_cursor(cursor)
    return Q(created_at__lt=at) | Q(created_at=at, pk__lt=min(last.int, _MAX_ID))


def _titles(memberships: Any) -> dict[UUID, str]:
    """The names of groups, and of who else is in direct conversations, as the member sees them."""
    rows = list(memberships.select_related("conversation", "account"))
    return {
        row.conversation_id: shown["groupName"]
        or ", ".join(
            name
            for username, name in shown["participantNames"].items()
            if username != row.account.username
        )
        for row, shown in zip(rows, render_conversations(rows), strict=True)
    }


def excerpt(text: str, words: Sequence[str]) -> str:
    """The part of the text around the first of these normalized words, in one line."""
    line = " ".join(text[:EXCERPT_READ].split())
    start = max(0, _first_of(words, line) - EXCERPT_BEFORE)
    end = start + EXCERPT_LENGTH
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


def _first_of(words: Sequence[str], line: str) -> int:
    """Where one of the words begins in a line that is not normalized; 0 if none does. Piece by
    piece, because a note can be long, and normalizing changes the length."""
    for start in range(0, len(line), _PIECE):
        piece = line[start : start + _PIECE + SEARCH_MAX]
        if any(word in normalize_for_search(piece) for word in words):
            return start + _position(words, piece)
    return 0


def _position(words: Sequence[str], piece: str) -> int:
    letters, positions = "", []
    for position, letter in enumerate(piece):
        folded = normalize_for_search(letter) or " "
        letters += folded
        positions += [position] * len(folded)
    starts = [at for at in map(letters.find, words) if at >= 0]
    return positions[min(starts)] if starts else 0
