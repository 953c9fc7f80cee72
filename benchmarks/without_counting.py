"""The shipped application without counting: what it then costs less is what counting costs.

Only the scenario `counting` serves it. Everything calls `stats.counters.count` by its module, so
that one name is all there is to leave out.
"""

from wrapper_project.wsgi import application

__all__ = ["application"]


def _nothing(*_words: object, **_named: object) -> None:
    """Instead of `count`."""


def _leave_counting_out() -> None:
    from stats import counters  # not above: Django is ready only now

    counters.count = _nothing


_leave_counting_out()
