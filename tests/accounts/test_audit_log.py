"""The page of the audit log: filtered by day and person, with links, as a file; taking the file is logged."""

import csv
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts import audit
from accounts.admin import log_export
from accounts.models import AuditEntry, User
from foundation import clock

pytestmark = pytest.mark.django_db
LOG = "/admin/accounts/auditentry/"
FORMULA = '=HYPERLINK("http://evil.example")'


@pytest.fixture
def olga(client: Client) -> User:
    olga = User.objects.create_superuser("olga")
    anna = User.objects.create_user("anna")
    audit.record(actor=olga, action="user.changed", target=anna, note=FORMULA, after={"a": "@x"})
    audit.record(actor=olga, action="game.added", target=olga, note="about another")
    client.force_login(olga)
    return olga


def shown(client: Client, query: str = "") -> list[str]:
    page = client.get(f"{LOG}?{query}")
    assert page.status_code == 200
    return [entry.action for entry in page.context["cl"].result_list]


def test_it_is_filtered_by_day_and_person(client: Client, olga: User) -> None:
    today = clock.now().date()
    assert shown(client, "person=anna") == ["user.changed"]
    assert shown(client, "person=OLGA&action=game.added") == ["game.added"]
    assert shown(client, f"since={today}&until={today}") == ["game.added", "user.changed"]
    assert shown(client, f"since={today + timedelta(days=1)}") == []
    assert shown(client, f"until={today - timedelta(days=1)}&person=anna") == []
    assert shown(client, "q=another") == ["game.added"]
    assert shown(client, "q=game.&person=olga") == ["game.added"]
    assert shown(client, "person=nobody") == []
    text = client.get(f"{LOG}?since=31.3.2026&person=nobody").content.decode()
    assert "is no day such as 2026-03-31" in text
    assert "No account has the name" in text
    assert shown(client, "since=0001-01-01&until=9999-12-31") == ["game.added", "user.changed"]
    assert shown(client, "person=%00anna") == ["user.changed"]


def test_a_filter_that_does_not_exist_is_told_and_filters_are_led_to(
    client: Client, olga: User
) -> None:
    words = "a filter that does not exist"
    told = client.get(f"{LOG}?nonsense=1", follow=True)
    assert words in told.content.decode()
    listed = client.get(LOG).content.decode()
    assert words not in listed
    assert listed.index('href="#changelist-filter"') < listed.index('id="result_list"')


def test_an_import_is_found_by_the_name_of_its_file(client: Client, olga: User) -> None:
    after = {"name": "Autumn-2026.csv", "ladder": "world"}
    audit.record(actor=olga, action="importedfile.added", target=olga, after=after)
    assert shown(client, "q=autumn-2026") == ["importedfile.added"]
    assert shown(client, "q=world") == []


def test_reversed_days_are_told(client: Client, olga: User) -> None:
    text = client.get(f"{LOG}?since=2026-03-02&until=2026-03-01").content.decode()
    assert "The days are reversed: 2026-03-02 is after 2026-03-01." in text
    assert "reversed" not in client.get(f"{LOG}?since=2026-03-01&until=2026-03-01").content.decode()


def test_it_leads_to_what_it_is_about(client: Client, olga: User) -> None:
    anna = User.objects.get(username="anna")
    text = client.get(LOG).content.decode()
    assert f'<a href="/admin/accounts/user/{anna.pk}/change/">User {anna.pk}</a>' in text
    # Where entries are about things of several kinds, they are filtered by their names; of a kind that is gone, by its.
    AuditEntry.objects.create(action="old.gone", target_type="old.thing", target_id="7")
    text = client.get(f"{LOG}?target_type=accounts.user").content.decode()
    assert ">User</a>" in text
    assert ">old.thing</a>" in text
    assert "old.thing 7" in client.get(LOG).content.decode()


def test_moments_are_said_as_elsewhere(client: Client, olga: User) -> None:
    after = {"until": "2026-11-26T21:09:46.360325+00:00", "odd": "2026-02-31T00:00:00+00:00"}
    audit.record(actor=olga, action="user.changed", target=olga, after=after)
    text = client.get(LOG).content.decode()
    assert "odd: – → 2026-02-31T00:00:00+00:00; until: – → 26 Nov 2026, 21:09 UTC" in text


def test_it_is_taken_as_a_file_that_runs_nothing(client: Client, olga: User) -> None:
    assert client.get(f"{LOG}export/").status_code == 405
    answer = client.post(f"{LOG}export/?person=anna")
    assert answer.headers["Content-Type"].startswith("text/csv")
    [row] = csv.DictReader(answer.content.decode().splitlines())
    assert (row["who"], row["action"], row["note"]) == ("olga", "user.changed", f"'{FORMULA}")
    assert datetime.fromisoformat(row["at"]).tzinfo == UTC
    assert row["through"] == ""
    entry = AuditEntry.objects.get(action="auditlog.exported")
    assert entry.after == {"rows": 1, "filter": {"person": "anna"}}
    for cell in ("+1", "-1", "@x", "\tx", "\r=1", " =1", "=1"):
        assert log_export.harmless(cell).startswith("'"), cell
    # What other spreadsheets take for the end of a cell, or of a row.
    assert log_export.harmless("x;=1; -2 -3\n+4\t@5") == "x;'=1; '-2 -3\n'+4\t'@5"
    assert log_export.harmless({"name": "x;=1"}) == """{"name": "x;'=1"}"""
    assert log_export.harmless("plain") == "plain"
    assert log_export.harmless(None) == ""


def test_too_much_at_once_is_refused_in_words(
    client: Client, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_export, "MOST", 1)
    page = client.post(f"{LOG}export/", follow=True)
    assert "More than 1 entries" in page.content.decode()
    assert not AuditEntry.objects.filter(action="auditlog.exported").exists()


def test_it_says_by_which_key_a_program_acted(client: Client, olga: User) -> None:
    with audit.acting_through("deploy (em_srv_1)"):
        audit.record(actor=None, action="game.changed", target=olga)
    [row] = csv.DictReader(
        client.post(f"{LOG}export/?action=game.changed").content.decode().splitlines()
    )
    assert (row["who"], row["through"]) == ("", "deploy (em_srv_1)")


def test_what_is_no_filter_is_told_in_words(client: Client, olga: User) -> None:
    page = client.post(f"{LOG}export/?at__gte=yesterday", follow=True)
    assert "cannot be filtered so" in page.content.decode()
    assert not AuditEntry.objects.filter(action="auditlog.exported").exists()


def test_it_is_for_those_who_may_look(client: Client, olga: User) -> None:
    client.force_login(User.objects.create_user("hal", is_staff=True))
    assert client.get(LOG).status_code == 403
    assert client.post(f"{LOG}export/").status_code == 403
