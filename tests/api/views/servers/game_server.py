"""A game server as it calls the API: with a key of its game, and its own short name."""

import json
from typing import Any

from django.test import Client

from api.auth.issue import issue_key
from api.auth.scopes import Scope
from ratings.models import Game, Ladder
from tests.ratings.logs.telling import make_server, rate

__all__ = ["Server", "connect"]


class Server:
    """What calls. `name` is that of the server in addresses."""

    def __init__(self, game: Game, name: str = "dm1", *scopes: Scope) -> None:
        given = scopes or (Scope.READ, Scope.RESULTS_WRITE)
        self.game, self.name = game, name
        self.secret = issue_key(game=game, name="match host", scopes=given)[1]

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer to a request below the address of the API; a body of bytes goes as it is."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        return Client().generic(
            method,
            f"/api/v1/{path}",
            data or b"",
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.secret}", **headers},
        )

    def get(self, path: str) -> Any:
        """The body of a good answer."""
        answer = self.call("GET", path)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def send(self, body: Any, **headers: str) -> Any:
        """The answer to events as they are."""
        return self.call("POST", f"servers/{self.name}/events", body, **headers)

    def tell(self, *events: Any) -> Any:
        """Events, of which the API must take the body."""
        answer = self.send({"events": list(events)})
        assert answer.status_code == 200, answer.content
        return answer.json()

    def ratings(self, *names: str) -> dict[str, float]:
        """What the API says of the ratings of these players, once they have followed; of those who have one."""
        rate()
        found: dict[str, float] = {}
        for name in names:
            player = self.get(f"players/by-external-id/{name}")
            rows = self.get(f"players/{player['id']}/ratings")["results"]
            found.update((name, row["rating"]) for row in rows)
        return found


def connect(**parameters: float) -> Server:
    """A server of the game `arena`, on its ladder `live`, which is rated by frags with these parameters."""
    make_server("dm1", **parameters)
    return Server(Ladder.objects.get(slug="live").game)
