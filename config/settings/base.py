"""Settings shared by every way to run Evenmatch; each value an operator may set comes typed from the environment."""

import gc
import os
from datetime import time
from pathlib import Path

from django.conf import global_settings
from django.utils.translation import gettext_lazy as _
from environs import Env
from whitenoise.compress import Compressor

from config import release
from config.embedded import paths
from config.monitoring import free_space
from config.monitoring.logs import configure_logs
from config.settings.api import *
from config.settings.databases import read_databases
from config.settings.environment import read_days, read_list
from config.workers.task_queues import QUEUES

# What is loaded from here on stays: to look through it for rubbish is an eighth of the start (on again in config.apps).
gc.disable()

PROJECT = Path(__file__).resolve().parents[2]
env = Env()

DATA_DIR = env.path("EVENMATCH_DATA_DIR", PROJECT / "var")
PUBLIC_URL = (env.str("EVENMATCH_PUBLIC_URL", "") or paths.public_url(DATA_DIR)).rstrip("/")

VERSION = release.VERSION

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "demo",
    "api",
    "moderation",
    "talk",
    "rooms",
    "challenges",
    "clans",
    "groups",
    "leaderboards",
    "matchmaking",
    "people",
    "notifications",
    "ratings",
    "events",
    "accounts",
    "foundation",
    "config.apps.EvenmatchAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "corsheaders",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
]

