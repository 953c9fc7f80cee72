"""Members of staff, their site and the audit log."""

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class StaffConfig(AppConfig):
    name = "staff"


class StaffSiteConfig(AdminConfig):
    """Django's admin with our own site class. The last of the installed apps."""

    default_site = "staff.site.StaffSite"

    def ready(self) -> None:
        """Set the roles after each `migrate`, which is when all permissions exist."""
        super().ready()
        post_migrate.connect(_set_roles, sender=self)


def _set_roles(**_kwargs: Any) -> None:
    from staff.services.members import set_roles

    set_roles()
