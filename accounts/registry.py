"""What apps do for each other without importing each other.

A message in `social` shows the card of a note, a report may be about something of any app, an
erasure goes through all of them. Each app declares its part once, as a `Contributions` object named
`CONTRIBUTIONS` in its module `contributions`. `manage.py check` reports what is wrong or missing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.utils.module_loading import module_has_submodule

from accounts.contribution_types import Contributions, ReportKind, ShareCardKind
from accounts.notification_types import NotificationKind
from accounts.personal_data import PersonalData
from limits import RateLimit


@cache
def contributions() -> Mapping[str, Contributions]:
    """The contributions of all apps by app label, in the order of INSTALLED_APPS."""
    return {
        config.label: import_module(f"{config.name}.contributions").CONTRIBUTIONS
        for config in apps.get_app_configs()
        if module_has_submodule(config.module, "contributions")
    }


def report_kinds() -> list[ReportKind]:
    return [kind for app in contributions().values() for kind in app.report_kinds]


def report_kind(name: str) -> ReportKind:
    """The kind of this name. Raises: KeyError."""
    return {kind.name: kind for kind in report_kinds()}[name]


def share_cards() -> list[ShareCardKind]:
    return [card for app in contributions().values() for card in app.share_cards]


def notification_kinds() -> dict[str, NotificationKind]:
    return {kind.name: kind for app in contributions().values() for kind in app.notification_kinds}


def rate_limits() -> dict[str, RateLimit]:
    return {limit.name: limit for app in contributions().values() for limit in app.rate_limits}


def personal_data() -> list[PersonalData]:
    """Every app's personal data. `accounts`, which all others refer to, comes last, so that an
    erasure can follow this order."""
    return [app.personal_data for app in reversed(list(contributions().values()))]


def staff_roles() -> dict[str, list[str]]:
    """Each staff role with its permissions, such as `social.view_case`."""
    roles: dict[str, list[str]] = {}
    for app in contributions().values():
        for role, permissions in app.staff_permissions.items():
            roles.setdefault(role, []).extend(permissions)
    return roles


# What apps declare by name: the field, and what one of them is called.
NAMED = {
    "report_kinds": "report kind",
    "share_cards": "share card",
    "notification_kinds": "notification kind",
    "rate_limits": "rate limit",
}


def problems(declared: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with these contributions and no type checker sees, one sentence each."""
    for label, app in declared.items():
        if not isinstance(app, Contributions):
            yield f"{label}.contributions.CONTRIBUTIONS is not a Contributions object."
            continue
        yield from (f"{label}.contributions: {problem}" for problem in _problems_of(app))
    valid = [app for app in declared.values() if isinstance(app, Contributions)]
    for field, what in NAMED.items():
        names = Counter(item.name for app in valid for item in getattr(app, field))
        for name in (name for name, count in names.items() if count > 1):
            yield f"Two apps declare the {what} {name!r}."
    described = {table.model for app in valid for table in app.personal_data.tables}
    for config in apps.get_app_configs():
        models = {model._meta.label for model in config.get_models()}
        ours = Path(config.path).parent == settings.BASE_DIR
        if ours and config.label not in declared and models - described:
            yield f"{config.label} has models, and no module {config.label}.contributions."


def _problems_of(app: Contributions) -> Iterator[str]:
    models = {model._meta.label: model for model in apps.get_models()}
    for table in app.personal_data.tables:
        if table.model not in models:
            yield f"there is no model {table.model}."
    known = {
        f"{model._meta.app_label}.{action}_{model._meta.model_name}"
        for model in models.values()
        for action in model._meta.default_permissions
    }
    for permissions in app.staff_permissions.values():
        yield from (
            f"there is no permission {permission}."
            for permission in permissions
            if permission not in known
        )
