"""Passwords are hashed in a line of their own: whoever signs in holds nobody up, and a full line is told."""

import subprocess
import sys
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.test import Client, override_settings

from accounts.entrance import hashing
from accounts.models import User

PASSWORD = "a long walk home"
# A process as the web server makes it.
_SERVER = """
import gevent.monkey
gevent.monkey.patch_all()
import gevent
from django.conf import settings
settings.configure(PASSWORD_HASHERS=["accounts.entrance.hashing.PatientHasher"], REQUESTS_AT_ONCE=20)
from accounts.entrance.hashing import IN_LINE, LineFullError, PatientHasher, _line, coming_from

said = []

def sign_in(network):
    with coming_from(network):
        try:
            PatientHasher().encode("a long walk home", "salt", 200_000)
            said.append(network)
        except LineFullError:
            said.append(network + " is refused")
"""
# More who sign in than the line takes, and somebody who needs a turn of the loop every millisecond.
_CROWD = """
turns = 0

def look():
    global turns
    while True:
        gevent.sleep(0.001)
        turns += bool(_line._waiting)

looker = gevent.spawn(look)
gevent.joinall([gevent.spawn(sign_in, str(number)) for number in range(IN_LINE + 3)])
print(len(said), sum("refused" in one for one in said), turns)
"""
# More who sign in than such a process works on at once.
_FEW_TURNS = """
settings.REQUESTS_AT_ONCE = 5
gevent.joinall([gevent.spawn(sign_in, str(number)) for number in range(6)])
print(len(said), sum("refused" in one for one in said))
"""
# A crowd from three networks fills the line again and again. Then others come, each from a network of its own.
_OTHERS = """
crowd = [gevent.spawn(sign_in, f"crowd {number % 3}") for number in range(3 * IN_LINE)]
gevent.sleep(0.01)
others = [gevent.spawn(sign_in, f"other {number}") for number in range(4)]
gevent.joinall(crowd + others)
print(";".join(said))
"""
# Of three who wait the second gives up.
_LEFT = """
first, second, third = (gevent.spawn(sign_in, name) for name in ("first", "second", "third"))
gevent.sleep(0.01)
second.kill()
gevent.joinall([first, third])
sign_in("fourth")
print(";".join(said), len(_line._waiting), _line._hashed)
"""


def server(script: str) -> str:
    """What the script prints in such a process."""
    ran = subprocess.run(
        [sys.executable, "-c", _SERVER + script],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_whoever_signs_in_holds_nobody_up() -> None:
    said, full, turns = map(int, server(_CROWD).split())
    assert (said, full) == (hashing.IN_LINE + 3, 3)
    assert turns > 50  # seconds of work for the line, and the others have their turns


def test_signing_in_leaves_turns_to_other_requests_however_few_there_are() -> None:
    assert server(_FEW_TURNS) == "6 3"


def test_whoever_comes_seldom_is_first_and_never_refused() -> None:
    said = server(_OTHERS).split(";")
    assert len(said) == 3 * hashing.IN_LINE + 4
    served = [one for one in said if "refused" not in one]
    assert served[3:7] == [f"other {number}" for number in range(4)]  # the first three are new, too
    assert not any(one.startswith("other") for one in said if "refused" in one)
    assert len(served) == hashing.IN_LINE


def test_a_request_that_ends_while_it_waits_is_spared() -> None:
    assert server(_LEFT) == "first;third;fourth 0 None"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "login", ["olga", "olga@example.org", "new@example.org", "nobody@example.org", "gone", "none"]
)
def test_each_attempt_takes_the_work_of_one_password(
    own_cache: None, monkeypatch: pytest.MonkeyPatch, login: str
) -> None:
    olga = User.objects.create_user("olga", password=PASSWORD)
    EmailAddress.objects.create(user=olga, email="olga@example.org", verified=True, primary=True)
    EmailAddress.objects.create(user=olga, email="new@example.org", verified=False)
    User.objects.create_user("gone", password=PASSWORD, is_active=False)
    hashed = []
    encode = PBKDF2PasswordHasher.encode

    def count(own: PBKDF2PasswordHasher, *given: Any) -> str:
        hashed.append(given)
        return encode(own, *given)

    with override_settings(PASSWORD_HASHERS=[f"{__name__}.Quick"]):
        olga.set_password(PASSWORD)
        olga.save()
        User.objects.filter(username="gone").update(password=olga.password)
        monkeypatch.setattr(Quick, "encode", count)
        answer = Client().post("/accounts/login/", {"login": login, "password": "a wrong one"})
    assert answer.status_code == 200
    assert len(hashed) == 1


class Quick(hashing.PatientHasher):
    """As the site's, with less to do."""

    iterations = 10


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
