"""Django's admin with our own site class."""

from typing import Any

from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class StaffPagesConfig(AdminConfig):
    default_site = "accounts.staff_site.StaffSite"

    def ready(self) -> None:
        """Set the roles after each `migrate`, which is when all permissions exist."""
        super().ready()
        post_migrate.connect(_set_roles, sender=self)


def _set_roles(**_kwargs: Any) -> None:
    from accounts.services.staff import set_roles

    set_roles()
