"""Finds the rows of one answer of upstream in a later one. A pure function.

Upstream's numbers are not enough: they come again each week, are missing, and are given anew.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def match(
    before: Iterable[T], after: Iterable[T], keys: Sequence[Callable[[T], Hashable | None]]
) -> tuple[list[tuple[T, T]], list[T], list[T]]:
    """The pairs, what is only in `before`, and what is only in `after`, in their order.

    Two rows are a pair if one of the keys is the same for both and not None. All rows are compared
    by the first key, then those without a partner by the next.
    """
    old, new = list(before), list(after)
    pairs: list[tuple[T, T]] = []
    for key in keys:
        if not old or not new:
            break
        partners: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for number, row in enumerate(new):
            partners[key(row)].append(number)
        without: list[T] = []
        taken: set[int] = set()
        for row in old:
            name = key(row)
            if name is not None and partners[name]:
                number = partners[name].popleft()
                taken.add(number)
                pairs.append((row, new[number]))
            else:
                without.append(row)
        old, new = without, [row for number, row in enumerate(new) if number not in taken]
    return pairs, old, new
