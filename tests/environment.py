"""The environment of the suite, set before Django reads its settings (`-p tests.environment`)."""

import atexit
import os
import shutil
import tempfile
from urllib.parse import urlsplit

import pytest

# Fixed values, so that the suite does not depend on anyone's own secrets.
os.environ.setdefault("SECRET_KEY", "tests-only-" + "x" * 50)
os.environ.setdefault("FIELD_ENCRYPTION_KEYS", "dGVzdHMtb25seS1rZXktb2YtMzItYnl0ZXMtLS0tLS0=")
os.environ.setdefault("VAPID_PRIVATE_KEY", "dGVzdHMtb25seS1rZXktb2YtMzItYnl0ZXMtLS0tLS0")
os.environ.setdefault("VAPID_SUBJECT", "mailto:tests@example.org")
os.environ.setdefault("UPSTREAM_URL", "http://127.0.0.1:9")
os.environ.setdefault("ALLOW_INSECURE_UPSTREAM", "1")
os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost,127.0.0.1")
os.environ["DEBUG"] = "0"

# Each worker of a parallel run empties its Redis database between tests, so each needs its own.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "")
if _worker and os.environ.get("REDIS_URL"):
    _url = urlsplit(os.environ["REDIS_URL"])
    _number = (int(_url.path.strip("/") or 0) + 1 + int(_worker.removeprefix("gw"))) % 16
    os.environ["REDIS_URL"] = _url._replace(path=f"/{_number}").geturl()


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    from django.conf import settings

    settings.SSL_CERT_FILE = ""  # the machine's own, for its other programs
    # A password of staff takes half a second to hash, so that it takes long to guess.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Statistics are written when a test does it, not by a background thread.
    settings.STATS_FLUSH_SECONDS = 0
    # Each test client is a server of its own: reading all static files at its start takes 60 ms.
    settings.WHITENOISE_AUTOREFRESH = True


# A separate folder, so that two runs, or a run and a demo, never share a database file.
if "DATA_DIR" not in os.environ:
    os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="wrapper-tests-")
    atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)
