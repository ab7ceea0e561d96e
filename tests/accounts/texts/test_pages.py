"""The site's own pages and its name: where they are written, and that they cost nothing."""

from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, OperationalError, transaction
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from accounts.mail.post import post_confirmation
from accounts.mail.send import send_due
from accounts.models import SiteText, User
from accounts.texts import current
from accounts.texts.current import SiteTexts, known_name, site_texts
from accounts.texts.write import ChangedMeanwhileError, write
from tests.accounts.mailing import add_address
from tests.accounts.texts.writing import written

pytestmark = pytest.mark.django_db
Kind = SiteText.Kind


def test_what_is_not_written_is_said_to_be_missing() -> None:
    answer = Client().get("/imprint/")
    assert answer.status_code == 404
    page = answer.content.decode()
    assert "has not written this page yet" in page
    assert 'href="/imprint/"' not in page


def test_a_text_is_a_page_and_stands_in_the_footer() -> None:
    written(
        Kind.IMPRINT,
        "## Us\n\nOne Street 1\nTown <b>x</b> [mail](javascript:alert(1)) ![](https://x.example/y)",
    )
    written(Kind.PRIVACY, "We keep:\n\n[kept]")
    page = Client().get("/imprint/").content.decode()
    assert "<h2>Us</h2>" in page
    assert "One Street 1<br" in page
    assert "&lt;b&gt;" in page
    assert '<a href="javascript' not in page
    assert "<img" not in page.partition("site-text")[2].partition("</article>")[0]
    assert "Version 1, of" in page
    home = Client().get("/").content.decode()
    assert 'href="/imprint/">Imprint<' in home
    assert 'href="/privacy/">Privacy<' in home
    assert 'href="/rules/"' not in home
    kept = Client().get("/privacy/").content.decode()
    assert "90 days" in kept
    assert "[kept]" not in kept
    assert "/imprint/</loc>" in Client().get("/sitemaps/site.xml").content.decode()


def test_who_reads_another_language_gets_the_one_there_is() -> None:
    written(Kind.PRIVACY, "[kept]", "de")
    page = Client().get("/privacy/", headers={"Accept-Language": "en"}).content.decode()
    assert "not there in your language" in page
    assert 'lang="de"' in page
    written(Kind.PRIVACY, "Nothing at all.")
    page = Client().get("/privacy/", headers={"Accept-Language": "en"}).content.decode()
    assert "Nothing at all." in page
    assert "not there in your language" not in page
    written(Kind.PRIVACY, "")
    written(Kind.PRIVACY, "", "de")
    assert Client().get("/privacy/").status_code == 404


def test_the_name_stands_everywhere(settings: Settings) -> None:
    settings.MAIL_CONFIGURED = True
    settings.DEFAULT_FROM_EMAIL = "Evenmatch <noreply@play.example>"
    written(Kind.NAME, "Chess & Co")
    page = Client().get("/").content.decode()
    assert "· Chess &amp; Co</title>" in page
    assert '<span class="brand-name">Chess &amp; Co</span>' in page
    assert '<meta property="og:site_name" content="Chess &amp; Co">' in page
    assert Client().get("/manifest.webmanifest").json()["name"] == "Chess & Co"
    assert Client().get("/api/v1/schema?format=json").json()["info"]["title"] == "Chess & Co API"
    assert "Chess &amp; Co" in Client().get("/api/v1/docs/").content.decode()
    user = User.objects.create_user("anna")
    add_address(user, "anna@example.org", verified=False)
    post_confirmation(user, "anna@example.org")
    send_due()
    (sent,) = mail.outbox
    assert sent.subject == "Confirm your address for Chess & Co"
    assert (
        sent.from_email == '"Chess & Co" <noreply@play.example>'
        or "Chess & Co <" in sent.from_email
    )
    assert "Chess & Co\nhttp" in sent.body
    with translation.override("de"):
        assert site_texts().name() == "Chess & Co"
    admin = Client()
    admin.force_login(User.objects.create_superuser("olga"))
    assert "Chess &amp; Co" in admin.get("/admin/").content.decode()


def test_pages_ask_for_texts_only_once_in_some_seconds(django_assert_num_queries: Any) -> None:
    written(Kind.RULES, "Be nice.")
    with django_assert_num_queries(1):
        assert site_texts().has_rules
        assert site_texts().pages == [("rules", "Rules")]
    current.remember(SiteTexts(names={"en": "Known"}), for_seconds=0)
    assert known_name() == "Known"
    assert site_texts().name() == "Evenmatch"


def test_without_a_database_what_was_known_last_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> SiteTexts:
        raise OperationalError("gone")

    current.remember(SiteTexts(names={"en": "Known"}), for_seconds=0)
    monkeypatch.setattr(current, "_read", away)
    assert site_texts().name() == "Known"


def test_versions_stay_and_nobody_writes_over_what_they_have_not_seen() -> None:
    first = written(Kind.RULES, "Be nice.")
    assert written(Kind.RULES, "Sei nett.", "de").version == 2
    with pytest.raises(ChangedMeanwhileError):
        write(kind=Kind.RULES, language="en", text="Mine", by=None, seen=0)
    assert SiteText.objects.filter(kind=Kind.RULES).count() == 2
    with pytest.raises(IntegrityError, match="only grow"), transaction.atomic():
        SiteText.objects.filter(pk=first.pk).update(text="Never said")
    with pytest.raises(IntegrityError, match="only grow"), transaction.atomic():
        first.delete()
    with pytest.raises(IntegrityError, match="only_rules"), transaction.atomic():
        written(Kind.IMPRINT, "x", asks_again=True)


def test_of_two_at_the_same_moment_the_second_sees_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both have read the same last version; the constraint lets one of them through, the other looks again."""
    written(Kind.RULES, "One")
    looked: list[bool] = []
    real = SiteText.objects.create

    def create(**columns: Any) -> SiteText:
        if not looked:
            looked.append(True)
            columns["version"] -= 1  # as it would be, had the other one just committed
        return real(**columns)

    monkeypatch.setattr(SiteText.objects, "create", create)
    assert write(kind=Kind.RULES, language="de", text="Zwei", by=None, seen=0).version == 2
