"""The staff pages for share links and countdowns."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from notes.models import Countdown, ShareLink
from staff.site import ReadOnlyAdmin


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Which notes are shared, and since when. Neither the address nor the content is shown."""

    account_lookup = "note__account"
    list_display = ("shared_note", "owner", "created_at")
    list_select_related = ("note__account",)
    ordering = ("-created_at",)
    fields = ("shared_note", "owner", "created_at")
    readonly_fields = ("shared_note", "owner")

    @admin.display(description=_("note"))
    def shared_note(self, link: ShareLink) -> str:
        return link.note_id.hex

    @admin.display(description=_("owner"))
    def owner(self, link: ShareLink) -> str:
        return link.note.account.username


@admin.register(Countdown)
class CountdownAdmin(ReadOnlyAdmin):
    """How countdowns are used. Their titles are private and not shown."""

    account_lookup = "account"
    list_display = ("account", "category", "target_at", "archived", "created_at")
    list_filter = ("category", "archived")
    list_select_related = ("account",)
    ordering = ("-created_at",)
    fields = ("account", "category", "target_at", "archived", "created_at")
