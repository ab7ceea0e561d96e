"""Who may do what: one row per endpoint and method, with the status every caller gets.

An endpoint without a row fails `test_authorisation.py`. A row begins with what holds for endpoints of its kind
(`public`, `scoped`) and names the callers for whom it is otherwise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES, Scope
from api.models import ServerKey
from tests.api.world import ANONYMOUS, World

__all__ = ["CALLERS", "ROWS", "Row"]

# Anna's tokens, a player of the same game who is in none of the matches, one of another game; keys of the game by
# scope, a key of another game; and what nobody accepts.
PLAYERS: dict[str, tuple[Scope, ...]] = {f"player-{scope}": (scope,) for scope in PLAYER_SCOPES}
OTHER_PLAYERS: dict[str, tuple[Scope, ...]] = {
    "other-player": PLAYER_SCOPES,
    "foreign-player": PLAYER_SCOPES,
}
SERVERS: dict[str, tuple[Scope, ...]] = {f"server-{scope}": (scope,) for scope in SERVER_SCOPES}
OTHER_SERVERS: dict[str, tuple[Scope, ...]] = {"other-server": SERVER_SCOPES}
# What sets up the game, and what sets up all games.
ADMINS: dict[str, tuple[Scope, ...]] = dict.fromkeys(["server-admin", "site-admin"], (Scope.ADMIN,))
HOLDERS = PLAYERS | OTHER_PLAYERS | SERVERS | OTHER_SERVERS | ADMINS
REFUSED = [
    "expired-server",
    "revoked-server",
    "expired-player",
    "revoked-player",
    "garbage",
]
CALLERS = [ANONYMOUS, *HOLDERS, *REFUSED]

Path = Callable[[World], str]


@dataclass(frozen=True)
class Row:
    """One endpoint and method. `route` is the name in `api.urls`; `expected` the status by caller."""

    route: str
    method: str
    path: Path
    expected: Mapping[str, int]
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


def public(status: int = 200, **other: int) -> dict[str, int]:
    """Everybody is answered alike, apart from those with a key or token that is not good."""
    return _expect(dict.fromkeys([ANONYMOUS, *HOLDERS], status), other)


def scoped(*scopes: Scope, status: int = 200, **other: int) -> dict[str, int]:
    """Holders of one of the scopes are answered; the others are refused."""
    expected = {ANONYMOUS: 401}
    for caller, held in HOLDERS.items():
        expected[caller] = 403 if set(held).isdisjoint(scopes) else status
    return _expect(expected, other)


def administered(status: int = 200, **other: int) -> dict[str, int]:
    """For the keys that set up games, of this game and of all, and for nobody else."""
    return scoped(Scope.ADMIN, status=status, **other)


def _expect(expected: dict[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Names in `other` have _ in place of - and :."""
    by_name = {caller.replace("-", "_").replace(":", "_"): caller for caller in HOLDERS}
    named = {by_name.get(name, name): status for name, status in other.items()}
    return {**expected, **named, **dict.fromkeys(REFUSED, 401)}


def fixed(path: str) -> Path:
    """A path that is the same in every world."""
    return lambda world: path


HIDDEN_FROM_STRANGERS = public(
    404,
    player_read=200,
    player_play=200,
    server_admin=200,
    **{f"server_{scope.replace(':', '_')}": 200 for scope in SERVER_SCOPES},
)

# Others than Anna and the servers of her game do not learn whether there is such a ticket or match.
STRANGERS = {"other_player": 404, "foreign_player": 404, "other_server": 404}
SEE_TICKETS = (Scope.READ, Scope.PLAY, Scope.TICKETS_WRITE)
SEE_MATCHES = (Scope.READ, Scope.PLAY, Scope.MATCHES_WRITE)
USE_TICKETS = (Scope.PLAY, Scope.TICKETS_WRITE)


def on_ticket(verb: str) -> Path:
    """An address below Anna's ticket."""
    return lambda world: f"{ticket(world)}/{verb}"


def on_hidden(verb: str) -> Path:
    """An address below the match that only its players and servers know."""
    return lambda world: f"matches/{world.hidden.pk}/{verb}"


def ticket(world: World) -> str:
    """Anna's ticket, which waits."""
    return f"tickets/{world.ticket.pk}"


def party(world: World) -> str:
    """Anna's party of one."""
    return f"parties/{world.party.pk}"


def on_party(verb: str) -> Path:
    """An address below Anna's party."""
    return lambda world: f"{party(world)}/{verb}"


def game_key(world: World) -> str:
    """A key of the game's servers."""
    return f"admin/keys/{ServerKey.objects.get(game=world.game, scopes=[Scope.READ]).pk}"


def admin_key(world: World) -> str:
    """A key that sets up the game: such keys are made and ended by people."""
    return f"admin/keys/{ServerKey.objects.get(game=world.game, scopes=[Scope.ADMIN]).pk}"


THINGS = ("games", "ladders", "queues", "keys")
# A server must say for which player it acts, and these rows do not.
SERVERS_NAME = {"server_tickets_write": 422, "other_server": 422}