MIDDLEWARE = [
    "config.web.compression.CompressionMiddleware",
    "config.web.middleware.LetGoMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.web.middleware.RequestLogMiddleware",
    "config.web.middleware.FullLineMiddleware",
    "config.web.middleware.FreeSpaceMiddleware",
    "config.web.middleware.OwnPagesMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.web.api_shortcut.ApiShortcutMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.web.signed_out.SignedOutMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.entrance.confirming.FormsWaitMiddleware",
    "accounts.entrance.last_used.LastUsedMiddleware",
    "config.web.replica.ReplicaMiddleware",
    "config.web.api_shortcut.EndOfPagesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PROJECT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.web.context.site",
            ],
            "builtins": ["foundation.templatetags.names", "foundation.templatetags.components"],
        },
    },
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# PostgreSQL is the truth and the queue. Without DATABASE_URL the private server of the data folder.
DATABASES = read_databases(env, env.str("DATABASE_URL", "") or paths.database_url(DATA_DIR))
# Whether the address leads to a pooler that gives each transaction whatever session is free: none keeps anything.
DATABASE_POOLER = env.bool("EVENMATCH_DATABASE_POOLER", False)
REPLICA_BEHIND = env.float(
    "EVENMATCH_REPLICA_BEHIND", 5.0
)  # seconds; a copy further behind is not read
# Seconds without a word after which a worker asks whether a statement is still worked on (config.workers.silence).
DATABASE_SILENCE = env.float("EVENMATCH_DATABASE_SILENCE", 30.0)
# Below EVENMATCH_MIN_FREE_MB in the folders written to, what would write is refused and background work rests.
FREE_SPACE = free_space.of_this_site({**os.environ, "EVENMATCH_DATA_DIR": str(DATA_DIR)})
# Holds wake-ups, throttles and caches only; may be wiped at any moment.
REDIS_URL = env.str("REDIS_URL", "") or paths.redis_url(DATA_DIR)
# Seconds for which limits and live messages wait: a server that hangs is away, and requests have better things to do.
REDIS_PATIENCE = 0.5
CACHES = {
    "default": {
        "BACKEND": "config.cache.ForgivingRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "evenmatch",
        "OPTIONS": {"socket_timeout": 1.0},  # a server that hangs is away
    }
}
# Public pages are rendered once for all who look (foundation.kept_pages).
PAGES_KEPT = env.float("EVENMATCH_PAGES_KEPT", 20.0)  # seconds after which one is rendered anew
PAGES_TRUSTED = min(2.0, PAGES_KEPT)  # seconds for which it is shown without a look at its version
ESTIMATES_KEPT = 5.0  # seconds after which what is known of waits in a queue is read anew
# Server-sent events. Channels of Valkey know no databases, so the channel's name holds ours.
LIVE_CHANNEL = f"evenmatch:live:{paths.redis_database(REDIS_URL)}"
LIVE_STREAMS = env.int("EVENMATCH_STREAMS", 500)  # in one web process; above it, pages only poll
LIVE_STREAMS_PER_ADDRESS = env.int("EVENMATCH_STREAMS_PER_ADDRESS", 50)  # on the site
LIVE_STREAMS_PER_CALLER = env.int("EVENMATCH_STREAMS_PER_CALLER", 20)  # an account, a player, a key
LIVE_LEASE = env.float("EVENMATCH_STREAM_LEASE", 30.0)  # seconds for which a killed process's count
LIVE_KEEPALIVE = env.float("EVENMATCH_STREAM_KEEPALIVE", 15.0)  # seconds
LIVE_SILENCE = 6.0  # seconds after which a connection to Valkey counts as dead
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = paths.broker_url(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True  # the database holds every outcome
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers and beat wait for it, however long that takes
# A broker that is gone without a word is noticed within seconds, by who publishes and by who listens.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 1.0,
    "socket_connect_timeout": 1.0,
    "health_check_interval": 2,
    # An acknowledgement that Valkey does not take holds its place in the worker for good: after two of them a worker
    # never asked for work again. Wake-ups need none: beat sends the next one.
    "ack_emulation": False,
    "max_retries": 0,  # of a wake-up that cannot be sent: beat sends another
    "connect_retries_timeout": 1,
}
# A process of the pool that is slow to begin, as all are on a busy machine, is no dead one: unless told, after 4 s.
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 120.0
CELERY_TASK_TIME_LIMIT = 15 * 60
CELERY_TASK_ANNOTATIONS = {
    task: {"soft_time_limit": 20, "time_limit": 30}
    for task in ("matchmaking.run_queue", "matchmaking.run_queues")
} | {"config.back_up": {"time_limit": 12 * 3600}}  # all that there is, read twice
CELERY_TASK_DEFAULT_QUEUE = "ratings"
# Players wait for these: a worker of their own, so that no long rating run is ahead of them, and no simulation.
CELERY_TASK_ROUTES = {
    f"matchmaking.{it}": {"queue": "ratings"} for it in ("simulate_preview", "learn_tastes")
} | {f"{it}.*": {"queue": "matchmaking"} for it in ("matchmaking", "rooms", "challenges", "groups")}
CELERY_BEAT_SCHEDULER = "config.workers.processes:Timetable"
# A wake-up may be lost or doubled. By task: seconds to the next, and after which one that nobody takes is thrown away.
_WAKE_UPS = {
    "matchmaking.run_queues": (1.0, 2),
    "matchmaking.hold_rounds": (5.0, 5),
    "matchmaking.tell_of_searches": (5.0, 5),
    "rooms.tend_rooms": (2.0, 4),
    "matchmaking.judge_absences": (10.0, 10),
    "challenges.settle": (5.0, 5),
    "groups.draw_groups": (60.0, 60),
    "matchmaking.learn_tastes": (3600.0, 600),
    "ratings.settle_due_matches": (5.0, 5),
    "ratings.rate_due_tracks": (5.0, 5),
    "ratings.estimate_due_sides": (600.0, 600),
    "ratings.learn_from_behaviour": (3600.0, 600),
    "events.deliver": (5.0, 5),
    "events.forget_old": (3600.0, 600),
    "config.forget": (3600.0, 600),
    "config.back_up": (60.0, 60),
    "config.begin_anew": (300.0, 60),
    "leaderboards.flip_due_standings": (60.0, 60),
    "accounts.send_mails": (10.0, 10),
    "accounts.forget_old": (3600.0, 600),
    "notifications.send_mails": (10.0, 10),
    "notifications.send_pushes": (10.0, 10),
    "notifications.forget_old": (3600.0, 600),
    "api.forget": (600.0, 600),
}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    task: {"task": task, "schedule": every, "options": {"expires": expires}}
    for task, (every, expires) in _WAKE_UPS.items()
} | {
    f"heartbeat-{queue}": {
        "task": "config.heartbeat",
        "args": [queue],
        "schedule": 2.0,
        "options": {"queue": queue, "expires": 10},
    }
    for queue in QUEUES
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.entrance.backend.ConfirmedBackend"]
# Those of Django, whose first makes new hashes, with that one in a line of its own.
PASSWORD_HASHERS = [
    "accounts.entrance.hashing.PatientHasher",
    *(it for it in global_settings.PASSWORD_HASHERS if not it.endswith(".PBKDF2PasswordHasher")),
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "accounts.entrance.passwords.NotLikeTheAccount",
        "django.contrib.auth.password_validation.MinimumLengthValidator",
        "accounts.entrance.passwords.NotCommon",
        "accounts.entrance.passwords.NotOnlyDigits",
    )
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
# Mail is sent if, and only if, there is a server for it. All that depends on it follows `accounts.mail.is_configured`.
EMAIL_HOST = env.str("EMAIL_HOST", "")
EMAIL_PORT = env.int("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", True)
EMAIL_TIMEOUT = 10  # seconds; a worker has better things to do than to wait
MAIL_CONFIGURED = bool(EMAIL_HOST)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL_CONFIGURED else 'dummy'}.EmailBackend"
DEFAULT_FROM_EMAIL = env.str("EVENMATCH_FROM_EMAIL", "Evenmatch <noreply@localhost>")
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds for which a link to set a password is good
ACCOUNT_ADAPTER = "accounts.entrance.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.entrance.forms.LoginForm",
    "signup": "accounts.entrance.forms.SignupForm",
    "reset_password": "accounts.entrance.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# An address that cannot be confirmed would be anybody's, so it is asked for only where mail can be sent.
