"""Clans: who may do what, a row for each endpoint and method. Joined to the others by `tests.api.matrix`."""

from typing import Any

from clans.models import Clan
from tests.api.matrix import (
    SEE_TICKETS,
    SERVERS_NAME,
    USE_TICKETS,
    Path,
    Row,
    fixed,
    public,
    scoped,
)
from tests.api.world import World

__all__ = ["ROWS"]


def clan(world: World) -> str:
    """Anna's clan, in which she is alone, and to which players apply."""
    return f"clans/{Clan.objects.get(game=world.game).pk}"


def on_clan(verb: str) -> Path:
    """An address below Anna's clan."""
    return lambda world: f"{clan(world)}/{verb}"


# By whom, and what comes of it: the leader, another player of the game; servers of the game must name a player, and
# players of other games do not learn that it is there.
ACTS: list[tuple[str, Any, int, int]] = [
    ("join", {}, 200, 403),
    ("apply", {}, 200, 200),
    ("take-back", {}, 409, 409),
    ("decline", {}, 409, 409),
    ("leave", {}, 204, 404),  # with Anna the clan is over
    ("invite", {"member": 10**9}, 409, 409),
    ("withdraw", {"member": 10**9}, 409, 409),
    ("accept", {"member": 10**9}, 409, 409),
    ("turn-down", {"member": 10**9}, 409, 409),
    ("remove", {"member": 10**9}, 409, 409),
    ("officer", {"member": 10**9, "officer": True}, 409, 409),
    ("leader", {"member": 10**9}, 409, 409),
    ("settings", {"note": "hello"}, 200, 409),
    ("dissolve", {}, 204, 404),
]
ROWS: list[Row] = [
    Row("ladder-clans", "GET", fixed("ladders/go/clans"), public()),
    Row("ladder-clans", "GET", fixed("ladders/secret/clans"), public(404)),
    Row("clans", "GET", fixed("clans"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "clans",
        "POST",
        fixed("clans"),
        scoped(*USE_TICKETS, status=409, other_player=201, foreign_player=201, **SERVERS_NAME),
        body={"name": "Foxes", "tag": "FOX"},
    ),
    Row(
        "clan",
        "GET",
        clan,
        scoped(*SEE_TICKETS, foreign_player=404, other_server=404),
    ),
    *(
        Row(
            f"clan-{verb}",
            "POST",
            on_clan(verb),
            scoped(
                *USE_TICKETS,
                status=own,
                other_player=other,
                foreign_player=404,
                **SERVERS_NAME,
            ),
            body=body,
        )
        for verb, body, own, other in ACTS
    ),
]
