"""A match as one of its players sees it: who the others are, what was said, and what came of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from matchmaking.parties.avoid_list import avoids
from ratings.disputes import statement_of
from ratings.ledger.forecasts import Belief, Forecaster, aged, beginner, forecasters_of, side_of
from ratings.models import (
    OPEN,
    Match,
    MatchState,
    Mode,
    Participant,
    Player,
    Rating,
    RatingChange,
    RatingTrack,
    Report,
    Statement,
)
from ratings.tracks.periods import calendar_of

__all__ = ["Meeting", "Seat", "latest_match", "meeting_of", "own_seat"]


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a match: what is believed of him now (None: hidden or unknown), and what he said of it."""

    participant: Participant
    belief: Belief | None
    report: Report | None

    @property
    def player(self) -> Player:
        """Who sits there."""
        return self.participant.player


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match from the side of `own`.

    forecasts  score expected of each side by its number, from public ratings: of several the mean over the others;
               empty on ladders that are not public, and where the system does not know teams
    change     what the match, or the rating period with it, did to the own rating; None before that, and if hidden
    counts_at  when the rating period ends in which a confirmed match counts; None where it is rated at once
    places     decimals in which its ratings are shown
    side       of an open match that a queue has made: `better` or `worse`, where that is known and may be told; else
               `first` or `second`; empty where sides are nothing
    avoided    ids of those here whom the player avoids, once he has done his part
    statement  what the player has told the operator who decides a dispute
    """

    match: Match
    own: Seat
    team: list[Seat]
    others: list[Seat]
    forecasts: Mapping[int, float]
    change: RatingChange | None
    counts_at: datetime | None
    places: int
    side: str
    avoided: frozenset[int]
    statement: Statement | None

    @property
    def stage(self) -> str:
        """`playing`: the player may say how it went; `told`: has said so; else the match's state."""
        if self.is_open:
            return "playing" if self.own.report is None else "told"
        return str(self.match.state)

    @property
    def is_ranked(self) -> bool:
        """Whether ratings of this match may be shown."""
        return self.match.ladder.mode == Mode.RANKED

    @property
    def is_open(self) -> bool:
        """Whether the match is not decided yet."""
        return self.match.state in OPEN

    @property
    def places_to_report(self) -> range:
        """What a player may say of a match of more than two sides; empty where there are two."""
        count = 1 + len(self.teams)
        return range(1, count + 1) if count > 2 else range(0)

    @property
    def is_of_teams(self) -> bool:
        """Whether there is somebody beside the player and one opponent."""
        return len(self.seats) > 2

    @property
    def teams(self) -> list[list[Seat]]:
        """The other side, or sides: the best first once there is a result."""
        by_team: dict[int, list[Seat]] = {}
        for seat in self.others:
            by_team.setdefault(seat.participant.team, []).append(seat)
        return sorted(by_team.values(), key=lambda team: team[0].participant.rank or 0)

    @property
    def strangers(self) -> list[Seat]:
        """Everyone but the player."""
        return [seat for seat in self.seats if seat is not self.own]

    @property
    def place(self) -> int | None:
        """The own team's place of a match of more than two, 1 for the best; None without a result."""
        rank = self.own.participant.rank
        if rank is None or len(self.teams) < 2:
            return None
        return 1 + sum((team[0].participant.rank or 0) < rank for team in self.teams)

    @property
    def is_place_shared(self) -> bool:
        """Whether another team took the same place."""
        rank = self.own.participant.rank
        return rank is not None and any(team[0].participant.rank == rank for team in self.teams)

    @property
    def seats(self) -> list[Seat]:
        """Everyone, the own side first."""
        return [*self.team, *self.others]

    @property
    def is_side_by_lot(self) -> bool:
        """Whether nobody was the weaker one, who would have the better side."""
        offer = getattr(self.match, "offer", None)
        return offer is not None and offer.record.get("side", {}).get("why") == "lot"

    @property
    def others_said(self) -> bool:
        """Whether one of the other side has reported."""
        return any(seat.report for seat in self.others)

    @property
    def plays_in_team(self) -> bool:
        """Whether the player has team mates, and speaks for them."""
        return len(self.team) > 1

    @property
    def forecast(self) -> float | None:
        """Score expected of the own side."""
        return self.forecasts.get(self.own.participant.team)

    @property
    def other_forecast(self) -> float | None:
        """Score expected of the other side, of two."""
        return None if self.forecast is None else 1 - self.forecast

    @property
    def sides(self) -> list[tuple[list[Seat], float | None]]:
        """The other side, or sides, with the score expected of each, in the order of `teams`."""
        return [(team, self.forecasts.get(team[0].participant.team)) for team in self.teams]

    @property
    def points(self) -> float | None:
        """By how much the own rating moved."""
        change = self.change
        return None if change is None else change.value_after - change.value_before

    @property
    def outcome(self) -> str:
        """`won`, `drawn` or `lost`; empty without a result."""
        ranks = [seat.participant.rank for seat in (self.own, *self.others)]
        known = [rank for rank in ranks if rank is not None]
        if not known or len(known) < len(ranks):
            return ""
        if known[0] == min(known[1:]):
            return "drawn"
        return "won" if known[0] < min(known[1:]) else "lost"

    @property
    def last_word_at(self) -> datetime:
        """When something happened in this match last, as far as it was written down."""
        reports = [seat.report.at for seat in self.seats if seat.report]
        written = (self.match.ended_at, self.match.confirmed_at)
        return max([self.match.played_at, *reports, *(at for at in written if at)])


