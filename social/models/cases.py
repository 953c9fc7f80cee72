from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from accounts.encryption import SecretTextField
from accounts.models import Account
from accounts.registry import report_kind, report_kinds

STATUSES = ["open", "closed"]
OUTCOMES = ["acted", "no_action"]


class Case(models.Model):
    """What staff decide about one thing. All reports of it, while the case is open, belong to it.

    `target_id` is the target's public id (for a profile the account id, because names change).
    `person` is whom the case is about: null when that is nobody, when staff have not chosen a
    member of a reported group yet, or when the account is erased. `person_hash` stays then, and
    the person's next account is linked again. `school` is whose moderators see the case.
    `version` grows with every act of staff, so that of two at once the second one is told.
    """

    OPEN = "open"
    CLOSED = "closed"
    ACTED = "acted"
    NO_ACTION = "no_action"
    # Encrypted columns. Lists do not read them.
    SEALED = ("person_name", "closing_note")

    id = models.UUIDField(primary_key=True, default=uuid4)
    target_type = models.CharField(_("about"), max_length=14)
    target_id = models.CharField(max_length=60)
    person = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="cases_met"
    )
    person_hash = models.CharField(max_length=64, blank=True, db_index=True)
    # The public name when the case began.
    person_name = SecretTextField(blank=True, default="")
    school = models.CharField(_("school"), max_length=63, blank=True)
    status = models.CharField(
        _("state"), max_length=6, default=OPEN, choices=[(OPEN, _("open")), (CLOSED, _("closed"))]
    )
    outcome = models.CharField(
        _("outcome"),
        max_length=9,
        null=True,
        choices=[(ACTED, _("something was done")), (NO_ACTION, _("nothing was done"))],
    )
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("reported"), auto_now_add=True)
    # When staff first opened it.
    opened_at = models.DateTimeField(_("opened"), null=True)
    # The user name of the member of staff who has said that they handle it.
    taken_by = models.CharField(
        _("taken by"), max_length=150, blank=True, default="", db_default=""
    )
    closed_at = models.DateTimeField(_("closed"), null=True)
    closing_note = SecretTextField(blank=True, default="")
    evidence_deleted_at = models.DateTimeField(null=True)
    # When a new case, and one that nobody had opened, was announced by mail. `announced_at` is null
    # again when a report joins a case that staff have opened.
    announced_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        constraints = [
            models.UniqueConstraint(
                fields=["target_type", "target_id"],
                condition=Q(status="open"),
                name="one_open_case_a_target",
            ),
            models.CheckConstraint(
                # Evaluated when all apps are loaded: the kinds come from all of them.
                condition=Q(
                    target_type__in=SimpleLazyObject(lambda: [kind.name for kind in report_kinds()])
                ),
                name="case_target_type_is_known",
            ),
            models.CheckConstraint(
                condition=Q(status="open", closed_at=None, outcome=None)
                | Q(status="closed", closed_at__isnull=False, outcome__in=OUTCOMES),
                name="case_is_open_or_closed",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "created_at"], name="case_queue"),
            models.Index(fields=["target_type", "target_id"], name="case_target"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.status == self.OPEN

    @property
    def kind(self) -> Words:
        """The kind of thing that it is about, for readers."""
        return report_kind(self.target_type).label


class CaseAction(models.Model):
    """One thing that staff did in a case: to the target, or to `person`, who received `words`.

    `person_hash` and `person_name` are as in the case, which may be about somebody else later.
    """

    SEALED = ("person_name", "words")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="actions")
    name = models.CharField(max_length=40)
    person = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="case_actions_met"
    )
    person_hash = models.CharField(max_length=64, blank=True, db_index=True)
    person_name = SecretTextField(blank=True, default="")
    words = SecretTextField(blank=True, default="")
    # The end of a suspension; null: without end.
    until = models.DateTimeField(null=True)
    # The user name, which stays when the member of staff leaves.
    staff = models.CharField(max_length=150)
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
