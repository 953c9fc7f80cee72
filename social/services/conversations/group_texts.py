"""The name and the description of a group: changing them, and who gave them.

An admin can hand the group over and leave. Who answers for a text is who gave it, not who is the
admin when it is changed.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from accounts.models import KeptText
from accounts.services.kept_texts import kept_text, kept_texts
from social.models import Conversation, GroupTextAuthor

# As in `GroupTextAuthor.text`, and by their columns.
COLUMNS = {"name": "group_name", "description": "group_description"}


def change_group_texts(
    group: Conversation, texts: Mapping[str, str], *, account_id: int | None
) -> None:
    """Change these texts of a locked group, and keep those before for a report. `account_id` gives
    the new ones; None: staff have removed the text."""
    _keep(group, texts)
    for name, text in texts.items():
        setattr(group, COLUMNS[name], text)
    group.save(update_fields=[COLUMNS[name] for name in texts])
    GroupTextAuthor.objects.filter(conversation=group, text__in=list(texts)).delete()
    if account_id is not None:
        remember_author(group, texts, account_id)


def remember_author(group: Conversation, texts: Iterable[str], account_id: int) -> None:
    """Remember who has given these texts, of which nobody is the author yet."""
    GroupTextAuthor.objects.bulk_create(
        GroupTextAuthor(conversation=group, text=name, account_id=account_id)
        for name in texts
        if getattr(group, COLUMNS[name])
    )


def authors_of(group: Conversation) -> dict[str, GroupTextAuthor]:
    """Who gave the texts that the group has now; without those of which it is not known, as they
    are older than this record."""
    rows = GroupTextAuthor.objects.filter(conversation=group).select_related("account__profile")
    return {row.text: row for row in rows}


def author_of_name(group_id: UUID, name: str) -> str:
    """The public name of who gave a group this name, now or in the last fourteen days; "" where it
    is not known."""
    rows = GroupTextAuthor.objects.filter(conversation=group_id, text="name")
    author = rows.filter(conversation__group_name=name).select_related("account").first()
    if author is not None:
        return author.public_name
    kept = kept_texts("group", [group_id.hex]).get(group_id.hex, [])
    before = (row.values for row in reversed(kept) if row.values.get("name") == name)
    return next((values.get("name_by", "") for values in before), "")


def _keep(group: Conversation, names: Iterable[str]) -> None:
    """Keep texts that are about to change, each with who gave it."""
    authors = authors_of(group)
    rows = []
    for name in names:
        author = authors.get(name)
        by = author.public_name if author else ""
        values = {name: getattr(group, COLUMNS[name]), f"{name}_by": by}
        row = kept_text("group", group.pk.hex, values, account_id=None, change=KeptText.EDITED)
        if author is not None:
            row.copy_person(author)
        rows.append(row)
    KeptText.objects.bulk_create(rows)
