"""Django's admin as this project installs it. In a module of its own, because Django looks through
`apps.py` for one default."""

from typing import Any

from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class StaffPagesConfig(AdminConfig):
    """Django's admin on our own site. `migrate` brings the roles in line with the code."""

    default_site = "accounts.staff_site.StaffSite"

    def ready(self) -> None:
        """Find the pages of every app, and listen for the end of `migrate`."""
        super().ready()
        post_migrate.connect(_set_roles, sender=self)


def _set_roles(**_kwargs: Any) -> None:
    from accounts.services.staff import set_roles

    set_roles()
