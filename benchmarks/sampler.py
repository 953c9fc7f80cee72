"""A sampling profiler: records the running function every few milliseconds of CPU time.

cProfile adds a cost to every call, so that small functions look expensive. A kernel timer
(SIGPROF) does not. It does not see time that is spent waiting.
"""

import signal
import sys
from collections import Counter
from types import CodeType, FrameType
from typing import Self

EVERY = 0.001  # seconds of CPU; the kernel may make it 4 ms


class Sampler:
    """Samples the main thread between `with` and its end."""

    def __init__(self) -> None:
        self.samples = 0
        self.inside: Counter[CodeType] = Counter()
        self.itself: Counter[CodeType] = Counter()

    def __enter__(self) -> Self:
        signal.signal(signal.SIGPROF, self._see)
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)

    def _see(self, _: int, frame: FrameType | None) -> None:
        if frame is None:
            return
        self.samples += 1
        self.itself[frame.f_code] += 1
        codes = set()
        while frame is not None:
            codes.add(frame.f_code)
            frame = frame.f_back
        self.inside.update(codes)

    def table(self, milliseconds: float, rows: int) -> str:
        """The functions that took most time; `milliseconds` is the total of a request."""
        each = milliseconds / max(1, self.samples)
        lines = [f"{self.samples} samples; ms a request in and below, and in the function itself"]
        for code, seen in self.inside.most_common(rows):
            lines.append(f"{seen * each:7.3f} {self.itself[code] * each:7.3f}  {_name(code)}")
        return "\n".join(lines)


def _name(code: CodeType) -> str:
    path = code.co_filename
    for folder in sorted(sys.path, key=len, reverse=True):
        if folder and path.startswith(f"{folder}/"):
            path = path[len(folder) + 1 :]
            break
    return f"{path}:{code.co_firstlineno} {code.co_qualname}"
