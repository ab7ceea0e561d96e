"""A match of two players, and what they say of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from ratings.models import Match, Outcome
    from tests.ratings.arena import Arena


@pytest.fixture
def arena() -> "Arena":
    from tests.ratings.arena import Arena

    return Arena(4)


@pytest.fixture
def match(arena: "Arena") -> "Match":
    from tests.ratings.matches.reporting.facts import begin

    return begin(arena, 0, 1)


@pytest.fixture
def say(arena: "Arena", match: "Match") -> Callable[..., str]:
    """Let a player, by number, report the match; gives the state it is in then."""
    from ratings.matches.report import report
    from ratings.models import Match

    def say(number: int, outcome: "Outcome", *, left: bool = False) -> str:
        player = arena.players[number].pk
        told = report(match_id=match.pk, player_id=player, outcome=outcome, left_early=left)
        assert told.state == Match.objects.get(pk=match.pk).state
        return told.state

    return say
