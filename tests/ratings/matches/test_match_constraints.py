"""What the database itself refuses, whatever the code does: constraints of open matches, seats and reports."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Participant, Report
from tests.ratings.arena import Arena

pytestmark = pytest.mark.django_db


@pytest.fixture
def arena() -> Arena:
    return Arena(3)


@pytest.fixture
def match(arena: Arena) -> Match:
    return start_match(ladder=arena.ladder, teams=[[it.pk] for it in arena.players[:2]])


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"due_at": None}, "match_due_while_open"),
        ({"state": MatchState.REPORTED, "due_at": None}, "match_due_while_open"),
        ({"state": MatchState.ABORTED}, "match_due_while_open"),
        ({"state": MatchState.CONFIRMED, "due_at": None}, "match_confirmed_has_a_time"),
        ({"ladder_seq": 1}, "match_only_confirmed_is_in_sequence"),
    ],
)
def test_states_and_times_go_together(
    match: Match, changes: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(**changes)


def test_a_match_ends_after_it_begins(match: Match) -> None:
    early = match.played_at - timedelta(seconds=1)
    with pytest.raises(IntegrityError, match="match_ends_after_it_begins"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(ended_at=early)


def test_a_player_plays_once(arena: Arena, match: Match) -> None:
    other = Match.objects.create(
        ladder=arena.ladder, game=arena.game, external_id="other", played_at=match.played_at,
        due_at=match.due_at,
    )  # fmt: skip
    seat = Participant(match=other, player=arena.players[0], team=0, playing=True)
    with pytest.raises(IntegrityError, match="participant_plays_once"), transaction.atomic():
        seat.save()
    Participant.objects.filter(match=match, player=seat.player).update(playing=False)
    seat.save()


def test_a_player_has_one_word(arena: Arena, match: Match) -> None:
    Report.objects.create(match=match, player=arena.players[0], outcome="won")
    with pytest.raises(IntegrityError, match="report_one_per_player"), transaction.atomic():
        Report.objects.create(match=match, player=arena.players[0], outcome="lost")


@pytest.mark.parametrize("name", ["report_minutes", "abandon_minutes"])
def test_deadlines_are_to_come(arena: Arena, name: str) -> None:
    setattr(arena.ladder, name, 0)
    with pytest.raises(IntegrityError, match="ladder_deadlines"), transaction.atomic():
        arena.ladder.save()
