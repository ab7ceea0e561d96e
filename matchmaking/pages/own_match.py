"""A match as the page of one of its players shows it: the others, everybody's report, and the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from matchmaking.avoid_list import avoids
from matchmaking.conduct.absences import absences_from
from matchmaking.feedback.ask import Question, questions_of
from matchmaking.models import Absence
from matchmaking.pages.after_match import acts_after
from ratings.disputes import statement_of
from ratings.ledger.forecasts import Belief, forecasters_of
from ratings.matches.expected_scores import beliefs_now, expected_scores
from ratings.matches.revising.corrections import awaits_replay
from ratings.matches.start import SIDES_BY
from ratings.matches.summary import MatchSummary, Team, public_tracks, teams_of
from ratings.matches.verdict import Said, judge, with_partner
from ratings.models import (
    OPEN,
    Match,
    MatchState,
    Mode,
    Outcome,
    Participant,
    Player,
    RatingChange,
    Report,
    Statement,
)
from ratings.tracks.periods import calendar_of

__all__ = ["MatchPlayer", "OwnMatchView", "own_match_view"]


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """A player of a match, with the rating of now (None: hidden or unknown) and the report (None: none yet)."""

    participant: Participant
    belief: Belief | None
    report: Report | None

    @property
    def player(self) -> Player:
        """The player."""
        return self.participant.player


@dataclass(frozen=True, slots=True)
class OwnMatchView:
    """A match from the side of `own`.

    forecasts      score expected of each team by its number, from public ratings: of several the mean over the others;
                   empty on ladders that are not public, and where the system does not know teams
    rating_change  what the match, or the rating period with it, did to the own rating; None before that, and if hidden
    passed_over    whether the track has gone past the match without a change: it lacks figures that the system needs
    counts_at      when the rating period ends in which a confirmed match counts; None where it is rated at once
    decimals       those in which its ratings are shown
    avoided        ids of participants on the player's avoid list; empty until the player has reported
    questions      whether the player enjoyed playing with each other, once it is over for the player
    acts           templates of what apps above offer after the match
    statement      the player's comment and proof for the operator who decides a dispute
    absences       from the running match, which have not ended
    """

    summary: MatchSummary
    own: MatchPlayer
    team: list[MatchPlayer]
    others: list[MatchPlayer]
    forecasts: Mapping[int, float]
    rating_change: RatingChange | None
    passed_over: bool
    counts_at: datetime | None
    decimals: int
    avoided: frozenset[int]
    statement: Statement | None
    questions: list[Question]
    absences: list[Absence]
    acts: Sequence[str] = ()

    @property
    def match(self) -> Match:
        """The match itself."""
        return self.summary.match

    @property
    def absence(self) -> Absence | None:
        """Of the player."""
        own = self.own.player.pk
        return next((one for one in self.absences if one.player_id == own), None)

    @property
    def others_away(self) -> list[Absence]:
        """Of the others."""
        return [one for one in self.absences if one is not self.absence]

    @property
    def stage(self) -> str:
        """`playing`: the player may say how it went; `reported`: has said so; else the match's state."""
        if self.is_open:
            return "playing" if self.own.report is None else "reported"
        return str(self.match.state)

    @property
    def is_ranked(self) -> bool:
        """Whether ratings of this match may be shown."""
        return self.summary.is_ranked

    @property
    def is_open(self) -> bool:
        """Whether the match is not decided yet."""
        return self.match.state in OPEN

    @property
    def places_to_report(self) -> range:
        """What a player may say of a match of more than two sides; empty where there are two."""
        count = 1 + len(self.other_teams)
        return range(1, count + 1) if count > 2 else range(0)

    @property
    def is_of_teams(self) -> bool:
        """Whether there is somebody beside the player and one opponent."""
        return len(self.players) + bool(self.match.partner) > 2

    @property
    def other_teams(self) -> list[list[MatchPlayer]]:
        """The other team, or teams: the best first once there is a result."""
        by_team: dict[int, list[MatchPlayer]] = {}
        for one in self.others:
            by_team.setdefault(one.participant.team, []).append(one)
        return sorted(by_team.values(), key=lambda team: team[0].participant.rank or 0)

    @property
    def everyone_else(self) -> list[MatchPlayer]:
        """Everyone but the player, team mates too."""
        return [one for one in self.players if one is not self.own]

    @property
    def has_simulated_players(self) -> bool:
        """Whether somebody here is nobody's account, in a game whose players are simulated."""
        is_simulated = self.match.ladder.game.simulated
        return is_simulated and any(one.player.user_id is None for one in self.everyone_else)

    @property
    def place(self) -> int | None:
        """The own team's place of a match of more than two, 1 for the best; None without a result."""
        return self._own_team.place if self.summary.has_places else None

    @property
    def is_place_shared(self) -> bool:
        """Whether another team took the same place."""
        return self._own_team.is_place_shared

    @property
    def outcome(self) -> str:
        """`won`, `drawn` or `lost`; empty without a result."""
        return str(self._own_team.outcome or "")

    @property
    def _own_team(self) -> Team:
        return self.summary.team_of(self.own.participant.player_id)

    @property
    def players(self) -> list[MatchPlayer]:
        """Everyone, the own side first."""
        return [*self.team, *self.others]

    @property
    def side(self) -> str:
        """Of an open match that a queue has made: `better` or `worse`, where that is known and may be shown.

        Else, and where players have agreed on a match or room, `first` or `second`; empty where sides are nothing.
        What a side is worth is in the record of the offer.
        """
        match, is_first = self.match, self.own.participant.team == 0
        if match.is_neutral or match.state not in OPEN:
            return ""
        if self.sides_by:
            return "first" if is_first else "second"
        offer = getattr(match, "offer", None)
        if offer is None:
            return ""
        worth = offer.record.get("side", {}).get("points", 0.0)
        if worth and match.ladder.mode == Mode.RANKED:
            return "better" if is_first == (worth > 0) else "worse"
        return ("first" if is_first else "second") if worth or match.map else ""

    @property
    def sides_by(self) -> str:
        """`choice` or `lot` where the sides of a challenge or room were settled so."""
        return str(self.match.extra.get(SIDES_BY, ""))

    @property
    def is_side_by_lot(self) -> bool:
        """Whether nobody was the weaker one, who would have the better side."""
        offer = getattr(self.match, "offer", None)
        return offer is not None and offer.record.get("side", {}).get("why") == "lot"

    @property
    def others_reported(self) -> bool:
        """Whether one of the other side has reported."""
        return any(one.report for one in self.others)

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
    def other_teams_expected(self) -> list[tuple[list[MatchPlayer], float | None]]:
        """The same with the score expected of each."""
        return [(team, self.forecasts.get(team[0].participant.team)) for team in self.other_teams]

    @property
    def points(self) -> float | None:
        """By how much the own rating moved."""
        change = self.rating_change
        return None if change is None else change.value_after - change.value_before

    @property
    def lacks_reports(self) -> bool:
        """Whether a dispute is one only because reports are missing: what was said does not contradict itself."""
        said = [
            Said(one.participant.team, word.outcome, word.left_early, word.place)
            if (word := one.report)
            else Said(one.participant.team)
            for one in self.players
        ]
        claims: dict[int, set[int]] = {}  # of places that were not shared: by which teams
        for one in said:
            if one.place is not None and one.outcome != Outcome.DRAWN:
                claims.setdefault(one.place, set()).add(one.team)
        is_clear = all(len(teams) == 1 for teams in claims.values())
        verdict = judge(with_partner(said, self.match.partner))
        return self.match.state == MatchState.DISPUTED and is_clear and verdict.state in OPEN

    @property
    def last_word_at(self) -> datetime:
        """When something happened in this match last, as far as it was written down."""
        reports = [one.report.at for one in self.players if one.report]
        written = (self.match.ended_at, self.match.confirmed_at)
        return max([self.match.played_at, *reports, *(at for at in written if at)])


