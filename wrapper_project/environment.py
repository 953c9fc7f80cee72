"""Reading the environment: files for secrets, and a sentence instead of a traceback."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from environ import FileAwareEnv
from environ.fileaware_mapping import FileAwareMapping


class _Variables(FileAwareMapping):  # type: ignore[misc]
    """`X` or the file that `X_FILE` names, without the line break at its end.

    An empty value counts as not set: `docker compose` passes those for what nobody chose.
    """

    def __getitem__(self, key: str) -> str:
        try:
            value: str = super().__getitem__(key)
        except OSError:
            raise ImproperlyConfigured(f"The file that {key}_FILE names cannot be read.") from None
        if not value.strip():
            raise KeyError(key)
        return value.strip()


class Environment(FileAwareEnv):  # type: ignore[misc]
    """`FileAwareEnv` that names the variable it cannot read, and never its value."""

    ENVIRON = _Variables()

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        """The value in the wanted type. Raises: ImproperlyConfigured, with a sentence."""
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            raise ImproperlyConfigured(f"{var} is not of the right form.") from None

    def db_url_config(self, url: str, *args: Any, **kwargs: Any) -> Any:
        """A database's settings. Raises: ImproperlyConfigured; a URL can hold a password."""
        try:
            config = super().db_url_config(url, *args, **kwargs)
        except (ValueError, KeyError):
            raise ImproperlyConfigured("DATABASE_URL is not of the right form.") from None
        if not config.get("ENGINE"):
            raise ImproperlyConfigured("DATABASE_URL names no database that we know.")
        return config
