"""The suspensions that staff give in cases.

A person may be suspended in several cases, and by the command. The account has only the one that
ends last; lifting it brings back the one of another case.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Account, ErasedPerson
from accounts.models.suspensions import Suspendable
from accounts.services.erased_people import suspend_erased_person, unsuspend_erased_person
from accounts.services.suspension import ends_later, suspend_account, unsuspend_account
from social.models import Case, CaseAction

SUSPEND = "suspend"
_NO_END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PersonAct:
    """What a warning or a suspension says to the person, and the end of a suspension (None: without
    end). `confirmed`: staff know that the person has reported this too."""

    words: str = field(repr=False)
    until: datetime | None = None
    confirmed: bool = False


def suspensions_in(case: Case) -> QuerySet[CaseAction]:
    """The suspension of the person in this case, if it was not lifted and is not over."""
    return _active(case.person_hash, suspension_of(case)).filter(case=case)


def suspension_of(about: Case | CaseAction) -> Suspendable | None:
    """The present suspension of the person whom it is about, whoever gave it; None: there is none.

    Reads the person again, who may have been suspended since.
    """
    row: Suspendable | None
    if about.person_id is not None:
        row = Account.objects.filter(pk=about.person_id).first()
    else:
        row = ErasedPerson.objects.filter(pk=about.person_hash).first()
    return row if row is not None and row.has_suspension else None


def is_suspended_longer(case: Case, until: datetime | None) -> bool:
    """Whether the person stays suspended after this moment."""
    present = suspension_of(case)
    return present is not None and ends_later(present.suspended_until, until)


def suspend(
    about: Case | CaseAction, *, until: datetime | None, reason: str, keep_longer: bool = False
) -> None:
    """Suspend the person. `keep_longer`: a suspension that ends later stays as it is."""
    if about.person_id is None:
        suspend_erased_person(
            about.person_hash, until=until, reason=reason, keep_longer=keep_longer
        )
    else:
        suspend_account(about.person_id, until=until, reason=reason, keep_longer=keep_longer)


def lift(done: CaseAction) -> None:
    """Lift this suspension and no other one: where the account has one of another case or of the
    command, that stays; where it has this one, that of another case comes back."""
    present = suspension_of(done)
    # Somebody else may have suspended the person since. The words of this one may be deleted.
    if (
        present is None
        or present.suspended_until != done.until
        or done.words not in ("", present.suspension_reason)
    ):
        return
    others = _active(done.person_hash, present).exclude(pk=done.pk)
    strictest = max(others, key=lambda action: action.until or _NO_END, default=None)
    if strictest is not None:
        suspend(done, until=strictest.until, reason=str(strictest.words))
    elif done.person_id is None:
        unsuspend_erased_person(done.person_hash)
    else:
        unsuspend_account(done.person_id)


def _active(person_hash: str, present: Suspendable | None) -> QuerySet[CaseAction]:
    """The suspensions of the person in all cases that still count: not lifted, not over, and not
    from before the present one, so none that the command has lifted."""
    if present is None:
        return CaseAction.objects.none()
    rows = CaseAction.objects.filter(
        name=SUSPEND, person_hash=person_hash, undone_at=None, at__gte=present.suspended_at
    )
    return rows.filter(Q(until=None) | Q(until__gt=timezone.now()))
