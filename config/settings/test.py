"""Settings of the tests: the real servers of a throw-away cluster, cheap passwords, tasks run in place."""

import os

from config.settings.base import *

DEBUG = False
SECRET_KEY = "only-for-tests"  # noqa: S105
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
METRICS_TOKEN = "metrics-token-of-the-tests"  # noqa: S105
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = True
DATABASES["default"]["CONN_MAX_AGE"] = 0
BACKUP_DIR = ""
FREE_SPACE.least = 0  # a machine that is nearly full can still be tested on
# The workers of a test run share one Valkey, and their databases give out the same ids.
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
LIVE_CHANNEL = f"{LIVE_CHANNEL}:{_WORKER}"
CACHES["default"]["KEY_PREFIX"] = f"evenmatch:{_WORKER}"
# A server that a busy machine holds up for some seconds is not away.
CACHES["default"]["OPTIONS"] = {"socket_timeout": 60.0}
REDIS_PATIENCE = LIVE_SILENCE = 60.0
# All tests come from one address; those of the limits set their own.
API_LIMITS = dict.fromkeys(API_LIMITS, (1_000_000, 60.0))
# What a test writes it wants to see at once.
PAGES_KEPT = PAGES_TRUSTED = ESTIMATES_KEPT = 0.0
KEYS_TRUSTED = float(os.environ.get("TESTS_KEYS_TRUSTED", "0"))
