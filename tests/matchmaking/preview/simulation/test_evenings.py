"""An evening where few play: alerts and rounds bring matches, and the same seed the same figures."""

from dataclasses import replace
from datetime import timedelta
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from matchmaking.alerts.send import tell_of_searches
from matchmaking.alerts.wish import switch_on
from matchmaking.models import AlertWish
from matchmaking.pairing import Plan
from matchmaking.pairing.nearness import Nearness, widths
from matchmaking.pairing.plan import Rules
from matchmaking.preview.simulation.evenings import Evening, play_evening, whose_turn
from notifications.models import Notice
from tests.matchmaking.hall import make_hall

ALONE = Evening(seconds=3 * 3600.0)


@pytest.mark.full
def test_the_same_seed_gives_the_same_evening() -> None:
    evening = replace(ALONE, alerted=0.5, rounds_every=3600.0)
    assert play_evening(Plan(), evening, seed=3) == play_evening(Plan(), evening, seed=3)
    assert play_evening(Plan(), evening, seed=3) != play_evening(Plan(), evening, seed=4)


@pytest.mark.full
def test_alerts_and_rounds_bring_matches() -> None:
    def matches(alerted: float = 0.0, rounds_every: float = 0.0) -> int:
        evening = replace(ALONE, alerted=alerted, rounds_every=rounds_every)
        return sum(play_evening(Plan(), evening, seed=seed).matches for seed in range(4))

    alone = matches()
    assert matches(alerted=0.5) > alone
    assert matches(rounds_every=1800.0) > alone
    assert matches(alerted=0.5, rounds_every=1800.0) > alone


def test_what_is_counted_fits_together() -> None:
    found = play_evening(Plan(), replace(ALONE, arrivals=0.05), seed=1)
    assert found.per_player == pytest.approx(2 * found.matches / found.players)
    assert 0 <= found.nothing < 1
    assert play_evening(Plan(), replace(ALONE, arrivals=1e-9), seed=1).players == 0


def test_the_command_shows_all_four() -> None:
    out = StringIO()
    call_command("simulate_evenings", "--runs=1", "--hours=1", stdout=out)
    assert [line.split("  ")[0] for line in out.getvalue().splitlines()[1:]] == [
        "alone", "with alerts", "with rounds", "with both",
    ]  # fmt: skip
    with pytest.raises(CommandError, match="arrivals must be above 0"):
        call_command("simulate_evenings", "--arrivals=0", stdout=out)


@pytest.mark.parametrize(
    ("option", "range_"),
    [
        ("--patience=0", "a number from 1 to 86400"),
        ("--patience=-1", "a number from 1 to 86400"),
        ("--patience=nan", "a number from 1 to 86400"),
        ("--alerted=1.5", "a number from 0 to 1"),
        ("--answers=-0.1", "a number from 0 to 1"),
        ("--joins=all", "a number from 0 to 1"),
        ("--every=0", "a number from 60 to 86400"),
        ("--seed=-1", "a whole number from 0 to 1000000000"),
    ],
)
def test_numbers_that_cannot_be_are_refused_in_words(option: str, range_: str) -> None:
    with pytest.raises(CommandError, match=f"must be {range_}"):
        call_command("simulate_evenings", "--runs=1", "--hours=0.1", option, stdout=StringIO())


@pytest.mark.django_db
def test_whose_turn_it_is_follows_the_rules_of_the_site() -> None:
    random = np.random.default_rng(5)
    rating = random.normal(1500, 300, 30)
    hall = make_hall(30, gap_start=100, gap_per_second=5, settings={"alerts": {"at_most": 4}})
    hall.rate(dict(enumerate(rating.tolist())))
    hours = random.choice([np.inf, 1.0, 2.0, 3.0], 30)  # since each was told last; inf: never
    with hall.at_now():
        for player, since in zip(hall.players[2:], hours[2:], strict=True):
            switch_on(player=player, queue=hall.queue, near=Nearness.CLOSE, until=None)
            if np.isfinite(since):
                told_at = hall.now - timedelta(hours=float(since))
                AlertWish.objects.filter(player=player).update(told_at=told_at)
    hall.join(0, 1)
    hall.wait(15)
    with hall.at_now():
        tell_of_searches()
    told = set(Notice.objects.values_list("player", flat=True))
    expected = whose_turn(
        np.arange(2, 30),
        -hours,
        rating,
        rating[:2],
        width=widths(Rules(gap_start=100, gap_per_second=5))[Nearness.CLOSE],
        at_most=8,
    )
    assert told == {hall.players[n].pk for n in expected}
    assert len(told) == 8
