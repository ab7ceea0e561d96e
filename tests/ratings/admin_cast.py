"""A small world for the admin's tests: a game, a ladder, two tracks, some players, matches and their ledger."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ratings.models import (
    ChangeKind,
    Game,
    ImportedFile,
    Ladder,
    Match,
    MatchState,
    ParameterVersion,
    Participant,
    Player,
    Rating,
    RatingChange,
    RatingPeriod,
    RatingTrack,
    Status,
    name_columns,
)
from ratings.tracks.parameters import create_track, current_version

START = datetime(2024, 3, 1, tzinfo=UTC)


@dataclass
class World:
    """What the tests name."""

    game: Game
    ladder: Ladder
    elo: RatingTrack
    glicko: RatingTrack
    anna: Player
    boris: Player


def make_world(*, matches: int = 4) -> World:
    """Anna beats Boris `matches` times; the shown Elo track rates at once, a Glicko track by 30 days."""
    game = Game.objects.create(slug="chess", name="Chess")
    ladder = Ladder.objects.create(game=game, slug="blitz", name="Blitz")
    elo = create_track(ladder=ladder, system="elo", parameters={}, period_days=None, shown=True)
    glicko = create_track(
        ladder=ladder, system="glicko", parameters={}, period_days=30, shown=False
    )
    anna, boris = add_player(game, "Anna"), add_player(game, "Boris")
    world = World(game=game, ladder=ladder, elo=elo, glicko=glicko, anna=anna, boris=boris)
    for number in range(1, matches + 1):
        add_match(world, number)
    add_period(world, last=matches)
    return world


def add_player(game: Game, name: str) -> Player:
    """A player whose id in the game is the small name."""
    return Player.objects.create(game=game, external_id=name.lower(), **name_columns(name))


def add_match(world: World, number: int) -> Match:
    """The next match of the ladder's sequence, with its rows in the Elo track's ledger."""
    at = START + timedelta(hours=number)
    match = Match.objects.create(
        ladder=world.ladder,
        game=world.game,
        external_id=f"m{number}",
        state=MatchState.CONFIRMED,
        played_at=at,
        confirmed_at=at,
        counts_at=at,
        ladder_seq=number,
    )
    Ladder.objects.filter(pk=world.ladder.pk).update(last_seq=number, counted_until=at)
    RatingTrack.objects.filter(pk=world.elo.pk).update(rated_seq=number)
    for team, player in enumerate((world.anna, world.boris)):
        Participant.objects.create(match=match, player=player, team=team, rank=team)
        _rate(world, match, player, points=8.0 if team == 0 else -8.0)
    return match


def _rate(world: World, match: Match, player: Player, *, points: float) -> None:
    won = points > 0
    rating, _ = Rating.objects.get_or_create(
        track=world.elo,
        player=player,
        defaults={
            "value": 1500.0,
            "as_of": match.played_at,
            "games": 0,
            "counted": 0,
            "wins": 0,
            "draws": 0,
            "losses": 0,
            "status": Status.PROVISIONAL,
            "last_played_at": match.played_at,
            "revision": 1,
        },
    )
    before = rating.value
    rating.value, rating.games = before + points, rating.games + 1
    rating.wins, rating.losses = rating.wins + won, rating.losses + (not won)
    rating.save()
    RatingChange.objects.create(
        track=world.elo,
        player=player,
        kind=ChangeKind.MATCH,
        match=match,
        at=match.played_at,
        expected=0.75 if won else 0.25,
        actual=float(won),
        weight=32.0,
        value_before=before,
        value_after=rating.value,
    )


def add_period(world: World, *, last: int) -> RatingPeriod:
    """Close the Glicko track's first period over the matches up to `last`."""
    RatingTrack.objects.filter(pk=world.glicko.pk).update(
        starts_at=START, closed_periods=1, rated_seq=last
    )
    world.glicko.refresh_from_db()
    return RatingPeriod.objects.create(
        track=world.glicko,
        number=0,
        version=ParameterVersion.objects.get(track=world.glicko, number=1),
        starts_at=START,
        ends_at=START + timedelta(days=30),
        first_seq=1,
        last_seq=last,
        games=last,
        players=2,
        new_players=2,
        mean=1500.0,
        spread=120.0,
        closed_at=START + timedelta(days=30),
    )


def add_import(world: World) -> ImportedFile:
    """A file that was taken in."""
    return ImportedFile.objects.create(
        ladder=world.ladder, name="games.csv", digest="ab" * 32, rows=4, new_matches=4
    )


def operator() -> Client:
    """A signed-in superuser called olga."""
    client = Client()
    client.force_login(User.objects.create_superuser("olga", "olga@example.org", "long secret"))
    return client


def staff(*codenames: str) -> Client:
    """A signed-in member of staff with these permissions and no others."""
    clerk = User.objects.create_user(f"carl {'-'.join(codenames)}", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(clerk)
    return client


def told(client: Client, address: str, sent: dict[str, Any]) -> str:
    """Send a form and return what the next page says first."""
    answer = client.post(address, sent, follow=True)
    return " ".join(str(message) for message in answer.context["messages"])


def address_to_tune(track: RatingTrack) -> str:
    """The page of a track's parameters."""
    return reverse("admin:ratings_ratingtrack_tune", args=[track.pk])


def typed(track: RatingTrack, step: str, **changes: Any) -> dict[str, Any]:
    """What a browser sends: every value in force but for `changes`."""
    present = current_version(track)
    values = {"version": present.number, "step": step, "note": "", **present.parameters, **changes}
    return {name: value for name, value in values.items() if value is not False}
