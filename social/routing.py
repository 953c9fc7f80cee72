"""The routes of sockets. `asgi.py` refuses every other path."""

from django.urls import path

from social.realtime.consumers import SocketConsumer

websocket_urlpatterns = [path("ws", SocketConsumer.as_asgi(), name="socket")]
