"""Predictions read back from the ledger, and the commands that operators rate and judge by."""

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from foundation import clock
from ratings.ledger.predictions import read_predictions
from ratings.systems import Duels
from ratings.tracks.parameters import current_version, system_of
from tests.ratings.arena import DAY, START, Played, make_arena, random_history

pytestmark = pytest.mark.django_db


def test_instant_predictions_are_those_of_the_run() -> None:
    arena = make_arena(6)
    track = arena.track()
    history = random_history(80, 6, days=30)
    arena.play(*history)
    arena.rate(track)
    system = system_of(current_version(track), None)
    state, expected = system.initial(6), []
    for one in history:
        expected.append(float(system.expected(state, [one.first], [one.second])[0]))
        duel = Duels(np.array([one.first]), np.array([one.second]), np.array([one.score]))
        state = system.rate(state, duel)
    found = read_predictions(track)
    assert found.predicted.tolist() == pytest.approx(expected, abs=1e-9)
    assert found.actual.tolist() == [one.score for one in history]
    assert len(found.later(0.5)) == 40


def test_predictions_of_a_period_use_its_start() -> None:
    arena = make_arena(4)
    track = arena.track("glicko", days=10)
    arena.play(Played(0.5, 0, 1, 1), Played(12, 0, 1, 1), Played(13, 1, 0, 1))
    arena.rate(track, day=20)
    first, second, third = read_predictions(track).predicted.tolist()
    assert first == 0.5
    assert second > 0.6
    assert second + third == pytest.approx(1, abs=1e-12)


def test_backtest_reports_as_json_and_as_text() -> None:
    arena = make_arena(6)
    track = arena.track()
    arena.play(*random_history(80, 6, days=30))
    arena.rate(track)
    out = StringIO()
    call_command("backtest", "--ladder=go", "--from=0.25", "--json", stdout=out)
    record = json.loads(out.getvalue())
    assert (record["track"], record["games"]) == (track.pk, 60)
    assert 0.4 < record["log_loss"] < 1.2
    text = StringIO()
    call_command("backtest", "--ladder=go", stdout=text)
    assert "Log loss" in text.getvalue()


def test_rate_brings_ladders_up_to_date() -> None:
    arena = make_arena()
    arena.track()
    arena.play(Played(1, 0, 1, 1), Played(2, 0, 1, 1))
    out = StringIO()
    with clock.at(START + 5 * DAY):
        call_command("rate", stdout=out)
    assert out.getvalue() == "go: 2 matches rated, 0 periods closed\n"


@pytest.mark.parametrize("command", ["rate", "backtest"])
def test_an_unknown_ladder_is_named(command: str) -> None:
    with pytest.raises(CommandError, match="chess"):
        call_command(command, "--ladder=chess")


def test_a_share_out_of_range_is_refused() -> None:
    with pytest.raises(CommandError, match="must be from 0 up to"):
        call_command("backtest", "--ladder=go", "--from=1")
