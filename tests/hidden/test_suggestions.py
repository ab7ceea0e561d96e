"""Suggestions tell nothing of what others have said: no word of another ever changes one's own."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from groups.suggest import Suggested, choose, suggestions_for
from matchmaking.models import Feedback, FeedbackTag
from ratings.models import Player
from tests.forms import often
from tests.groups.test_suggestions import grouped, like, play
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db
_PLAYERS = 12


def plain(found: Suggested) -> Any:
    """All that is told, in its order."""
    return (
        [(one.player.pk, one.matches, one.liked) for one in found.players],
        [(one.group.pk, one.size, one.liked) for one in found.groups],
    )


def league(seed: int) -> Hall:
    """Players who have met, and who say something of each other; some are in groups."""
    luck = random.Random(seed)
    hall = make_hall(_PLAYERS)
    for player in hall.players:
        choose(player=player, wanted=True)
    for _ in range(20 * _PLAYERS):
        play(hall, *luck.sample(range(_PLAYERS), 2))
    for _ in range(6):
        grouped(hall, *luck.sample(range(_PLAYERS), 5))
    for one in range(_PLAYERS):
        for other in luck.sample(range(_PLAYERS), 9):
            if one != other:
                like(hall.players[one], hall.players[other], enjoyed=luck.random() < 0.7)
    return hall


def all_for(players: list[Player]) -> dict[int, Any]:
    return {player.pk: plain(suggestions_for(player)) for player in players}


def turned_round(others: Any) -> None:
    for row in others:
        row.enjoyed, row.tags = not row.enjoyed, []
        row.save()


def tagged(others: Any) -> None:
    others.update(tags=[FeedbackTag.OBSCENE], enjoyed=False)


@pytest.mark.full
@pytest.mark.parametrize("change", [lambda rows: rows.delete(), turned_round, tagged])
def test_no_word_of_another_changes_ones_suggestions(change: Callable[[Any], Any]) -> None:
    for seed in range(often(2, 20)):
        hall = league(seed)
        own = hall.players[0]
        before = plain(suggestions_for(own))
        assert before[0], "somebody is suggested, or nothing is tested"
        assert before[1], "and some group"
        change(Feedback.objects.exclude(author=own))
        assert plain(suggestions_for(own)) == before


def test_a_word_changes_the_suggestions_of_its_author_alone() -> None:
    hall = league(7)
    own, *others = hall.players
    before, mine = all_for(others), plain(suggestions_for(own))
    for row in Feedback.objects.filter(author=own):
        row.enjoyed = not row.enjoyed
        row.save()
    assert all_for(others) == before
    assert plain(suggestions_for(own)) != mine
