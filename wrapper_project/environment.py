"""Reads environment variables, also from files, and creates secrets for development."""

import base64
import ipaddress
import math
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from environ import FileAwareEnv
from environ.fileaware_mapping import FileAwareMapping


class _Variables(FileAwareMapping):  # type: ignore[misc]
    """The value of `X`, or the content of the file that `X_FILE` names, stripped.

    An empty value counts as not set: `docker compose` passes unset variables that way.
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
    """`FileAwareEnv` whose errors name the variable and never its value."""

    ENVIRON = _Variables()

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            raise ImproperlyConfigured(f"{var} has an invalid value.") from None

    def list(self, var: str, *args: Any, **kwargs: Any) -> Any:
        """The values between commas, without the blanks around them."""
        return [text.strip() for text in super().list(var, *args, **kwargs) if text.strip()]

    def number(self, var: str, default: int, *, least: int = 1, most: float = math.inf) -> int:
        """An integer from `least` to `most`."""
        number: int = self.int(var, default)
        if not least <= number <= most:
            wanted = f"at least {least}" if most == math.inf else f"from {least} to {most}"
            raise ImproperlyConfigured(f"{var} must be {wanted}.")
        return number

    def choice(self, var: str, default: str, options: Iterable[str]) -> str:
        """One of these words; capital letters make no difference."""
        word: str = self.str(var, default)
        for option in options:
            if option.lower() == word.lower():
                return option
        raise ImproperlyConfigured(f"{var} must be one of {', '.join(options)}.")

    def networks(self, var: str, *default: str) -> Any:
        """Addresses and networks, such as 10.0.0.0/8, between commas."""
        texts = self.list(var, default=[*default])
        for text in texts:
            try:
                ipaddress.ip_network(text, strict=False)
            except ValueError:
                reason = f"{var}: {text!r} is not an address or a network."
                raise ImproperlyConfigured(reason) from None
        return texts

    def fernet_keys(self, var: str) -> Any:
        """Keys between commas, each of 32 bytes in url-safe base64."""
        keys = self.list(var, default=[])
        for number, key in enumerate(keys, start=1):
            try:
                Fernet(key)
            except ValueError:
                reason = f"{var}: key {number} is not 32 bytes in url-safe base64."
                raise ImproperlyConfigured(reason) from None
        return keys

    def db_url_config(self, url: str, *args: Any, **kwargs: Any) -> Any:
        try:
            config = super().db_url_config(url, *args, **kwargs)
        except (ValueError, KeyError):
            raise ImproperlyConfigured("DATABASE_URL is not a valid URL.") from None
        if not config.get("ENGINE"):
            raise ImproperlyConfigured("DATABASE_URL names an unknown kind of database.")
        if "," in config.get("HOST", ""):
            _check_several_hosts(config)
        return config


def _check_several_hosts(config: dict[str, Any]) -> None:
    """Of a primary and its standbys. Without the attribute the first that answers would be used,
    also where it accepts no writes."""
    wanted = config.get("OPTIONS", {}).get("target_session_attrs")
    if wanted not in ("read-write", "primary"):
        raise ImproperlyConfigured(
            "DATABASE_URL names several hosts: add ?target_session_attrs=read-write to it."
        )
    # Where only some have one, the library loses whose it is.
    if config["PORT"] and str(config["PORT"]).count(",") != config["HOST"].count(","):
        raise ImproperlyConfigured("DATABASE_URL has to name a port for each host, or for none.")
    config["HOST"] = config["HOST"].replace("[", "").replace("]", "")


def local_secret(path: Path) -> str:
    """The secret in this file; creates it with 32 random bytes (url-safe base64) if needed.

    The file is private (mode 600). Two processes that start at once get the same secret: the
    complete file is linked atomically, and the second process reads the first one's.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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
