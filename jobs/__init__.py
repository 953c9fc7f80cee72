"""Jobs: work that a `run_worker` process does after the change that causes it.

A job is a function with `@django_tasks.task()` in a module of its app. `job.enqueue(account_id)`
writes a row in the current transaction, so that the job exists if and only if the change does;
`queue.enqueue_all` writes many. Arguments are stored in the clear: ids, and never secrets, names or
texts.

A job must end within four minutes, and be safe to repeat: a worker can die between the work and the
note that it is done, and another one then does the job again.

A job that raises is run again after growing pauses, five times in 36 minutes, and has then failed;
while the database is away, it is run every ten seconds, thirty times.
`running.RetryLater` asks for another run after a chosen pause. With `@task(takes_context=True)` the
first argument says the number of the run: `context.attempt`. The return value is not stored.
"""
