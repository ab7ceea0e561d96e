"""What the desk keeps of people: how long, in their own data, and gone with them."""

from datetime import timedelta

import pytest
from pytest_django import Settings

from accounts.models import AuditEntry
from api.site.delete_person import delete_account, delete_player
from api.site.own_data import own_data
from config.maintenance.kept_cases import old_cases
from foundation import clock
from matchmaking.conduct import appeals
from matchmaking.models import AppealState, Offence
from moderation.appeal import appeal_against_sanction
from moderation.desk.decide import decide
from moderation.models import Act, Appeal, Case, Decision, NameChange, PlayerReport, ReportKind
from moderation.rename import rename
from ratings.models import Player
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.visiting import accounts
from tests.moderation.office import case_of, make_moderator, played, reported

pytestmark = pytest.mark.django_db(transaction=True)


def told_about(hall: Hall) -> PlayerReport:
    """Berta reports Anna, of whom Carla writes too."""
    accounts(hall, "annalena", "berta", "carla")
    report = reported(hall, ReportKind.CHEATING, played(hall))
    decision = decide(
        case_id=case_of(report).pk, by=make_moderator("mona"), act=Act.WARN, reason="As Annalena."
    )
    assert decision.sanction is not None
    appeal_against_sanction(
        player=hall.players[0], sanction_id=decision.sanction.pk, text="Not me."
    )
    rename(player=hall.players[0], name="Zenobia")
    return report


def test_it_goes_with_the_reported() -> None:
    hall = make_hall()
    told_about(hall)
    PlayerReport.objects.create(
        reporter=hall.players[2],
        reported=hall.players[1],
        kind=ReportKind.CHAT,
        text="Berta wrote so to Zenobia and to Annalena.",
        lines=[
            {"player": hall.players[0].pk, "name": "Zenobia", "text": "boo", "at": ""},
            {"player": hall.players[1].pk, "name": "Berta", "text": "ha Zenobia", "at": ""},
        ],
    )
    delete_account(Player.objects.get(pk=hall.players[0].pk).user, by=None)  # type: ignore[arg-type]
    left = PlayerReport.objects.get()
    assert left.text == "Berta wrote so to (removed) and to (removed)."
    assert [line["text"] for line in left.lines] == ["(removed)", "ha (removed)"]
    assert [line["name"] for line in left.lines] == ["(removed)", "Berta"]
    for model in (Appeal, Case, Decision, NameChange):
        assert not model._default_manager.exists()
    assert "Annalena" not in "".join(AuditEntry.objects.values_list("note", flat=True))


def test_who_reported_stays_named_neither_in_offences_nor_in_appeals_against_them() -> None:
    hall = make_hall()
    player, reporter = hall.players[:2]
    report = reported(hall, ReportKind.BAD_MANNERS, played(hall))
    name = "Zaphodella"
    Player.objects.filter(pk=reporter.pk).update(name=name, skeleton=name.lower())
    lines = [{"player": player.pk, "name": "Anna", "text": f"{name} is rude", "at": ""}]
    PlayerReport.objects.filter(pk=report.pk).update(lines=lines)
    mona = make_moderator("mona")
    decision = decide(
        case_id=case_of(report).pk, by=mona, act=Act.MANNERS, reason=f"Insulted {name} badly."
    )
    assert decision.offence is not None
    against = appeals.appeal(
        offence_id=decision.offence.pk, player_id=player.pk, text=f"{name} lied."
    )
    appeals.decide(against, mona, AppealState.UPHELD, f"{name} was right.")
    delete_player(Player.objects.get(pk=reporter.pk), by=None)
    offence = Offence.objects.get()
    against.refresh_from_db()
    report.refresh_from_db()
    notes = AuditEntry.objects.values_list("note", flat=True)
    kept = [offence.reason, against.text, against.reason, str(report.lines), *notes]
    assert not [text for text in kept if name in text]
    assert offence.reason == "Insulted (removed) badly."


def test_words_of_the_reporter_go_and_the_case_stays() -> None:
    hall = make_hall()
    report = told_about(hall)
    delete_player(hall.players[1], by=None)
    report.refresh_from_db()
    assert report.text == ""
    assert Case.objects.filter(report=report).exists()


def test_ones_own_are_in_the_own_data_and_others_are_not() -> None:
    hall = make_hall()
    told_about(hall)
    users = [Player.objects.get(pk=one.pk).user for one in hall.players[:2]]
    (anna,), (berta,) = (own_data(user)["players"] for user in users if user)
    assert [row["text"] for row in berta["reports_of_players"]] == ["Saw through walls."]
    assert anna["reports_of_players"] == []
    assert "walls" not in str(anna)
    assert [row["given"] for row in anna["name_changes"]] == ["Zenobia"]
    assert [row["text"] for row in anna["appeals"]] == ["Not me."]


def test_how_long(settings: Settings) -> None:
    settings.KEEP_CASES = 30.0
    hall = make_hall()
    told_about(hall)
    soon, late = clock.now() + timedelta(days=29), clock.now() + timedelta(days=31)
    assert {name: rows.count() for name, rows in old_cases(soon).items()} == {
        "player_reports": 0,
        "cases": 0,
        "appeals": 0,
        "names": 0,
    }
    # The warning is in force: its appeal stays, so that there is one of each.
    assert {name: rows.count() for name, rows in old_cases(late).items()} == {
        "player_reports": 1,
        "cases": 1,
        "appeals": 0,
        "names": 1,
    }
    settings.KEEP_CASES = None
    assert old_cases(late) == {}
