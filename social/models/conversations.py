"""Conversations: of two people (direct), or of a group; and who is in one."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from accounts.models import Account, KeptOfPerson
from social.limits import MAX_KEY_CHECK

ENCRYPTION_LABELS: dict[str, Words] = {
    "none": _("not encrypted"),
    "aes-gcm": "AES-GCM",
    "mls": "MLS",
}


class Conversation(models.Model):
    """A conversation. The lock of its row puts all its changes into one order.

    `last_seq` is the number of the newest message, `revision` that of the newest change, and
    `info_revision` that of the newest change of the conversation itself (name, members). A direct
    conversation has its pair, the smaller account id first, so each pair has one. Names, previews
    and unread counts are derived when read: no personal data is copied here.
    """

    DM = "dm"
    GROUP = "group"
    NONE = "none"
    AES_GCM = "aes-gcm"
    MLS = "mls"

    id = models.UUIDField(primary_key=True, default=uuid4)
    type = models.CharField(
        _("type"), max_length=5, choices=[(DM, _("direct conversation")), (GROUP, _("group"))]
    )
    group_name = models.CharField(_("group name"), max_length=80, blank=True)
    group_description = models.CharField(_("group description"), max_length=200, blank=True)
    admin = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")
    # How the clients encrypt. It never changes.
    encryption = models.CharField(
        _("encryption"), max_length=7, default=NONE, choices=list(ENCRYPTION_LABELS.items())
    )
    # By which clients tell a wrong key; opaque, and it never changes.
    key_check = models.CharField(max_length=MAX_KEY_CHECK, blank=True, default="", db_default="")
    # Reserved for MLS: the group's epoch. Null in every other mode.
    epoch = models.BigIntegerField(null=True)
    pair_low = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")
    pair_high = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")
    last_seq = models.BigIntegerField(_("number of messages"), default=0)
    revision = models.BigIntegerField(default=0)
    info_revision = models.BigIntegerField(default=0)
    # Time of the newest message; of creation while there is none.
    last_at = models.DateTimeField(_("last message"))
    created_at = models.DateTimeField(_("created at"))
    # When the last member left.
    closed_at = models.DateTimeField(_("closed at"), null=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [
            models.UniqueConstraint(
                fields=["pair_low", "pair_high"], condition=Q(type="dm"), name="one_dm_a_pair"
            ),
            models.CheckConstraint(condition=Q(type__in=["dm", "group"]), name="type_is_known"),
            models.CheckConstraint(
                condition=Q(encryption__in=["none", "aes-gcm", "mls"]), name="encryption_is_known"
            ),
            models.CheckConstraint(
                condition=Q(type="group") | Q(encryption="none"), name="only_groups_are_encrypted"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def encrypted(self) -> bool:
        return self.encryption != self.NONE

    @property
    def is_group(self) -> bool:
        return self.type == self.GROUP


class Membership(models.Model):
    """One person in one conversation; the row is deleted when they leave.

    They can read messages with `seq > joined_seq`. `own_unread` is how many of the messages after
    `last_read_seq` do not count as unread: their own, and those that are deleted, hidden or no
    longer there. So the unread count is `last_seq - last_read_seq - own_unread`, and no rows are
    counted.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="memberships", db_index=False
    )
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    joined_seq = models.BigIntegerField(default=0)
    joined_at = models.DateTimeField()
    last_read_seq = models.BigIntegerField(default=0)
    own_unread = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "account"], name="one_membership_a_person"
            )
        ]


class AcceptedAdult(models.Model):
    """An adult whom the invite named that a pupil accepted: the two may be in the group together
    without being friends. Deleted when one of them leaves, and with a block."""

    membership = models.ForeignKey(
        Membership, on_delete=models.CASCADE, related_name="accepted_adults", db_index=False
    )
    adult = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "adult"], name="one_accepted_adult")
        ]


class GroupTextAuthor(KeptOfPerson):
    """Who gave a group the name or the description that it has now. There is no row where it is not
    known: staff have removed the text, or it is older than this table."""

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    text = models.CharField(max_length=11)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "text"], name="one_author_of_a_group_text"
            ),
            models.CheckConstraint(
                condition=Q(text__in=["name", "description"]), name="group_text_is_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["person_hash"],
                condition=~Q(person_hash=""),
                name="group_text_author_person",
            ),
        ]


class PastMembership(KeptOfPerson):
    """Somebody was in a group until `left_at`. For fourteen days they can report what they could
    read: messages with `joined_seq < seq <= left_seq`; and a report of the group can be about them.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="past_memberships"
    )
    joined_seq = models.BigIntegerField()
    left_seq = models.BigIntegerField()
    left_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["person_hash"],
                condition=~Q(person_hash=""),
                name="past_membership_person",
            ),
        ]
