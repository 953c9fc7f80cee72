"""The audit log of staff."""

import os
import pwd
import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.addresses import shortened
from accounts.contribution_types import Words
from accounts.models import Account
from accounts.name_comparison import normalize_for_search
from accounts.purging import MONTH
from accounts.registry import report_kinds
from staff.models import AuditEntry

# What staff and commands do besides what the report kinds declare, in readers' words.
ACTIONS: dict[str, Words] = {
    "list": _("Open a list"),
    "search": _("Search a list"),
    "look": _("Look at a page"),
    "open": _("Open the case"),
    "take": _("Take the case"),
    "leave": _("Give the case back"),
    "choose": _("Choose whom the case is about"),
    "warn": _("Warn the person"),
    "suspend": _("Suspend the account"),
    "lift": _("Lift the suspension"),
    "close": _("Close the case"),
    "create_staff": _("Add a member of staff"),
    "remove_staff": _("Remove from staff"),
    "export": _("Export an account"),
    "import": _("Import people and what they wrote"),
    "erase": _("Erase an account"),
    "purge": _("Delete old audit entries"),
}
_TARGET = re.compile(
    r"(?P<thing>[a-z]+)(?:(?P<id> \S+)|, (?P<count>\d+) found: (?P<query>.*))?", re.S
)


def record(
    *,
    action: str,
    target: str = "",
    reason: str = "",
    staff_id: int | None = None,
    command: str = "",
    account_id: int | None = None,
    account_name: str = "",
    case_id: str = "",
    address: str = "",
) -> None:
    """Add an entry, by a member of staff (`staff_id`) or by a management command.

    `account_id` is whom it touches; the entry keeps the public name as it is now, or
    `account_name` where there is no account (any more). Of the client's `address` only the network
    is stored. A longer text is cut to the length of its column.
    """
    account = Account.objects.filter(pk=account_id).first() if account_id is not None else None
    staff = User.objects.get(pk=staff_id) if staff_id is not None else None
    texts = {
        "account_name": account.username if account else account_name,
        "case_id": case_id,
        "target": target.replace("\0", ""),
        "reason": reason.replace("\0", ""),
    }
    AuditEntry.objects.create(
        action=action,
        staff=staff,
        staff_name=staff.username if staff else "",
        command=command,
        system_user=system_user() if command else "",
        account_id=account_id,
        address=shortened(address) if address else "",
        search_key=normalize_for_search("\n".join(texts.values())),
        **{name: text[: _length(name)] for name, text in texts.items()},
    )


def action_labels() -> dict[str, Words]:
    """Everything that an entry can have as its action, in readers' words."""
    actions = [action for kind in report_kinds() for action in kind.actions]
    return {**ACTIONS, **{action.name: action.label for action in actions}}


def action_label(action: str) -> Words:
    """What an entry has as its action, in readers' words."""
    labels, undone = action_labels(), action.removeprefix("undo ")
    label = labels.get(undone, undone)
    return label if undone == action else _("Undo: %(action)s") % {"action": label}


def target_in_words(target: str) -> str:
    """What an entry has as its target, in readers' words: `case 4f…`, `account, 3 found: elsa`.
    Others are shown as they are."""
    match = _TARGET.fullmatch(target)
    if match is None or (thing := _things().get(match["thing"])) is None:
        return target
    if match["query"] is not None:
        words = {"thing": thing, "count": match["count"], "query": match["query"]}
        return gettext("%(thing)s, found for “%(query)s”: %(count)s") % words
    return f"{thing}{match['id'] or ''}"


def _things() -> dict[str, str]:
    """The first words of targets: the names of models, and of what is none."""
    models = {str(model._meta.model_name): model for model in apps.get_models()}
    names = {name: str(model._meta.verbose_name) for name, model in models.items()}
    return {**names, "staff": gettext("member of staff")}


def system_user() -> str:
    """The operating-system user of this process, whatever the environment says."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name[: _length("system_user")]
    except KeyError:  # a container's user without a name
        return str(os.getuid())


def _length(name: str) -> int:
    length: int = AuditEntry._meta.get_field(name).max_length  # type: ignore[union-attr,assignment]
    return length


@transaction.atomic
def purge_audit(*, dry_run: bool) -> int:
    """Delete the entries older than AUDIT_MONTHS, and add one about that. Returns how many there
    are; `dry_run` deletes none.

    Raises: django.db.DatabaseError if the database role may not.
    """
    before = timezone.now() - settings.AUDIT_MONTHS * MONTH
    old = AuditEntry.objects.filter(at__lt=before)
    if dry_run:
        return old.count()
    with _deleting_allowed():
        deleted = old.delete()[0]
    day = timezone.localdate(before)
    record(action="purge", target=f"{deleted} entries before {day}", command="purge_audit")
    return deleted


@contextmanager
def _deleting_allowed() -> Iterator[None]:
    """Within a transaction: the trigger lets old entries go."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL wrapper.allow_audit_purge = 'on'")
            yield
            cursor.execute("SET LOCAL wrapper.allow_audit_purge = 'off'")
        else:  # SQLite has no settings of a session, but a transaction can drop a trigger
            cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'accounts_audit_no_delete'")
            create = cursor.fetchone()
            cursor.execute("DROP TRIGGER IF EXISTS accounts_audit_no_delete")
            yield
            if create:
                cursor.execute(create[0])
