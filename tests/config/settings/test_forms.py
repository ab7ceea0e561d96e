"""Settings that cannot be right stop the start, named, before anything is started."""

import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
from django.core.checks import run_checks

from config.embedded.paths import PROJECT, StartError
from config.launcher.options import read_options, refuse_taken_port
from config.settings.environment import FORMS, check_settings, misspelled_settings
from tests.house.site import environment, run_once

# Any text is right, or who uses it says what is wrong with it.
FREE = {"EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "EVENMATCH_METRICS_TOKEN", "EVENMATCH_DATA_DIR"}
NUMBERS = [
    *("EVENMATCH_PORT", "EVENMATCH_WEB_PROCESSES", "EVENMATCH_DATABASE_POOL"),
    *("EVENMATCH_DATABASE_WAIT", "EVENMATCH_STREAMS", "EVENMATCH_STREAMS_PER_ADDRESS"),
    *("EVENMATCH_PAGES_KEPT", "EVENMATCH_KEYS_TRUSTED"),
    *("EVENMATCH_STREAMS_PER_CALLER", "EVENMATCH_STREAM_LEASE", "EVENMATCH_BODY_SECONDS"),
    *("EVENMATCH_SEND_SECONDS", "EVENMATCH_REQUEST_SECONDS", "EVENMATCH_DATABASE_SILENCE"),
    *("EVENMATCH_REQUESTS_AT_ONCE", "EVENMATCH_TURN_SECONDS", "EVENMATCH_STREAM_KEEPALIVE"),
    *("EVENMATCH_CONNECTIONS_PER_ADDRESS", "EMAIL_PORT", "EVENMATCH_API_MAX_BODY"),
    *("EVENMATCH_MIN_FREE_MB", "EVENMATCH_CLOCK_ABSENCE_DAYS", "EVENMATCH_RUN_DEADLINE"),
    *("EVENMATCH_CHALLENGES_OPEN", "EVENMATCH_NOTICES_FROM_ONE", "EVENMATCH_NOTICES_FROM_ALL"),
    *("EVENMATCH_KEEP_SEARCHES", "EVENMATCH_KEEP_REPORTS", "EVENMATCH_KEEP_KEYS"),
    *("EVENMATCH_KEEP_CASES", "EVENMATCH_NAME_CHANGES", "EVENMATCH_HOLD_NAMES"),
    *("EVENMATCH_KEEP_EVENTS", "EVENMATCH_KEEP_SIGN_INS", "EVENMATCH_STAFF_FACTOR_DAYS"),
    *("EVENMATCH_BACKUP_DAILY", "EVENMATCH_BACKUP_WEEKLY", "EVENMATCH_REPLICA_BEHIND"),
    *("EVENMATCH_EVENT_GAP_SECONDS", "EVENMATCH_SILENT_SERVER_MINUTES", "EVENMATCH_LOG_PORT"),
]
NOT_ZERO = [
    *("EVENMATCH_PORT", "EVENMATCH_WEB_PROCESSES", "EVENMATCH_DATABASE_WAIT"),
    *("EVENMATCH_STREAM_LEASE", "EVENMATCH_BODY_SECONDS", "EVENMATCH_SEND_SECONDS"),
    *("EVENMATCH_REQUEST_SECONDS", "EVENMATCH_DATABASE_SILENCE", "EVENMATCH_REQUESTS_AT_ONCE"),
    *("EVENMATCH_STREAM_KEEPALIVE", "EMAIL_PORT", "EVENMATCH_API_MAX_BODY"),
    *("EVENMATCH_RUN_DEADLINE", "EVENMATCH_KEEP_SEARCHES"),
    *("EVENMATCH_EVENT_GAP_SECONDS", "EVENMATCH_SILENT_SERVER_MINUTES"),
]
KEY = f"evenmatch-backup-{b64encode(bytes(32)).decode()}"
SWITCHES = [
    *("EVENMATCH_BEHIND_PROXY", "EVENMATCH_REDIRECT_TO_HTTPS", "EVENMATCH_HSTS_SUBDOMAINS"),
    *("EVENMATCH_HSTS_PRELOAD", "EMAIL_USE_TLS", "EVENMATCH_DEMO"),
    "EVENMATCH_DATABASE_POOLER",
]
LIMITS = [
    f"EVENMATCH_LIMIT_{whose}"
    for whose in ("ANONYMOUS", "PLAYER_READ", "PLAYER_WRITE", "SERVER_READ", "SERVER_WRITE")
]
WRONG = {
    "EVENMATCH_PUBLIC_URL": [
        *(
            "play.example.org",
            "https://host/games/",
            "ftp://play.example.org",
            "https://",
            "https://a b",
        ),
        *("https://me@play.example.org", "https://play.example.org:99999", "http://999.1.1.1"),
    ],
    "EVENMATCH_ALLOWED_HOSTS": ["https://example.org", "example.org:8000", "a.org,b c", "[::1"],
    "EVENMATCH_BIND": ["999.1.1.1", "127.0.0.1:80", "127.0.0", "http://x", "a b"],
    "EVENMATCH_LOG_BIND": ["999.1.1.1", "127.0.0.1:27500", "a b"],
    "EVENMATCH_LOG_PORT": ["65536", "off", ""],
    "EVENMATCH_PORT": ["65536", "80.5", "8_000", " 8000", "٨٠٠٠"],
    "EVENMATCH_WEB_PROCESSES": ["two", "1.5"],
    "EVENMATCH_TRUSTED_PROXIES": ["foo", "127.0.0.1,999.1.1.1", "10.0.0.1/8", "10.0.0.0/33"],
    "EVENMATCH_SECRET_KEY": ["short", "s" * 31],
    "DATABASE_URL": [
        *("mysql://x/y", "x/y", "postgresql://host", "postgresql://host:port/name", "sqlite:///x"),
    ],
    "EVENMATCH_REPLICA_URL": ["mysql://x/y", "postgresql://host"],
    "REDIS_URL": [
        "http://x",
        "redis://host:port",
        "redis://host/first",
        "unix://name",
        "host:6379",
    ],
    "EMAIL_HOST": ["smtp://mail.example.org", "mail.example.org:587", "a b"],
    "EMAIL_PORT": ["99999"],
    "EVENMATCH_FROM_EMAIL": ["nonsense", "", "@example.org", "me@", "a@b.org\nc"],
    "EVENMATCH_CONDITIONS": [
        *("no_such.conditions.Clan", "matchmaking.no_such.Clan", "Clan", "config.urls.deeper.Clan"),
        *("matchmaking.pairing.condition.Condition,no.such", "a b.c"),
    ],
    "EVENMATCH_LOG_LEVEL": ["LOUD", "info", ""],
    "EVENMATCH_LOG_FORMAT": ["xml", "JSON", ""],
    "EVENMATCH_CORS_ORIGINS": ["*", "https://good.example.org,https://play.example.org/"],
    "EVENMATCH_KEEP_SEARCHES": ["7"],
    "EVENMATCH_BACKUP_DIR": ["backups", "./backups"],
    "EVENMATCH_BACKUP_AT": ["", "3", "25:00", "03:15+01:00", "nightly"],
    "EVENMATCH_BACKUP_DAILY": ["0", "1.5"],
    "EVENMATCH_BACKUP_KEY": ["a password", "evenmatch-backup-c2hvcnQ=", KEY.partition("-")[2]],
    **{name: ["maybe", "", "2", "tRUE"] for name in SWITCHES},
    **{name: ["600", "0/60", "10/nan", ""] for name in LIMITS},
}
RIGHT = {
    "EVENMATCH_PUBLIC_URL": [
        *("", "http://localhost:8000", "https://Play.example.org/", "http://[::1]:9000"),
        *("http://192.0.2.7", "https://my_site.example.org:8443"),
    ],
    "EVENMATCH_ALLOWED_HOSTS": ["", "a.org, b.org", ".example.org", "*", "192.0.2.7,[::1]"],
    "EVENMATCH_BIND": ["", "0.0.0.0", "::", "localhost", "site.internal"],  # noqa: S104 - a text
    "EVENMATCH_LOG_BIND": ["", "0.0.0.0", "::"],  # noqa: S104 - a text
    "EVENMATCH_LOG_PORT": ["0", "27500"],
    "EVENMATCH_PORT": ["", "80"],
    "EVENMATCH_DATABASE_POOL": ["0", "50"],
    "EVENMATCH_CONNECTIONS_PER_ADDRESS": ["0"],
    "EVENMATCH_TURN_SECONDS": ["0", "0.5"],
    "EVENMATCH_TRUSTED_PROXIES": ["", "*", "127.0.0.1, ::1", "10.0.0.0/8"],
    "EVENMATCH_SECRET_KEY": ["", "s" * 32],
    "DATABASE_URL": [
        *(
            "",
            "postgresql://me:pass@db.example.org/evenmatch",
            "postgres://db:5433/x?sslmode=require",
        ),
        *(
            "postgresql://evenmatch@%2Fsrv%2Frun:5432/evenmatch",
            "postgresql:///x",
            "postgresql://?service=x",
        ),
    ],
    "REDIS_URL": [
        *(
            "",
            "redis://cache.example.org:6379/0",
            "rediss://:pass@cache",
            "unix:///run/valkey.sock?db=3",
        ),
    ],
    "EMAIL_HOST": ["", "mail.example.org", "localhost", "192.0.2.7", "::1"],
    "EVENMATCH_FROM_EMAIL": ["me@example.org", "Evenmatch <noreply@localhost>"],
    "EVENMATCH_CONDITIONS": [
        *("", "matchmaking.pairing.condition.Condition", "os.path, config.urls.x"),
    ],
    "EVENMATCH_LOG_LEVEL": ["DEBUG", "WARNING"],
    "EVENMATCH_LOG_FORMAT": ["json", "console"],
    "EVENMATCH_CORS_ORIGINS": ["", "http://localhost:5173, https://play.example.org"],
    "EVENMATCH_MIN_FREE_MB": ["", "0", "1.5"],
    "EVENMATCH_BACKUP_DIR": ["", "/backup", "~/backups"],
    "EVENMATCH_BACKUP_AT": ["03:15", "23:59:30"],
    "EVENMATCH_BACKUP_DAILY": ["1"],
    "EVENMATCH_BACKUP_WEEKLY": ["0"],
    "EVENMATCH_BACKUP_KEY": ["", KEY],
    **{name: ["8", "off", "Off"] for name in NUMBERS if "_KEEP_" in name},
    **{name: ["true", "False", "1", "off", "YES", "n"] for name in SWITCHES},
    **{name: ["off", "10/0.5"] for name in LIMITS},
}


def cases(texts: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(name, text) for name, some in texts.items() for text in some]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *cases(WRONG),
        *((name, text) for name in NUMBERS for text in ("-1", "some", "nan", "inf", "1e30")),
        *((name, "0") for name in NOT_ZERO),
    ],
)
def test_what_cannot_be_right_is_named_with_what_would_be(name: str, text: str) -> None:
    shown = f"a text of {len(text)} characters" if name.endswith("_KEY") else re.escape(repr(text))
    with pytest.raises(StartError, match=rf"^{name} is {shown}: must be .{{4,}}\.$"):
        check_settings({name: text})


