"""The two dialects of the login: `specified` and `observed`, what public clients were seen to send.

The operator chooses the dialect of each school (`UPSTREAM_DIALECT`). Everything after the login is
the same in both. A dialect builds requests; it sends nothing and reads no response.
"""

from typing import Final

from upstream.dialects.observed import Observed
from upstream.dialects.specified import Specified

Dialect = Specified | Observed
_DIALECTS: Final[dict[str, Dialect]] = {"specified": Specified(), "observed": Observed()}
NAMES: Final = frozenset(_DIALECTS)


def dialect_named(name: str) -> Dialect:
    """The dialect of this name. Raises: ValueError."""
    try:
        return _DIALECTS[name]
    except KeyError:
        raise ValueError(f"there is no dialect {name!r}") from None
