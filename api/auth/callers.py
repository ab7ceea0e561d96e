"""Callers: on whose behalf a request is made."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from api.models import PlayerToken, ServerKey
from ratings.models import Game, Match, Player

__all__ = ["ANONYMOUS", "Caller"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Nobody in particular, a player (by a token) or a game's server (by a key).

    `sealing` is known to the caller and to this process only: the secret it sent. It is kept nowhere.
    """

    token: PlayerToken | None = None
    server_key: ServerKey | None = None
    scopes: frozenset[str] = frozenset()
    sealing: str = ""

    @property
    def is_anonymous(self) -> bool:
        """Whether the request came without a key or token."""
        return self.token is None and self.server_key is None

    @property
    def player(self) -> Player | None:
        """The player, when a player calls."""
        return self.token.player if self.token else None

    @property
    def game(self) -> Game | None:
        """The game of the player or of the server."""
        if self.server_key:
            return self.server_key.game
        return self.player.game if self.player else None

    @property
    def game_id(self) -> int | None:
        """The id of that game."""
        return self.game.pk if self.game else None

    @property
    def server_key_id(self) -> int | None:
        """The id of the key by which a server calls."""
        return self.server_key.pk if self.server_key else None

    @property
    def visible_matches(self) -> QuerySet[Match]:
        """The matches that the caller may see."""
        return Match.objects.visible_to(
            player=self.token.player_id if self.token else None,
            server_of=self.server_key.game_id if self.server_key else None,
        )

    @property
    def principal(self) -> str:
        """Name of the caller: `server:5` by key, `player:7` whatever the token; "" of nobody."""
        if self.server_key:
            return f"server:{self.server_key.pk}"
        return f"player:{self.token.player_id}" if self.token else ""

    def may(self, scopes: Iterable[str]) -> bool:
        """Whether the caller has one of the scopes."""
        return not self.scopes.isdisjoint(scopes)

    def serves(self, game_id: int) -> bool:
        """Whether the caller is a server of this game."""
        return self.server_key is not None and self.server_key.game_id == game_id

    def is_participant_of(self, match: Match) -> bool:
        """Whether the caller is a player of this match, whose participants were read with it."""
        player = self.player
        return player is not None and any(
            one.player_id == player.pk for one in match.participants.all()
        )


ANONYMOUS = Caller()
