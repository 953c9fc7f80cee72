"""Profiles."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.accounts import Account
from accounts.name_comparison import KEY_LENGTH
from accounts.real_names import full_name, real_name_beside

USER_TYPES = [("student", _("pupil")), ("teacher", _("teacher")), ("guardian", _("guardian"))]


class Profile(models.Model):
    """What is known about a person. Created at the first login; names, e-mail and school name are
    updated from upstream at later ones, the role by each validation of a session."""

    # What people write about themselves besides their display name.
    TEXTS = (
        "bio",
        "pronouns",
        "location",
        "website",
        "github",
        "twitter",
        "instagram",
        "linkedin",
    )

    account = models.OneToOneField(
        Account, verbose_name=_("account"), on_delete=models.CASCADE, related_name="profile"
    )
    first_name = models.CharField(max_length=200, blank=True)
    last_name = models.CharField(max_length=200, blank=True)
    email = models.CharField(max_length=254, blank=True)
    school_name = models.CharField(_("school name"), max_length=200, blank=True)
    user_type = models.CharField(_("user type"), max_length=10, choices=USER_TYPES)
    # The role before the present one: a cookie that still has it is no contradiction.
    former_user_type = models.CharField(max_length=10, blank=True, default="", db_default="")
    display_name = models.CharField(_("display name"), max_length=80, blank=True)
    bio = models.CharField(_("bio"), max_length=500, blank=True)
    pronouns = models.CharField(_("pronouns"), max_length=40, blank=True)
    location = models.CharField(_("location"), max_length=80, blank=True)
    website = models.CharField(_("website"), max_length=200, blank=True)
    accent_color = models.CharField(max_length=7, blank=True)
    github = models.CharField("GitHub", max_length=100, blank=True)
    twitter = models.CharField("Twitter", max_length=100, blank=True)
    instagram = models.CharField("Instagram", max_length=100, blank=True)
    linkedin = models.CharField("LinkedIn", max_length=200, blank=True)
    dm_privacy = models.CharField(max_length=8, default="everyone")
    discoverable = models.BooleanField(default=True)
    # Display name and username, normalized for search.
    search_key = models.TextField(blank=True)
    # Display name in the form in which names are compared.
    display_key = models.CharField(
        max_length=KEY_LENGTH, blank=True, default="", db_default="", db_index=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    # The names of the pictures: annotations of `services.profiles`, not columns.
    avatar_name: str | None
    cover_name: str | None

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user_type__in=["student", "teacher", "guardian"]),
                name="profile_user_type_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(dm_privacy__in=["everyone", "friends", "nobody"]),
                name="profile_dm_privacy_is_known",
            ),
        ]

    @property
    def real_name(self) -> str:
        """The name at school; "" where the school gives none."""
        return full_name(self.first_name, self.last_name)

    @property
    def other_real_name(self) -> str | None:
        """The real name, if the display name reads differently."""
        return real_name_beside(self.display_name, self.real_name)

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
