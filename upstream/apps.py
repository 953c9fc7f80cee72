"""The client library as a Django app: it brings commands, and no models."""

from django.apps import AppConfig
from django.core.signals import setting_changed


class UpstreamAppConfig(AppConfig):
    name = "upstream"

    def ready(self) -> None:
        from upstream.shared_client import on_setting_changed

        setting_changed.connect(on_setting_changed, dispatch_uid="upstream.shared_client")
