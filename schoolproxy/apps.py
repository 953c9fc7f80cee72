from django.apps import AppConfig


class SchoolproxyConfig(AppConfig):
    name = "schoolproxy"
