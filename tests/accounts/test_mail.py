"""Mails wait in the database until they are sent, however long the server is away; no row holds a link."""

import smtplib
import socket
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.core import mail as django_mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import IntegrityError, transaction
from django.test import Client, override_settings
from django.urls import reverse

from accounts.mail.post import post_confirmation, post_reset
from accounts.mail.send import MOST_ATTEMPTS, forget_old, send_due
from accounts.models import AuditEntry, Mail, User
from accounts.tasks import send_mails
from foundation import clock
from tests.accounts.mailing import PASSWORD, add_address, sign_up, with_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
ADDRESS = "anna@example.org"
SMTP = "django.core.mail.backends.smtp.EmailBackend"


class Refusing(EmailBackend):
    """A server that does not take one recipient, for good or for now."""

    code = 550

    def send_messages(self, messages: Any) -> int:
        for message in messages:
            if "refused" in message.to[0]:
                raise smtplib.SMTPRecipientsRefused({message.to[0]: (self.code, b"no such user")})
        return super().send_messages(messages)


class Greylisting(Refusing):
    code = 451


def server_down() -> override_settings:
    """Mail goes to a port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return override_settings(EMAIL_BACKEND=SMTP, EMAIL_HOST="127.0.0.1", EMAIL_PORT=port)


@pytest.fixture
def anna() -> User:
    user = User.objects.create_user("anna", ADDRESS, PASSWORD)
    add_address(user, ADDRESS, verified=True, primary=True)
    return user


def later(**parts: float) -> Any:
    return clock.at(clock.now() + timedelta(**parts))


@with_mail()
@server_down()
def test_a_server_that_is_down_fails_no_request_and_loses_nothing(anna: User) -> None:
    assert sign_up(Client(), "new", "new@example.org").status_code == 302
    asked = Client().post("/accounts/password/reset/", {"email": ADDRESS}, follow=True)
    assert asked.status_code == 200
    assert send_due() == 0
    waiting = Mail.objects.filter(state=Mail.State.WAITING)
    assert waiting.count() == 2
    # One attempt was made: where one mail cannot be handed over, the others keep theirs.
    assert sorted(waiting.values_list("attempts", flat=True)) == [0, 1]
    assert "ConnectionRefusedError" in waiting.get(attempts=1).trouble
    assert send_due() == 0
    assert sorted(waiting.values_list("attempts", flat=True)) == [0, 1]
    with (
        override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"),
        later(minutes=2),
    ):
        send_mails()
    assert {to for message in django_mail.outbox for to in message.to} == {
        ADDRESS,
        "new@example.org",
    }
    assert not waiting.exists()


@with_mail()
def test_no_row_holds_a_token_and_the_link_is_made_when_it_is_sent(anna: User) -> None:
    post_reset(ADDRESS)
    row = str(Mail.objects.values().get())
    send_due()
    link = next(line for line in django_mail.outbox[0].body.splitlines() if "/reset/" in line)
    assert link.rsplit("/", 2)[-2] not in row + str(Mail.objects.values().get())
    anna.set_password("something else")
    anna.save()
    assert "expired" in Client().get("/" + link.split("/", 3)[3], follow=True).content.decode()


@with_mail()
def test_a_mail_is_numbered_by_the_site_and_not_by_its_machine(anna: User) -> None:
    with override_settings(PUBLIC_URL="https://play.example.org:8443"):
        post_reset(ADDRESS)
        post_reset("nobody@example.org")
        send_due()
    numbers = [message.message()["Message-ID"] for message in django_mail.outbox]
    assert all(number.endswith("@play.example.org>") for number in numbers)
    assert len(set(numbers)) == len(numbers) == 1


@with_mail()
def test_a_mail_that_waits_is_asked_for_once(anna: User) -> None:
    for _ in range(3):
        post_reset("Anna@Example.org")
        post_confirmation(anna, "other@example.org")
    assert Mail.objects.count() == 2
    send_due()
    post_reset(ADDRESS)
    assert Mail.objects.filter(state=Mail.State.WAITING).count() == 1


@with_mail()
@server_down()
def test_it_is_tried_less_and_less_often_and_given_up_in_the_end(anna: User) -> None:
    post_reset(ADDRESS)
    moments = [clock.now()]
    for _ in range(MOST_ATTEMPTS):
        with clock.at(moments[-1]):
            send_due()
        moments.append(Mail.objects.get().next_attempt_at)
    mail = Mail.objects.get()
    assert (mail.state, mail.attempts) == (Mail.State.PARKED, MOST_ATTEMPTS)
    assert mail.finished_at is not None
    pauses = [later - earlier for earlier, later in pairwise(moments)]
    assert [pauses[number - 1].total_seconds() for number in (1, 2, 3, 7, 8, 19)] == [
        30, 60, 120, 1920, 3600, 3600
    ]  # fmt: skip


@with_mail()
@server_down()
def test_a_clock_that_was_ahead_keeps_no_mail(anna: User) -> None:
    post_reset(ADDRESS)
    with clock.at(clock.now() + timedelta(days=400)):
        send_due()
    assert Mail.objects.get().attempts == 1
    send_due()
    assert Mail.objects.get().attempts == 2


@with_mail()
@server_down()
def test_mails_that_a_clock_ahead_left_behind_lose_no_attempt_where_the_server_is_away(
    anna: User,
) -> None:
    with clock.at(clock.now() + timedelta(days=400)):
        post_reset(ADDRESS)
        post_reset("other@example.org")
    Mail.objects.update(next_attempt_at=clock.now() + timedelta(days=400))
    send_due()
    send_due()
    assert sorted(Mail.objects.values_list("attempts", flat=True)) == [0, 1]


@with_mail()
@override_settings(EMAIL_BACKEND="tests.accounts.test_mail.Refusing")
def test_a_recipient_whom_the_server_refuses_holds_up_nobody(anna: User) -> None:
    add_address(anna, "refused@example.org", verified=True)
    post_reset("refused@example.org")
    post_reset(ADDRESS)
    assert send_due() == 1
    assert Mail.objects.get(address="refused@example.org").state == Mail.State.PARKED


@with_mail()
@override_settings(EMAIL_BACKEND="tests.accounts.test_mail.Greylisting")
def test_a_recipient_whom_it_refuses_for_now_is_tried_again(anna: User) -> None:
    add_address(anna, "refused@example.org", verified=True)
    post_reset("refused@example.org")
    assert send_due() == 0
    mail = Mail.objects.get()
    assert (mail.state, mail.attempts) == (Mail.State.WAITING, 1)
    assert "451" in mail.trouble


@with_mail()
def test_a_mail_given_up_is_seen_and_tried_again_in_the_admin(anna: User) -> None:
    post_reset(ADDRESS)
    Mail.objects.update(
        state="parked", attempts=20, finished_at=clock.now(), trouble="TimeoutError: timed out"
    )
    mail = Mail.objects.get()
    operator = Client()
    operator.force_login(User.objects.create_superuser("olga"))
    assert (
        "TimeoutError" in operator.get(reverse("admin:accounts_mail_changelist")).content.decode()
    )
    retry = reverse("admin:accounts_mail_retry", args=[mail.pk])
    assert (
        retry
        in operator.get(reverse("admin:accounts_mail_change", args=[mail.pk])).content.decode()
    )
    operator.post(retry, {"note": "the server is back"})
    assert send_due() == 1
    assert AuditEntry.objects.filter(action="mail.retried", note="the server is back").exists()
    again = operator.post(retry, {"note": "once more"}, follow=True)
    assert "Only mails that were given up can be tried again." in again.content.decode()


@with_mail()
def test_a_mail_given_up_is_not_tried_again_beside_one_that_waits(anna: User) -> None:
    post_reset(ADDRESS)
    Mail.objects.update(state="parked", attempts=20, finished_at=clock.now(), trouble="away")
    parked = Mail.objects.get()
    post_reset(ADDRESS)
    operator = Client()
    operator.force_login(User.objects.create_superuser("olga"))
    retry = reverse("admin:accounts_mail_retry", args=[parked.pk])
    answer = operator.post(retry, {"note": "the server is back"}, follow=True)
    assert "The same mail has been asked for again" in answer.content.decode()
    parked.refresh_from_db()
    assert parked.state == Mail.State.PARKED
    assert not AuditEntry.objects.filter(action="mail.retried").exists()


@with_mail()
def test_mails_are_in_the_language_of_whoever_asked(anna: User) -> None:
    Client(headers={"Accept-Language": "de"}).post("/accounts/password/reset/", {"email": ADDRESS})
    assert Mail.objects.get().language == "de"
    send_due()
    assert "Passwort" in django_mail.outbox[0].subject


@with_mail(configured=False)
def test_a_site_without_mail_keeps_what_waits(anna: User) -> None:
    post_reset(ADDRESS)
    assert send_due() == 0
    assert Mail.objects.get().attempts == 0


@with_mail()
def test_old_ones_are_forgotten_and_those_that_wait_are_not(anna: User) -> None:
    post_reset(ADDRESS)
    send_due()
    post_reset(ADDRESS)
    assert forget_old() == 0
    with later(days=31):
        assert forget_old() == 1
    assert Mail.objects.get().state == Mail.State.WAITING


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "advert"},
        {"state": "sent"},
        {"state": "lost", "finished_at": "2026-01-01T00:00:00Z"},
        {"finished_at": "2026-01-01T00:00:00Z"},
        {"kind": "confirm"},
    ],
)
def test_the_database_refuses_what_no_mail_is(wrong: dict[str, str]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Mail.objects.create(**{"kind": "reset", "address": ADDRESS, **wrong})
