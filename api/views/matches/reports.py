"""What is said of matches: by players, and by the game's servers."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import (
    WHO_PROBLEMS,
    match_for,
    participant_for,
    participants_by_name,
)
from api.auth.scopes import Scope
from api.contract.bodies import Body, NothingBody, WordField
from api.contract.fields import (
    IdField,
    ListOfField,
    MomentField,
    NumberField,
    TextField,
    TruthField,
    WholeField,
)
from api.contract.player_stats_fields import CharactersField, MinutesField, PlayerScoresField
from api.serializers.matches import MatchStateShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from ratings.matches import decide, report
from ratings.matches.result import Result
from ratings.matches.revising.correct import correct
from ratings.models import Outcome
from ratings.models.corrections import LONGEST_CORRECTION_REASON

__all__ = [
    "NEUTRAL",
    "AbortView",
    "CorrectionView",
    "LeaveView",
    "ReportsView",
    "ResultView",
]

MAY_SPEAK = needs(Scope.PLAY, Scope.MATCHES_WRITE)
MAY_DECIDE = needs(Scope.MATCHES_WRITE)
NEUTRAL = "Nobody plays the better side; else the first team does (white, at home)."


class ReportBody(PlayerBody):
    """A player's word on a match."""

    outcome = WordField(
        choices=Outcome.choices,
        required=False,
        help_text="For the player who says it. Of more than two teams: `won`, `not_played`, or `place` instead, "
        "with `drawn` if it was shared.",
    )
    place = WholeField(
        min_value=1,
        max_value=100,
        required=False,
        help_text="Which place the player's team took, of more than two teams; 1 is the best.",
    )
    left_early = TruthField(default=False, help_text="The player left before the end.")


class RanksBody(Body):
    """Who came where."""

    ranks = ListOfField(
        child=WholeField(min_value=0, max_value=99),
        min_length=2,
        max_length=100,
        help_text="One a team: 0 is best, equal ranks are a draw.",
    )


class ResultBody(RanksBody):
    """How a match ended."""

    scores = ListOfField(
        child=NumberField(),
        required=False,
        min_length=2,
        max_length=100,
        help_text="One a team, as the game counts.",
    )
    left = ListOfField(
        child=IdField(),
        default=list,
        max_length=1000,
        help_text="Ids in the game of those who left before the end.",
    )
    player_scores = PlayerScoresField(
        default=dict, help_text="What single players counted, by their ids in the game."
    )
    minutes = MinutesField(
        default=dict, help_text="How long players took part, by their ids in the game."
    )
    characters = CharactersField(
        default=dict,
        help_text="With whom players played, by their ids in the game; of others as chosen before the match.",
    )
    neutral = TruthField(
        required=False, help_text=f"{NEUTRAL} Left out: as the match was arranged."
    )
    map = TextField(required=False, allow_blank=True, help_text="Left out: as arranged.")
    ended_at = MomentField(required=False, help_text="Left out: now.")


class CorrectionBody(RanksBody):
    """How a match really ended."""

    scores = ListOfField(
        child=NumberField(),
        required=False,
        min_length=2,
        max_length=100,
        help_text="One a team, as the game counts. Left out: as they are.",
    )
    player_scores = PlayerScoresField(
        default=dict, help_text="What single players counted, by their ids; of others as it is."
    )
    minutes = MinutesField(
        default=dict, help_text="How long players took part, by their ids; of others as it is."
    )
    reason = TextField(
        max_length=LONGEST_CORRECTION_REASON, help_text="Why; shown on the match's page."
    )
    corrections = WholeField(
        min_value=0,
        max_value=100_000,
        required=False,
        help_text="How many corrections the match had when it was read. Refused where there are others now.",
    )


class ReportsView(ApiView):
    """Reports of players."""

    access = {"POST": MAY_SPEAK}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "archived",
            "rated_by_events",
            "not_in_match",
            "suspended",
            "wrong_result",
            "match_decided",
        )
    }
    tag = "Matches"

    @extend_schema(summary="Report a match", request=ReportBody, responses=MatchStateShape)
    def post(self, request: Request, match_id: int) -> Response:
        """A player's word. Reports of both sides that agree confirm the match, reports that differ dispute it; one
        alone stands when `due_at` has come, that it was lost at once. The same report again changes nothing; another
        one takes its place until the match is decided, also while it is disputed. Of more than two teams each says its
        place; those that say nothing share the one that is left.
        """
        given = self.body(ReportBody)
        match = report.report(
            match_id=match_id,
            player_id=participant_for(self.caller, match_id, given.get("player")),
            outcome=Outcome(given["outcome"]) if "outcome" in given else None,
            place=given.get("place"),
            left_early=given["left_early"],
        )
        return Response(self.shown(MatchStateShape, match))


