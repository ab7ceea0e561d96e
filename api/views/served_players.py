"""What a game's server does for its players, whom it names by the id in the game."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import audit
from api.auth.access import needs
from api.auth.callers import Caller
from api.auth.issue import issue_token, revoke_served_tokens
from api.auth.people import LONGEST_ID, game_served, is_external_id, player_of
from api.auth.scopes import PLAYER_SCOPE_NAMES, SERVER_SCOPES, Scope
from api.contract.bodies import Body, WordField
from api.contract.fields import ListOfField, TextField, WholeField
from api.contract.pages import wrong
from api.contract.shapes import Shape
from api.models import PlayerToken
from api.serializers.players import PlayerShape
from api.views.base import ApiView
from foundation.postgresql.transactions import briefly
from foundation.requests.ids import is_utf8
from ratings.archiving import ArchivedError
from ratings.models import Game, Player
from ratings.players.claim import check_living
from ratings.players.enrol import enrol
from ratings.players.new_ids import say_unfit, unfit_among
from ratings.players.site_ids import check_served, deleted_among, is_deleted, looks_deleted

__all__ = ["ServedPlayerView", "ServedTokensView"]

_EXTERNAL_ID = OpenApiParameter(
    "external_id",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_ID},
    "path",
    description="How the game names the player. No player becomes known under an id with control characters or line "
    "breaks, of white space alone, `.`, `..`, or one that ends in `/tokens`.",
)
_LONGEST = 7 * 24 * 3600
_ALL_SERVERS = needs(*(scope for scope in SERVER_SCOPES))


class ByIdInGameView(ApiView):
    """Base of what has the id in the game in its address."""

    tag = "Players"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not is_utf8(request._request):
            raise wrong("external_id", _("This is not UTF-8, percent-encoded."))


class EnrolBody(Body):
    """What is known of a player."""

    name = TextField(required=False, help_text="Without it the name is the id, or stays.")


class TokenBody(Body):
    """What the token may do, and for how long."""

    scopes = ListOfField(
        child=WordField(choices=PLAYER_SCOPE_NAMES),
        default=PLAYER_SCOPE_NAMES,
        min_length=1,
    )
    seconds = WholeField(
        default=3600,
        min_value=60,
        max_value=_LONGEST,
        help_text="Until it expires; 7 days at most.",
    )


@extend_schema(parameters=[_EXTERNAL_ID])
class ServedPlayerView(ByIdInGameView):
    """A player of the server's game."""

    access = {"GET": _ALL_SERVERS, "PUT": needs(Scope.PLAYERS_WRITE)}
    problems = {
        "GET": ("unknown_player",),
        "PUT": ("reserved_id", "bad_name", "archived"),
    }

    @extend_schema(summary="A player by the id in the game", responses=PlayerShape)
    def get(self, request: Request, external_id: str) -> Response:
        """The player of the server's own game whom the game names so."""
        return Response(self.shown(PlayerShape, player_of(self.caller, external_id)))

    @extend_schema(
        summary="Make a player known",
        request=EnrolBody,
        responses={200: PlayerShape, 201: PlayerShape},
    )
    def put(self, request: Request, external_id: str) -> Response:
        """Adds the player to the game, or gives it another name. As often as you like. Signs that cannot be seen are
        taken out of a name; it is never refused for looking like another's: `looks_alike` says so, and pages mark it.
        But nobody is called as deleted players are.
        """
        name = self.body(EnrolBody).get("name", "")
        game = _game_of(self.caller, external_id)
        check_served(game, external_id, name=name)
        if looks_deleted(name) and not _is_called(game, external_id, name):
            check_living(name)
        player, is_new = enrol(game=game, external_id=external_id, name=name)
        return Response(self.shown(PlayerShape, player), status=201 if is_new else 200)


class TokenShape(Shape):
    """A new token. Its secret is shown this once."""

    token = serializers.CharField(help_text="`em_ply_…`. Keep it; it is not shown again.")
    player = serializers.IntegerField(source="player_id")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=PLAYER_SCOPE_NAMES))
    expires_at = serializers.DateTimeField()

    def get_token(self, _token: PlayerToken) -> str:
        """Known at this moment only."""
        secret: str = self.context["secret"]
        return secret


@extend_schema(parameters=[_EXTERNAL_ID])
class ServedTokensView(ByIdInGameView):
    """Tokens of a player of the server's game."""

    access = {"POST": needs(Scope.PLAYERS_WRITE), "DELETE": needs(Scope.PLAYERS_WRITE)}
    problems = {
        "POST": ("unknown_player", "reserved_id", "archived"),
        "DELETE": ("unknown_player",),
    }
    is_secret = True

    def is_gone(self, answer: Any) -> bool:
        player = Player.objects.filter(pk=answer["player"]).first()
        return player is None or is_deleted(player)

    @extend_schema(
        summary="Create a token for a player", request=TokenBody, responses={201: TokenShape}
    )
    def post(self, request: Request, external_id: str) -> Response:
        """A token with few rights and a short life, for the player's game client: so it can ask and listen by itself.
        The player becomes known if it was not. Tokens end with the server key that made them.
        """
        given = self.body(TokenBody)
        game = _game_of(self.caller, external_id)
        check_served(game, external_id, for_token=True)
        player, _is_new = enrol(game=game, external_id=external_id)
        if player.external_id != external_id:  # merged, maybe since it was checked
            check_served(game, external_id, for_token=True)
        token, secret = issue_token(
            player=player,
            name="game client",
            scopes=given["scopes"],
            expires_at=self.now + timedelta(seconds=given["seconds"]),
            by=self.caller.server_key,
        )
        return Response(self.shown(TokenShape, token, secret=secret), status=201)

    @extend_schema(summary="End a player's tokens", responses={204: None})
    def delete(self, request: Request, external_id: str) -> Response:
        """Ends all tokens that servers have made for the player, from the next request on, for good; those of the
        player's own account stay. Again: nothing changes.
        """
        player, key = player_of(self.caller, external_id), self.caller.server_key
        through = "" if key is None else f"{key.name} (em_srv_{key.prefix})"
        with audit.acting_through(through), briefly():
            # Held, as who makes a token holds it: none is made meanwhile that stays.
            player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
            if player.merged_into_id is not None:  # since it was read
                player = Player.objects.select_for_update(no_key=True).get(pk=player.merged_into_id)
            if ended := revoke_served_tokens(player):
                after = {"tokens": ended}
                audit.record(actor=None, action="player.tokens_revoked", target=player, after=after)
        return Response(status=204)


def _is_called(game: Game, external_id: str, name: str) -> bool:
    """Whether the player has this name already, or was deleted: then it changes nothing."""
    known = Player.objects.filter(game=game, external_id=external_id)
    return bool(deleted_among(game, [external_id])) or known.filter(name=name).exists()


def _game_of(caller: Caller, external_id: str) -> Game:
    """The game to which the caller brings a player of this id. Refuses with `invalid_parameter` what cannot be one, and
    with ArchivedError.
    """
    if not is_external_id(external_id):
        words = _("The ids of players have 1 to 100 characters, and no NUL.")
        code = "max_length" if len(external_id) > LONGEST_ID else "invalid"
        raise wrong("external_id", words, code)
    game = game_served(caller)
    if not Game.objects.in_use().filter(pk=game.pk).exists():
        raise ArchivedError(game)
    if unfit_among(game, [external_id]):
        raise wrong("external_id", say_unfit(external_id))
    return game
