"""An account: one person at one school."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.errors import AccountSuspended, NotSignedIn
from accounts.models.suspensions import Suspendable
from accounts.name_comparison import KEY_LENGTH
from accounts.person_hash import hash_of_person


class Account(Suspendable):
    """A person, identified by school and upstream user id. What others see is the profile.

    `username` is public, unique over all schools, and does not change when upstream renames the
    person. `name_key` is its `name_key`, so that no two names look the same.
    """

    school = models.CharField(_("school"), max_length=63)
    upstream_user_id = models.BigIntegerField()
    # Upstream's number of the organisation in the last session answer. Null: it has never said one,
    # or not since the column is there.
    organization_id = models.BigIntegerField(null=True)
    username = models.CharField(_("username"), max_length=300, unique=True)
    # Null only in rows from before 2026.1.
    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, null=True)
    # Upstream's number of the child that a guardian's requests mean when they name none.
    default_child_id = models.BigIntegerField(null=True)
    # Set while the account is being erased, so that an interrupted erasure is finished later.
    erasure_started_at = models.DateTimeField(_("erasure started at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(
                fields=["school", "upstream_user_id"], name="one_account_per_upstream_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def person_hash(self) -> str:
        """Recognises the person, also in the next account after an erasure."""
        return hash_of_person(self.school, self.upstream_user_id)

    @property
    def is_being_erased(self) -> bool:
        return self.erasure_started_at is not None

    def refusal(self) -> AccountSuspended | NotSignedIn | None:
        """Why nobody may use the account: AccountSuspended, with what the person is told about it,
        or NotSignedIn while it is being erased."""
        if self.has_suspension:
            return AccountSuspended(until=self.suspended_until, reason=self.suspension_reason)
        return NotSignedIn() if self.is_being_erased else None

    def require_not_refused(self) -> None:
        """Raises: as `refusal`."""
        if refusal := self.refusal():
            raise refusal
