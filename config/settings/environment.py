"""Settings read from the environment: which form each has, and how those are read that are more than a number."""

import logging
import math
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import time
from difflib import get_close_matches
from email.utils import parseaddr
from importlib.machinery import PathFinder
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from environs import Env, EnvValidationError

from config.embedded.paths import FILE_GIVES, SETTINGS_FILE, StartError

__all__ = [
    "ADDRESSES",
    "FORMS",
    "FREE",
    "check_settings",
    "misspelled_settings",
    "read_days",
    "read_limit",
    "read_list",
    "read_origins",
]

KEY_PREFIX = "evenmatch-backup-"  # of public keys for backups
_Limit = tuple[int, float] | None
# A text is wrong where the first gives False or raises a ValueError; the second says what would be right.
_Form = tuple[Callable[[str], object], str]


def read_limit(env: Env, name: str, default: str) -> _Limit:
    """Read `600/60`, 600 requests in any 60 seconds; None for `off`. EnvValidationError names a bad value."""
    text = env.str(name, default)
    try:
        return _limit(text)
    except ValueError:
        words = f"{name} is {text!r}: must be requests/seconds, such as {default}, or off"
        raise EnvValidationError(words, [words]) from None


def read_days(env: Env, name: str, default: str, *, at_least: float) -> float | None:
    """Read a number of days, None for `off` (for ever). EnvValidationError names a bad value."""
    text = env.str(name, default)
    try:
        return _days(text, at_least)
    except ValueError:
        words = f"{name} is {text!r}: must be {_days_from(at_least)[1]}"
        raise EnvValidationError(words, [words]) from None


def read_origins(env: Env, name: str) -> frozenset[str]:
    """Read `https://play.example.org,http://localhost:5173`; none by default. EnvValidationError names a bad value."""
    text = env.str(name, "")
    try:
        return frozenset(_origin(one) for one in _parts(text))
    except ValueError:
        words = f"{name} has {text!r}: must be {_ORIGINS[1]}"
        raise EnvValidationError(words, [words]) from None


def read_list(env: Env, name: str) -> list[str]:
    """Read `one, another`; none by default."""
    return _parts(env.str(name, ""))


def check_settings(environ: Mapping[str, str]) -> None:
    """Raise a StartError that names the first variable whose value cannot be right, and what would be.

    It needs neither Django nor a server: whoever starts something asks this first.
    """
    for name, (is_right, right) in FORMS.items():
        if name not in environ:
            continue
        try:
            is_wrong = is_right(environ[name]) is False
        except ValueError:
            is_wrong = True
        if is_wrong:
            raise StartError(f"{name} is {_shown(name, environ[name])}: must be {right}.")


def misspelled_settings(environ: Mapping[str, str]) -> list[str]:
    """A sentence for each variable that nobody reads, and whose name is nearly that of one that is read.

    They are told and not refused: a release that is gone back to does not know those of the next.
    """
    read = {*FORMS, *FREE, SETTINGS_FILE, FILE_GIVES}
    unknown = sorted(one for one in environ if one.startswith("EVENMATCH_") and one not in read)
    return [
        f"{name} is set, but nothing reads it. Is {near[0]} meant?"
        for name in unknown
        if not name.startswith("EVENMATCH_TEST")  # of the tests
        and (near := get_close_matches(name, read, n=1, cutoff=0.85))
    ]


def _shown(name: str, text: str) -> str:
    """The value as it may be printed: what is printed ends in logs."""
    if name.endswith("_KEY"):
        return f"a text of {len(text)} characters"
    if name in ADDRESSES:
        return repr(re.sub(":.*@", "://…@", text).partition("?")[0])  # passwords
    return repr(text)


def _limit(text: str) -> _Limit:
    if text.strip().lower() == "off":
        return None
    count, _, seconds = text.partition("/")
    limit = (int(count), float(seconds))
    if limit[0] < 1 or not 0 < limit[1] < math.inf:
        raise ValueError(text)
    return limit


