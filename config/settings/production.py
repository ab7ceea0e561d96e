"""Settings of a real installation, `bin/run` included: secrets from the environment or the data folder."""

from pathlib import Path
from urllib.parse import urlsplit

from config.embedded import paths
from config.settings.base import *
from config.settings.base import DATA_DIR, PUBLIC_URL, env
from config.settings.environment import read_list

DEBUG = False
SECRET_KEY = env.str("EVENMATCH_SECRET_KEY", "") or paths.secret_key(DATA_DIR)
if not env.str("EVENMATCH_SECRET_KEY", ""):
    SECRET_KEY_FILE = paths.secret_key_file(DATA_DIR)
# The processes write their counts there, and could not start without it.
if _metrics := env.str("PROMETHEUS_MULTIPROC_DIR", ""):
    Path(_metrics).mkdir(parents=True, exist_ok=True)

_address = urlsplit(PUBLIC_URL)
_own_hosts = ["localhost", "127.0.0.1", "[::1]"]
# `bin/run` asks for the health page at the address that the server is bound to.
_bound = env.str("EVENMATCH_BIND", "")
ALLOWED_HOSTS = [
    _address.hostname or "localhost",
    *_own_hosts,
    *([f"[{_bound}]" if ":" in _bound else _bound] if _bound else []),
    *read_list(env, "EVENMATCH_ALLOWED_HOSTS"),
]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

# Everything that needs TLS follows the public address: plain http only for trying it on one's own machine.
_secure = _address.scheme == "https"
SESSION_COOKIE_SECURE = _secure
CSRF_COOKIE_SECURE = _secure
SECURE_SSL_REDIRECT = _secure and env.bool("EVENMATCH_REDIRECT_TO_HTTPS", True)
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if _secure else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("EVENMATCH_HSTS_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = env.bool("EVENMATCH_HSTS_PRELOAD", False)
if env.bool("EVENMATCH_BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Else the limits on sign-in and sign-up would count all visitors as one: the proxy.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _address.scheme

# Only the operator knows whether sibling hosts speak TLS too and may be bound by ours (docs/operators.md).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
