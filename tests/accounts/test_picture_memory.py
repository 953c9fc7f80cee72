"""How much memory decoding the largest pictures takes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.accounts.images import heic, picture

# The peak of a process of its own, from when it has decoded a small picture on, for each large one.
MEASURE = """
import ctypes, os, sys, django
os.environ.update(DEBUG="1", DJANGO_SETTINGS_MODULE="wrapper_project.settings")
django.setup()
from accounts.image_processing import TargetSize, reencode
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
small, *larger = (open(name, "rb").read() for name in sys.argv[1:])
cover = TargetSize(side=1500, square=False)
for large in larger:
    reencode(small, cover)
    ctypes.CDLL(None).malloc_trim(0)  # what the one before has left is not counted for this one
    open("/proc/self/clear_refs", "w").write("5")
    before = peak()
    reencode(large, cover)
    print((peak() - before) // 1024)
"""
TOLERANCE = 15  # what is left of the pictures before, in MiB
LARGEST: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: picture("JPEG", (9248, 6936)),
    "progressive jpeg": lambda: picture("JPEG", (7200, 5000), progressive=True),
    "progressive jpeg in cmyk": lambda: picture(
        "JPEG", (4500, 3000), (9, 9, 9, 9), "CMYK", progressive=True
    ),
    "png": lambda: picture("PNG", (4000, 4000), (9, 9, 9, 128), "RGBA"),
    "gif": lambda: picture("GIF", (8000, 8000), 0, "P"),
    "webp": lambda: picture("WEBP", (2828, 2828), lossless=True),
    "heic": lambda: heic((5712, 4284), tile_size=512),
}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="asks Linux for the peak")
def test_the_largest_picture_of_a_format_takes_150_mib(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(heic((16, 16)))
    for name, draw in LARGEST.items():
        (tmp_path / name).write_bytes(draw())
    paths = [str(tmp_path / name) for name in ("small", *LARGEST)]
    words = [sys.executable, "-c", MEASURE, *paths]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    taken = dict(zip(LARGEST, map(int, done.stdout.split()), strict=True))
    assert {name: mib for name, mib in taken.items() if not 0 <= mib <= 150 + TOLERANCE} == {}
