"""What is left behind by an account: the objects of the process, counted by type.

The shipped application in a process of its own, as `profiling.py` has it. Accounts come one after
another and ask for everything; what is there after half of them is compared with what is there
after all. What grows by less than one for ten accounts is no leak of theirs.
"""

import functools
import gc
from collections import Counter
from itertools import pairwise

from benchmarks.wsgi_caller import WsgiCaller, log_in, send

ACCOUNTS = 600
ROWS = 25


def main() -> None:
    """Print the types of which more and more objects live, and the caches that hold them."""
    from wrapper_project.wsgi import application  # not above: it reads the environment

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
    print("Caches of functions that hold something:")
    for line in sorted(_caches()):
        print(f"  {line}")


def _count() -> Counter[str]:
    gc.collect()
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


def _caches() -> list[str]:
    found = []
    for one in gc.get_objects():
        if type(one) is functools._lru_cache_wrapper:  # no lazy object must wake up
            note = one.cache_info()
            if note.currsize > 40:
                name = f"{one.__module__}.{getattr(one, '__qualname__', '?')}"
                found.append(f"{name}: {note.currsize} of {note.maxsize or 'no bound'}")
    return found


if __name__ == "__main__":
    main()
