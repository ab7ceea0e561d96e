"""Events of matches: told by game servers, thousands at a time, and read by whoever may see the match."""

from typing import Any

from django.db.models import Q
from django.http import Http404
from django.urls import resolve, reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.auth.people import game_served
from api.contract.bodies import Body, RawParser, WordField
from api.contract.fields import PRINTABLE, ListOfField, MomentField
from api.contract.pages import LIMIT, MOST, cut
from api.contract.problems import ProblemError
from api.serializers.servers import AcceptedShape, MatchEventsShape
from api.serializers.words import MATCH_EVENT_TYPES
from api.views.base import ApiView
from api.views.matches.matches import matches_for
from api.views.matches.servers import MAY_TELL, SERVER, TAG
from foundation.postgresql.transactions import from_one_snapshot
from foundation.requests.time_limits import takes
from leaderboards.archived import archived_at
from ratings.logs.accept import Accepted, accept_events
from ratings.logs.given import (
    HIGHEST_SCORE,
    MOST_NUMBER,
    MOST_SCORES,
    MOST_TEXT,
    MOST_WEIGHT,
    GivenEvent,
    NoJsonError,
    TooManyEventsError,
    WrongEventError,
    read_events,
)
from ratings.logs.servers import find_server
from ratings.models import LogEvent, LogGap, MatchLog, MatchState

__all__ = ["MOST_EVENTS", "MatchEventsView", "ToldEventsView"]

MOST_EVENTS = 5000
_Schema = dict[str, Any]


def _described(schema: _Schema) -> type[serializers.JSONField]:
    """A field that says what is taken. Events are read by `ratings.logs.given`, much faster than by fields."""
    return extend_schema_field(schema)(type("EventField", (serializers.JSONField,), {}))


def _text(name: str, *, least: int) -> type[serializers.JSONField]:
    most = {"type": "string", "minLength": least, "maxLength": MOST_TEXT[name]}
    return _described({**most, "pattern": PRINTABLE})


_ID = _text("player", least=1)
_GUEST = _text("guest", least=1)
_SCORE = {"type": "number", "minimum": -HIGHEST_SCORE, "maximum": HIGHEST_SCORE}
_SCORES = {
    "type": "object",
    "maxProperties": MOST_SCORES,
    "propertyNames": {"minLength": 1, "maxLength": MOST_TEXT["player"], "pattern": PRINTABLE},
    "additionalProperties": _SCORE,
}
_NUMBER = {"type": "integer", "minimum": 1, "maximum": MOST_NUMBER}
_WEIGHT = {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_WEIGHT}


class ToldEventBody(Body):
    """One event of a match. What its type has no place for is left out."""

    match = _text("match", least=1)(
        help_text="How the server names the match. One that is new begins a match."
    )
    number = _described(_NUMBER)(
        help_text="Counted from 1 in each match, without gaps. Sent again: known."
    )
    type = WordField(choices=MATCH_EVENT_TYPES)
    at = MomentField(
        required=False, allow_null=True, help_text="When it happened; left out: now. To come: now."
    )
    player = _ID(
        required=False,
        allow_null=True,
        help_text="Who did it, by the id in the game; unknown players become known. Of `join`, `leave`, `suicide`, "
        "`team_kill`, `capture`, `score`, or a guest; of `frag` left out where nobody did it.",
    )
    victim = _ID(
        required=False,
        allow_null=True,
        help_text="To whom it was done: of `frag` and `team_kill`, or a guest; where there is one of `capture` and "
        "`score`.",
    )
    guest = _GUEST(
        required=False,
        allow_null=True,
        help_text="In place of `player`: the name of somebody without an id, such as a bot, who is never rated.",
    )
    victim_guest = _GUEST(
        required=False, allow_null=True, help_text="In place of `victim`, likewise."
    )
    team = _text("team", least=0)(
        required=False, help_text="Of `join`: whose, empty for none. Of `round`: who won it."
    )
    weapon = _text("weapon", least=0)(
        required=False, help_text="Of `frag`, `suicide`, `team_kill`, `capture` and `score`."
    )
    weight = _described(_WEIGHT)(
        required=False,
        allow_null=True,
        help_text="How many frags it is worth. Of `score` needed; of `frag` and `capture` left out: as usual.",
    )
    map = _text("map", least=0)(required=False, help_text="Of `begin`.")
    scores = _described(_SCORES)(
        required=False,
        allow_null=True,
        help_text="Of `end`: by the names of teams, and by the ids of players; left out: what they did is counted.",
    )


class ToldEventsBody(Body):
    """Events of any matches of the server, in any order; each is looked at by itself."""

    events = ListOfField(child=ToldEventBody(), max_length=MOST_EVENTS)


