"""Matches that were played before a walk begins, rated and on the board."""

from collections.abc import Sequence

from events.outbox import deliver
from leaderboards.boards.refresh import refresh_due
from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Ladder, Match, Outcome, Player, RatingTrack

__all__ = ["beat", "finish", "follow_up", "ratings_on"]


def beat(ladder: Ladder, winner: Player, loser: Player) -> Match:
    """Let one beat another, who concedes; it is rated at once."""
    match = start_match(ladder=ladder, teams=[[winner.pk], [loser.pk]])
    report(match_id=match.pk, player_id=loser.pk, outcome=Outcome.LOST)
    return match


def finish(ladder: Ladder, players: Sequence[Player], places: Sequence[int]) -> Match:
    """Let all against all end as each of them says; what they say need not fit together."""
    match = start_match(ladder=ladder, teams=[[player.pk] for player in players])
    for player, place in zip(players, places, strict=True):
        report(match_id=match.pk, player_id=player.pk, place=place)
    match.refresh_from_db()
    return match


def follow_up() -> None:
    """Have boards follow what was rated."""
    deliver()
    refresh_due()


def ratings_on(ladder: Ladder) -> dict[int, float]:
    """What is shown: ratings by players' numbers."""
    track = RatingTrack.objects.get(ladder=ladder, shown=True)
    return dict(track.ratings.values_list("player_id", "value"))
