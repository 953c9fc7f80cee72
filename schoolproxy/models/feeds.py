"""Secret addresses at which calendar programs read the schedule of an account, or of a child."""

from django.db import models

from accounts.encryption import SecretTextField, SecretUnreadable, keyed_hash
from accounts.models import Account

SIGNED_OUT = "signed_out"
UPSTREAM_AWAY = "upstream_away"


class Feed(models.Model):
    """A calendar feed, found by a keyed hash of the token in its address.

    `address` is that token, encrypted, to show it to the owner again. It begins with the account's
    id, so that it is rejected on another account's row. `weeks` is the last lessons that were
    fetched (at `weeks_at`), encrypted for the account and deleted after 30 days; the feed serves
    them when upstream fails. A rotation of keys does not re-encrypt them; the next fetch does.
    `asked_at` is the last call to upstream, and `trouble` why it failed.
    """

    address_hash = models.CharField(max_length=64, unique=True)
    address = SecretTextField()
    created_at = models.DateTimeField()
    weeks = models.BinaryField(null=True)
    weeks_at = models.DateTimeField(null=True, db_index=True)
    asked_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=20, blank=True)

    class Meta:
        abstract = True

    account_id: int

    @property
    def sealed_for(self) -> str:
        """What its lessons are encrypted for."""
        raise NotImplementedError

    def set_token(self, token: str) -> None:
        self.address = f"{self.account_id}|{token}"  # type: ignore[assignment]
        self.address_hash = hash_of(token)

    @property
    def token(self) -> str:
        """The token of the address. Raises `SecretUnreadable` for another account's value."""
        owner, _, token = str(self.address).partition("|")
        if owner != str(self.account_id):
            raise SecretUnreadable("CalendarFeed.address")
        return token


_TROUBLE_IS_KNOWN = models.Q(trouble__in=["", SIGNED_OUT, UPSTREAM_AWAY])
_WEEKS_HAVE_A_TIME = models.Q(weeks__isnull=True, weeks_at__isnull=True) | models.Q(
    weeks__isnull=False, weeks_at__isnull=False
)


class CalendarFeed(Feed):
    """The calendar feed of an account about itself."""

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="calendar_feed"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=_TROUBLE_IS_KNOWN, name="calendar_feed_trouble_is_known"
            ),
            models.CheckConstraint(
                condition=_WEEKS_HAVE_A_TIME, name="calendar_feed_weeks_have_a_time"
            ),
        ]

    @property
    def sealed_for(self) -> str:
        return str(self.account_id)


class ChildCalendarFeed(Feed):
    """A guardian's calendar feed about one child, at one school (null: the child's first).

    It keeps the child with its address: another default does not change whose lessons it has. A
    table of its own, because the version before knows a feed by its account.
    """

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="child_calendar_feeds"
    )
    child_id = models.BigIntegerField()
    org_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "child_id"], name="one_feed_per_child"),
            models.CheckConstraint(condition=_TROUBLE_IS_KNOWN, name="child_feed_trouble_is_known"),
            models.CheckConstraint(
                condition=_WEEKS_HAVE_A_TIME, name="child_feed_weeks_have_a_time"
            ),
        ]

    @property
    def sealed_for(self) -> str:
        return f"{self.account_id}:{self.child_id}-{self.org_id}"


def hash_of(token: str) -> str:
    return keyed_hash("calendar feed", token)
