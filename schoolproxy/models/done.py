"""What people have ticked off."""

from django.db import models
from django.utils import timezone

from accounts.models import Account


class DoneAssignment(models.Model):
    """An assignment that an account has ticked off for itself, or a guardian for one child.

    `child_id` is 0 for the account itself. `due_on` decides how long it is kept.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="done_assignments")
    child_id = models.BigIntegerField(default=0)
    assignment_id = models.BigIntegerField()
    due_on = models.DateField(db_index=True)
    done_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "child_id", "assignment_id"], name="one_tick_per_assignment"
            ),
        ]