class LeaveView(ApiView):
    """Giving up."""

    access = {"POST": MAY_SPEAK}
    problems = ReportsView.problems
    tag = "Matches"

    @extend_schema(summary="Leave a match", request=PlayerBody, responses=MatchStateShape)
    def post(self, request: Request, match_id: int) -> Response:
        """The player gives the match up: reported as lost, and noted as left early."""
        given = self.body(PlayerBody)
        player = participant_for(self.caller, match_id, given.get("player"))
        match = report.leave(match_id=match_id, player_id=player)
        return Response(self.shown(MatchStateShape, match))


class FromServerView(ApiView):
    """Base of what the game's server says of how a match ended."""

    access = {"POST": MAY_DECIDE}
    tag = "Matches"

    def result_of(self, match_id: int, given: dict[str, Any]) -> Result:
        """What a body says of a match of the caller's. Refuses as `match_for` and `participants_by_name`."""
        match_for(self.caller, match_id)
        left = given.get("left", [])
        by_name = {
            what: given[what]
            for what in ("player_scores", "minutes", "characters")
            if what in given
        }
        named = [*left, *(name for told in by_name.values() for name in told)]
        players = participants_by_name(self.caller, match_id, named)
        return Result(
            ranks=tuple(given["ranks"]),
            scores=tuple(given["scores"]) if "scores" in given else None,
            neutral=given.get("neutral"),
            left=frozenset(players[name] for name in left),
            map=given.get("map", ""),
            ended_at=given.get("ended_at"),
            **{
                what: {players[name]: it for name, it in told.items()}
                for what, told in by_name.items()
            },
        )


class ResultView(FromServerView):
    """Results from the game's server."""

    problems = {
        "POST": (
            "archived",
            "rated_by_events",
            "unknown_player",
            "not_in_match",
            "wrong_result",
            "match_decided",
        )
    }

    @extend_schema(summary="Give the result", request=ResultBody, responses=MatchStateShape)
    def post(self, request: Request, match_id: int) -> Response:
        """The result as the game's server saw it. It counts at once, whatever the players said. The same result again
        changes nothing.
        """
        match = decide.confirm_by_server(
            match_id=match_id,
            result=self.result_of(match_id, self.body(ResultBody)),
            server_key=self.caller.server_key_id,
        )
        return Response(self.shown(MatchStateShape, match))


class AbortView(ApiView):
    """Matches that did not take place."""

    access = {"POST": MAY_DECIDE}
    problems = {"POST": ("archived", "rated_by_events", "match_decided")}
    tag = "Matches"

    @extend_schema(summary="Abort a match", request=NothingBody, responses=MatchStateShape)
    def post(self, request: Request, match_id: int) -> Response:
        """Ends a match that has no result yet; it does not count."""
        self.body(NothingBody)
        match = decide.abort(match_id=match_for(self.caller, match_id))
        return Response(self.shown(MatchStateShape, match))


class CorrectionView(FromServerView):
    """Results that were wrong."""

    problems = {
        "POST": (
            "archived",
            "rated_by_events",
            "unknown_player",
            "not_in_match",
            "wrong_result",
            "match_not_confirmed",
            "match_corrected",
            "match_decided",
        )
    }

    @extend_schema(summary="Correct a result", request=CorrectionBody, responses=MatchStateShape)
    def post(self, request: Request, match_id: int) -> Response:
        """Puts another result in the place of that of a confirmed match, as if it had been so from the start: ratings
        are computed anew, and the present ones stay until they are ready. What the match said before stays readable.
        The result that it has already changes nothing. What an operator has decided or corrected, operators correct.
        """
        given = self.body(CorrectionBody)
        match = correct(
            match_id=match_id,
            result=self.result_of(match_id, given),
            reason=given["reason"],
            server_key=self.caller.server_key_id,
            seen=given.get("corrections"),
        )
        return Response(self.shown(MatchStateShape, match))
