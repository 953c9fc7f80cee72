"""Files of the school that are passed on while they arrive. Nothing of them is kept."""

import errno
import logging
from collections.abc import Mapping
from contextlib import ExitStack
from email.message import Message
from typing import Any, Self

from django.utils.http import content_disposition_header

from accounts.callers import Caller
from accounts.database import release_database_connection
from limits import spend
from schoolproxy.cache import Question
from schoolproxy.file_types import SHOWN, type_and_name
from schoolproxy.limits import DOWNLOADS
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.services.children import chosen_child
from upstream.calls.files import FileAddress, OpenFile, open_file
from upstream.downloads import FILE_SECONDS
from upstream.errors import UpstreamError
from upstream.person import on_behalf_of
from upstream.records import ProvenSession
from upstream.shared_client import client

logger = logging.getLogger(__name__)


class Download:
    """The bytes of a file, its safe name, its type by content, and its length if that is known."""

    def __init__(self, opened: OpenFile, name: str | None) -> None:
        stream = opened.stream
        self._stream, self._held = stream, ExitStack()
        names = (name, _disposition_name(stream.headers.get("Content-Disposition")))
        self.content_type, self.name = type_and_name(stream.start, (*names, opened.address_name))
        self.length = stream.length

    def headers(self, *, inline: bool) -> dict[str, str]:
        """Those of the answer: to be saved; or to be shown, if browsers can do that safely."""
        saved = not (inline and self.content_type in SHOWN)
        headers = {
            "Content-Type": self.content_type,
            "Content-Disposition": content_disposition_header(saved, self.name) or "inline",
        }
        if self.length is not None:
            headers["Content-Length"] = str(self.length)
        return headers

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        """Raises: ConnectionResetError where the transfer breaks off. The servers then close the
        connection, so that the client sees that the file is not whole."""
        try:
            return next(self._stream)
        except StopIteration:
            self.close()
            raise
        except UpstreamError as error:
            self.close()
            logger.warning("a download was broken off: %s", type(error).__name__)
        raise ConnectionResetError(errno.ECONNRESET, "the transfer was broken off")

    def hold(self, held: ExitStack) -> Self:
        """Give back what was taken for it when it is closed."""
        self._held = held
        return self

    def close(self) -> None:
        self._held.close()


def count_download(caller: Caller) -> None:
    """Raises: TooManyRequests."""
    spend(DOWNLOADS, caller.person_hash)


def limit_sending(environ: Mapping[str, Any]) -> None:
    """A client that does not read ends its transfer: otherwise a thread of gunicorn would wait for
    it for ever, and with it the place of the download."""
    connection = environ.get("gunicorn.socket")
    if connection is not None:
        connection.settimeout(FILE_SECONDS)


def open_download(question: Question, address: FileAddress) -> Download:
    """The file, with its first bytes there.

    Raises: BulkheadFull, as `chosen_child`, `call_with_proven_session` and `open_file`.
    """
    caller = question.caller
    child = chosen_child(caller, question.choice)
    release_database_connection()
    with ExitStack() as held, on_behalf_of(caller.person_hash):
        held.callback(client().downloads.take(caller.person_hash))

        def call(web: ProvenSession) -> OpenFile:
            opened = open_file(client(), web=web, address=address)
            held.callback(opened.stream.close)
            return opened

        opened = call_with_proven_session(caller, child, call)
        # The call may have asked the database, whose connection is not kept until the last byte.
        release_database_connection()
        return Download(opened, address.name).hold(held.pop_all())


def _disposition_name(header: str | None) -> str | None:
    """The `filename` or `filename*` of a header."""
    message = Message()
    message["Content-Disposition"] = " ".join((header or "").split())
    try:
        return message.get_filename()
    except (LookupError, ValueError, TypeError):  # an unknown charset, or parts that do not fit
        return None
