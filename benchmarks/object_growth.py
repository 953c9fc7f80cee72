"""Which objects each account leaves behind in the process, counted by type.

The shipped application runs in a process of its own, as in `profiling.py`. Accounts request
everything one after another. The objects are counted after one third, two thirds and all of them;
a type that grows by less than one for ten accounts is not a leak.
"""

import functools
import gc
from collections import Counter
from itertools import pairwise

from benchmarks.wsgi_caller import WsgiCaller, log_in, send

ACCOUNTS = 600
ROWS = 25


def main() -> None:
    """Print the types whose objects become more, and the caches that are not empty."""
    from wrapper_project.wsgi import application  # imported late because it reads the environment

    call = WsgiCaller(application)
    counts = []
    for number in range(ACCOUNTS):
        if number in (ACCOUNTS // 3, 2 * ACCOUNTS // 3):
            counts.append(_count())
        send(call, log_in(call, number).everything())
    counts.append(_count())
    print(f"Objects left for each of {ACCOUNTS // 3} accounts, before and after two thirds:")
    first, second = (later - earlier for earlier, later in pairwise(counts))
    for name, grown in second.most_common(ROWS):
        if grown * 10 >= ACCOUNTS // 3:
            print(f"{first[name] * 3 / ACCOUNTS:8.2f} {grown * 3 / ACCOUNTS:8.2f}  {name}")
    print("Function caches with more than 40 entries:")
    for line in sorted(_caches()):
        print(f"  {line}")


def _count() -> Counter[str]:
    gc.collect()
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


def _caches() -> list[str]:
    found = []
    for one in gc.get_objects():
        if (
            type(one) is functools._lru_cache_wrapper
        ):  # not isinstance: it would evaluate lazy objects
            info = one.cache_info()
            if info.currsize > 40:
                name = f"{one.__module__}.{getattr(one, '__qualname__', '?')}"
                found.append(f"{name}: {info.currsize} of {info.maxsize or 'no bound'}")
    return found


if __name__ == "__main__":
    main()