@pytest.mark.parametrize(("name", "text"), cases(RIGHT))
def test_what_is_right_is_taken(name: str, text: str) -> None:
    check_settings({name: text})


def test_each_variable_of_the_docs_has_a_form_and_was_tried() -> None:
    """Those that operators read of, and no other."""
    docs = (PROJECT / "docs" / "operators.md").read_text("utf-8")
    rows = re.findall(r"^\| (`(?:EVENMATCH|EMAIL|DATABASE|REDIS)_[^|]+)\|", docs, re.MULTILINE)
    names = re.findall(r"`(…?[A-Z_]+)`", " ".join(rows))
    told = {name.replace("…", "EVENMATCH_LIMIT") for name in names} - FREE
    assert set(FORMS) == told
    assert set(FORMS) == {*WRONG, *NUMBERS}


def test_passwords_and_keys_are_not_printed() -> None:
    for name, text in (
        ("DATABASE_URL", "mysql://me:hidden/it@x/y"),
        ("DATABASE_URL", "postgresql:me:hid?den@x/y"),
        ("DATABASE_URL", "postgresql://x?password=hidden"),
        ("REDIS_URL", "http://:hidden@x/0"),
        ("EVENMATCH_SECRET_KEY", "hidden"),
    ):
        with pytest.raises(StartError, match=f"^{name} is ") as refusal:
            check_settings({name: text})
        assert "hid" not in str(refusal.value)


