"""Conversations and invites, for moderators: who and how many, never what was said."""

from typing import Any, cast

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from social.models import Conversation, Invite
from staff.site import ReadOnlyAdmin


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    account_lookup = "memberships__account"
    list_display = (
        "__str__",
        "type",
        "group_name",
        "members",
        "encryption",
        "created_at",
        "closed_at",
    )
    list_filter = ("type", "encryption", ("closed_at", admin.EmptyFieldListFilter))
    search_fields = ("group_name",)
    ordering = ("-created_at",)
    fields = (
        "type",
        "group_name",
        "group_description",
        "members",
        "last_seq",
        "encryption",
        "created_at",
        "last_at",
        "closed_at",
    )
    readonly_fields = ("members",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).annotate(member_count=Count("memberships"))
        return cast("QuerySet[Any]", rows)

    @admin.display(description=_("members"))
    def members(self, conversation: Any) -> int:
        return int(conversation.member_count)


@admin.register(Invite)
class InviteAdmin(ReadOnlyAdmin):
    account_lookup = "invited"
    list_display = ("invited_at", "group", "invited", "invited_by", "status")
    list_filter = ("status", "invited_at")
    list_select_related = ("invited", "invited_by")
    ordering = ("-invited_at",)
    fields = ("group", "invited", "invited_by", "status", "invited_at", "updated_at")
    readonly_fields = ("group",)

    @admin.display(description=_("group"))
    def group(self, invite: Invite) -> str:
        return invite.group_name
