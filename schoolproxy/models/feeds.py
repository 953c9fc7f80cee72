"""Secret addresses at which calendar programs read the schedule of an account, or of a child."""

from typing import Final

from django.db import models

from accounts.encryption import SecretTextField, keyed_hash
from accounts.models import Account

# What a feed without stored lessons looks like.
NOTHING_STORED: Final = {"weeks": None, "weeks_at": None, "history": None, "dated": None}
# What a feed may show; what those had that were made when nobody could choose; what a new one has.
INCLUDABLE: Final = ("lessons", "events", "exams", "plannings", "countdowns")
_WITHOUT_A_CHOICE: Final = "lessons,countdowns"
DEFAULT_INCLUDE: Final = ("lessons", "exams", "countdowns")
NAME_LENGTH: Final = 60
SIGNED_OUT = "signed_out"
UPSTREAM_AWAY = "upstream_away"


class Feed(models.Model):
    """A calendar feed, found by a keyed hash of the token in its address.

    `address` is that token, to show it to the owner again. What the feed shows while upstream fails
    is stored as the base64 of compressed JSON, and deleted after 30 days: `weeks` is the lessons
    that were fetched last (at `weeks_at`), and the name of the child; `history` is what the feed
    shows of them, and of lessons that are gone (`services.calendar.history`); `dated` is the same
    of everything else. `asked_at` is the last call to upstream, and `trouble` why it failed.
    `include` are words of `INCLUDABLE`. `name` is how its owner calls it (empty: as we do).
    """

    address_hash = models.CharField(max_length=64, unique=True)
    address = SecretTextField(bound_to="account_id")
    created_at = models.DateTimeField()
    weeks = SecretTextField(bound_to="about", in_bytes=True, null=True)
    weeks_at = models.DateTimeField(null=True, db_index=True)
    history = SecretTextField(bound_to="about", null=True)
    dated = SecretTextField(bound_to="about", null=True)
    include = models.CharField(
        max_length=60, default=",".join(DEFAULT_INCLUDE), db_default=_WITHOUT_A_CHOICE
    )
    name = models.CharField(max_length=NAME_LENGTH, blank=True, db_default="")
    asked_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=20, blank=True)

    class Meta:
        abstract = True

    account_id: int

    @property
    def about(self) -> str:
        """The account, and the child and the school whose lessons it has."""
        raise NotImplementedError

    @property
    def included(self) -> list[str]:
        return [word for word in INCLUDABLE if word in self.include.split(",")]

    def set_token(self, token: str) -> None:
        self.address = token
        self.address_hash = hash_of(token)

    @property
    def token(self) -> str:
        """The token of the address. Raises `SecretUnreadable` for another account's value."""
        token: str = self.address
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
    def about(self) -> str:
        return str(self.account_id)


class ChildCalendarFeed(Feed):
    """A guardian's calendar feed about one child, at one school (null: the child's first).

    It keeps the child with its address: another default does not change whose lessons it has. A
    table of its own, because the primary key of `CalendarFeed` is the account.
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
    def about(self) -> str:
        return f"{self.account_id}:{self.child_id}-{self.org_id}"


def hash_of(token: str) -> str:
    return keyed_hash("calendar feed", token)