def _days(text: str, at_least: float) -> float | None:
    if text.strip().lower() == "off":
        return None
    if not at_least <= (days := float(text)) <= 100_000:
        raise ValueError(text)
    return days


def _origin(text: str) -> str:
    """The origin as browsers send it: small letters, nothing after the port, no port that goes without saying."""
    parts = urlsplit(text.lower())
    port = parts.port
    usual = {"http": 80, "https": 443}
    plain = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in usual or not parts.hostname or "@" in plain or plain != text.lower():
        raise ValueError(text)
    return plain.removesuffix(f":{port}") if port == usual[parts.scheme] else plain


def _parts(text: str) -> list[str]:
    return [part for part in map(str.strip, text.split(",")) if part]


def _is_host(text: str) -> bool:
    """Whether it is an address, or can be the name of a host: what ends in a number is meant as an address."""
    try:
        ip_address(text)
    except ValueError:
        is_name = re.fullmatch(r"[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*", text)
        return bool(is_name) and not text.rpartition(".")[2].isdecimal()
    return True


def _is_pattern_of_hosts(text: str) -> bool:
    """Whether Django can compare hosts with it, which it does without their ports."""
    if text.startswith("["):
        return text.endswith("]") and ip_address(text[1:-1]).version == 6
    return text == "*" or (":" not in text and _is_host(text.removeprefix(".")))


def _is_public(text: str) -> bool:
    origin = _origin(text.rstrip("/"))
    return _is_host(urlsplit(origin).hostname or "")


def _is_sender(text: str) -> bool:
    user, _, host = parseaddr(text)[1].rpartition("@")
    return bool(user) and text.isprintable() and _is_host(host)


def _is_database(text: str) -> bool:
    parts = urlsplit(text)
    is_named = parts.path.strip("/") != "" or "service=" in parts.query
    is_url = text.startswith(("postgresql://", "postgres://"))
    return is_url and is_named and parts.port != 0


def _is_redis(text: str) -> bool:
    parts = urlsplit(text)
    if parts.scheme == "unix":
        return parts.path.startswith("/")
    is_numbered = re.fullmatch(r"/?\d*", parts.path)
    is_url = text.startswith(("redis://", "rediss://"))
    return is_url and bool(is_numbered) and parts.port != 0


def _is_condition(text: str) -> bool:
    """Whether the module is there that has it. It is not loaded: that takes the whole site, and `check` does it."""
    parts = text.split(".")
    if len(parts) < 2 or not all(map(str.isidentifier, parts)):
        return False
    found = find_spec(parts[0])
    for depth in range(2, len(parts)):
        if found is None or found.submodule_search_locations is None:
            return False
        name, folders = ".".join(parts[:depth]), found.submodule_search_locations
        found = PathFinder.find_spec(name, folders)
    return found is not None


def _is_backup_key(text: str) -> bool:
    return len(b64decode(text.removeprefix(KEY_PREFIX), validate=True)) == 32 and text.startswith(
        KEY_PREFIX
    )


def _number(least: float, what: str, most: float = 86_400) -> _Form:
    return (
        lambda text: least <= float(text) <= most,
        f"a number of {what} from {least:g} to {most:.15g}",
    )


def _whole(least: int, most: int = 1_000_000) -> _Form:
    return (
        lambda text: re.fullmatch("[0-9]+", text) is not None and least <= int(text) <= most,
        f"a whole number from {least} to {most}",
    )


def _days_from(least: float) -> _Form:
    words = f"a number of days from {least:g} on, or off for ever"
    return lambda text: _days(text, least), words


def _each(is_right: Callable[[str], object], words: str) -> _Form:
    return lambda text: all(is_right(part) is not False for part in _parts(text)), words


def _or_nothing(is_right: Callable[[str], object], words: str) -> _Form:
    """A variable that is as if it was not set while it is empty."""
    return lambda text: text == "" or is_right(text), words


