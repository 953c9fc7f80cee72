"""Secrets for one person's own machine: made on first start, kept under `DATA_DIR`."""

import base64
import os
import secrets
from pathlib import Path


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
