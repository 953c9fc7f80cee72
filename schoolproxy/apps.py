from django.apps import AppConfig


class SchoolproxyConfig(AppConfig):
    name = "schoolproxy"

    def ready(self) -> None:
        from schoolproxy import receivers  # noqa: F401  (importing it connects the receivers)
