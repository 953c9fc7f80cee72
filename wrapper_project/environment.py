"""Reading the environment: files for secrets, and a sentence instead of a traceback."""

import base64
import os
import secrets
from pathlib import Path
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


def local_secret(path: Path) -> str:
    """The secret in this file; where there is none yet, 32 random bytes, url-safe base64.

    The file is private (mode 600). Two processes that start at once end with one secret:
    the file is linked into place whole, and the loser reads the winner's.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.urlsafe_b64encode(secrets.token_bytes(32)))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text().strip()
