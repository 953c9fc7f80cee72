"""HTTP: `gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application`."""

from django.core.wsgi import get_wsgi_application
from django.db import connections

from wrapper_project.servers.request_classes import TolerantWSGIRequest
from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
application = get_wsgi_application()
application.request_class = TolerantWSGIRequest

# Keep SQLite connections open: opening one took 340 microseconds, a query 12. Not in the settings,
# because the ASGI server runs each request in a new thread, which would leave its connection open.
for database in connections.settings.values():
    if database["ENGINE"].endswith("sqlite3"):
        database["CONN_MAX_AGE"] = None
