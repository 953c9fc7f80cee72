"""The app that knows who you are."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
