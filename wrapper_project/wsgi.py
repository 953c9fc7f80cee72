"""HTTP: `gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application`."""

from django.core.wsgi import get_wsgi_application

from wrapper_project.servers.request_classes import HttpRequest
from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
application = get_wsgi_application()
application.request_class = HttpRequest
