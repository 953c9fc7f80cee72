"""What a server process does before it serves."""

import gc
import os
import sys
from importlib import import_module
from typing import Any

import django
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured

# gunicorn ends, instead of restarting the worker for ever, if a worker exits with this code.
CANNOT_BOOT = 3


def refuse_to_start_on_errors() -> None:
    """Load the settings and apps, and run the checks of `checks.py` and of the stores.

    Raises: SystemExit with CANNOT_BOOT if a check finds an error; the reasons are on stderr.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wrapper_project.settings")
    try:
        django.setup()
        reasons = _reasons()
    except ImproperlyConfigured as error:
        reasons = [str(error)]
    if reasons:
        sys.stderr.writelines(f"Refusing to start: {reason}\n" for reason in reasons)
        raise SystemExit(CANNOT_BOOT)


def _reasons() -> list[str]:
    from wrapper_project import checks
    from wrapper_project.servers import store_checks

    errors = [str(error.msg) for error in run_checks(tags=[checks.TAG]) if error.is_serious()]
    # The stores are checked only with settings that are valid.
    return errors or list(store_checks.reasons_to_refuse_start())


def freeze_loaded_objects(_worker: Any) -> None:
    """gunicorn's `post_worker_init`: exempt the loaded application from garbage collection.

    It is never garbage, and a collection stops all threads while it looks at every object of it.
    """
    from django.conf import settings

    import_module(settings.ROOT_URLCONF)  # the views: otherwise the first request loads them
    gc.collect()
    gc.freeze()
