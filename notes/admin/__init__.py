"""The staff pages for share links and countdowns."""

from django.contrib import admin

from accounts.staff_site import ReadOnlyAdmin
from notes.models import Countdown, ShareLink


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Which notes are shared, and since when. Neither the address nor the content is shown."""

    list_display = ("note_id", "owner", "created_at")
    list_select_related = ("note__account",)
    ordering = ("-created_at",)
    fields = ("note_id", "owner", "created_at")
    readonly_fields = ("note_id", "owner")

    @admin.display(description="note")
    def note_id(self, link: ShareLink) -> str:
        return link.note_id.hex

    @admin.display(description="owner")
    def owner(self, link: ShareLink) -> str:
        return link.note.account.username


@admin.register(Countdown)
class CountdownAdmin(ReadOnlyAdmin):
    """How countdowns are used. Their titles are private and not shown."""

    list_display = ("account", "category", "target_at", "archived", "created_at")
    list_filter = ("category", "archived")
    list_select_related = ("account",)
    ordering = ("-created_at",)
    fields = ("account", "category", "target_at", "archived", "created_at")
