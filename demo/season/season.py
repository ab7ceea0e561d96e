"""Making the season: simulated, written, sequenced and rated by the engine that rates everything else."""

from dataclasses import dataclass

import numpy as np
from django.db import IntegrityError

from demo.league import GAME, PLANS
from demo.season.calendar import DAY
from demo.season.matches import simulate
from demo.season.people import gather
from demo.season.storage import write
from foundation import clock
from leaderboards.boards import refresh
from ratings.management.catch_up import catch_up
from ratings.models import Facet, Game, Ladder, RatingTrack
from ratings.tracks.sides import estimate_sides

__all__ = ["Made", "SeasonError", "is_made", "make_season"]

_PER_MATCH = 270.0  # seconds that a match takes of all its players, halved, generously
_BUSIEST = 0.2  # share of the season that the average player can spend in matches


class SeasonError(Exception):
    """A season that cannot be made; says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """What the season came to."""

    players: int
    matches: int


def is_made() -> bool:
    """Whether the demo's game is there."""
    return Game.objects.filter(slug=GAME).exists()


def make_season(*, players: int, matches: int, days: float, seed: int) -> Made:
    """Make the whole season, up to now. Raises SeasonError; then nothing is there.

    The same seed makes the same season, told from another now.
    """
    if players < 4:
        raise SeasonError(f"players = {players}: must be 4 or more")
    if not 1.0 <= days <= 3650.0:
        raise SeasonError(f"days = {days:g}: must be from 1 to 3650")
    most = int(players / 2 * days * DAY * _BUSIEST / _PER_MATCH)
    if not 1 <= matches <= most:
        raise SeasonError(
            f"matches = {matches}: must be from 1 to {most} for {players} players in {days:g} days"
        )
    random = np.random.default_rng(seed)
    season = simulate(gather(players, random), matches=matches, days=days, random=random)
    now = clock.now()
    try:
        ladders = write(season, now=now)
    except IntegrityError as error:
        if is_made():  # another was first
            raise SeasonError("another process has just made the demo season") from error
        raise
    with clock.at(now):
        for ladder in ladders:
            catch_up(ladder, quiet=True)
        refresh.refresh_due()  # events are delivered later where other transactions are open
        # What the sides of the maps are worth, for who plays at once: workers look into it every ten minutes.
        on_maps = [plan.slug for plan in PLANS if plan.match_format.maps]
        for track in RatingTrack.objects.filter(ladder__slug__in=on_maps, facet=Facet.NONE):
            estimate_sides(track.pk)
    rated = Ladder.objects.filter(pk__in=[ladder.pk for ladder in ladders])
    return Made(players=players, matches=sum(rated.values_list("last_seq", flat=True)))
