"""Elo for arrays of games gives what Elo for one game gives, to the bit."""

import numpy as np
import pytest

from ratings.systems import Duels, Ratings
from ratings.systems.elo import EloParameters
from ratings.systems.elo.game import play_in_order, rate_games, rate_plainly
from ratings.systems.elo.stream import EloStream
from ratings.systems.elo.weights import (
    k_of_statuses,
    rating_share,
    rating_share_one,
)
from ratings.systems.points import DuelJournal, Table, statuses

PAIRS = 90
POLICIES = ["none", "step", "edges"]


def parameters(policy: str, **more: object) -> EloParameters:
    given = {"k_by_rating": policy, "k_new": 50, "k_provisional": 32, "k_established": 20}
    return EloParameters.build(given | more)


def games() -> Duels:
    """Pairs that share nobody, of every result and side."""
    score, side = np.resize([1.0, 0.5, 0.0], PAIRS), np.resize([1.0, -1.0, 0.0, 0.5], PAIRS)
    return Duels(np.arange(0, 2 * PAIRS, 2), np.arange(1, 2 * PAIRS, 2), score, side)


def field() -> Ratings:
    """New, provisional and established players in all pairings, from 300 to 2700 points."""
    value, played = np.linspace(300, 2700, 2 * PAIRS), np.empty((PAIRS, 2), dtype=np.int64)
    played[:, 0], played[:, 1] = (
        np.resize([0, 5, 40], PAIRS),
        np.resize([0, 0, 0, 5, 5, 5, 40], PAIRS),
    )
    value = value.reshape(2, PAIRS).T.ravel() * np.resize([1.0, 0.8, 1.1], 2 * PAIRS)
    return Ratings(value, None, None, played.ravel(), played.ravel())


@pytest.mark.parametrize("policy", ["step", "edges"])
def test_the_share_of_k_that_a_rating_leaves(policy: str) -> None:
    given = parameters(policy)
    values = np.array([-1e9, 0, 499, 500, 501, 1000, 1500, 2099.9, 2100, 2399.9, 2400, 2501, 1e9])
    shares = rating_share(given, values)
    assert shares.tolist() == [rating_share_one(given, value) for value in values.tolist()]
    assert rating_share_one(given, 1500) == 1
    assert rating_share_one(parameters("none"), 2600) == 1


@pytest.mark.parametrize("options", [{}, {"draw_nu": 0.7, "side_gamma": 0.6}], ids=["plain", "all"])
@pytest.mark.parametrize("policy", POLICIES)
def test_waves_equal_games_one_by_one(policy: str, options: dict[str, object]) -> None:
    """With and without a journal, and whether or not all games count."""
    given, before, duels = parameters(policy, **options), field(), games()
    pairs = np.stack((duels.first, duels.second))
    for all_count in (False, True):
        for journals in ((None, None), (DuelJournal.blank(PAIRS), DuelJournal.blank(PAIRS))):
            tables = Table.of(before), Table.of(before)
            wave, alone = (
                EloStream(given, table, duels, all_count=all_count, journal=journal)
                for table, journal in zip(tables, journals, strict=True)
            )
            wave.play_wave(np.arange(PAIRS), pairs)
            alone.play_one_by_one(np.arange(PAIRS), pairs)
            assert tables[0].value.tolist() == tables[1].value.tolist()
            assert tables[0].counted.tolist() == tables[1].counted.tolist()
            assert (tables[0].progress >= 0).all()
            if journals[0] is not None and journals[1] is not None:
                assert journals[0].rows.tolist() == journals[1].rows.tolist()
                assert journals[0].statuses.tolist() == journals[1].statuses.tolist()


def test_where_no_game_counts_new_players_are_new_no_more() -> None:
    """Nobody is established: as arrays only who was new is written."""
    given, duels = parameters("none"), games()
    played = np.resize([0, 5, 5, 5, 0, 0, 5, 0], 2 * PAIRS)
    before = Ratings(field().value, None, None, played, np.zeros_like(played))
    pairs = np.stack((duels.first, duels.second))
    tables = Table.of(before), Table.of(before)
    wave, alone = (
        EloStream(given, table, duels, all_count=False, journal=None) for table in tables
    )
    wave.play_wave(np.arange(PAIRS), pairs)
    alone.play_one_by_one(np.arange(PAIRS), pairs)
    assert tables[0].value.tolist() == tables[1].value.tolist()
    assert tables[0].progress.tolist() == tables[1].progress.tolist() == [0] * (2 * PAIRS)
    assert set(statuses(tables[0].progress, 30).tolist()) == {1}


def test_the_plain_way_equals_the_full_one_and_single_games() -> None:
    given, before, duels = parameters("none", draw_nu=0.7, side_gamma=0.6), field(), games()
    table = Table.of(before)
    pairs = np.stack((duels.first, duels.second))
    value, status = table.value.take(pairs), statuses(table.progress.take(pairs), 30)
    k = np.array(k_of_statuses(given))
    results = duels.score, duels.side
    _, _, full = rate_games(given, given.curve, value, status, results)
    plain = value.copy()
    rate_plainly(k, given.curve, plain, status, results, given.floor)
    running = table.value.tolist(), table.progress.tolist()
    columns = (duels.first, duels.second, duels.score, np.asarray(duels.side))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    play_in_order(given, running, rows, all_count=False, log=None)
    assert plain.tolist() == full.tolist() == np.reshape(running[0], (-1, 2)).T.tolist()
