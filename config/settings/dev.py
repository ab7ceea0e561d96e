"""Settings for working on Evenmatch: readable errors, no caching of templates or static files."""

from config.settings.base import *

DEBUG = True
SECRET_KEY = "only-for-development"  # noqa: S105
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
INTERNAL_IPS = ["127.0.0.1"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
