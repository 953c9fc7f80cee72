"""The app that serves the school's own data."""

from django.apps import AppConfig


class SchoolproxyConfig(AppConfig):
    name = "schoolproxy"
