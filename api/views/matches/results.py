"""Results of matches that the game arranged and played itself, many at once."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.people import game_served
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.field_errors import pointer_to, shown_at
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
from api.contract.problems import CODES
from api.contract.result_items import WrongItemError, read_result
from api.contract.shapes import Answer, Shape
from api.views.base import ApiView
from foundation.requests.time_limits import takes
from ratings.matches.played_match import PlayedMatch
from ratings.matches.record import record_results

__all__ = ["ResultsView"]

MOST = 1000
_AS_IN_PROBLEMS = ("match", "player", "suspended_from", "until", "appeal", "ladder")


class GuestShape(Body):
    """Who took part without being a player, such as a bot."""

    name = TextField(max_length=60, help_text="What the guest is called: one line.")
    team = WholeField(
        min_value=0,
        max_value=99,
        help_text="Number of its team in `teams`, from 0; a number beyond: on a side of guests alone.",
    )
    score = NumberField(required=False, allow_null=True)
    minutes = NumberField(required=False, allow_null=True, min_value=0)


class PlayedShape(Body):
    """One finished match. Each is read by itself, by `api.contract.result_items`."""

    ladder = TextField(help_text="Short name of the ladder.")
    external_id = IdField(help_text="How the game names the match. Sent again: known.")
    teams = ListOfField(
        child=ListOfField(child=IdField(), min_length=1, max_length=100),
        min_length=1,
        max_length=100,
        help_text="The players' ids in the game, by team. Unknown ones become known. With `guests` one team will do.",
    )
    ranks = ListOfField(
        child=WholeField(min_value=0, max_value=99),
        min_length=1,
        max_length=100,
        help_text="One a team: 0 is best, equal ranks are a draw.",
    )
    played_at = MomentField(help_text="When it began: in the years 1970 to 9000.")
    ended_at = MomentField(required=False, allow_null=True)
    scores = ListOfField(
        child=NumberField(),
        required=False,
        allow_null=True,
        min_length=1,
        max_length=100,
        help_text="One a team.",
    )
    player_scores = PlayerScoresField(
        required=False, help_text="What single players counted, by their ids."
    )
    minutes = MinutesField(required=False, help_text="How long players took part, by their ids.")
    characters = CharactersField(
        required=False, help_text="With whom players played, by their ids."
    )
    neutral = TruthField(
        required=False, help_text="Nobody played the better side; else the first team did."
    )
    left = ListOfField(child=IdField(), required=False, help_text="Ids of those who left early.")
    map = TextField(required=False, allow_blank=True)
    guests = ListOfField(
        child=GuestShape(),
        required=False,
        max_length=100,
        help_text="Who took part without being a player: kept with the match, left out of the rating.",
    )


class ResultsShape(Body):
    """Finished matches, in the order in which they shall count."""

    results = ListOfField(child=PlayedShape(), min_length=1, max_length=MOST)


class ResultsBody(Body):
    """The same, read item by item afterwards."""

    results = ListOfField(min_length=1, max_length=MOST)


class RecordedShape(Shape):
    """What became of one match."""

    status = serializers.ChoiceField(choices=["created", "known", "refused"])
    match = serializers.IntegerField(
        allow_null=True,
        help_text="Its id; null when it was refused. With `match_exists` that of the one there is.",
    )
    rated = serializers.BooleanField(
        required=False,
        help_text="False: kept, and not rated, for without its guests it is no match of the ladder.",
    )
    code = serializers.ChoiceField(choices=CODES, required=False, help_text="Why it was refused.")
    detail = serializers.CharField(required=False, help_text="The same in words.")
    pointer = serializers.CharField(required=False, help_text="Where in the body.")
    given = serializers.CharField(
        required=False, help_text="What stands there, as JSON, cut short."
    )
    player = serializers.IntegerField(required=False, help_text="Id of who is suspended.")
    suspended_from = serializers.CharField(
        required=False, help_text="From what the player is suspended."
    )
    until = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="When the suspension ends; null: when an operator lifts it.",
    )
    appeal = serializers.CharField(required=False, help_text="Where to appeal; may be empty.")
    ladder = serializers.CharField(
        required=False, help_text="Short name of the ladder that is archived, or unknown."
    )


class AnswerShape(Shape):
    """One answer for each match, in their order."""

    created = serializers.IntegerField()
    known = serializers.IntegerField()
    refused = serializers.IntegerField()
    results = RecordedShape(many=True)


@takes(30)
class ResultsView(ApiView):
    """Batches of results."""

    access = {"POST": needs(Scope.RESULTS_WRITE)}
    tag = "Matches"
    max_body = 4 * 2**20
    max_values = 1_000_000

    @extend_schema(summary="Report finished matches", request=ResultsShape, responses=AnswerShape)
    def post(self, request: Request) -> Response:
        """Up to 1,000 matches that the game arranged and played itself. They count at once, in this order. A match that
        is wrong is refused by itself; one that is known with the same content is answered as known.
        """
        items = self.body(ResultsBody)["results"]
        game = game_served(self.caller)
        answers: list[Answer] = [{} for _ in items]
        sound: list[tuple[int, PlayedMatch]] = []
        for index, item in enumerate(items):
            try:
                sound.append((index, read_result(item)))
            except WrongItemError as error:
                refused = _refused("invalid_body", str(error), index, *error.path)
                answers[index] = {**refused, **shown_at(item, error.path)}
        recorded = record_results(
            game=game,
            results=[result for _index, result in sound],
            server_key=self.caller.server_key_id,
        )
        for (index, _result), one in zip(sound, recorded, strict=True):
            if one.error is not None:
                extra = one.error.extra
                also = {name: extra[name] for name in _AS_IN_PROBLEMS if name in extra}
                answers[index] = {**_refused(one.error.code, str(one.error), index), **also}
            else:
                answers[index] = {
                    "status": "created" if one.is_new else "known",
                    "match": one.match,
                    "rated": one.rated,
                }
        counts = [answer["status"] for answer in answers]
        totals = {name: counts.count(name) for name in ("created", "known", "refused")}
        return Response(self.shown(AnswerShape, {**totals, "results": answers}))


def _refused(code: str, detail: str, *path: str | int) -> Answer:
    pointer = pointer_to("results", *path)
    return {"status": "refused", "match": None, "code": code, "detail": detail, "pointer": pointer}