def latest_match(player_id: int) -> Match | None:
    """The match the player came to last; None before the first. One query."""
    seats = Participant.objects.filter(player=player_id).order_by("-match_id")
    seat = seats.select_related("match__ladder__game", "match__offer").first()
    return seat.match if seat else None


def own_seat(match: Match, user_id: int | None) -> Participant | None:
    """Where an account sits in a match; None for one that does not take part."""
    if user_id is None:
        return None
    seats = Participant.objects.filter(match=match, player__user=user_id)
    return seats.select_related("player").first()


def meeting_of(match: Match, player_id: int, now: datetime) -> Meeting:
    """Read the match from the side of a player who takes part, with its ladder and offer read before.

    Seven queries at most.
    """
    people = list(match.participants.select_related("player").order_by("team", "pk"))
    reports = {report.player_id: report for report in match.reports.all()}
    track = _public_track(match)
    beliefs = _beliefs(track, people, now)
    seats = [Seat(one, beliefs.get(one.player_id), reports.get(one.player_id)) for one in people]
    own = next(seat for seat in seats if seat.participant.player_id == player_id)
    others = [seat for seat in seats if seat.participant.team != own.participant.team]
    return Meeting(
        match=match,
        own=own,
        team=[seat for seat in seats if seat.participant.team == own.participant.team],
        others=others,
        forecasts=_forecasts(track, match, seats),
        change=_change(track, match, player_id),
        counts_at=_counts_at(track, match),
        places=track.decimals if track else 0,
        side=_side(match, own.participant),
        avoided=_avoided(match, own, people),
        statement=statement_of(match.pk, player_id) if match.state == MatchState.DISPUTED else None,
    )


def _side(match: Match, own: Participant) -> str:
    """See `Meeting.side`. What a side is worth stands in the record of the offer that the match came of."""
    offer = getattr(match, "offer", None)
    if offer is None or match.is_neutral or match.state not in OPEN:
        return ""
    is_first = own.team == 0
    worth = offer.record.get("side", {}).get("points", 0.0)
    if worth and match.ladder.mode == Mode.RANKED:
        return "better" if is_first == (worth > 0) else "worse"
    return ("first" if is_first else "second") if worth or match.map else ""


def _avoided(match: Match, own: Seat, people: Iterable[Participant]) -> frozenset[int]:
    """Whom the player avoids: not asked while the match is played, when nothing can be done about it."""
    if match.state in OPEN and own.report is None:
        return frozenset()
    return frozenset(avoids(own.player.pk, [one.player_id for one in people]))


def _public_track(match: Match) -> RatingTrack | None:
    if match.ladder.mode != Mode.RANKED:
        return None
    return match.ladder.tracks.filter(shown=True, facet="").first()


def _beliefs(
    track: RatingTrack | None, people: Iterable[Participant], now: datetime
) -> dict[int, Belief]:
    """What is believed of each player now; a new one has the rating everyone begins with."""
    if track is None:
        return {}
    ids = [one.player_id for one in people]
    rated = Rating.objects.public().filter(track=track, player__in=ids)
    ratings = {rating.player_id: rating for rating in rated}
    forecaster = forecasters_of([track])[track.pk]
    return {
        pk: aged(forecaster, ratings[pk], now) if pk in ratings else beginner(forecaster)
        for pk in ids
    }


def _forecasts(track: RatingTrack | None, match: Match, seats: Sequence[Seat]) -> dict[int, float]:
    """See `Meeting.forecasts`. Of a match that is over nobody asks."""
    if track is None or match.state not in OPEN:
        return {}
    teams: dict[int, list[Belief]] = {}
    for seat in seats:
        if seat.belief is not None:
            teams.setdefault(seat.participant.team, []).append(seat.belief)
    system = forecasters_of([track])[track.pk].newest
    if len(seats) == 2:
        (first, (own,)), (second, (other,)) = teams.items()
        expected = Forecaster.expect(system, own, other, side=side_of(match, first))
        return {first: expected, second: 1 - expected}
    if not system.takes_teams:
        return {}
    return dict(zip(teams, Forecaster.expect_teams(system, list(teams.values())), strict=True))


def _change(track: RatingTrack | None, match: Match, player_id: int) -> RatingChange | None:
    """The ledger's row of this match, or of the closed period with it."""
    if track is None or match.ladder_seq is None:
        return None
    seq = match.ladder_seq
    cause = Q(match=match) | Q(period__first_seq__lte=seq, period__last_seq__gte=seq)
    return RatingChange.objects.filter(cause, track=track, player=player_id).first()


def _counts_at(track: RatingTrack | None, match: Match) -> datetime | None:
    if track is None or match.state != MatchState.CONFIRMED:
        return None
    calendar, moment = calendar_of(track), match.counts_at or match.confirmed_at
    if calendar is None or moment is None:
        return None
    return calendar.ends_at(calendar.number_at(moment))
