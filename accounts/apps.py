"""Who somebody is: accounts, sessions, profiles."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