ACCOUNT_SIGNUP_FIELDS = [
    "username*",
    *(["email*"] if MAIL_CONFIGURED else []),
    "password1*",
    "password2*",
]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_CONFIGURED else "none"
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that signed up, and no other
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "accounts.entrance.links.ResetTokens"  # noqa: S105
# Who changes addresses types the password once more: else a browser left open, or its cookie, would be enough to put
# another address in the place of the owner's, and to keep the account.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
# The second factor. Days from becoming staff after which the admin asks for one; None: for nobody.
STAFF_FACTOR_DAYS = read_days(env, "EVENMATCH_STAFF_FACTOR_DAYS", "14", at_least=0)
# Seconds after signing in, or proving it again, in which staff change rights, keys and parameters without being asked.
FRESH_SIGN_IN = 900
ACCOUNT_REAUTHENTICATION_TIMEOUT = FRESH_SIGN_IN  # the same of addresses and second factors
MFA_ADAPTER = "accounts.factors.adapter.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1  # steps of half a minute by which a phone's clock may differ
# A factor holds whoever comes to read an address: nobody gets round it by mail (ConfirmationStage asks for addresses).
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    name: f"accounts.factors.forms.{form}"
    for name, form in {
        "authenticate": "CodeForm",
        "reauthenticate": "CodeAgainForm",
        "activate_totp": "FirstCodeForm",
        "authenticate_webauthn": "PasskeyForm",
        "reauthenticate_webauthn": "PasskeyAgainForm",
        "add_webauthn": "AddPasskeyForm",
        "edit_webauthn": "RenamePasskeyForm",
    }.items()
}
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "accounts.usernames.VALIDATORS"
# Everything at which somebody could guess, by address (`ip`) and by account (`user`; `key`: whoever is signed in to or
# whoever mail goes to). docs/operators.md has them in words.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key,20/h/key",  # of one account from one address
    "login_failed_anywhere": "100/h/key",  # more than a few addresses can use up, to keep its owner out
    "code_failed": "10/m/ip,5/5m/key,20/h/key",  # of one account, from wherever: the second step
    "signup": "20/m/ip",
    "reset_password": "20/m/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    "confirm_email": "1/3m/key",
    "reset_link": "20/m/ip",
    "confirm_link": "20/m/ip",
    "reauthenticate": "10/m/user,20/m/ip",
    "change_password": "5/m/user,20/m/ip",
    "manage_email": "10/m/user,20/m/ip",
    "make_token": "20/m/user,40/m/ip",
    "own_data": "5/m/user,20/m/ip",
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [PROJECT / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [PROJECT / "static"]
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.web.static_files.StaticFiles"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # pages name files by their hashes only
# What is compressed already, or (maps) asked for by nobody but who debugs a library.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "config.web.errors.expired_form"
SECURE_REFERRER_POLICY = "same-origin"

# How often players change their own names in 30 days, and for how many days a name that became free is held.
NAME_CHANGES = env.int("EVENMATCH_NAME_CHANGES", 3)
HOLD_NAMES = env.int("EVENMATCH_HOLD_NAMES", 30)
# A rating run that has not moved for so many seconds has stopped: another worker ends it and takes over.
RATING_RUN_DEADLINE = env.float("EVENMATCH_RUN_DEADLINE", 60.0)
# Of matches that servers tell: seconds for which missing events are waited for, minutes of silence that end a match.
EVENT_GAP_SECONDS = env.float("EVENMATCH_EVENT_GAP_SECONDS", 30.0)
SILENT_SERVER_MINUTES = env.float("EVENMATCH_SILENT_SERVER_MINUTES", 30.0)
# Challenges that one player may have open at once.
CHALLENGES_OPEN = env.int("EVENMATCH_CHALLENGES_OPEN", 5)
# Days for which things are kept; None: for ever. The page of waits and match quality looks back a week.
KEEP_SEARCHES = read_days(env, "EVENMATCH_KEEP_SEARCHES", "90", at_least=8)
KEEP_REPORTS = read_days(env, "EVENMATCH_KEEP_REPORTS", "365", at_least=1)
KEEP_CASES = read_days(env, "EVENMATCH_KEEP_CASES", "365", at_least=1)
KEEP_KEYS = read_days(env, "EVENMATCH_KEEP_KEYS", "90", at_least=1)
KEEP_EVENTS = read_days(env, "EVENMATCH_KEEP_EVENTS", "7", at_least=1)
# Of sign-ins the addresses and browsers, after which the network alone is known; both go with the sign-in in any case.
KEEP_SIGN_INS = read_days(env, "EVENMATCH_KEEP_SIGN_INS", "7", at_least=1)

# Backups by themselves: a folder (none: no backups), a time in UTC, how many daily and weekly ones, and a public key.
BACKUP_DIR = env.str("EVENMATCH_BACKUP_DIR", "")
BACKUP_DIR = str(Path(BACKUP_DIR).expanduser()) if BACKUP_DIR else ""
BACKUP_AT = time.fromisoformat(env.str("EVENMATCH_BACKUP_AT", "03:15"))
BACKUP_DAILY = env.int("EVENMATCH_BACKUP_DAILY", 7)
BACKUP_WEEKLY = env.int("EVENMATCH_BACKUP_WEEKLY", 4)
BACKUP_KEY = env.str("EVENMATCH_BACKUP_KEY", "")

# Where the secret key is kept for the next start; None while it is given.
SECRET_KEY_FILE: Path | None = None

# Seconds for which a site that was booted since, or moved, may have been away: beyond them its clock is not believed.
CLOCK_LONGEST_ABSENCE = env.float("EVENMATCH_CLOCK_ABSENCE_DAYS", 7.0) * 86_400

# Names of conditions that tickets put to each other besides those built in; see docs/writing-conditions.md.
EVENMATCH_CONDITIONS = read_list(env, "EVENMATCH_CONDITIONS")

# Every page says that players are simulated. `bin/run --demo` sets it.
DEMO = env.bool("EVENMATCH_DEMO", False)

# /metrics answers to these only: a bearer token, or nobody when it is empty.
METRICS_TOKEN = env.str("EVENMATCH_METRICS_TOKEN", "")

LOGGING_CONFIG = None
configure_logs(
    level=env.str("EVENMATCH_LOG_LEVEL", "INFO"),
    as_json=env.str("EVENMATCH_LOG_FORMAT", "console") == "json",
)
