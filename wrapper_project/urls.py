"""Every route of the service."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path, re_path, register_converter

from accounts.api import (
    account,
    login,
    login_methods,
    page_login,
    pictures,
    profiles,
    schools,
    session,
    tokens,
)
from accounts.identifiers import PublicId
from notes import pages as note_pages
from notes.api import countdowns, layouts, notes, share_links
from notifications.api import notifications, push
from notifications.api import settings as notification_settings
from social import pages as report_pages
from social.api import (
    blocks,
    friendships,
    invites,
    presence,
    reports,
    search,
    sync,
    user_search,
)
from social.api import profiles as person_profiles
from social.api.conversations import views as conversations
from social.api.messages import views as messages
from social.api.parameters import MessageIdConverter
from stats.api import StatsView
from stats.pages import StatsPageView
from wrapper_project import docs, errors, health, pages, school_urls, web_app, well_known
from wrapper_project.content_policy import PAGE_WITH_FORM, page
from wrapper_project.observability.metrics_view import MetricsView

register_converter(PublicId, "public_id")
register_converter(MessageIdConverter, "message_id")

urlpatterns: list[URLPattern | URLResolver] = [
    # --- School data, first because it is requested most and routes are tried in order
    *school_urls.urlpatterns,
    # --- Health and metrics
    path("healthz", health.AliveView.as_view(), name="healthz"),
    path("readyz", health.ReadyView.as_view(), name="readyz"),
    path("metrics", MetricsView.as_view(), name="metrics"),
    # --- The service itself
    path("", page(pages.HomeView.as_view()), name="home"),
    path("app", web_app.WebAppRedirectView.as_view(), name="web-app-start"),
    path("app/", web_app.WebAppView.as_view(), name="web-app"),
    path("app/<path:page>", web_app.WebAppView.as_view(), name="web-app-page"),
    path("favicon.ico", well_known.IconView.as_view(), name="favicon"),
    path("robots.txt", well_known.RobotsView.as_view(), name="robots"),
    path(
        ".well-known/security.txt",
        well_known.SecurityContactView.as_view(),
        name="security-contact",
    ),
    path("api/schema", docs.SchemaView.as_view(), name="schema"),
    path("api/schema/events", docs.EventSchemaView.as_view(), name="event_schema"),
    path("api/docs", docs.DocsView.as_view(), name="docs"),
    path("api/version", health.VersionView.as_view(), name="version"),
    path("api/stats", StatsView.as_view(), name="stats"),
    path("stats", page(StatsPageView.as_view()), name="stats-page"),
    # --- Login and sessions
    path("api/login", login.LoginView.as_view(), name="login"),
    path("api/v2/initiate", login.InitiateView.as_view(), name="v2-initiate"),
    path("api/v2/methods", login_methods.MethodsView.as_view(), name="v2-methods"),
    path("api/v2/authorize", page_login.AuthorizeView.as_view(), name="v2-authorize"),
    path("api/v2/callback", page_login.CallbackView.as_view(), name="v2-callback"),
    path("api/v2/token-refresh", tokens.TokenRefreshView.as_view(), name="v2-token-refresh"),
    path("api/token", tokens.TokenView.as_view(), name="token"),
    path("api/refresh", tokens.RefreshView.as_view(), name="refresh"),
    path("api/session", session.SessionView.as_view(), name="session"),
    path("api/logout", session.LogoutView.as_view(), name="logout"),
    path("api/sessions", session.LoginListView.as_view(), name="sessions"),
    path("api/sessions/<slug:session_id>", session.LoginEntryView.as_view(), name="sessions-entry"),
    path("api/schools", schools.SchoolListView.as_view(), name="schools"),
    # --- Profiles
    path("api/profile", profiles.OwnProfileView.as_view(), name="profile"),
    path("api/profile/picture", pictures.OwnPictureView.as_view(), name="profile-picture"),
    path("api/pfp-upload", pictures.PfpUploadView.as_view(), name="pfp-upload"),
    path("media/<slug:name>.webp", pictures.PictureView.as_view(), name="picture"),
    # --- Friends, blocks, presence, search, reports
    path("api/friends", friendships.FriendsView.as_view(), name="friends"),
    path("api/blocks", blocks.BlocksView.as_view(), name="blocks"),
    path("api/presence", presence.PresenceView.as_view(), name="presence"),
    path("api/people/staff", user_search.PeopleSearchView.as_view(), name="people-search"),
    path("api/search", search.SearchView.as_view(), name="search"),
    path("api/users/search", user_search.UserSearchView.as_view(), name="user-search"),
    path("api/reports", reports.ReportsView.as_view(), name="reports"),
    path("api/profile/<str:username>", person_profiles.PersonView.as_view(), name="person"),
    # --- Conversations
    path("api/sync", sync.SyncView.as_view(), name="sync"),
    path("api/conversations", conversations.ConversationListView.as_view(), name="conversations"),
    path(
        "api/conversations/<public_id:conversation_id>",
        conversations.ConversationView.as_view(),
        name="conversation",
    ),
    path(
        "api/conversations/<public_id:conversation_id>/messages",
        messages.MessageListView.as_view(),
        name="messages",
    ),
    path(
        "api/conversations/<public_id:conversation_id>/<message_id:message_id>",
        messages.MessageView.as_view(),
        name="message",
    ),
    path("api/group-invites", invites.InviteListView.as_view(), name="group-invites"),
    # --- Notes, countdowns, layout
    path("api/notes", notes.NoteListView.as_view(), name="notes"),
    path("api/notes/<public_id:note_id>", notes.NoteView.as_view(), name="note"),
    path(
        "api/notes/<public_id:note_id>/share",
        share_links.NoteShareView.as_view(),
        name="note-share",
    ),
    path("api/notes/shared/<str:token>", share_links.SharedNoteView.as_view(), name="note-shared"),
    path(
        "api/notes/shared/<str:token>/report",
        reports.SharedNoteReportView.as_view(),
        name="note-shared-report",
    ),
    path("shared/<str:token>", page(note_pages.SharedNotePage.as_view()), name="shared-note"),
    path(
        "shared/<str:token>/report",
        page(report_pages.SharedNoteReportPage.as_view(), PAGE_WITH_FORM),
        name="shared-note-report",
    ),
    path("api/countdowns", countdowns.CountdownListView.as_view(), name="countdowns"),
    path(
        "api/countdowns/<public_id:countdown_id>",
        countdowns.CountdownView.as_view(),
        name="countdown",
    ),
    path("api/layout", layouts.LayoutView.as_view(), name="layout"),
    # --- Notifications
    path("api/notifications", notifications.NotificationListView.as_view(), name="notifications"),
    path(
        "api/notifications/read",
        notifications.NotificationsReadView.as_view(),
        name="notifications-read",
    ),
    path(
        "api/notifications/settings",
        notification_settings.NotificationSettingsView.as_view(),
        name="notification-settings",
    ),
    path(
        "api/notifications/<public_id:notification_id>",
        notifications.NotificationView.as_view(),
        name="notification",
    ),
    path("api/push/key", push.PushKeyView.as_view(), name="push-key"),
    path(
        "api/push/subscriptions",
        push.PushSubscriptionListView.as_view(),
        name="push-subscriptions",
    ),
    path(
        "api/push/subscriptions/<public_id:subscription_id>",
        push.PushSubscriptionView.as_view(),
        name="push-subscription",
    ),
    path(
        "api/push/subscriptions/<public_id:subscription_id>/test",
        push.PushTestView.as_view(),
        name="push-test",
    ),
    # --- Account
    path("api/account", account.AccountView.as_view(), name="account"),
    path("api/account/export", account.AccountExportView.as_view(), name="account-export"),
    # --- Staff
    path("admin", pages.StaffRedirectView.as_view(), name="admin-redirect"),
    path("admin/", admin.site.urls),
    # --- Everything else. With DEBUG, Django's own 404 would be a page for developers
    re_path(r"", errors.handler404, name="not-found"),
]

handler400 = errors.handler400
handler403 = errors.handler403
handler404 = errors.handler404
handler500 = errors.handler500
