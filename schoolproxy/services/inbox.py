"""The school's own messages. Reading them here marks nothing as read at the school."""

from functools import partial
from typing import Any, Final

import orjson

from accounts.callers import Caller
from schoolproxy.cache import CachedAnswer, Question, ask
from schoolproxy.cursors import OVERLAP, cursor_of, read_cursor
from schoolproxy.errors import SchoolItemUnknown
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.school_texts import readable
from schoolproxy.services.attachments import attachment_fields, file_url
from schoolproxy.services.downloads import Download, count_download, open_download
from schoolproxy.services.watch import own_reads
from upstream.calls.files import FileAddress
from upstream.calls.inbox import fetch_inbox
from upstream.endpoints import FILE_PAGE
from upstream.page_records import InboxPage, Message
from upstream.pages.inbox import name_key
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client

# Pages of the school that are read for one answer, and for a message by its number.
MAX_HOPS: Final = 4
MAX_PAGES: Final = 10
_LISTED: Final = ("id", "subject", "preview", "from", "date", "unread", "hasAttachments")


def inbox_read(caller: Caller, offset: int) -> SchoolRead:
    """A page of messages in full: one request for the list and each of them."""
    fetch = partial(_fetch, name=caller.name, offset=offset)

    def after_fetch(caller: Caller, child: ChosenChild | None, fields: Fields) -> None:
        if not offset:
            own_reads.compare(caller, child, "inbox", fields["messages"])

    return SchoolRead(
        f"inbox-{offset}", fetch, after_fetch=after_fetch, for_teachers=False, feature="inbox"
    )


def list_of_messages(question: Question, cursor: str) -> CachedAnswer:
    """The messages after those of `cursor`, without the texts. Pages of the school move while
    somebody reads, so a cursor names the last messages that were on the page before.

    Raises: InvalidInput for another cursor, and as `answer_through_cache`.
    """
    offset, known = read_cursor(cursor)
    first: CachedAnswer | None = None
    for _hop in range(MAX_HOPS):
        answer = ask(question, inbox_read(question.caller, offset))
        first = first or answer
        fields: Fields = orjson.loads(answer.body)
        numbers = [message["id"] for message in fields["messages"]]
        after = max(
            (numbers.index(number) + 1 for number in known if number in numbers), default=None
        )
        after = 0 if not known else after
        following = _next_offset(fields, offset)
        if after is not None and (after < len(numbers) or following is None):
            return answer.changed(partial(_listed, after=after, offset=offset))
        if following is None:
            break
        offset = following
    # None of the known ones is there any more.
    return (first or answer).changed(partial(_listed, after=0, offset=read_cursor(cursor)[0]))


def one_message(question: Question, number: int) -> CachedAnswer:
    """A message on one of the first pages. Raises: SchoolItemUnknown, and as
    `answer_through_cache`."""
    answer, message = _find(question, number)
    return answer.changed(partial(_only, message=message, question=question))


def _find(question: Question, number: int) -> tuple[CachedAnswer, Fields]:
    """The answer with the message, and the message. Raises: as `one_message`."""
    offset: int | None = 0
    for _page in range(MAX_PAGES):
        answer = ask(question, inbox_read(question.caller, offset or 0))
        fields: Fields = orjson.loads(answer.body)
        for message in fields["messages"]:
            if message["id"] == str(number):
                return answer, message
        offset = _next_offset(fields, offset or 0)
        if offset is None:
            break
    raise SchoolItemUnknown


def message_file(question: Question, number: int, file_id: int) -> Download:
    """A file of a message. Raises: TooManyRequests, SchoolItemUnknown, and as
    `answer_through_cache` and `open_download`."""
    count_download(question.caller)
    _answer, message = _find(question, number)
    files = {file["id"]: file for file in message["attachments"]}
    file = files.get(str(file_id))
    if file is None:
        raise SchoolItemUnknown
    query: dict[str, str | int] = {"requestid1": number, "requestid2": file["page"]}

    def item_page(web: ProvenSession) -> object:
        return fetch_inbox(client(), web=web, offset=0)

    query |= {"object": "message", "fileid": file_id}
    address = FileAddress(FILE_PAGE, query, item_page, name=file["name"])
    return open_download(question, address)


def _fetch(web: ProvenSession, *, name: str, offset: int) -> Fields:
    page = fetch_inbox(client(), web=web, offset=offset)
    own = {name_key(name)} | ({name_key(web.child.name)} if web.child else set())
    messages = [_fields(message, page, own - {""}, web.school) for message in page.messages]
    return {"messages": messages, "total": page.total}


def _fields(message: Message, page: InboxPage, own: set[str], school: str) -> dict[str, Any]:
    html, text = readable(message.html, school=school)
    shown = [name for name in message.recipients if name_key(name) in own | page.staff]
    sender = {"name": message.sender, "isStaff": name_key(message.sender) in page.staff}
    return {
        "id": message.id,
        "subject": message.subject,
        "preview": message.preview,
        "from": sender,
        "date": message.sent,
        "unread": message.unread,
        "hasAttachments": bool(message.attachments),
        "html": html,
        "text": text,
        "to": shown,
        # The names of other families are not even cached.
        "hiddenRecipients": len(message.recipients) - len(shown),
        "attachments": [
            fields | {"page": file.page}
            for fields, file in zip(
                attachment_fields(message.attachments), message.attachments, strict=True
            )
        ],
    }


def _next_offset(fields: Fields, offset: int) -> int | None:
    """Where the next page begins; None at the end. The last messages of this one are read again:
    where some were deleted meanwhile, none is left out."""
    count, total = len(fields["messages"]), fields["total"]
    if not count or (total is not None and offset + count >= total):
        return None
    return max(offset + 1, offset + count - OVERLAP)


def _listed(fields: Fields, *, after: int, offset: int) -> Fields:
    following = _next_offset(fields, offset)
    ids = [message["id"] for message in fields["messages"]]
    return fields | {
        "messages": [
            {name: message[name] for name in _LISTED} for message in fields["messages"][after:]
        ],
        "next": None if following is None else cursor_of(following, ids),
    }


def _only(fields: Fields, *, message: Fields, question: Question) -> Fields:
    for file in message["attachments"]:
        path = f"/api/inbox/{message['id']}/attachments/{file['id']}"
        file["url"] = file_url(path, fields, question.choice)
        del file["page"]
    return {name: fields[name] for name in ("child",) if name in fields} | {"message": message}
