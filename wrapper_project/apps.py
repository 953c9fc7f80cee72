"""The roof as a Django app: it registers the system checks and holds the commands."""

from django.apps import AppConfig


class WrapperProjectConfig(AppConfig):
    """Runs nothing at start but the registration of checks."""

    name = "wrapper_project"

    def ready(self) -> None:
        """Register the checks."""
        from wrapper_project import checks

        checks.register_all()
