"""The demo's application: the service, and the work that a deployment has in other processes.

Without Redis only one process knows the sessions and the open sockets, so the worker is a thread of
it. Another thread does what timers start in a deployment.
"""

import logging
import threading
import time

from wrapper_project.asgi import application

__all__ = ["application"]

RECURRING_SECONDS = 10

logger = logging.getLogger(__name__)


def _run_worker() -> None:
    from jobs.worker import Worker

    Worker(threads=2).run()


def _do_recurring_work() -> None:
    from django.db import close_old_connections

    from notifications.services.pushes import push_held
    from schoolproxy.services.watch.looks import look_at_the_school

    while True:
        for work in (look_at_the_school, push_held):
            try:
                work()
            except Exception as error:
                logger.error("%s failed", work.__name__, exc_info=error)
            close_old_connections()
        time.sleep(RECURRING_SECONDS)


for target in (_run_worker, _do_recurring_work):
    threading.Thread(target=target, name=target.__name__, daemon=True).start()
