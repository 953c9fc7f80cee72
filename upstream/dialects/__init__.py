"""The two ways in which upstream's login is spoken, behind one protocol.

`specified` is as the specification has it; `observed` is what public clients of the real system
send. Which one a school speaks is the operator's choice (`UPSTREAM_DIALECT`). Everything after the
login is the same in both.
"""

from typing import Final

from upstream.dialects.observed import Observed
from upstream.dialects.protocol import Dialect
from upstream.dialects.specified import Specified

_DIALECTS: Final[dict[str, Dialect]] = {"specified": Specified(), "observed": Observed()}
NAMES: Final = frozenset(_DIALECTS)


def dialect_named(name: str) -> Dialect:
    """The dialect of this name. Raises: ValueError."""
    try:
        return _DIALECTS[name]
    except KeyError:
        raise ValueError(f"no dialect is called {name!r}") from None


__all__ = ["NAMES", "Dialect", "dialect_named"]