def own_match_view(match: Match, player_id: int, now: datetime) -> OwnMatchView:
    """Read the match from the side of a player who takes part, with its ladder and offer read before.

    Eight queries at most.
    """
    people = list(match.participants.select_related("player").order_by("team", "pk"))
    track = None
    if match.ladder.mode == Mode.RANKED:
        track = public_tracks([match.ladder]).get(match.ladder_id)
    summary = MatchSummary(match, teams_of(people, match), track)
    beliefs: dict[int, Belief] = {}
    forecasts: dict[int, float] = {}
    rating_change = counts_at = None
    passed_over = False
    if track is not None:
        forecaster = forecasters_of([track])[track.pk]
        beliefs = beliefs_now(forecaster, [one.player_id for one in people], now)
        if match.state in OPEN:
            forecasts = expected_scores(forecaster, summary, beliefs)
        if match.ladder_seq is not None and not awaits_replay(match, people, track):
            # The ledger's row of this match, or of the closed period with it.
            seq = match.ladder_seq
            cause = Q(match=match) | Q(period__first_seq__lte=seq, period__last_seq__gte=seq)
            changes = RatingChange.objects.filter(cause, track=track, player=player_id)
            rating_change = changes.first()
            passed_over = rating_change is None and seq <= track.rated_seq
        calendar, moment = calendar_of(track), match.counts_at or match.confirmed_at
        if match.state == MatchState.CONFIRMED and match.rated and calendar and moment is not None:
            counts_at = calendar.ends_at(calendar.number_at(moment))
    reports = {report.player_id: report for report in match.reports.all()}
    players = [
        MatchPlayer(one, beliefs.get(one.player_id), reports.get(one.player_id)) for one in people
    ]
    own = next(one for one in players if one.participant.player_id == player_id)
    # While the match is played the list of avoided players is of no use: it is not read.
    avoided: frozenset[int] = frozenset()
    questions: list[Question] = []
    if match.state not in OPEN or own.report is not None:
        avoided = frozenset(avoids(player_id, [one.player_id for one in people]))
        if match.state != MatchState.ABORTED:
            others = [one.player for one in people if one.player_id != player_id]
            questions = questions_of(player_id, match.pk, others)
    is_disputed = match.state == MatchState.DISPUTED
    return OwnMatchView(
        summary=summary,
        own=own,
        team=[one for one in players if one.participant.team == own.participant.team],
        others=[one for one in players if one.participant.team != own.participant.team],
        forecasts=forecasts,
        rating_change=rating_change,
        passed_over=passed_over,
        counts_at=counts_at,
        decimals=track.decimals if track else 0,
        avoided=avoided,
        acts=acts_after(match, people, [player_id], now),
        statement=statement_of(match.pk, player_id) if is_disputed else None,
        questions=questions,
        absences=list(absences_from(match.pk).select_related("player"))
        if match.state in OPEN
        else [],
    )
