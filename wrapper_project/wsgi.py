"""HTTP: `gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application`."""

from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, connections, reset_queries

from wrapper_project.servers.request_classes import TolerantWSGIRequest
from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
application = get_wsgi_application()
application.request_class = TolerantWSGIRequest

# The threads of this server are kept, so a SQLite connection may be too: opening one costs more
# than most queries. (PostgreSQL has a pool; under ASGI every request has a thread of its own.)
for _settings in connections.settings.values():
    if _settings["ENGINE"].endswith("sqlite3"):
        _settings["CONN_MAX_AGE"] = None

# What Django does around each request and nobody here needs: no cache of its own is open, queries
# are not recorded, and what a connection needs is done at the end of the request before.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_caches)
