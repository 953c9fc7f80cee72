"""Erasures that have to be repeated after a back-up was restored.

Each erasure leaves a row with a keyed hash of the person. A list of these rows lies beside the
back-ups (deploy/list_erasures.sh). What is in the list and not in the restored table happened after
the back-up was made.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.limits import ERASURES_KEPT_DAYS
from accounts.models import Account, Erasure
from accounts.person_hash import hash_of_person, key_hash
from accounts.purging import Purged, purge_rows
from accounts.services.erasure import erase_account


@dataclass(slots=True)
class Repeated:
    """Numbers of lines, and of accounts that were erased. `earlier` erasures are in the restored
    database; `absent` people have no account in it, or only one that they made after the erasure;
    the lines of `other_key` were written with another SECRET_KEY."""

    lines: int = 0
    earlier: int = 0
    erased: int = 0
    absent: int = 0
    other_key: int = 0
    malformed: int = 0

    @property
    def remaining(self) -> int:
        """Lines that could not be applied."""
        return self.other_key + self.malformed


def apply_erasures(
    lines: Iterable[str], *, before_each: Callable[[Account], None], dry_run: bool = False
) -> Repeated:
    """Erase again whoever was erased after the back-up was made. Safe to interrupt and to repeat.

    `lines` are those of deploy/list_erasures.sh: time, hash of the key, hash of the person. An
    account that was made after the erasure is another one, of a person who has come back.
    `before_each` is called with each account that is going to be erased, or would be.
    """
    result = Repeated()
    accounts = _accounts_by_person()
    for listed in _read(lines, result):
        same = Erasure.objects.filter(person_hash=listed.person_hash, erased_at=listed.erased_at)
        if same.exists():
            result.earlier += 1
            continue
        account = accounts.get(listed.person_hash)
        if account is None or account.created_at > listed.erased_at:
            result.absent += 1
        else:
            result.erased += 1
            before_each(account)
            if not dry_run:
                erase_account(account.pk)
            del accounts[listed.person_hash]
        if not dry_run:
            # Last: until then, the next run does it again.
            Erasure.objects.bulk_create([listed], ignore_conflicts=True)
    return result


def purge_erasures(dry_run: bool = False) -> Purged:
    """Forget erasures that are older than any back-up that may be restored."""
    oldest = timezone.now() - timedelta(days=ERASURES_KEPT_DAYS)
    old = Erasure.objects.filter(erased_at__lt=oldest)
    return purge_rows(old, "erasures", done="forgotten", dry_run=dry_run)


def _accounts_by_person() -> dict[str, Account]:
    rows = Account.objects.only("school", "upstream_user_id", "username", "created_at")
    return {hash_of_person(row.school, row.upstream_user_id): row for row in rows.iterator()}


def _read(lines: Iterable[str], result: Repeated) -> Iterator[Erasure]:
    """The lines of the present SECRET_KEY; the others are counted."""
    own_key = key_hash()
    for line in filter(str.strip, lines):
        result.lines += 1
        try:
            at, key, person = line.split()
            erased_at = datetime.fromisoformat(at)
            if erased_at.tzinfo is None or len(bytes.fromhex(person)) != 32:
                raise ValueError
        except ValueError:
            result.malformed += 1
            continue
        if key == own_key:
            yield Erasure(person_hash=person, key_hash=key, erased_at=erased_at)
        else:
            result.other_key += 1