class AfterBody(Body):
    """Which events of a match."""

    limit = serializers.IntegerField(
        default=LIMIT, min_value=1, max_value=MOST, help_text="Events on a page."
    )
    after = serializers.IntegerField(
        default=0, min_value=0, max_value=MOST_NUMBER, help_text="Those of higher numbers."
    )


@takes(30)
@extend_schema(parameters=[SERVER])
class ToldEventsView(ApiView):
    """What a server tells."""

    access = {"POST": MAY_TELL}
    parser_classes = (RawParser,)
    problems = {
        "POST": (
            "unknown_server",
            "archived",
            "wrong_event",
            "event_differs",
            "event_given_up",
            "match_over",
            "reserved_id",
            "unknown_player",
            "wrong_players",
        )
    }
    tag = TAG
    max_body = 4 * 2**20
    max_values = 500_000

    @extend_schema(summary="Tell events", request=ToldEventsBody, responses=AcceptedShape)
    def post(self, request: Request, server: str) -> Response:
        """Up to 5,000 events, or one event in place of the list. Each is stored once, by server, match and number:
        send what may be lost again, as often as you like. What is wrong with one refuses that one, in `refused`, by
        the codes below; only a body that cannot be read, or an unknown server, refuses all.
        """
        found = find_server(game_served(self.caller), server)
        body: Any = request.data or b""  # an empty one is not read, and no bytes
        try:
            given = read_events(body, most=MOST_EVENTS)
        except NoJsonError as error:
            raise ProblemError("malformed_body", str(error)) from error
        except TooManyEventsError as error:
            wrong = {"pointer": "#/events", "code": "max_length", "detail": str(error)}
            raise ProblemError("invalid_body", str(error), errors=[wrong]) from error
        accepted = accept_events(found, given, server_key=self.caller.server_key_id)
        return Response(self.shown(AcceptedShape, _told(given, accepted)))


def _told(given: list[GivenEvent | WrongEventError], accepted: Accepted) -> dict[str, Any]:
    refused = []
    for index, error in sorted(accepted.refused.items()):
        event = given[index]
        read = event if isinstance(event, GivenEvent) else None
        field = error.extra.get("field")
        refused.append(
            {
                "index": index,
                "number": None if read is None else read.number,
                "match": None if read is None else _sendable(read.match),
                "code": error.code,
                "detail": _sendable(str(error)),
                "field": field if field is None else _sendable(str(field)),
            }
        )
    matches = {
        name: {
            "id": log.match,
            "complete_to": log.complete_to,
            "missing": log.missing,
            "over": log.is_over,
        }
        for name, log in accepted.logs.items()
    }
    counts = {"stored": accepted.stored, "known": accepted.known}
    return {**counts, "refused": refused, "matches": matches}


def _sendable(text: str) -> str:
    """What was given, without half characters, which no answer can carry."""
    return text.encode(errors="replace").decode()


class MatchEventsView(ApiView):
    """The log of a match."""

    access = {"GET": PUBLIC}
    query = {"GET": AfterBody}
    problems = {"GET": ("archived",)}
    tag = "Matches"

    @extend_schema(summary="Events of a match", responses=MatchEventsShape)
    @from_one_snapshot
    def get(self, request: Request, match_id: int) -> Response:
        """What the game server has told, for whoever may see the match, while it goes on, too: ask again with `after`,
        the last number you have. Events behind a missing one are shown once that has come, or is given up. A match
        that no server tells is 404.
        """
        match = matches_for(self.caller).select_related("log").filter(pk=match_id).first()
        if match is None:  # it may be archived, and is so as at its own address
            raise archived_at(resolve(reverse("api:match", args=[match_id]))) or Http404
        log: MatchLog | None = getattr(match, "log", None)
        if log is None:
            raise Http404
        after, limit = self.parameters["after"], self.parameters["limit"]
        events = LogEvent.objects.filter(log=log, number__gt=after, number__lte=log.complete_to)
        people = events.select_related("player__merged_into", "victim__merged_into")
        rows, last = cut(list(people.order_by("number")[: limit + 1]), limit)
        to = log.complete_to if last is None else last.number
        gaps = LogGap.objects.filter(Q(last__gt=after, first__lte=to), log=log).order_by("first")
        page = {
            "match": match.pk,
            "complete_to": log.complete_to,
            "over": match.state != MatchState.PLAYING,
            "results": rows,
            "gaps": list(gaps),
            "next": None if last is None else self._beginning_behind(last.number),
        }
        return Response(self.shown(MatchEventsShape, page, played_at=match.played_at))

    def _beginning_behind(self, number: int) -> str:
        """The same address from another number on."""
        query = self.request.query_params.copy()
        query["after"] = str(number)
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")
