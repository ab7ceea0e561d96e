"""Answering challenges, and saying that one is there."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.serializers.challenges import ChallengeShape
from api.views.bodies import PlayerBody
from api.views.challenges.base import MAY_NOT_PLAY, ChallengeEndpoint
from challenges import answer, meeting
from ratings.models import Player

__all__ = [
    "ChallengeAcceptView",
    "ChallengeCancelView",
    "ChallengeDeclineView",
    "ChallengeHereView",
    "ChallengeWithdrawView",
]

_COMES = ("already_playing", "in_room", *MAY_NOT_PLAY)


class _AnswerView(ChallengeEndpoint):
    access = {"POST": MAY_ACT}

    def asked(self, challenge_id: int) -> tuple[int, Player]:
        """The challenge, and the player who answers: a server may name one who is none of its two."""
        given = self.body(PlayerBody)
        found = self.found(challenge_id)
        player = player_for(self.caller, given.get("player"))
        return found.pk, player


class ChallengeAcceptView(_AnswerView):
    """Accepting."""

    problems = {"POST": (*WHO_PROBLEMS, "not_challenged", "challenge_over", *_COMES)}

    @extend_schema(summary="Accept a challenge", request=PlayerBody, responses=ChallengeShape)
    def post(self, request: Request, challenge_id: int) -> Response:
        """Accepts it. Where the challenger was there within the last minute, the match begins at once, and `match` is
        its id; else as soon as the challenger is `here`. An appointment stands for its time.
        """
        pk, player = self.asked(challenge_id)
        return self.answer(answer.accept(challenge_id=pk, player=player))


class ChallengeDeclineView(_AnswerView):
    """Declining."""

    problems = {"POST": (*WHO_PROBLEMS, "not_challenged", "challenge_over")}

    @extend_schema(summary="Decline a challenge", request=PlayerBody, responses=ChallengeShape)
    def post(self, request: Request, challenge_id: int) -> Response:
        """Declines it, as the challenged."""
        pk, player = self.asked(challenge_id)
        return self.answer(answer.decline(challenge_id=pk, player=player))


class ChallengeWithdrawView(_AnswerView):
    """Taking back."""

    problems = {"POST": (*WHO_PROBLEMS, "not_challenger", "challenge_over")}

    @extend_schema(summary="Withdraw a challenge", request=PlayerBody, responses=ChallengeShape)
    def post(self, request: Request, challenge_id: int) -> Response:
        """Takes back what nobody has answered, as the challenger."""
        pk, player = self.asked(challenge_id)
        return self.answer(answer.withdraw(challenge_id=pk, player=player))


class ChallengeCancelView(_AnswerView):
    """Calling off."""

    problems = {
        "POST": (*WHO_PROBLEMS, "not_in_challenge", "challenge_not_accepted", "challenge_over")
    }

    @extend_schema(summary="Call off what was agreed", request=PlayerBody, responses=ChallengeShape)
    def post(self, request: Request, challenge_id: int) -> Response:
        """Calls off what was accepted and has not begun, as one of the two."""
        pk, player = self.asked(challenge_id)
        return self.answer(answer.cancel(challenge_id=pk, player=player))


class ChallengeHereView(_AnswerView):
    """Being there."""

    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "not_in_challenge",
            "challenge_not_accepted",
            "challenge_over",
            "too_early",
            *_COMES,
        )
    }

    @extend_schema(summary="Say that one is there", request=PlayerBody, responses=ChallengeShape)
    def post(self, request: Request, challenge_id: int) -> Response:
        """Notes that the player is there; with the second of the two the match begins, and `match` is its id. Of an
        appointment from 5 minutes before its time.
        """
        pk, player = self.asked(challenge_id)
        return self.answer(meeting.say_here(challenge_id=pk, player=player))
