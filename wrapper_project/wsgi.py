"""HTTP: `gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application`."""

from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, connections, reset_queries

from wrapper_project.servers.request_classes import TolerantWSGIRequest
from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
application = get_wsgi_application()

from accounts import outbox  # noqa: E402  (needs the models)

outbox.is_server = True
application.request_class = TolerantWSGIRequest

# Keep SQLite connections open: opening one took 340 microseconds, a query 12. Not in the settings,
# because the ASGI server runs each request in a new thread, which would leave its connection open.
for database in connections.settings.values():
    if database["ENGINE"].endswith("sqlite3"):
        database["CONN_MAX_AGE"] = None

# Three of Django's handlers have nothing to do here: no Django cache is open, queries are not
# recorded, and connections are checked at the end of each request. Without them the two signals of
# a request took 4 microseconds and not 40, of some 550 for a cached schedule.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_caches)
