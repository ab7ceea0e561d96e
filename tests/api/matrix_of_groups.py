"""Groups: who may do what, a row for each endpoint and method. Joined to the others by `tests.api.matrix`."""

from typing import Any

from groups.models import Group
from tests.api.matrix import SEE_TICKETS, SERVERS_NAME, USE_TICKETS, Path, Row, fixed, scoped
from tests.api.world import World

__all__ = ["ROWS"]


def group(world: World) -> str:
    """Anna's group, in which she is alone, and into which nobody comes without an invitation."""
    return f"groups/{Group.objects.get(game=world.game).pk}"


def on_group(verb: str) -> Path:
    """An address below Anna's group."""
    return lambda world: f"{group(world)}/{verb}"


# Strangers do not learn that it is there, and servers of the game must name a player.
NOT_THERE = {"other_player": 404, "foreign_player": 404, **SERVERS_NAME}
OTHERS: list[tuple[str, Any, int]] = [
    ("join", {}, 200),
    ("decline", {}, 409),
    ("leave", {}, 204),
    ("invite", {"member": 10**9}, 409),
    ("withdraw", {"member": 10**9}, 409),
    ("remove", {"member": 10**9}, 409),
    ("owner", {"member": 10**9}, 409),
    ("settings", {"note": "hello"}, 200),
    ("show", {"shows": True}, 200),
    ("keep", {"keeps": True}, 409),
    ("party", {}, 409),  # no ladder there has teams
    ("dissolve", {}, 204),
]
ROWS: list[Row] = [
    Row("groups", "GET", fixed("groups"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "groups",
        "POST",
        fixed("groups"),
        scoped(*USE_TICKETS, status=201, **SERVERS_NAME),
        body={"name": "Mornings"},
    ),
    Row(
        "group",
        "GET",
        group,
        scoped(*SEE_TICKETS, other_player=404, foreign_player=404, other_server=404),
    ),
    *(
        Row(
            f"group-{verb}",
            "POST",
            on_group(verb),
            scoped(*USE_TICKETS, status=status, **NOT_THERE),
            body=body,
        )
        for verb, body, status in OTHERS
    ),
    Row("suggestions", "GET", fixed("me/suggestions"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "suggestions",
        "PATCH",
        fixed("me/suggestions"),
        scoped(*USE_TICKETS, **SERVERS_NAME),
        body={"wanted": True},
    ),
    Row("random-group", "GET", fixed("me/random-group"), scoped(*USE_TICKETS, **SERVERS_NAME)),
    Row(
        "random-group",
        "POST",
        fixed("me/random-group"),
        scoped(*USE_TICKETS, **SERVERS_NAME),
        body={},
    ),
    Row(
        "random-group",
        "DELETE",
        fixed("me/random-group"),
        scoped(*USE_TICKETS, status=204, **SERVERS_NAME),
    ),
]
