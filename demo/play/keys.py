"""The server key of the simulated players: new at each start, known to their process only."""

from django.db import transaction

from api.auth import credentials
from api.auth.issue import issue_key, put_secret
from api.auth.scopes import SERVER_SCOPES
from api.models import ServerKey
from demo.league import GAME
from ratings.models import Game

__all__ = ["server_key"]

_NAME = "Simulated players"


@transaction.atomic
def server_key() -> str:
    """Return the secret of the demo's key. The one before it ends: only the newest process speaks for the players."""
    game = Game.objects.select_for_update().get(slug=GAME)
    key = ServerKey.objects.filter(game=game, name=_NAME, revoked_at=None).first()
    if key is None:
        return issue_key(game=game, name=_NAME, scopes=[scope.value for scope in SERVER_SCOPES])[1]
    secret = credentials.make_secret(credentials.SERVER)
    put_secret(key, secret)
    key.save(update_fields=["prefix", "digest"])
    return secret.text
