"""A game in which something of everything is going on, made through the API of the site that is asked."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from api.auth.issue import issue_key, issue_token
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from matchmaking.models import Queue
from ratings.models import Game, Ladder, Mode, Player, RatedBy
from ratings.tracks.parameters import create_track

__all__ = ["World", "make_world"]

# Those of the examples in the description, who are free to do what it shows, and others.
FREE = ("ann-17", "ben-17", "cy-17", "dee-17")
BUSY = tuple(f"p{number}" for number in range(12))
MAPS = ("Canyon", "Moor")
ROLES = ("tank", "healer")
# How many teams of how many players a ladder has, and its queue.
SHAPES = {"duel": (2, 1), "casual": (2, 1), "squads": (2, 2), "everyone": (4, 1)}
TEAMS = {
    **{name: {"use": "prefer"} for name in ("language", "region", "style", "rules")},
    "teams": {"roles": "; ".join(f"{role} 1" for role in ROLES)},
    "maps": {"names": "; ".join(MAPS)},
}
# Nobody is too strong, and nobody too slow.
LONG = {"accept_seconds": 600, "heartbeat_seconds": 3600, "gap_start": 10_000}
NOBODY = 999_999_999
LISTS = (
    "/games",
    "/ladders",
    "/ladders/{slug}/leaderboard",
    "/ladders/{slug}/matches",
    "/matches",
    "/players/{player_id}/history",
    "/players/{player_id}/matches",
    "/queues",
    "/tickets",
)


@dataclass(frozen=True)
class World:
    """Who may call, the values that lead somewhere by where they stand in a request, a cursor of each list, and the
    players' ids by those in the game.
    """

    url: str
    secrets: dict[str, str]
    values: dict[str, list[int | str]]
    cursors: dict[str, str]
    ids: dict[str, int]


def make_world(url: str) -> World:
    """Ladders, queues, a game server, players with rated matches, searches, offers, parties, matches of every state."""
    game = Game.objects.create(slug="go", name="Go")
    Game.objects.create(slug="chess", name="Chess")
    _add_ladders(game)
    key = issue_key(game=game, name="fuzz", scopes=SERVER_SCOPES)[1]
    with httpx.Client(
        base_url=f"{url}/api/v1/",
        headers={"Authorization": f"Bearer {key}"},
        trust_env=False,
        timeout=60,
    ) as server:
        values, ids = _play(Server(server))
        cursors = {path: cursor for path in LISTS if (cursor := _cursor(server, path, values))}
        cursors["/events"] = server.get("events").raise_for_status().json()["after"]
    player = Player.objects.get(game=game, external_id=FREE[0])
    token = issue_token(player=player, name="fuzz", scopes=PLAYER_SCOPES)[1]
    return World(url, {"key": key, "token": token, "nobody": ""}, values, cursors, ids)


def _cursor(server: httpx.Client, path: str, values: dict[str, list[int | str]]) -> str | None:
    """The cursor of the second page of a list; None where one row is all."""
    here = path.format(slug="duel", player_id=values["path.player_id"][0])
    following = server.get(here.lstrip("/"), params={"limit": 1}).raise_for_status().json()["next"]
    return parse_qs(urlsplit(following).query)["cursor"][0] if following else None


def _add_ladders(game: Game) -> None:
    for slug, system, rules, settings in (
        ("duel", "elo", {}, {}),
        ("casual", "elo", {"mode": Mode.NORMAL}, {}),
        ("squads", "trueskill", {"team_size": 2}, TEAMS),
        ("everyone", "trueskill", {"team_count": 4}, {}),
    ):
        ladder = Ladder.objects.create(game=game, slug=slug, name=slug.title(), **rules)
        create_track(
            ladder=ladder,
            system=system,
            parameters={},
            period_days=None,
            shown=slug != "casual",
        )
        Queue.objects.create(ladder=ladder, slug=slug, name=slug.title(), settings=settings, **LONG)
    told = Ladder.objects.create(game=game, slug="open", name="Open", rated_by=RatedBy.EVENTS)
    create_track(ladder=told, system="frags", parameters={}, period_days=None, shown=True)


class Server:
    """The game's server."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """What is answered; it must be a good answer."""
        return self._sure(self._client.post(path, json=body))

    def put(self, path: str, **body: Any) -> dict[str, Any]:
        """The same with PUT."""
        return self._sure(self._client.put(path, json=body))

    def _sure(self, answer: httpx.Response) -> dict[str, Any]:
        if answer.is_error:
            raise RuntimeError(f"{answer.request.method} {answer.url}: {answer.text}")
        said: dict[str, Any] = answer.json()
        return said


def _play(server: Server) -> tuple[dict[str, list[int | str]], dict[str, int]]:
    ids = {
        name: server.put(f"players/by-external-id/{name}", name=f"Player {name}")["id"]
        for name in (*FREE, *BUSY)
    }
    now = datetime.now(UTC)
    played = [
        {
            "ladder": ladder,
            "external_id": f"{ladder}-{number}",
            "teams": [[FREE[number % 4]], [BUSY[number % 6]]],
            "ranks": [0, 1],
            "played_at": (now - timedelta(days=30 - number)).isoformat(),
        }
        for ladder in ("duel", "casual")
        for number in range(12)
    ]
    results = [one["match"] for one in server.post("results", results=played)["results"]]
    begun = [
        server.post("matches", ladder="duel", teams=[[BUSY[a]], [BUSY[a + 1]]])["id"]
        for a in (0, 2)
    ]
    server.post(f"matches/{begun[1]}/reports", player=BUSY[2], outcome="won")
    parties = [server.post("parties", player=name) for name in (BUSY[4], FREE[0])]
    server.post("parties/join", player=BUSY[5], code=parties[0]["code"])
    tickets = [
        server.post("tickets", queue="duel", player=name)["id"] for name in (*BUSY[6:9], FREE[1])
    ]
    server.post("me/avoided", player=FREE[0], avoid=ids[BUSY[7]])
    server.put("servers/dm1")
    join = {"match": "m1", "number": 1, "type": "join", "player": BUSY[0]}
    told = server.post("servers/dm1/events", events=[join])["matches"]["m1"]["id"]
    slugs: list[int | str] = [*SHAPES]
    players: list[int | str] = [*ids.values()]
    names: list[int | str] = [*FREE, *BUSY]
    values: dict[str, list[int | str]] = {
        "path.player_id": [*players, NOBODY],
        "path.match_id": [*begun, *results, told, NOBODY],
        "path.ticket_id": [*tickets, NOBODY],
        "path.party_id": [*(party["id"] for party in parties), NOBODY],
        "path.slug": slugs,
        "path.server": ["dm1"],
        "path.external_id": names,
        "query.ladder": slugs,
        "query.game": ["go"],
        "query.player": names,
        "query.around": players,
        "body.queue": slugs,
        "body.ladder": slugs,
        "body.player": names,
        "body.member": players,
        "body.avoid": players,
        "body.code": [party["code"] for party in parties],
        "body.teams[*].[*]": names,
    }
    return values, ids
