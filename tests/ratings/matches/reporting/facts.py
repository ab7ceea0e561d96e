"""Words for what becomes of a match, and what is known of it."""

from typing import Any

from events.models import Event
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Match, Outcome, Participant
from tests.ratings.arena import Arena

WON, DRAWN, LOST, NOT_PLAYED = Outcome.WON, Outcome.DRAWN, Outcome.LOST, Outcome.NOT_PLAYED
FIRST_WINS = Result(ranks=(0, 1))


def begin(arena: Arena, first: int, second: int, **more: Any) -> Match:
    teams = [[arena.players[first].pk], [arena.players[second].pk]]
    return start_match(ladder=arena.ladder, teams=teams, **more)


def ranks(match: Match) -> list[int | None]:
    seats = Participant.objects.filter(match=match).order_by("team")
    return list(seats.values_list("rank", flat=True))


def playing(match: Match) -> int:
    return Participant.objects.filter(match=match, playing=True).count()


def kinds() -> list[str]:
    return list(Event.objects.order_by("id").values_list("kind", flat=True))
