"""Records made from the pages on which a school writes."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file beside an article or a message. The size is text, such as "141 KB"."""

    id: str
    name: str
    size_text: str | None
    # What the address of the download says besides the item and the file.
    page: int = 1


@dataclass(frozen=True, slots=True)
class Article:
    """A news item in full. `html` is upstream's, not sanitised; days are ISO dates, None where the
    page does not say; `question` is what the author asks the readers."""

    id: str
    title: str
    preview: str | None
    category: str | None
    author: str | None
    by_staff: bool
    html: str
    groups: tuple[str, ...]
    published: str | None
    visible_until: str | None
    question: str | None
    attachments: tuple[AttachedFile, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the inbox. `html` is upstream's, not sanitised; `sent` is `YYYY-MM-DD` or
    `YYYY-MM-DDTHH:MM`. The recipients are names of other families, too."""

    id: str
    subject: str
    preview: str
    sender: str
    sent: str | None
    unread: bool | None
    html: str = field(repr=False)
    recipients: tuple[str, ...] = field(repr=False)
    attachments: tuple[AttachedFile, ...]


@dataclass(frozen=True, slots=True)
class InboxPage:
    """Some of the messages, the names of staff (`pages.inbox.name_key`), and how many messages
    there are on all pages."""

    messages: tuple[Message, ...]
    staff: frozenset[str]
    total: int | None


@dataclass(frozen=True, slots=True)
class StaffMember:
    """Somebody on the staff page."""

    name: str
    first_name: str
    last_name: str
    roles: tuple[str, ...]
    email: str | None
    phone: str | None


@dataclass(frozen=True, slots=True)
class LibraryItem:
    """A file of the school (`id`) or a link (`url`)."""

    id: str | None
    title: str
    description: str | None
    file_name: str | None
    size_text: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class LibraryCategory:
    title: str
    items: tuple[LibraryItem, ...]


@dataclass(frozen=True, slots=True)
class LibrarySection:
    title: str
    categories: tuple[LibraryCategory, ...]
