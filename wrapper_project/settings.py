"""The settings. What an operator chooses comes from the environment (docs/operations.md).

Numbers that we chose are in each app's `limits.py`. A secret may come from a file:
`SECRET_KEY_FILE=/run/secrets/key`. This file may be long.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from accounts.origins import normal_origin
from wrapper_project import content_policy
from wrapper_project.environment import Environment, local_secret

env = Environment()
BASE_DIR = Path(__file__).resolve().parent.parent


def _table(text: str) -> dict[str, str]:
    """Parse `a,x=b` as `{"": "a", "x": "b"}`: a value without a name is the default."""
    table: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        table[name.strip() if equals else ""] = (value if equals else name).strip()
    return table


def cache_settings(redis_url: str) -> dict[str, Any]:
    """The store (`store/`): in Redis, or without an address in the memory of the one process.
    `process` is never shared: for limits that hold while Redis is away."""

    def memory(name: str) -> dict[str, Any]:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        }

    if not redis_url:
        return {"default": memory("store"), "process": memory("process")}
    redis = {
        "BACKEND": "store.redis_cache.RedisCache",
        "LOCATION": redis_url,
        "KEY_PREFIX": "wrapper",
        "OPTIONS": {
            "serializer": "store.BytesSerializer",
            # Callers work without the store, so they do not wait for it long.
            "socket_timeout": 1.0,
            "socket_connect_timeout": 0.5,
            # Once more, at once: Redis may have closed a connection that was idle.
            "retry": Retry(NoBackoff(), 1),
        },
    }
    return {"default": redis, "process": memory("process")}


# --- This deployment -----------------------------------------------------------------------

DEBUG: bool = env.bool("DEBUG", False)
DATA_DIR = Path(env.str("DATA_DIR", str(BASE_DIR / "var")))
PUBLIC_URL: str = env.str("PUBLIC_URL", "").rstrip("/")
CONTACT: str = env.str("CONTACT", "").strip()
LANGUAGES = [("sv", "Svenska"), ("en", "English")]
DEFAULT_LANGUAGE = env.choice("DEFAULT_LANGUAGE", "en", dict(LANGUAGES))
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
TRUSTED_PROXIES: list[str] = env.networks("TRUSTED_PROXIES")
# Normalised, because django-cors-headers compares the exact text.
CORS_ALLOWED_ORIGINS = [
    normal_origin(text) for text in env.list("CORS_ALLOWED_ORIGINS", default=[])
]

# --- The web app ---------------------------------------------------------------------------

WEB_APP: bool = env.bool("WEB_APP", True)
WEB_APP_FILES = BASE_DIR / "webapp/dist/app"  # built by `make webapp`

# --- Secrets -------------------------------------------------------------------------------
# A deployment must set them; with DEBUG they are created on the first start.

SECRET_KEY: str = env.str("SECRET_KEY", "")
FIELD_ENCRYPTION_KEYS: list[str] = env.fernet_keys("FIELD_ENCRYPTION_KEYS")
if DEBUG:
    SECRET_KEY = SECRET_KEY or local_secret(DATA_DIR / "secret_key")
    FIELD_ENCRYPTION_KEYS = FIELD_ENCRYPTION_KEYS or [
        local_secret(DATA_DIR / "field_encryption_key")
    ]
if not SECRET_KEY or not FIELD_ENCRYPTION_KEYS:
    raise ImproperlyConfigured(
        "Set SECRET_KEY and FIELD_ENCRYPTION_KEYS (or DEBUG=1 for development)."
    )
# Read by django-encrypted-model-fields: the first key encrypts, all decrypt.
FIELD_ENCRYPTION_KEY = FIELD_ENCRYPTION_KEYS

# --- The upstream system -------------------------------------------------------------------

UPSTREAM_URL: str = env.str("UPSTREAM_URL", "http://127.0.0.1:8901" if DEBUG else "").rstrip("/")
ALLOW_INSECURE_UPSTREAM: bool = env.bool("ALLOW_INSECURE_UPSTREAM", False)
UPSTREAM_SCHOOLS: list[str] = env.list("UPSTREAM_SCHOOLS", default=[])
UPSTREAM_DIALECT = {"": "specified"} | _table(env.str("UPSTREAM_DIALECT", "specified"))
UPSTREAM_MAX_IN_FLIGHT = env.number("UPSTREAM_MAX_IN_FLIGHT", 64)
UPSTREAM_PER_REQUEST = env.number("UPSTREAM_PER_REQUEST", 40)
DEFAULT_SCHOOL: str = env.str("DEFAULT_SCHOOL", "")
LOGIN_CALLBACK_URL: str = env.str("LOGIN_CALLBACK_URL", "")
LOGIN_REDIRECTS: list[str] = env.list("LOGIN_REDIRECTS", default=[])

# --- Sessions, caches, limits --------------------------------------------------------------

COOKIE_PREFIX: str = env.str("COOKIE_PREFIX", "wrapper_")
SESSION_CHECK_SECONDS = env.number("SESSION_CHECK_SECONDS", 30, least=0, most=30)
OUTAGE_GRACE_SECONDS = env.number("OUTAGE_GRACE_SECONDS", 900, least=0)
SCHOOL_CACHE_SECONDS = env.number("SCHOOL_CACHE_SECONDS", 60, least=0)
WATCH_MINUTES = env.number("WATCH_MINUTES", 60)
WATCH_REQUESTS_PER_MINUTE = env.number("WATCH_REQUESTS_PER_MINUTE", 20, least=0)
USER_SEARCH_SCOPE = env.choice("USER_SEARCH_SCOPE", "all", ("all", "school"))
ADULT_DM_PUPIL: bool = env.bool("ADULT_DM_PUPIL", False)
RETENTION_MONTHS = env.number("RETENTION_MONTHS", 13)
AUDIT_MONTHS = env.number("AUDIT_MONTHS", 24)
EVIDENCE_DAYS = env.number("EVIDENCE_DAYS", 90)
RATE_LIMITS: bool = env.bool("RATE_LIMITS", True)
ALLOW_UNLIMITED: bool = env.bool("ALLOW_UNLIMITED", False)
LIMITS = _table(env.str("LIMITS", ""))

# --- Mail to staff -------------------------------------------------------------------------

EMAIL_URL: str = env.str("EMAIL_URL", "")
REPORTS_TO: list[str] = env.list("REPORTS_TO", default=[])
vars().update(env.email_url_config(EMAIL_URL or "dummymail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = next(
    (name for name in (CONTACT, vars().get("EMAIL_HOST_USER") or "") if "@" in name),
    f"noreply@{urlsplit(PUBLIC_URL).hostname or 'localhost'}",
)

# --- Pushes --------------------------------------------------------------------------------

VAPID_PRIVATE_KEY: str = env.str("VAPID_PRIVATE_KEY", "")
if DEBUG:
    VAPID_PRIVATE_KEY = VAPID_PRIVATE_KEY or local_secret(DATA_DIR / "vapid_private_key")
VAPID_SUBJECT: str = env.str("VAPID_SUBJECT", "mailto:demo@localhost" if DEBUG else "")
PUSH_HOSTS: list[str] = env.list("PUSH_HOSTS", default=[])
SSL_CERT_FILE: str = env.str("SSL_CERT_FILE", "")

# --- Observability -------------------------------------------------------------------------

METRICS: bool = env.bool("METRICS", False)
METRICS_ALLOWED: list[str] = env.networks("METRICS_ALLOWED", "127.0.0.0/8", "::1/128")
SENTRY_DSN: str = env.str("SENTRY_DSN", "")

# --- Processes -----------------------------------------------------------------------------

WEB_WORKERS = env.number("WEB_WORKERS", 1)
WEB_THREADS = env.number("WEB_THREADS", 64)

# --- Stores --------------------------------------------------------------------------------

REDIS_URL: str = env.str("REDIS_URL", "")
DATABASES: dict[str, Any] = {
    "default": env.db_url_config(
        env.str("DATABASE_URL", "") or f"sqlite:///{DATA_DIR / 'db.sqlite3'}"
    )
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Without these, eight concurrent writers fail with "database is locked".
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: a commit is on the disk before it is acknowledged, also after a power cut.
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;",
    }
    # A file, so that tests can use threads as the service does.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    DATABASES["default"].setdefault("OPTIONS", {}).update(
        # Otherwise a request waits minutes for a database that drops packets. It is the time for
        # each host; two fit into the pool's.
        connect_timeout=2,
        # The same for a connection that is open: the machine at its other end may be lost.
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
        tcp_user_timeout=10_000,
        # `max_idle`: the fewer idle connections, the fewer are dead after a restart of PostgreSQL.
        # Without `reconnect_timeout`, a pool that could not connect for a minute waits another one
        # before it tries again, also when the database is back.
        pool={"min_size": 1, "max_size": 16, "timeout": 5, "max_idle": 60, "reconnect_timeout": 2},
        # A connection prepares what it runs often, so that PostgreSQL plans it once.
        server_side_binding=True,
        prepare_threshold=5,
    )
    # A dead connection is replaced when the pool hands it out.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Jobs for `run_worker`: written in the transaction of the change that causes them.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
CACHES = cache_settings(REDIS_URL)
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels.layers.InMemoryChannelLayer",
        # A socket that is open for longer than this hears nothing any more.
        "CONFIG": {"capacity": 1_000, "group_expiry": 365 * 86_400},
    }
    if not REDIS_URL
    else {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [
                {
                    "address": REDIS_URL,
                    # A read timeout would close the layer's connection while it is idle.
                    "socket_timeout": None,
                    # Once more: Redis may have closed a connection that was idle.
                    "retry_on_error": [RedisConnectionError],
                }
            ],
            # Published messages are shared by all database numbers of Redis.
            "prefix": f"wrapper{urlsplit(REDIS_URL).path}",
        },
    }
}

# --- Django --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "wrapper_project",
    "upstream",
    "stats",
    "jobs",
    "accounts",
    "staff.apps.StaffConfig",
    "notifications",
    "schoolproxy",
    "social",
    "notes",
    "django_tasks_db",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.staticfiles",
    # The admin. The last one sets the roles after `migrate`.
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django_otp",
    "django_otp.plugins.otp_totp",  # its table is empty: `StaffDevice` replaced it
    "axes",
    "staff.apps.StaffSiteConfig",
]
MIDDLEWARE = [
    *(["wrapper_project.observability.metrics.MetricsMiddleware"] if METRICS else []),
    "wrapper_project.middleware.RequestIdMiddleware",
    "wrapper_project.middleware.TrustedProxyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Not without listed origins: it would add `Vary: origin` to every answer for nothing.
    *(["corsheaders.middleware.CorsMiddleware"] if CORS_ALLOWED_ORIGINS else []),
    "wrapper_project.middleware.OriginCheckMiddleware",
    "wrapper_project.middleware.MethodMiddleware",
    "wrapper_project.middleware.SchoolCallsMiddleware",
    "wrapper_project.middleware.RenewedCookiesMiddleware",
    "wrapper_project.staff_pages.StaffPagesMiddleware",
]
ROOT_URLCONF = "wrapper_project.urls"
WSGI_APPLICATION = "wrapper_project.wsgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                # Adds the user and messages only under /admin/.
                "wrapper_project.staff_pages.context",
            ]
        },
    }
]
# The language of commands and logs; a request has its own (`wrapper_project.languages`).
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "wrapper_project.formats"
TIME_ZONE = "Europe/Stockholm"
USE_TZ = True
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # no collectstatic step: the files are found at start
# Its `app/assets/x.js` is `/app/assets/x.js`; the start page comes from a view.
WHITENOISE_ROOT = WEB_APP_FILES.parent if WEB_APP else None
WHITENOISE_ADD_HEADERS_FUNCTION = content_policy.set_of_file
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
LOGGING_CONFIG = "wrapper_project.observability.log_config.configure"
LOGGING = {
    "level": env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")),
    "format": env.choice("LOG_FORMAT", "text" if DEBUG else "json", ("json", "text")),
}

# --- Browser security ----------------------------------------------------------------------

CORS_ALLOW_CREDENTIALS = True
CORS_EXPOSE_HEADERS = ["ETag", "Retry-After", "X-Request-ID"]
CORS_ALLOW_HEADERS = [
    "accept", "authorization", "cache-control", "content-type", "if-none-match", "x-request-id",
    "x-school", "x-session",
]  # fmt: skip
CORS_PREFLIGHT_MAX_AGE = 3600
# TLS ends at the proxy; TrustedProxyMiddleware removes the header of other clients.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 0 if DEBUG else 31536000
SECURE_HSTS_INCLUDE_SUBDOMAINS = not DEBUG
SECURE_REFERRER_POLICY = "no-referrer"

# --- Admin ---------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
# A whole school shares one address, so only this name from there is locked out.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=30)
AXES_COOLOFF_MESSAGE = _("Too many failed sign-ins. Wait half an hour, then try again.")
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_SENSITIVE_PARAMETERS = ["password", "otp_token", "csrfmiddlewaretoken"]
AXES_VERBOSE = False
OTP_TOTP_ISSUER = "School wrapper"
SESSION_ENGINE = "staff.sessions"
SESSION_COOKIE_NAME = "staff_session"
CSRF_COOKIE_NAME = "staff_csrf"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/admin/"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "wrapper_project.pages.forged_form"
# A working day, or until the browser is closed.
SESSION_COOKIE_AGE = 8 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True

SILENCED_SYSTEM_CHECKS = [
    # StaffPagesMiddleware has what the admin needs.
    "admin.E402",
    "admin.E404",
    "admin.E408",
    "admin.E409",
    "admin.E410",
    "axes.W001",
    "axes.W002",
    "security.W002",  # every response has frame-ancestors in its content policy
    "security.W003",  # OriginCheckMiddleware refuses cross-site requests
    "security.W008",  # redirecting to https is left to the proxy
    "security.W021",  # the preload list of browsers is the operator's choice
]

# --- REST ----------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.throttling.RequestLimit"],
    "DEFAULT_PARSER_CLASSES": ["wrapper_project.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["wrapper_project.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": (
        "wrapper_project.negotiation.IgnoreClientContentNegotiation"
    ),
    "DEFAULT_SCHEMA_CLASS": "wrapper_project.schema.AutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "wrapper_project.errors.handle",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
}
VERSION = "2026.3"
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "School wrapper",
    "DESCRIPTION": (
        "An API in front of a school administration system. Every answer has an `X-Request-ID`, "
        "which identifies the request in the log; it is the client's own if well-formed."
    ),
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "SORT_OPERATIONS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "wrapper_project.schema.describe_statuses",
        "wrapper_project.schema_sharing.share",
    ],
    "ENUM_NAME_OVERRIDES": {
        "Role": ["student", "teacher", "guardian"],
        "FriendshipStatus": ["pending", "accepted", "declined"],
        "PresenceStatus": ["online", "idle", "offline"],
        "ReportStatus": "social.models.cases.STATUSES",
        "ReportOutcome": "social.models.cases.OUTCOMES",
        "ReportType": "social.api.reports.KINDS",
        "NoteStatus": ["draft", "published", "archived"],
        "ConversationType": ["dm", "group"],
        "Encryption": ["none", "aes-gcm", "mls"],
        "InviteStatus": ["pending", "accepted", "declined", "withdrawn"],
        "Reply": ["accept", "decline"],
        "NotificationKind": "notifications.api.notifications.KINDS",
        "NotificationDelivery": "notifications.models.settings.DELIVERIES",
        "LessonChangeKind": "notifications.api.lesson_changes.LESSON_CHANGES",
        "WatchStatus": "schoolproxy.api.watch.STATUSES",
    },
}
