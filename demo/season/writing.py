"""Writing a simulated season down, all rows of a kind at once."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from demo.league import found_league
from demo.models import SimulatedPlayer
from demo.season.matches import CONFIRMED, DISPUTED, Played, Season
from foundation import clock
from ratings.models import Game, Ladder, Match, Outcome, Participant, Player, Report
from ratings.naming import skeleton_of

__all__ = ["write"]

_BATCH = 2000


def write(season: Season, *, now: datetime) -> list[Ladder]:
    """Make the league with its players and everything they played until `now`; gives its ladders.

    One transaction: a season is there whole or not at all. Its matches wait for their place in the sequence.
    """
    start = now - timedelta(seconds=season.length)
    with transaction.atomic(), clock.at(start):
        game, ladders = found_league()
        players = _write_players(season, game, start)
        _write_matches(season, ladders, players, start)
    return ladders


def _write_players(season: Season, game: Game, start: datetime) -> list[Player]:
    people = season.people
    came = (
        people.arrives % 1.0
    ) * season.length  # who never plays has only just signed up, or at the start
    players = Player.objects.bulk_create(
        Player(
            game=game,
            external_id=f"sim-{number + 1:04}",
            name=name,
            skeleton=skeleton_of(name),
            created_at=start + timedelta(seconds=came[number]),
        )
        for number, name in enumerate(people.name)
    )
    SimulatedPlayer.objects.bulk_create(
        SimulatedPlayer(
            player=player,
            strength=season.strength[number],
            activity=0.0 if people.leaves[number] < 1.0 else people.activity[number],
            manners=people.manners[number],
        )
        for number, player in enumerate(players)
    )
    return players


def _write_matches(
    season: Season, ladders: Sequence[Ladder], players: Sequence[Player], start: datetime
) -> None:
    matches = Match.objects.bulk_create(
        (
            _match(number, played, ladders[played.ladder], start)
            for number, played in enumerate(season.matches, start=1)
        ),
        batch_size=_BATCH,
    )
    Participant.objects.bulk_create(
        (
            side
            for match, played in zip(matches, season.matches, strict=True)
            for side in _sides(match, played, players)
        ),
        batch_size=_BATCH,
    )
    Report.objects.bulk_create(
        report
        for match, played in zip(matches, season.matches, strict=True)
        if played.state == DISPUTED
        for report in _contradiction(match, played, players, start)
    )


def _match(number: int, played: Played, ladder: Ladder, start: datetime) -> Match:
    began, ended, decided = (
        start + timedelta(seconds=at) for at in (played.began, played.ended, played.decided)
    )
    is_played = played.state in {CONFIRMED, DISPUTED}
    return Match(
        ladder=ladder,
        game_id=ladder.game_id,
        external_id=f"season-{number:06}",
        state=played.state,
        map=played.map,
        played_at=began,
        ended_at=ended if is_played else None,
        confirmed_at=decided if played.state == CONFIRMED else None,
    )


def _sides(match: Match, played: Played, players: Sequence[Player]) -> Iterator[Participant]:
    """Both sides; who won is known of confirmed matches only."""
    for team, (who, won) in enumerate(
        ((played.first, played.score), (played.second, 1 - played.score))
    ):
        is_known = played.state == CONFIRMED
        yield Participant(
            match=match,
            player=players[who],
            team=team,
            rank=int(won < 0.5) if is_known else None,
            left_early=is_known and played.left == who,
        )


def _contradiction(
    match: Match, played: Played, players: Sequence[Player], start: datetime
) -> Iterator[Report]:
    """Both say that they won."""
    for who, seconds in ((played.first, played.ended), (played.second, played.decided)):
        yield Report(
            match=match,
            player=players[who],
            outcome=Outcome.WON,
            at=start + timedelta(seconds=seconds),
        )
