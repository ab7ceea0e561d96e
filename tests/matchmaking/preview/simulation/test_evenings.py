"""An evening where few play: alerts and rounds bring matches, and the same seed the same figures."""

from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from matchmaking.pairing import Plan
from matchmaking.preview.simulation.evenings import Evening, play_evening

ALONE = Evening(seconds=3 * 3600.0)


def test_the_same_seed_gives_the_same_evening() -> None:
    evening = replace(ALONE, alerted=0.5, rounds_every=3600.0)
    assert play_evening(Plan(), evening, seed=3) == play_evening(Plan(), evening, seed=3)
    assert play_evening(Plan(), evening, seed=3) != play_evening(Plan(), evening, seed=4)


def test_alerts_and_rounds_bring_matches() -> None:
    def matches(**more: float) -> int:
        evening = replace(ALONE, **more)
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
