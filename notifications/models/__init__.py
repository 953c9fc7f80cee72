from notifications.models.notifications import Notification
from notifications.models.settings import KindSetting, MutedConversation, NotificationSettings
from notifications.models.subscriptions import PushSubscription

__all__ = [
    "KindSetting",
    "MutedConversation",
    "Notification",
    "NotificationSettings",
    "PushSubscription",
]
