"""Conduct: how a player stands, appeals, and being away from a match."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, participant_for, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import TextField
from api.serializers.moderation.conduct import AbsenceShape, ConductShape, OffenceShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody, WhoseBody
from api.views.matches.reports import MAY_SPEAK
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.conduct import absences, appeals
from matchmaking.conduct.own import conduct_of
from matchmaking.models import Offence, Teller

__all__ = ["AwayView", "BackView", "ConductView", "OffenceAppealView"]


class OffenceAppealBody(PlayerBody):
    """What a player has to say."""

    text = TextField(
        max_length=appeals.LONGEST_TEXT, help_text="Why it should not count; for the moderators."
    )


class ConductView(ApiView):
    """A player's own conduct."""

    access = {"GET": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS}
    tag = "Players"

    @extend_schema(summary="The own conduct", responses=ConductShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The player's points, what each came of, what follows from them and until when, if nothing is added. For the
        player and the game's servers alone.
        """
        player = player_for(self.caller, self.parameters.get("player"))
        return Response(self.shown(ConductShape, conduct_of(player)))


class OffenceAppealView(ApiView):
    """Appeals against an offence."""

    access = {"POST": MAY_ACT}
    problems = {"POST": (*WHO_PROBLEMS, "offence_taken_back", "already_appealed", "no_words")}
    tag = "Players"

    @extend_schema(
        summary="Appeal against an offence",
        request=OffenceAppealBody,
        responses={201: OffenceShape},
    )
    def post(self, request: Request, offence_id: int) -> Response:
        """Asks the moderators to take the offence back. One appeal for each; the answer comes with its reason."""
        given = self.body(OffenceAppealBody)
        player = player_for(self.caller, given.get("player"))
        try:
            appeals.appeal(offence_id=offence_id, player_id=player.pk, text=given["text"])
        except Offence.DoesNotExist:
            raise Http404 from None
        found = next(one for one in conduct_of(player).offences if one.offence.pk == offence_id)
        return Response(self.shown(OffenceShape, found), status=201)


class _AbsenceEndpoint(ApiView):
    """What is said of a player's connection to a running match."""

    access = {"POST": MAY_SPEAK}
    tag = "Matches"

    def speaking(self, match_id: int) -> tuple[int, Teller]:
        """Of which player, and whose word it is."""
        given = self.body(PlayerBody)
        player = participant_for(self.caller, match_id, given.get("player"))
        return player, Teller.PLAYER if self.caller.player is not None else Teller.SERVER


class AwayView(_AbsenceEndpoint):
    """Losing the connection."""

    problems = {"POST": (*WHO_PROBLEMS, "archived", "rated_by_events", "not_in_match", "not_away")}

    @extend_schema(summary="Be away from a match", request=PlayerBody, responses=AbsenceShape)
    def post(self, request: Request, match_id: int) -> Response:
        """Says that the player has lost the connection. Back by `until` it costs nothing; later the player has left.
        When most players of a match drop within seconds the server has failed, and nobody has left. The match shows
        who is `away`.
        """
        player, teller = self.speaking(match_id)
        found = absences.away(match_id=match_id, player_id=player, by=teller)
        return Response(self.shown(AbsenceShape, found))


class BackView(_AbsenceEndpoint):
    """Coming back."""

    problems = {"POST": (*AwayView.problems["POST"], "too_late_back", "server_tells_back")}

    @extend_schema(summary="Be back in a match", request=PlayerBody, responses=AbsenceShape)
    def post(self, request: Request, match_id: int) -> Response:
        """Says that the player is back, while the match runs. Whom the server has told to be away only the server can
        tell to be back.
        """
        player, teller = self.speaking(match_id)
        found = absences.back(match_id=match_id, player_id=player, by=teller)
        return Response(self.shown(AbsenceShape, found))