ROWS: list[Row] = [
    Row("index", "GET", fixed(""), public()),
    Row("schema", "GET", fixed("schema"), public()),
    Row("games", "GET", fixed("games"), public()),
    Row("ladders", "GET", fixed("ladders"), public()),
    Row("ladder", "GET", fixed("ladders/go"), public()),
    Row("ladder", "GET", fixed("ladders/secret"), public(404)),
    Row("leaderboard", "GET", fixed("ladders/go/leaderboard"), public()),
    Row("leaderboard", "GET", fixed("ladders/secret/leaderboard"), public(404)),
    Row("ladder-matches", "GET", fixed("ladders/go/matches"), public()),
    Row("ladder-matches", "GET", fixed("ladders/secret/matches"), public(404)),
    Row("players", "GET", lambda _: "players?search=a", public()),
    Row("player", "GET", lambda world: f"players/{world.anna.pk}", public()),
    Row("player-ratings", "GET", lambda world: f"players/{world.anna.pk}/ratings", public()),
    Row("player-history", "GET", lambda world: f"players/{world.anna.pk}/history", public()),
    Row("player-profile", "GET", lambda world: f"players/{world.anna.pk}/profile", public()),
    Row("player-matches", "GET", lambda world: f"players/{world.anna.pk}/matches", public()),
    Row("matches", "GET", fixed("matches"), scoped(*SEE_MATCHES)),
    Row("match", "GET", lambda world: f"matches/{world.site.matches[0].pk}", public()),
    Row("match", "GET", lambda world: f"matches/{world.hidden.pk}", HIDDEN_FROM_STRANGERS),
    Row(
        "served-player",
        "GET",
        lambda world: f"players/by-external-id/{world.anna.external_id}",
        # The key of another game looks among the players of its own game. `read` alone is a player's scope too.
        scoped(
            *SERVER_SCOPES, player_read=403, other_player=403, foreign_player=403, other_server=404
        ),
    ),
    Row(
        "served-player",
        "PUT",
        lambda world: f"players/by-external-id/{world.anna.external_id}",
        scoped(Scope.PLAYERS_WRITE, other_server=201),
        body={},
    ),
    Row(
        "served-tokens",
        "POST",
        lambda world: f"players/by-external-id/{world.anna.external_id}/tokens",
        scoped(Scope.PLAYERS_WRITE, status=201),
        body={},
    ),
    Row(
        "served-tokens",
        "DELETE",
        lambda world: f"players/by-external-id/{world.anna.external_id}/tokens",
        scoped(Scope.PLAYERS_WRITE, status=204, other_server=404),
    ),
    Row("me", "GET", fixed("me"), scoped(*Scope)),
    # A token has its own player only; the key of another game looks among the players of its own game.
    Row(
        "me",
        "GET",
        lambda world: f"me?player={world.anna.external_id}",
        scoped(
            Scope.READ,
            Scope.TICKETS_WRITE,
            player_read=422,
            player_play=422,
            other_player=422,
            foreign_player=422,
            other_server=404,
        ),
    ),
    Row("stream", "GET", fixed("stream"), scoped(*PLAYER_SCOPES, *SERVER_SCOPES)),
    Row("events", "GET", fixed("events"), scoped(*PLAYER_SCOPES, *SERVER_SCOPES)),
    Row("queues", "GET", fixed("queues"), public()),
    Row("queue", "GET", lambda world: f"queues/{world.ticket.queue.slug}", public()),
    Row("tickets", "GET", fixed("tickets"), scoped(*SEE_TICKETS)),
    Row("tickets", "POST", fixed("tickets"), scoped(*USE_TICKETS, status=422), body={}),
    Row(
        "tickets-heartbeat",
        "POST",
        fixed("tickets/heartbeat"),
        scoped(*USE_TICKETS),
        body={"tickets": [1]},
    ),
    Row("ticket", "GET", ticket, scoped(*SEE_TICKETS, **STRANGERS)),
    *(
        Row(
            f"ticket-{verb}",
            "POST",
            on_ticket(verb),
            scoped(*USE_TICKETS, status=status, **STRANGERS),
            body={},
        )
        for verb, status in (
            ("accept", 409),
            ("decline", 409),
            ("heartbeat", 200),
            ("still-there", 200),
            ("cancel", 200),
        )
    ),
    Row(
        "ticket-partner",
        "POST",
        on_ticket("partner"),
        scoped(*USE_TICKETS, status=409, **STRANGERS),
        body={"wanted": True},
    ),
    Row("partner-requests", "GET", fixed("partner-requests"), scoped(Scope.MATCHES_WRITE)),
    Row(
        "partner-request",
        "GET",
        fixed("partner-requests/1"),
        scoped(Scope.MATCHES_WRITE, status=404),
    ),
    *(
        Row(
            f"partner-{verb}",
            "POST",
            fixed(f"partner-requests/1/{verb}"),
            scoped(Scope.MATCHES_WRITE, status=404),
            body={},
        )
        for verb in ("accept", "decline")
    ),
    Row("parties", "GET", fixed("parties"), scoped(*SEE_TICKETS)),
    Row(
        "parties",
        "POST",
        fixed("parties"),
        scoped(*USE_TICKETS, status=409, **SERVERS_NAME),
        body={},
    ),
    Row(
        "party-join",
        "POST",
        fixed("parties/join"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
        body={"code": "x"},
    ),
    Row("party", "GET", party, scoped(*SEE_TICKETS, **STRANGERS)),
    *(
        Row(
            f"party-{verb}",
            "POST",
            on_party(verb),
            scoped(*USE_TICKETS, status=status, **{**SERVERS_NAME, **STRANGERS}),
            body=body,
        )
        for verb, body, status in (
            ("remove", {"member": 10**9}, 409),
            ("lead", {"member": 10**9}, 409),
            ("leave", {}, 200),
        )
    ),
    Row("presence", "GET", fixed("me/presence"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row("own-profile", "GET", fixed("me/profile"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row("own-profile", "PATCH", fixed("me/profile"), scoped(*USE_TICKETS, **SERVERS_NAME), body={}),
    Row("matches", "POST", fixed("matches"), scoped(Scope.MATCHES_WRITE, status=422), body={}),
    *(
        Row(
            f"match-{verb}",
            "POST",
            on_hidden(verb),
            scoped(Scope.PLAY, Scope.MATCHES_WRITE, **{**STRANGERS, "server_matches_write": 422}),
            body=body,
        )
        for verb, body in (("reports", {"outcome": "won"}), ("leave", {}), ("away", {}))
    ),
    Row(
        "match-back",
        "POST",
        on_hidden("back"),
        # Nobody is away.
        scoped(
            Scope.PLAY,
            Scope.MATCHES_WRITE,
            status=409,
            **{**STRANGERS, "server_matches_write": 422},
        ),
        body={},
    ),
    *(
        Row(
            f"match-{verb}",
            "POST",
            on_hidden(verb),
            scoped(Scope.MATCHES_WRITE, other_server=404),
            body=body,
        )
        for verb, body in (("result", {"ranks": [0, 1]}), ("abort", {}))
    ),
    Row(
        "match-correction",
        "POST",
        on_hidden("correction"),
        # It has no result yet.
        scoped(Scope.MATCHES_WRITE, status=409, other_server=404),
        body={"ranks": [0, 1], "reason": "Sent the wrong way round."},
    ),
    Row("results", "POST", fixed("results"), scoped(Scope.RESULTS_WRITE, status=422), body={}),
    *(Row(f"admin-{things}", "GET", fixed(f"admin/{things}"), administered()) for things in THINGS),
    *(
        Row(f"admin-{thing}", method, path, administered(), body=body)
        for thing, path in (
            ("game", fixed("admin/games/go")),
            ("ladder", fixed("admin/ladders/secret")),
            ("queue", lambda world: f"admin/queues/{world.ticket.queue.slug}"),
        )
        for method, body in (("GET", None), ("PUT", {}))
    ),
    # Of what belongs to another game, the key of one game learns nothing.
    Row("admin-game", "GET", fixed("admin/games/chess"), administered(server_admin=404)),
    Row("admin-game", "PUT", fixed("admin/games/chess"), administered(server_admin=403), body={}),
    Row(
        "admin-game",
        "PUT",
        fixed("admin/games/new"),
        administered(server_admin=403, site_admin=201),
        body={},
    ),
    Row("admin-tracks", "GET", fixed("admin/ladders/go/tracks"), administered()),
    Row(
        "admin-track",
        "PUT",
        fixed("admin/ladders/secret/tracks/glicko"),
        administered(server_admin=201),
        body={},
    ),
    Row(
        "admin-keys",
        "POST",
        fixed("admin/keys"),
        administered(server_admin=201, site_admin=422),
        body={"name": "x"},
    ),
    *(
        Row(
            "admin-key",
            method,
            game_key,
            administered(200 if method != "DELETE" else 204),
            body=body,
        )
        for method, body in (("GET", None), ("PUT", {"name": "x"}), ("DELETE", None))
    ),
    Row("admin-key", "GET", admin_key, administered(404)),
    Row("unknown", "GET", fixed("nothing/here"), public(404)),
    Row("unknown", "POST", fixed("nothing/here"), public(404), body={}),
    Row("unknown", "PUT", fixed("nothing/here"), public(404), body={}),
    Row("unknown", "PATCH", fixed("nothing/here"), public(404), body={}),
    Row("unknown", "DELETE", fixed("nothing/here"), public(404)),
]

# Rows of whole features stand in files of their own, which are made of what stands above.
from tests.api import (  # noqa: E402
    matrix_of_behaviour,
    matrix_of_challenges,
    matrix_of_clans,
    matrix_of_groups,
    matrix_of_notices,
    matrix_of_play,
    matrix_of_rooms,
    matrix_of_servers,
)

ROWS += [*matrix_of_challenges.ROWS, *matrix_of_notices.ROWS]
ROWS += [*matrix_of_behaviour.ROWS, *matrix_of_clans.ROWS, *matrix_of_groups.ROWS]
ROWS += [*matrix_of_rooms.ROWS, *matrix_of_play.ROWS, *matrix_of_servers.ROWS]