def test_a_name_that_nobody_reads_is_told_with_the_one_that_is_nearest() -> None:
    environ = {"EVENMATCH_RUN_DEADLINES": "5", "EVENMATCH_STREAMS": "5", "EVENMATCH_OF_A_GAME": "5"}
    assert misspelled_settings(environ) == [
        "EVENMATCH_RUN_DEADLINES is set, but nothing reads it. Is EVENMATCH_RUN_DEADLINE meant?"
    ]
    assert misspelled_settings({**dict.fromkeys(FORMS, ""), **dict.fromkeys(FREE, "")}) == []


def test_check_tells_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENMATCH_PUBLIC_URI", "https://play.example.org")
    words = [one.msg for one in run_checks() if one.id == "evenmatch.W001"]
    assert words == [
        "EVENMATCH_PUBLIC_URI is set, but nothing reads it. Is EVENMATCH_PUBLIC_URL meant?"
    ]


def test_bin_run_starts_nothing(tmp_path: Path) -> None:
    done = run_once(tmp_path / "data", environ={"EVENMATCH_REQUEST_SECONDS": "-1"})
    words = "EVENMATCH_REQUEST_SECONDS is '-1': must be a number of seconds from 1 to 86400."
    assert (done.returncode, done.stderr) == (1, f"{words}\n")
    assert not (tmp_path / "data").exists()


def test_a_name_that_this_machine_does_not_have_is_no_address_to_listen_on() -> None:
    options = read_options([], {"EVENMATCH_BIND": "nowhere.invalid", "EVENMATCH_PORT": "8000"})
    with pytest.raises(
        StartError, match=r"8000 of nowhere\.invalid .*: Cannot assign requested addr"
    ):
        refuse_taken_port(options)


@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "migrate"],
        ["-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi:application"],
        ["-c", "import config.settings.production"],
    ],
)
def test_whatever_reads_settings_refuses_them(command: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env=environment(EVENMATCH_DATA_DIR=str(tmp_path / "data"), EVENMATCH_WEB_PROCESSES="0"),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1
    words = "EVENMATCH_WEB_PROCESSES is '0': must be a whole number from 1 to 1000."
    assert done.stderr.splitlines()[-1].endswith(words)
    assert not (tmp_path / "data").exists()
