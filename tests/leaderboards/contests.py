"""Ladders of teams and free-for-alls with rated matches, for the tests of their pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leaderboards.boards import refresh
from ratings.models import Match, Participant, RatingTrack
from tests.leaderboards.site import NAMES, Site
from tests.ratings.arena import DAY, START, Arena, make_arena

__all__ = ["Entry", "make_contest_site", "play_contests"]


@dataclass(frozen=True)
class Entry:
    """One team of a match: its players by number, its rank, and what each scored in how many minutes."""

    players: Sequence[int]
    rank: int
    score: float | None = None
    minutes: float | None = None


def play_contests(arena: Arena, *contests: Sequence[Entry]) -> list[Match]:
    """Confirm matches of teams, one a day."""
    known = Match.objects.count()
    matches = Match.objects.bulk_create(
        Match(
            ladder=arena.ladder,
            game=arena.game,
            external_id=f"c{known + number}",
            state="confirmed",
            played_at=START + (known + number + 1) * DAY,
            confirmed_at=START + (known + number + 1) * DAY,
        )
        for number in range(len(contests))
    )
    Participant.objects.bulk_create(
        Participant(
            match=match,
            player=arena.players[who],
            team=team,
            rank=entry.rank,
            score=entry.score,
            minutes=entry.minutes,
        )
        for match, contest in zip(matches, contests, strict=True)
        for team, entry in enumerate(contest)
        for who in entry.players
    )
    return matches


def make_contest_site(
    system: str, *contests: Sequence[Entry], days: float | None = None, **rules: Any
) -> Site:
    """A ladder of six named players, its only track shown, and these matches rated."""
    teams, size = len(contests[0]), len(contests[0][0].players)
    arena = make_arena(6, pool_minimum=100, team_count=teams, team_size=size, **rules)
    for player, name in zip(arena.players, NAMES, strict=True):
        player.name = name
        player.save()
    track: RatingTrack = arena.track(system, days=days, shown=True)
    matches = play_contests(arena, *contests)
    site = Site(arena, track, matches, START + 60 * DAY)
    site.rate(day=50)
    refresh.refresh(track.pk)
    return site
