"""Appeals: one for each offence, decided once, told and written down."""

from importlib import import_module

import pytest
from django.contrib.auth.models import Permission
from django.db import connection

import events.models as events
from accounts.audit import page_of
from accounts.models import AuditEntry, User
from matchmaking.conduct import confirm_bad_manners
from matchmaking.conduct.appeals import appeal, decide, waiting
from matchmaking.conduct.refusals import (
    AlreadyAppealedError,
    AppealDecidedError,
    NoTextError,
    OffenceTakenBackError,
)
from matchmaking.models import AppealState, Offence, OffenceAppeal
from notifications.models import Notice
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def offence() -> Offence:
    hall = make_hall()
    with hall.at_now():
        return confirm_bad_manners(hall.players[0], None, None, "Insults.", 2.5)


def appealed(offence: Offence) -> OffenceAppeal:
    return appeal(offence_id=offence.pk, player_id=offence.player_id, text=" I did not. ")


def test_one_for_each(offence: Offence) -> None:
    made = appealed(offence)
    assert (made.text, made.state) == ("I did not.", "open")
    assert list(waiting()) == [made]
    with pytest.raises(AlreadyAppealedError):
        appealed(offence)
    with pytest.raises(Offence.DoesNotExist):
        appeal(offence_id=offence.pk, player_id=offence.player_id + 1, text="x")
    for text in ("", "  ", "x" * 1001):
        with pytest.raises(NoTextError):
            appeal(offence_id=offence.pk, player_id=offence.player_id, text=text)


def test_upheld(offence: Offence) -> None:
    judge = User.objects.create_user("judge", "judge@example.org")
    made = decide(appealed(offence), judge, AppealState.UPHELD, "The log shows it.")
    assert (made.state, made.decided_by, made.reason) == ("upheld", judge, "The log shows it.")
    assert Offence.objects.get().taken_back_at is None
    entry = AuditEntry.objects.get(action="appeal.decided")
    assert (entry.actor, entry.note) == (judge, "The log shows it.")
    assert Notice.objects.filter(kind="conduct.appeal_refused").count() == 1
    with pytest.raises(AppealDecidedError):
        decide(made, judge, AppealState.TAKEN_BACK, "After all.")
    assert not waiting().exists()


@pytest.mark.parametrize("outcome", [AppealState.UPHELD, AppealState.TAKEN_BACK])
def test_programs_hear_that_it_was_decided(offence: Offence, outcome: AppealState) -> None:
    made = appealed(offence)
    decide(made, None, outcome, "So it is.")
    kept = events.Notice.objects.filter(kind="appeal.decided").get()
    assert kept.topics == [f"player:{offence.player_id}"]


def test_taken_back(offence: Offence) -> None:
    decide(appealed(offence), None, AppealState.TAKEN_BACK, "It was somebody else.")
    offence.refresh_from_db()
    assert offence.taken_back_at is not None
    assert offence.taken_back_because == "It was somebody else."
    assert offence.player.conduct_standing.score == 0
    assert Notice.objects.filter(kind="conduct.taken_back").count() == 1
    OffenceAppeal.objects.all().delete()
    with pytest.raises(OffenceTakenBackError):
        appealed(offence)


def test_rights_and_notices_are_those_of_before_under_another_name(offence: Offence) -> None:
    """Appeals against offences were called as those against sanctions are."""
    decide(appealed(offence), None, AppealState.UPHELD, "So it is.")
    told = Notice.objects.filter(kind="conduct.appeal_refused")
    before = list(told.values_list("pk", flat=True))
    told.update(kind="conduct.appeal_decided")
    right = Permission.objects.get(
        content_type__app_label="matchmaking", codename="view_offenceappeal"
    )
    Permission.objects.filter(pk=right.pk).update(codename="view_appeal")
    step = import_module("matchmaking.migrations.0025_offence_appeals").Migration
    with connection.cursor() as cursor:
        for operation in step.operations[2:]:
            cursor.execute(operation.sql)
    right.refresh_from_db()
    assert right.codename == "view_offenceappeal"
    others = Permission.objects.filter(content_type__app_label="moderation")
    assert others.filter(codename="view_appeal").exists()
    assert before == list(told.values_list("pk", flat=True)) != []


def test_the_log_of_before_leads_to_the_appeal(offence: Offence) -> None:
    """The log only grows: what it says of an appeal against an offence keeps the name of then."""
    entry = AuditEntry(target_type="matchmaking.appeal", target_id="7")
    assert page_of(entry) == "/admin/matchmaking/offenceappeal/7/change/"
