"""The addresses of sockets. `asgi.py` refuses every other one."""

from django.urls import path

from social.realtime.consumers import SocketConsumer

websocket_urlpatterns = [path("ws", SocketConsumer.as_asgi(), name="socket")]
