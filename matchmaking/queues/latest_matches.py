"""The latest matches of a queue: who was expected to win, who did, and what it did to their ratings."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import F

from matchmaking.models import Offer, OfferState, Queue
from ratings.matches.verdict import outcome_of
from ratings.models import Match, MatchState, Participant, RatingChange, TrackState

__all__ = ["LatestMatch", "Person", "Side", "latest_matches"]


# Up to here nobody is expected to win: it is 50% when rounded.
_EVEN = 0.505


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a match; `points`: what the shown track gave or took, None while it has not, or rates by periods.

    `places`: decimals in which to show that, one more than ratings have.
    """

    player_id: int
    name: str
    points: float | None
    places: int


@dataclass(slots=True)
class Side:
    """A team. `outcome`: how a decided match went for it, else ""; `is_expected`: whether it was thought to win."""

    people: list[Person] = field(default_factory=list)
    is_expected: bool = False
    outcome: str = ""
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class LatestMatch:
    """An offer that became a match, and its sides in the order of teams.

    `certainty`: the expected score of the side that was thought to win, 0.5 to 1; None where nobody knows.
    """

    offer: Offer
    match: Match
    sides: list[Side]
    certainty: float | None


def latest_matches(queue: Queue, *, at_most: int) -> list[LatestMatch]:
    """Return the matches of the newest offers of a queue. Three queries."""
    offers = Offer.objects.filter(queue=queue, state=OfferState.ACCEPTED)
    newest = offers.select_related("match").order_by("-created_at", "-pk")[:at_most]
    of_match = {offer.match_id: offer for offer in newest}
    sides = _sides([pk for pk in of_match if pk is not None], queue)
    return [
        _told(offer, offer.match, sides[offer.match.pk])
        for offer in of_match.values()
        if offer.match is not None
    ]


def _told(offer: Offer, match: Match, sides: dict[int, Side]) -> LatestMatch:
    certainty = None
    if offer.chance is not None and len(sides) == 2:
        certainty = max(offer.chance, 1 - offer.chance)
        if certainty > _EVEN:
            sides[int(offer.chance < 0.5)].is_expected = True
    return LatestMatch(offer, match, [sides[team] for team in sorted(sides)], certainty)


def _sides(match_ids: list[int], queue: Queue) -> dict[int, dict[int, Side]]:
    """Teams of these matches, by number, with their players and what was decided."""
    points = _points(match_ids, queue)
    sides: dict[int, dict[int, Side]] = defaultdict(lambda: defaultdict(Side))
    ranks: dict[int, dict[int, int]] = defaultdict(dict)
    seats = Participant.objects.filter(match__in=match_ids).select_related("player", "match")
    for seat in seats.order_by("match", "team", "pk"):
        person = Person(
            seat.player_id,
            seat.player.name,
            *points.get((seat.match_id, seat.player_id), (None, 1)),
        )
        sides[seat.match_id][seat.team].people.append(person)
        if seat.rank is not None and seat.match.state == MatchState.CONFIRMED:
            ranks[seat.match_id][seat.team] = seat.rank
    for match_id, by_team in ranks.items():
        _put_outcomes(sides[match_id], by_team)
    return sides


def _put_outcomes(sides: dict[int, Side], ranks: dict[int, int]) -> None:
    if sorted(ranks) != list(range(len(sides))):
        return
    in_order = [ranks[team] for team in sorted(ranks)]
    for team, side in sides.items():
        outcome = outcome_of(in_order, team)
        side.outcome, side.has_won = str(outcome.label), outcome == outcome.WON


def _points(match_ids: list[int], queue: Queue) -> dict[tuple[int, int], tuple[float, int]]:
    """What the shown track gave each player for each match, with its decimals, where it rates matches one by one."""
    changes = RatingChange.objects.filter(
        match__in=match_ids,
        track__ladder=queue.ladder_id,
        track__shown=True,
        track__facet="",
        track__state=TrackState.LIVE,
    ).annotate(points=F("value_after") - F("value_before"))
    return {
        (match, player): (points, decimals + 1)
        for match, player, points, decimals in changes.values_list(
            "match", "player", "points", "track__decimals"
        )
    }
