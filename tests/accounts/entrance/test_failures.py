"""Sign-ins that failed are counted; the audit log hears of them before they are many, and is not flooded."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.entrance import failures
from accounts.models import AuditEntry, FailedSignIns, User
from foundation import clock
from tests.accounts.mailing import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"


def counts() -> dict[str | None, int]:
    return dict(FailedSignIns.objects.values_list("account__username", "passwords"))


def told() -> list[tuple[str, int]]:
    entries = AuditEntry.objects.filter(action="user.sign_in_failed").order_by("pk")
    return [(one.target_type, (one.after or {})["wrong_passwords_today"]) for one in entries]


def test_wrong_passwords_are_counted_by_account() -> None:
    User.objects.create_superuser("olga", password=PASSWORD)
    User.objects.create_user("anna", password=PASSWORD)
    for number, name in enumerate(["Olga", "olga", "anna", "nobody", "nobody@example.org"]):
        client = Client(headers={"user-agent": FIREFOX}, REMOTE_ADDR=f"192.0.2.{number}")
        client.post("/accounts/login/", {"login": name, "password": "a guess"})
    assert counts() == {"olga": 2, "anna": 1, None: 2}
    assert told() == [("accounts.user", 1), ("accounts.user", 2)]  # whoever has rights at once
    entry = AuditEntry.objects.filter(action="user.sign_in_failed").earliest("pk")
    assert entry.actor is None
    assert {"browser": "Firefox on Linux", "address": "192.0.2.*"}.items() <= (
        entry.after or {}
    ).items()
    # Entered wrong once more by who is signed in: the same.
    client = Client()
    client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": "a guess"})
    assert counts()["anna"] == 2


def test_a_flood_is_few_entries() -> None:
    anna = User.objects.create_user("anna")
    for _ in range(40):
        failures.note_failure(anna, wrong="passwords")
        failures.note_failure(None, wrong="passwords")
    assert FailedSignIns.objects.count() == 2
    kinds = ("accounts.user", "accounts.failedsignins")
    assert told() == [(kind, count) for count in (8, 16, 32) for kind in kinds]
    FailedSignIns.objects.update(day=clock.now().date() - timedelta(days=91))
    failures.note_failure(anna, wrong="codes")
    assert failures.forget_old() == 2
    assert FailedSignIns.objects.get().codes == 1


def test_of_sign_ins_those_of_staff_are_kept_for_good() -> None:
    User.objects.create_superuser("olga", password=PASSWORD)
    User.objects.create_user("anna", password=PASSWORD)
    for name in ("olga", "anna"):
        Client(headers={"user-agent": FIREFOX}).post(
            "/accounts/login/", {"login": name, "password": PASSWORD}
        )
    entry = AuditEntry.objects.get(action="user.signed_in")
    assert str(entry.actor) == "olga"
    assert entry.after == {
        "browser": "Firefox on Linux",
        "address": "127.0.0.*",
        "second_factor": False,
    }