_TRUTHS = frozenset(
    ["true", "yes", "on", "y", "t", "1", "false", "no", "off", "n", "f", "0"]
)  # as environs reads them
_SECONDS = _number(1, "seconds")
_LIMIT: _Form = (_limit, "requests/seconds, such as 600/60, or off")
_YES_OR_NO: _Form = (
    lambda text: (
        text in {text.lower(), text.capitalize(), text.upper()} and text.lower() in _TRUTHS
    ),
    "true or false",
)
# Secret where they hold a password.
ADDRESSES = frozenset(["DATABASE_URL", "EVENMATCH_REPLICA_URL", "REDIS_URL"])
_ORIGINS = _each(
    _origin,
    "the origin of a web site such as https://play.example.org, without a path or a slash at the end",
)
# Any text is right.
FREE = (
    "EVENMATCH_DATA_DIR",
    "EVENMATCH_METRICS_TOKEN",
    "EMAIL_HOST_USER",
    "EMAIL_HOST_PASSWORD",
)
FORMS: dict[str, _Form] = {
    "EVENMATCH_PUBLIC_URL": _or_nothing(
        _is_public, "the address of the site, such as https://play.example.org, without a path"
    ),
    "EVENMATCH_ALLOWED_HOSTS": _each(
        _is_pattern_of_hosts, "names of hosts such as play.example.org, without ports"
    ),
    "EVENMATCH_BIND": _or_nothing(_is_host, "an address of this machine, such as 127.0.0.1 or ::"),
    "EVENMATCH_PORT": _or_nothing(*_whole(1, 65_535)),
    "EVENMATCH_WEB_PROCESSES": _or_nothing(*_whole(1, 1000)),
    "EVENMATCH_DATABASE_POOL": _whole(0, 10_000),
    "EVENMATCH_DATABASE_WAIT": _number(0.1, "seconds"),
    "EVENMATCH_PAGES_KEPT": _number(0, "seconds"),
    "EVENMATCH_KEYS_TRUSTED": _number(0, "seconds", 5),
    "EVENMATCH_STREAMS": _whole(0),
    "EVENMATCH_STREAMS_PER_ADDRESS": _whole(0),
    "EVENMATCH_STREAMS_PER_CALLER": _whole(0),
    "EVENMATCH_STREAM_LEASE": _SECONDS,
    "EVENMATCH_BODY_SECONDS": _SECONDS,
    "EVENMATCH_SEND_SECONDS": _SECONDS,
    "EVENMATCH_REQUEST_SECONDS": _SECONDS,
    "EVENMATCH_DATABASE_SILENCE": _SECONDS,
    "EVENMATCH_REQUESTS_AT_ONCE": _whole(1, 10_000),
    "EVENMATCH_TURN_SECONDS": _number(0, "seconds"),
    "EVENMATCH_CONNECTIONS_PER_ADDRESS": _whole(0),
    "EVENMATCH_STREAM_KEEPALIVE": _SECONDS,
    "EVENMATCH_BEHIND_PROXY": _YES_OR_NO,
    "EVENMATCH_TRUSTED_PROXIES": _each(
        lambda one: one == "*" or ip_network(one), "addresses or networks, such as 10.0.0.0/8, or *"
    ),
    "EVENMATCH_REDIRECT_TO_HTTPS": _YES_OR_NO,
    "EVENMATCH_HSTS_SUBDOMAINS": _YES_OR_NO,
    "EVENMATCH_HSTS_PRELOAD": _YES_OR_NO,
    "EVENMATCH_SECRET_KEY": _or_nothing(lambda text: len(text) >= 32, "at least 32 characters"),
    "DATABASE_URL": _or_nothing(_is_database, "like postgresql://user:password@host/name"),
    "EVENMATCH_DATABASE_POOLER": _YES_OR_NO,
    "EVENMATCH_REPLICA_URL": _or_nothing(_is_database, "like postgresql://user:password@host/name"),
    "EVENMATCH_REPLICA_BEHIND": _number(0, "seconds"),
    "REDIS_URL": _or_nothing(_is_redis, "like redis://host:6379/0 or unix:///path"),
    "EMAIL_HOST": _or_nothing(_is_host, "the name or address of a mail server, without a port"),
    "EMAIL_PORT": _whole(1, 65_535),
    "EMAIL_USE_TLS": _YES_OR_NO,
    "EVENMATCH_FROM_EMAIL": (_is_sender, "an address such as noreply@example.org"),
    "EVENMATCH_CONDITIONS": _each(
        _is_condition, "conditions of modules that are there, such as mygame.conditions.SameClan"
    ),
    "EVENMATCH_LOG_LEVEL": (
        lambda text: text in logging.getLevelNamesMapping(),
        "DEBUG, INFO, WARNING, ERROR or CRITICAL",
    ),
    "EVENMATCH_LOG_FORMAT": (lambda text: text in {"console", "json"}, "console or json"),
    "EVENMATCH_DEMO": _YES_OR_NO,
    "EVENMATCH_LIMIT_ANONYMOUS": _LIMIT,
    "EVENMATCH_LIMIT_PLAYER_READ": _LIMIT,
    "EVENMATCH_LIMIT_PLAYER_WRITE": _LIMIT,
    "EVENMATCH_LIMIT_SERVER_READ": _LIMIT,
    "EVENMATCH_LIMIT_SERVER_WRITE": _LIMIT,
    "EVENMATCH_CORS_ORIGINS": _ORIGINS,
    "EVENMATCH_API_MAX_BODY": _whole(1, 1_000_000_000),
    "EVENMATCH_MIN_FREE_MB": _or_nothing(*_number(0, "megabytes", 999_999_999)),
    "EVENMATCH_BACKUP_DIR": (
        lambda text: not text or Path(text).expanduser().is_absolute(),
        "a folder from the root on, such as /backup",
    ),
    "EVENMATCH_BACKUP_AT": (
        lambda text: time.fromisoformat(text).tzinfo is None,
        "a time of day in UTC, such as 03:15",
    ),
    "EVENMATCH_BACKUP_DAILY": _whole(1, 10_000),
    "EVENMATCH_BACKUP_WEEKLY": _whole(0, 10_000),
    "EVENMATCH_BACKUP_KEY": _or_nothing(
        _is_backup_key, "a public key as `manage.py backup_key` prints it"
    ),
    "EVENMATCH_CLOCK_ABSENCE_DAYS": _number(0, "days", 100_000),
    "EVENMATCH_RUN_DEADLINE": _SECONDS,
    "EVENMATCH_EVENT_GAP_SECONDS": _SECONDS,
    "EVENMATCH_SILENT_SERVER_MINUTES": _number(1, "minutes", 10_080),
    "EVENMATCH_LOG_PORT": _whole(0, 65_535),
    "EVENMATCH_LOG_BIND": _or_nothing(
        _is_host, "an address of this machine, such as 0.0.0.0 or ::"
    ),
    "EVENMATCH_STAFF_FACTOR_DAYS": _days_from(0),
    "EVENMATCH_CHALLENGES_OPEN": _whole(0, 1000),
    "EVENMATCH_NOTICES_FROM_ONE": _whole(0, 100_000),
    "EVENMATCH_NOTICES_FROM_ALL": _whole(0, 100_000),
    "EVENMATCH_KEEP_SEARCHES": _days_from(8),
    "EVENMATCH_KEEP_REPORTS": _days_from(1),
    "EVENMATCH_NAME_CHANGES": _whole(0, 1000),
    "EVENMATCH_HOLD_NAMES": _whole(0, 3650),
    "EVENMATCH_KEEP_CASES": _days_from(1),
    "EVENMATCH_KEEP_KEYS": _days_from(1),
    "EVENMATCH_KEEP_EVENTS": _days_from(1),
    "EVENMATCH_KEEP_SIGN_INS": _days_from(1),
}
