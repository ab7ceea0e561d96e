"""The admin has no door of its own: the site's sign-in leads there, with its limits."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.accounts.mailing import add_address

pytestmark = pytest.mark.django_db
PASSWORD = "a long walk home"


@pytest.fixture
def olga(own_cache: None) -> User:
    return User.objects.create_superuser("olga", password=PASSWORD)


def test_the_admin_sends_visitors_to_the_sites_sign_in(client: Client) -> None:
    answer = client.get("/admin/ratings/match/", follow=True)
    assert answer.redirect_chain[-1][0] == "/accounts/login/?next=%2Fadmin%2Fratings%2Fmatch%2F"
    assert 'name="next"' in answer.content.decode()


@pytest.mark.parametrize("elsewhere", ["https://evil.example", "//evil.example/admin/", ""])
def test_it_sends_nobody_to_another_site(client: Client, elsewhere: str) -> None:
    answer = client.get("/admin/login/", {"next": elsewhere})
    assert answer.headers["Location"] == "/accounts/login/?next=%2Fadmin%2F"


def test_who_signs_in_there_arrives_in_the_admin(client: Client, olga: User) -> None:
    way = client.get("/admin/ratings/match/", follow=True).redirect_chain[-1][0]
    given = {"login": "olga", "password": PASSWORD, "next": "/admin/ratings/match/"}
    assert client.post(way, given).headers["Location"] == "/admin/ratings/match/"
    assert client.get("/admin/").status_code == 200
    assert client.get("/admin/login/").headers["Location"] == "/admin/"


def test_a_password_sent_to_the_admin_signs_nobody_in(client: Client, olga: User) -> None:
    client.post("/admin/login/", {"username": "olga", "password": PASSWORD, "next": "/admin/"})
    assert client.get("/admin/").status_code == 302


def test_wrong_passwords_shut_out_the_right_one(client: Client, olga: User) -> None:
    for attempt in range(6):
        client.post("/admin/login/", {"username": "olga", "password": f"guess {attempt}"})
        client.post("/accounts/login/", {"login": "olga", "password": f"guess {attempt}"})
    client.post("/admin/login/", {"username": "olga", "password": PASSWORD})
    client.post("/accounts/login/", {"login": "olga", "password": PASSWORD})
    assert client.get("/admin/").status_code == 302


def test_who_guesses_keeps_nobody_out_who_comes_from_elsewhere(olga: User) -> None:
    guesser, owner = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for attempt in range(6):
        answer = guesser.post("/accounts/login/", {"login": "olga", "password": f"guess {attempt}"})
    assert "Too many" in answer.content.decode()
    owner.post("/accounts/login/", {"login": "olga", "password": PASSWORD})
    assert owner.get("/admin/").status_code == 200


@pytest.mark.parametrize("password", ["a guess", PASSWORD])
def test_many_who_guess_together_have_only_so_many_attempts(
    olga: User, settings: Any, password: str
) -> None:
    limits = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "3/h/key"}
    settings.ACCOUNT_RATE_LIMITS = limits
    given, refused = {"login": "olga", "password": password}, []
    for network in range(5):
        answer = Client(REMOTE_ADDR=f"192.0.2.{network}").post("/accounts/login/", given)
        refused.append("Too many" in answer.content.decode())
    # The right one uses none up.
    assert refused == [False, False, False, *[password != PASSWORD] * 2]


def test_wrong_passwords_do_not_tell_whose_an_address_is(olga: User) -> None:
    address = "olga@example.org"
    add_address(olga, address, verified=True, primary=True)

    def is_refused(login: str, source: str = "192.0.2.1") -> bool:
        given = {"login": login, "password": "a guess"}
        answer = Client(REMOTE_ADDR=source).post("/accounts/login/", given)
        return "Too many" in answer.content.decode()

    assert [is_refused("Olga") for _ in range(6)][-1]
    assert not is_refused(address)
    assert not is_refused("nobody@example.org")
    written = [address, address.upper()] * 3  # is one, and has as many attempts
    assert [is_refused(one, "192.0.2.2") for one in written] == [False] * 5 + [True]


def test_an_account_without_the_right_is_told_so(client: Client) -> None:
    client.force_login(User.objects.create_user("anna"))
    answer = client.get("/admin/", follow=True)
    assert answer.status_code == 403
    text = answer.content.decode()
    assert "You're signed in as anna" in text
    assert "Sign out" in text


def test_the_admin_changes_own_passwords_on_the_sites_page(client: Client, olga: User) -> None:
    client.force_login(olga)
    answer = client.get("/admin/password_change/")
    assert answer.headers["Location"] == "/accounts/password/change/"
