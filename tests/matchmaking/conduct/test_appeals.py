"""Appeals: one for each offence, decided once, told and written down."""

import pytest

import events.models as events
from accounts.models import AuditEntry, User
from matchmaking.conduct import confirm_bad_manners
from matchmaking.conduct.appeals import appeal, decide, waiting
from matchmaking.conduct.refusals import (
    AppealDecidedError,
    AppealedAlreadyError,
    NoTextError,
    OffenceTakenBackError,
)
from matchmaking.models import Appeal, AppealState, Offence
from notifications.models import Notice
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def offence() -> Offence:
    hall = make_hall()
    with hall.at_now():
        return confirm_bad_manners(hall.players[0], None, None, "Insults.", 2.5)


def appealed(offence: Offence) -> Appeal:
    return appeal(offence_id=offence.pk, player_id=offence.player_id, text=" I did not. ")


def test_one_for_each(offence: Offence) -> None:
    made = appealed(offence)
    assert (made.text, made.state) == ("I did not.", "open")
    assert list(waiting()) == [made]
    with pytest.raises(AppealedAlreadyError):
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
    assert Notice.objects.filter(kind="conduct.appeal_decided").count() == 1
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
    Appeal.objects.all().delete()
    with pytest.raises(OffenceTakenBackError):
        appealed(offence)
