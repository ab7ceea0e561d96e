"""Accepting the rules: at sign-up, when everybody is asked again, and never what was not shown."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Consent, SiteText, User
from api.site.delete_person import delete_account
from api.site.own_data import own_data
from matchmaking.models import Ticket
from ratings.models import Player
from tests.accounts.mailing import PASSWORD
from tests.accounts.texts.writing import written
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db
RULES = SiteText.Kind.RULES
SIGN_UP = "/accounts/signup/"


def sign_up(client: Client, name: str, **more: Any) -> Any:
    given = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return client.post(SIGN_UP, {**given, **more})


@pytest.mark.usefixtures("own_cache")
def test_whoever_signs_up_accepts_what_the_page_showed() -> None:
    assert "accepts" not in Client().get(SIGN_UP).context["form"].fields
    first = written(RULES, "Be nice.")
    page = Client().get(SIGN_UP)
    assert page.context["form"]["rules"].value() == first.pk
    assert '<a href="/rules/"' in page.content.decode()
    assert "what this site keeps about me" not in page.content.decode()
    written(SiteText.Kind.PRIVACY, "Nothing.")
    assert "what this site keeps about me" in Client().get(SIGN_UP).content.decode()
    refused = sign_up(Client(), "anna", rules=first.pk)
    assert "Accept the rules to go on." in refused.content.decode()
    second = written(RULES, "Be nicer.")
    stale = sign_up(Client(), "anna", rules=first.pk, accepts="on")
    assert "have changed just now" in stale.content.decode()
    assert stale.context["form"]["rules"].value() == str(second.pk)
    assert not stale.context["form"]["accepts"].value()
    assert not User.objects.exists()
    assert sign_up(Client(), "anna", rules=second.pk, accepts="on").status_code == 302
    consent = Consent.objects.get()
    assert (consent.account.username, consent.text, consent.version) == ("anna", second, 2)


@pytest.mark.usefixtures("own_cache")
def test_who_has_to_accept_does_so_before_searching_and_comes_back() -> None:
    hall = make_hall(2)
    user = User.objects.create_user("anna")
    Player.objects.filter(pk=hall.players[0].pk).update(user=user)
    client = Client()
    client.force_login(user)
    queue, search = f"/play/in/{hall.queue.slug}/", f"/play/in/{hall.queue.slug}/search/"
    written(RULES, "Be nice.")  # asks nobody who is there already
    german = written(RULES, "Sei nett.", "de", asks_again=True)
    referer = {"Referer": f"http://testserver{queue}"}
    answer = client.post(search, headers=referer)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/rules/accept/?next=%2Fplay%2Fin")
    part = client.post(search, headers={**referer, "HX-Request": "true"})
    assert part["HX-Redirect"].startswith("/rules/accept/?next=")
    for other in ("party/", "player/"):
        assert "/rules/accept/" in client.post(f"{queue}{other}", {"name": "Anna"})["Location"]
    assert "/rules/accept/" in client.post("/play/party/ABC/join/")["Location"]
    assert not Ticket.objects.exists()
    page = client.get(answer["Location"], headers={"Accept-Language": "de"})
    form = page.context["form"]
    assert form["rules"].value() == german.pk
    given = {"rules": german.pk, "next": page.context["next"]}
    assert client.post("/rules/accept/", given).status_code == 200  # not ticked
    for _ in range(2):  # twice is once
        done = client.post("/rules/accept/", {**given, "accepts": "on"})
        assert done["Location"] == queue
    consent = Consent.objects.get()
    assert (consent.text, consent.version) == (german, 2)
    client.post(search, headers=referer)
    assert Ticket.objects.count() == 1
    written(RULES, "Be nicest.")  # not marked: nobody is asked
    assert "/rules/accept/" not in client.post(search, headers=referer)["Location"]
    written(RULES, "Be nicest of all.", asks_again=True)
    assert "/rules/accept/" in client.post(search, headers=referer)["Location"]
    assert own_data(user)["account"]["rules_accepted"] == [
        {"version": 2, "language": "de", "given_at": consent.given_at}
    ]
    delete_account(user, by=None)
    assert not Consent.objects.exists()


def test_nobody_is_led_to_another_site_and_rules_that_are_gone_ask_nothing() -> None:
    client = Client()
    assert "/accounts/login/" in client.get("/rules/accept/")["Location"]
    client.force_login(User.objects.create_user("anna"))
    assert client.get("/rules/accept/?next=https://evil.example/")["Location"] == "/play/"
    row = written(RULES, "Be nice.", asks_again=True)
    given = {"rules": row.pk, "accepts": "on", "next": "https://evil.example/"}
    assert client.post("/rules/accept/", given)["Location"] == "/play/"
    assert client.post("/rules/accept/", {**given, "next": "nowhere"})["Location"] == "nowhere"
    written(RULES, "")
    assert client.get("/rules/accept/?next=/play/")["Location"] == "/play/"
