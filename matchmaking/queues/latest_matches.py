"""The latest matches of a queue: who was expected to win, who did, and what it did to their ratings."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import F

from matchmaking.models import Offer, OfferState, Queue
from ratings.matches.summary import teams_of
from ratings.models import Match, MatchState, Outcome, Participant, RatingChange, TrackState

__all__ = ["latest_matches"]


# Up to here nobody is expected to win: it is 50% when rounded.
_EVEN = 0.505


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a match; `points`: what the shown track gave or took, None while it has not, or rates by periods.

    `decimals`: those in which to show that, one more than ratings have.
    """

    player_id: int
    name: str
    points: float | None
    decimals: int


@dataclass(slots=True)
class PlayedTeam:
    """A team. `outcome`: how a decided match went for it, else ""; `is_expected`: whether it was thought to win."""

    people: list[Person]
    is_expected: bool = False
    outcome: str = ""
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class LatestMatch:
    """An offer that became a match, and its teams in their order.

    `certainty`: the expected score of the team that was thought to win, 0.5 to 1; None where nobody knows.
    """

    offer: Offer
    match: Match
    teams: list[PlayedTeam]
    certainty: float | None


def latest_matches(queue: Queue, *, at_most: int) -> list[LatestMatch]:
    """Return the matches of the newest offers of a queue. Three queries."""
    offers = Offer.objects.filter(queue=queue, state=OfferState.ACCEPTED)
    newest = offers.select_related("match").order_by("-created_at", "-pk")[:at_most]
    of_match = {offer.match_id: offer for offer in newest}
    match_ids = [pk for pk in of_match if pk is not None]
    # What the shown track gave each player, and its decimals, where it rates matches one by one.
    changes = RatingChange.objects.filter(
        match__in=match_ids,
        track__ladder=queue.ladder_id,
        track__shown=True,
        track__facet="",
        track__state=TrackState.LIVE,
    ).annotate(points=F("value_after") - F("value_before"))
    columns = changes.values_list("match", "player", "points", "track__decimals")
    points = {
        (match, player): (change, decimals + 1) for match, player, change, decimals in columns
    }
    by_match: dict[int, list[Participant]] = defaultdict(list)
    everyone = Participant.objects.filter(match__in=match_ids).select_related("player", "match")
    for participant in everyone:
        by_match[participant.match_id].append(participant)
    by_number: dict[int, dict[int, PlayedTeam]] = defaultdict(dict)
    for match_id, participants in by_match.items():
        match = participants[0].match
        for team in teams_of(participants, match):
            outcome = team.outcome if match.state == MatchState.CONFIRMED else None
            by_number[match_id][team.number] = PlayedTeam(
                people=[
                    Person(
                        one.player_id,
                        one.player.name,
                        *points.get((match_id, one.player_id), (None, 1)),
                    )
                    for one in team.members
                ],
                outcome=str(outcome.label) if outcome else "",
                has_won=outcome == Outcome.WON,
            )
    found = []
    for offer in of_match.values():
        if offer.match is None:
            continue
        teams, certainty = by_number[offer.match.pk], None
        if offer.chance is not None and len(teams) == 2:
            certainty = max(offer.chance, 1 - offer.chance)
            if certainty > _EVEN:
                teams[int(offer.chance < 0.5)].is_expected = True
        in_order = [teams[team] for team in sorted(teams)]
        found.append(LatestMatch(offer, offer.match, in_order, certainty))
    return found
