"""Passwords are hashed in a line of their own: whoever signs in holds nobody up, and a full line is told."""

import subprocess
import sys

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.test import Client, override_settings

from accounts.entrance import hashing
from accounts.models import User

PASSWORD = "a long walk home"
# A process as the web server makes it, with more who sign in than the line takes, and somebody who needs a turn of the
# loop every millisecond.
_CROWD = """
import os, gevent.monkey
gevent.monkey.patch_all()
import gevent
from django.conf import settings
settings.configure(PASSWORD_HASHERS=["accounts.entrance.hashing.PatientHasher"])
from accounts.entrance.hashing import IN_LINE, LineFullError, PatientHasher, _line

said, turns, niceness = [], 0, []

def sign_in():
    try:
        said.append(PatientHasher().encode("a long walk home", "salt", 400_000))
    except LineFullError:
        said.append("full")

def look():
    global turns
    while True:
        gevent.sleep(0.001)
        turns += bool(_line._waiting)

looker = gevent.spawn(look)
gevent.joinall([gevent.spawn(sign_in) for _ in range(IN_LINE + 3)])
_line.take(lambda: niceness.append(os.getpriority(os.PRIO_PROCESS, __import__("_thread").get_native_id())))
print(len(said), said.count("full"), len(set(said)), turns, niceness[0] - os.getpriority(os.PRIO_PROCESS, os.getpid()))
"""


def test_whoever_signs_in_holds_nobody_up() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _CROWD], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    said, full, kinds, turns, nicer = map(int, ran.stdout.split())
    assert (said, full) == (hashing.IN_LINE + 3, 3)
    assert kinds == 2  # the same hash for each, and "full"
    assert turns > 50  # half a second of work for five, and the others have their turns
    assert nicer == 10


def test_hashes_are_those_of_django() -> None:
    ours = hashing.PatientHasher().encode(PASSWORD, "salt", 1000)
    assert ours == PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1000)


def test_new_passwords_are_hashed_so() -> None:
    from config.settings import base

    with override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS):
        hashed = make_password(PASSWORD)
        assert check_password(PASSWORD, hashed)
    assert hashed.startswith("pbkdf2_sha256$")
    assert base.PASSWORD_HASHERS[0] == "accounts.entrance.hashing.PatientHasher"
    assert len(base.PASSWORD_HASHERS) > 2  # what Django has made before can be compared


@pytest.mark.django_db
def test_where_the_line_is_full_the_site_is_busy_and_nothing_is_lost(
    own_cache: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("olga", password=PASSWORD)
    given = {"login": "olga", "password": PASSWORD}

    def refuse(*_: object, **__: object) -> bool:
        raise hashing.LineFullError

    with monkeypatch.context() as full:
        full.setattr(User, "check_password", refuse)
        for _ in range(12):  # more than there are attempts
            busy = Client().post("/accounts/login/", given)
            assert (busy.status_code, busy["Retry-After"]) == (503, "5")
        assert "too busy" in busy.content.decode()
    assert Client().post("/accounts/login/", given).status_code == 302
