"""Sanctions: in force while they should be, audited, told, and enforced where results come in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from accounts.models import AuditEntry, User
from events.models import Notice
from foundation import clock
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results
from ratings.matches.report import report
from ratings.matches.start import start_match, start_matches
from ratings.models import Match, MatchState, Outcome, Player, Sanction, SanctionKind, SuspendedFrom
from ratings.sanctions import (
    SuspendedError,
    WrongSanctionError,
    impose,
    in_force,
    lift,
    suspended,
    told_to,
)
from tests.ratings.arena import START, Arena

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

HOUR = timedelta(hours=1)


@pytest.fixture
def arena() -> Arena:
    return Arena(3)


@pytest.fixture
def operator() -> User:
    return User.objects.create_user("Olga", is_staff=True)


def suspend(player: Player, what: SuspendedFrom, **more: Any) -> Sanction:
    given = {"reason": "Left 9 of 10 matches.", "by": None, **more}
    return impose(player=player, kind=SanctionKind.SUSPENDED, suspended_from=what, **given)


def test_it_holds_until_its_time_is_over(arena: Arena) -> None:
    player = arena.players[0]
    with clock.at(START):
        sanction = suspend(player, SuspendedFrom.SEARCHING, until=START + HOUR)
        assert suspended([player.pk], SuspendedFrom.SEARCHING) == {player.pk: sanction}
        assert suspended([player.pk], SuspendedFrom.RESULTS) == {}
        assert told_to(player) == [sanction]
    with clock.at(START + HOUR):
        assert suspended([player.pk], SuspendedFrom.SEARCHING) == {}
        assert not in_force().exists()
        with pytest.raises(WrongSanctionError):
            lift(sanction_id=sanction.pk, by=None)


def test_of_several_the_one_that_lasts_longest_is_told(arena: Arena) -> None:
    player = arena.players[0]
    with clock.at(START):
        suspend(player, SuspendedFrom.ALL, until=START + HOUR)
        for_ever = suspend(player, SuspendedFrom.RESULTS)
        suspend(player, SuspendedFrom.ALL, until=START + 2 * HOUR)
        assert suspended([player.pk], SuspendedFrom.RESULTS) == {player.pk: for_ever}


def test_who_did_what_and_why_stands_in_the_audit_log(arena: Arena, operator: User) -> None:
    player = arena.players[0]
    sanction = suspend(player, SuspendedFrom.ALL, by=operator, note="Third time.")
    lift(sanction_id=sanction.pk, by=operator, note="An apology.")
    first, second = AuditEntry.objects.order_by("pk")
    assert (first.action, first.target_id, first.note) == (
        "player.sanctioned",
        str(player.pk),
        "Third time.",
    )
    assert first.after is not None
    assert first.after["reason"] == "Left 9 of 10 matches."
    assert (second.action, second.actor, second.note) == (
        "player.sanction_lifted",
        operator,
        "An apology.",
    )
    again = Sanction.objects.get(pk=sanction.pk)
    assert again.lifted_by == operator
    with pytest.raises(WrongSanctionError):
        lift(sanction_id=sanction.pk, by=operator)


def test_the_player_is_told_of_all_but_notes(arena: Arena) -> None:
    player = arena.players[0]
    impose(player=player, kind=SanctionKind.NOTE, reason="Asked nicely.", by=None)
    assert told_to(player) == []
    warning = impose(player=player, kind=SanctionKind.WARNING, reason="Mind your words.", by=None)
    assert told_to(player) == [warning]
    lift(sanction_id=warning.pk, by=None)
    told = Notice.objects.filter(topics__contains=[f"player:{player.pk}"]).order_by("pk")
    assert [notice.kind for notice in told] == ["sanction.imposed", "sanction.lifted"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": SanctionKind.SUSPENDED},
        {"kind": SanctionKind.WARNING, "suspended_from": SuspendedFrom.ALL},
        {"kind": SanctionKind.WARNING, "until": START},
    ],
)
def test_what_cannot_be_is_refused(arena: Arena, wrong: dict[str, Any]) -> None:
    with clock.at(START), pytest.raises(WrongSanctionError):
        impose(player=arena.players[0], reason="x", by=None, **wrong)
    assert not Sanction.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "suspended"},
        {"kind": "note", "suspended_from": "all"},
        {"kind": "note", "reason": ""},
        {"kind": "note", "reason": "x" * 1001},
        {"kind": "note", "until": START - HOUR},
    ],
)
def test_the_database_holds_it_too(arena: Arena, wrong: dict[str, Any]) -> None:
    given = {"player": arena.players[0], "reason": "x", "imposed_at": START, **wrong}
    with pytest.raises(IntegrityError), transaction.atomic():
        Sanction.objects.create(**given)


def test_a_suspended_player_reports_nothing_and_the_others_word_counts(arena: Arena) -> None:
    first, second = arena.players[:2]
    with clock.at(START):
        match = start_match(ladder=arena.ladder, teams=[[first.pk], [second.pk]])
        suspend(first, SuspendedFrom.RESULTS)
        with pytest.raises(SuspendedError) as refused:
            report(match_id=match.pk, player_id=first.pk, outcome=Outcome.WON)
        assert "Left 9 of 10 matches." in str(refused.value)
        assert refused.value.extra["until"] is None
        told = report(match_id=match.pk, player_id=second.pk, outcome=Outcome.LOST)
    assert told.state == MatchState.CONFIRMED


def test_a_server_starts_no_match_with_the_suspended(arena: Arena) -> None:
    arena.game.appeals_to = "https://example.org/appeal"
    arena.game.save()
    first, second, third = (player.pk for player in arena.players)
    with clock.at(START):
        suspend(arena.players[0], SuspendedFrom.SEARCHING, until=START + HOUR)
        with pytest.raises(SuspendedError) as refused:
            start_match(ladder=arena.ladder, teams=[[second], [first]])
        assert refused.value.extra == {
            "player": first,
            "suspended_from": "searching",
            "until": (START + HOUR).isoformat().replace("+00:00", "Z"),
            "appeal": "https://example.org/appeal",
        }
        assert "Left 9" not in str(refused.value)  # why is for the player alone
        found = start_matches(
            ladder=arena.ladder, line_ups=[[[first], [second]], [[second], [third]]]
        )
    assert found[0] == 0
    assert found[1] > 0


def test_results_with_the_suspended_are_refused_one_by_one(arena: Arena) -> None:
    evening = datetime(2026, 3, 1, 20, tzinfo=UTC)
    names = [player.external_id for player in arena.players]
    played = PlayedMatch(
        ladder="go",
        external_id="before",
        teams=((names[0],), (names[1],)),
        ranks=(0, 1),
        played_at=evening,
        ended_at=evening + HOUR,
    )
    record_results(game=arena.game, results=[played])
    suspend(arena.players[0], SuspendedFrom.RESULTS)
    other = replace(played, external_id="others", teams=((names[2],), (names[1],)))
    answers = record_results(
        game=arena.game, results=[replace(played, external_id="new"), other, played]
    )
    assert isinstance(answers[0].error, SuspendedError)
    assert answers[1].is_new
    assert (answers[2].error, answers[2].is_new) == (None, False)  # known before
    assert not Match.objects.filter(external_id="new").exists()


def test_words_in_german(arena: Arena) -> None:
    player = arena.players[0]
    suspend(player, SuspendedFrom.RESULTS)
    (sanction,) = suspended([player.pk], SuspendedFrom.RESULTS).values()
    with translation.override("de"):
        assert "für das Melden von Ergebnissen gesperrt" in str(SuspendedError(sanction))
