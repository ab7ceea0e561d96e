"""Whom a change of the rules of a game would affect, before it is made."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from foundation import clock
from matchmaking.conduct.steps import faded
from matchmaking.models import Conduct, ConductRules, Offence
from ratings.models import Player

__all__ = ["Effect", "effect_of"]

_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change comes to for those who have points now.

    become  names of those who would meet like players first, and do not now; some of them
    cease   names of those who would no longer
    before, after  how many meet like players first
    told_before, told_after  how many are at any step
    """

    before: int
    after: int
    told_before: int
    told_after: int
    become: list[str]
    cease: list[str]


def effect_of(before: ConductRules, after: ConductRules) -> Effect:
    """Compare two rules of one game by the points that its players have now. Three queries."""
    had, has = _scores(before), _scores(after)
    like_before = {pk for pk, score in had.items() if score >= before.like_from}
    like_after = {pk for pk, score in has.items() if score >= after.like_from}
    return Effect(
        before=len(like_before),
        after=len(like_after),
        told_before=sum(score >= before.note_from for score in had.values()),
        told_after=sum(score >= after.note_from for score in has.values()),
        become=_names(like_after - like_before),
        cease=_names(like_before - like_after),
    )


def _scores(rules: ConductRules) -> Mapping[int, float]:
    now, scores = clock.now(), dict[int, float]()
    of_game = Q(player__game=rules.game_id)
    offences = Offence.objects.filter(of_game, taken_back_at=None)
    given = Conduct.objects.filter(of_game, score__gt=0)
    rows = [
        *offences.values_list("player", "points", "at"),
        *given.values_list("player", "score", "as_of"),
    ]
    for player, points, at in rows:
        left = faded(points, at, now, rules.half_life_days)
        scores[player] = scores.get(player, 0.0) + left
    return scores


def _names(players: set[int]) -> list[str]:
    rows = Player.objects.filter(pk__in=players).order_by("name", "pk")
    return list(rows.values_list("name", flat=True)[:_MOST_NAMED])
