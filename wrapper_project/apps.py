"""The roof as a Django app: it registers the system checks and holds the commands."""

from django.apps import AppConfig


class WrapperProjectConfig(AppConfig):
    """Runs nothing at start but the registration of checks, and the watching that was asked for."""

    name = "wrapper_project"

    def ready(self) -> None:
        """Register the checks; count log lines, and report errors, where settings say so."""
        from django.conf import settings

        from wrapper_project import checks

        checks.register_all()
        if settings.METRICS:
            from upstream import shared_client
            from wrapper_project.observability import metrics

            metrics.count_log_lines()
            shared_client.set_observer(metrics.observe_upstream)
        if checks.is_dsn(settings.SENTRY_DSN):  # the checks tell of any other
            from wrapper_project.observability import sentry

            sentry.start(settings.SENTRY_DSN, release=settings.VERSION)
