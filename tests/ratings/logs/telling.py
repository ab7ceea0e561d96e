"""A ladder rated by events, its server, and what it tells."""

from typing import Any

import msgspec

from ratings.logs.accept import Accepted, accept_events
from ratings.logs.given import GivenEvent, read_events
from ratings.logs.servers import obtain_server
from ratings.models import Game, GameServer, Ladder, LogTally, Match, RatedBy, Rating, RatingTrack
from ratings.runs.run import rate_track
from ratings.tracks.parameters import create_track


def make_server(slug: str = "dm1", **parameters: float) -> GameServer:
    """A server of a game of its own, whose events are rated by frags."""
    game, _new = Game.objects.get_or_create(slug="arena", defaults={"name": "Arena"})
    ladder, is_new = Ladder.objects.get_or_create(
        slug="live",
        defaults={
            "game": game,
            "name": "Live",
            "rated_by": RatedBy.EVENTS,
            "pool_minimum": 0,
            "established_after": 3,
        },
    )
    if is_new:
        create_track(
            ladder=ladder, system="frags", parameters=parameters, period_days=None, shown=True
        )
    return obtain_server(ladder, slug, name=slug.upper())[0]


def event(number: int, kind: str, match: str = "m1", **more: Any) -> dict[str, Any]:
    """One event as JSON has it."""
    return {"match": match, "number": number, "type": kind, **more}


def frag(number: int, player: str, victim: str, match: str = "m1", **more: Any) -> dict[str, Any]:
    """A frag as JSON has it."""
    return event(number, "frag", match, player=player, victim=victim, **more)


def tell(server: GameServer, *events: dict[str, Any]) -> Accepted:
    """Give a server's events, as they come from it."""
    server = GameServer.objects.select_related("ladder__game", "game").get(pk=server.pk)
    return accept_events(server, read_events(msgspec.json.encode({"events": list(events)})))


def given(**fields: Any) -> GivenEvent:
    """An event that was read."""
    return msgspec.convert(fields, GivenEvent)


def rate() -> None:
    """Bring the shown track up to date."""
    rate_track(track().pk)


def track() -> RatingTrack:
    """The live track of the ladder."""
    return RatingTrack.objects.get(ladder__slug="live", state="live")


def ratings() -> dict[str, float]:
    """Ratings by the players' ids in the game."""
    found = Rating.objects.filter(track=track())
    return dict(found.values_list("player__external_id", "value"))


def tallies(match: str = "m1") -> dict[str, LogTally]:
    """What was counted of a match, by the players' ids."""
    of_match = LogTally.objects.filter(track=track(), match__log__name=match)
    return {it.player.external_id: it for it in of_match.select_related("player")}


def match_of(name: str = "m1") -> Match:
    """The match that a server calls so."""
    return Match.objects.get(log__name=name)
