"""The shipped application without `stats.counters.count`, for the scenario `counting`.

All callers use the function through its module, so that it can be replaced here.
"""

from wrapper_project.wsgi import application

# After the application, which sets Django up.
from stats import counters  # isort: skip

__all__ = ["application"]


def _do_not_count(*_names: object, **_options: object) -> None:
    pass


counters.count = _do_not_count
