"""The retry budget of one school."""

from upstream.resilience.retry_budget import MAX_RETRIES, RetryBudget


def test_retries_stay_under_a_tenth_of_the_calls() -> None:
    budget = RetryBudget()
    retries = 0
    for _ in range(500):
        budget.add_call()
        retries += budget.take()
    assert 0 < retries < 50


def test_a_quiet_school_has_one_retry() -> None:
    budget = RetryBudget()
    budget.add_call()
    assert budget.take()
    assert not budget.take()


def test_saved_retries_are_bounded() -> None:
    budget = RetryBudget()
    for _ in range(1000):
        budget.add_call()
    assert sum(budget.take() for _ in range(1000)) == MAX_RETRIES
