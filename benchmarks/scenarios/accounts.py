"""1,000 different accounts, one after another, over every route of school data."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.results import Figure

ACCOUNTS = 1000
STEPS = 10
AIM = 140.0
FLAT = 4.0  # MiB over the second half


def accounts(bench: Bench) -> Iterator[Figure]:
    """Each account logs in and requests everything once; memory, threads and open files."""
    series = [bench.service.memory()]
    for _ in range(STEPS):
        users = bench.users(ACCOUNTS // STEPS)
        routes = [request for user in users for request in user.everything()]
        bench.replay(routes)
        series.append(bench.service.memory())
        bench.progress(f"memory {series[-1]:.1f} MiB")
    row = f"{ACCOUNTS} accounts over all {len(routes) // len(users)} routes: memory at the end"
    note = f"{bench.service.threads()} threads, {bench.service.open_files()} open files"
    yield Figure(row, series[-1], "MiB", AIM, note=note)
    row = f"{ACCOUNTS} accounts over all routes: growth over the second half"
    yield Figure(row, series[-1] - series[STEPS // 2], "MiB", FLAT)
    shown = ", ".join(f"{mib:.1f}" for mib in series)
    bench.remark(f"memory every {ACCOUNTS // STEPS} accounts (MiB): {shown}")
