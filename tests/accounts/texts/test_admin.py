"""Texts in the admin: looked at, saved, refused while something is open, and what is kept."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import AuditEntry, Consent, SiteText, User
from accounts.texts.starting import left_open, starting_text
from tests.accounts.texts.writing import written
from tests.ratings.admin_cast import operator

pytestmark = pytest.mark.django_db
LIST = "/admin/accounts/sitetext/"
RULES = f"{LIST}write/rules/en/"
Kind = SiteText.Kind


def save(client: Client, address: str, **given: Any) -> Any:
    seen = client.get(address).context["form"]["seen"].value()
    return client.post(address, {"seen": seen, **given})


def test_a_text_is_previewed_then_saved_and_audited() -> None:
    client = operator()
    page = client.get(LIST).content.decode()
    assert "not written" in page
    assert RULES in page
    shown = save(client, RULES, text="## Be *nice*\n\n[kept]", preview="1").content.decode()
    assert "<em>nice</em>" in shown
    assert "Reports of results" in shown
    assert not SiteText.objects.exists()
    assert save(client, RULES, text="Be nice.", asks_again="on", note="first").status_code == 302
    row = SiteText.objects.get()
    assert (row.text, row.version, row.asks_again) == ("Be nice.", 1, True)
    assert row.written_by == User.objects.get(username="olga")
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.note) == ("sitetext.written", "first")
    assert entry.after is not None
    assert entry.after["version"] == 1
    assert "Be nice." in client.get(LIST).content.decode()
    assert client.get(f"{LIST}{row.pk}/change/").status_code == 200
    # Somebody else was faster.
    answer = client.post(RULES, {"seen": 0, "text": "Mine"})
    assert "Somebody else saved this text" in answer.content.decode()
    assert "Mine" in answer.content.decode()
    assert SiteText.objects.count() == 1


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("kind", [Kind.IMPRINT, Kind.PRIVACY, Kind.RULES])
def test_a_starting_text_is_a_help_and_is_not_saved_as_it_is(kind: str, language: str) -> None:
    client = operator()
    address = f"{LIST}write/{kind}/{language}/"
    start = starting_text(kind, language)
    assert left_open(start)
    assert ("[kept]" in start) is (kind == Kind.PRIVACY)
    assert client.get(f"{address}?start=1").context["form"]["text"].value() == start
    answer = save(client, address, text=start)
    assert "Fill in or delete what stands in double brackets" in answer.content.decode()
    assert not SiteText.objects.exists()


def test_a_consent_goes_with_its_account_and_no_other_way() -> None:
    client = operator()
    user = User.objects.create_user("anna")
    consent = Consent.objects.create(account=user, text=written(Kind.RULES, "Be nice."), version=1)
    assert "anna" in client.get("/admin/accounts/consent/").content.decode()
    own = f"/admin/accounts/consent/{consent.pk}/delete/"
    assert client.post(own, {"post": "yes"}).status_code == 403
    page = f"/admin/accounts/user/{user.pk}/delete/"
    assert client.post(page, {"note": "asked for by mail"}).status_code == 302
    assert not Consent.objects.exists()


def test_rules_that_are_taken_down_ask_nobody() -> None:
    answer = save(operator(), RULES, text="  ", asks_again="on")
    assert "Nobody can accept rules that are taken down." in answer.content.decode()


def test_the_name_is_one_short_line() -> None:
    client = operator()
    address = f"{LIST}write/name/en/"
    assert "at most 40" in save(client, address, text="x" * 41).content.decode()
    assert save(client, address, text="Chess\n & Co").status_code == 302
    assert SiteText.objects.get().text == "Chess & Co"
    assert client.get(f"{LIST}write/name/fr/").status_code == 404


def test_who_may_not_write_does_not() -> None:
    written(Kind.RULES, "Be nice.")
    clerk = Client()
    clerk.force_login(User.objects.create_user("carl", is_staff=True))
    for address in (LIST, RULES, f"{LIST}kept/"):
        assert clerk.get(address).status_code == 403, address


def test_what_is_kept_follows_the_settings(settings: Any) -> None:
    settings.KEEP_REPORTS, settings.KEEP_SEARCHES, settings.KEEP_SIGN_INS = 1.0, 12.5, None
    page = " ".join(operator().get(f"{LIST}kept/").content.decode().split())
    assert "1 day, once the match is decided" in page
    assert "12.5 days" in page
    assert "as long as the sign-in" in page
    for name in ("SEARCHES", "REPORTS", "KEYS", "EVENTS", "SIGN_INS"):
        assert f"EVENMATCH_KEEP_{name}" in page
