"""The project package as a Django app, for its system checks and commands."""

from django.apps import AppConfig


class WrapperProjectConfig(AppConfig):
    name = "wrapper_project"

    def ready(self) -> None:
        from django.conf import settings

        from wrapper_project import checks  # registers them

        if settings.METRICS:
            from upstream.shared_client import call_ended
            from wrapper_project.observability import metrics

            metrics.count_log_lines()
            call_ended.connect(metrics.observe_upstream)
        if checks.is_dsn(settings.SENTRY_DSN):  # a malformed one is an error of the checks
            from wrapper_project.observability import sentry

            sentry.start(settings.SENTRY_DSN, release=settings.VERSION)
