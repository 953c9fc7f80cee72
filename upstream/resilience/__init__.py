"""Limits what one failing school can do to this process and to the other schools.

Each school has a `SchoolGuard`: a circuit breaker, a bulkhead and a retry budget. The school list,
which belongs to no school, has one too.

All of this is state of one process: four workers may have four times as many calls in flight. That
is enough, because the guards protect the threads of their own process, and needs no shared store.
"""
