"""The table of a run."""

from benchmarks.results import Figure, Table


def table() -> Table:
    made = Table()
    made.add("in-process", Figure("CPU", 0.984, "ms", 1.1, 8.0))
    made.add("Redis", Figure("CPU", 1.82, "ms", 1.7, 15.0))
    made.add("in-process", Figure("p99", 31.0, "ms", 60.0, errors=2))
    return made


def test_it_has_a_column_for_each_kind_of_store() -> None:
    lines = table().markdown(["in-process", "Redis"]).splitlines()
    assert lines[0] == "| | aim | in-process | Redis | ratio to a direct call |"
    assert (
        lines[2]
        == "| CPU | ≤ 1.10 ms / ≤ 1.70 ms | 0.98 ms | **1.82 ms: missed** | × 8.0 / × 15.0 |"
    )


def test_an_error_misses_the_aim_however_fast_the_rest_was() -> None:
    assert "**31 ms, 2 errors: missed**" in table().markdown(["in-process"])


def test_it_names_the_rows_that_missed() -> None:
    assert table().missed == ["CPU", "p99"]
