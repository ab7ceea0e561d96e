"""Rooms: who may do what, a row for each endpoint and method. Joined to the others by `tests.api.matrix`."""

from rooms.models import Room
from tests.api.matrix import SEE_TICKETS, SERVERS_NAME, USE_TICKETS, Path, Row, fixed, scoped
from tests.api.world import World

__all__ = ["ROWS"]


def room(world: World) -> str:
    """Anna's room, in which nobody has a seat."""
    return f"rooms/{Room.objects.get(game=world.game).pk}"


def on_room(verb: str) -> Path:
    """An address below Anna's room."""
    return lambda world: f"{room(world)}/{verb}"


ROWS: list[Row] = [
    Row("rooms", "GET", fixed("rooms"), scoped(*SEE_TICKETS)),
    Row("rooms", "POST", fixed("rooms"), scoped(*USE_TICKETS, status=422), body={}),
    Row(
        "room-choices",
        "GET",
        fixed("rooms/choices?ladder=go"),
        scoped(*SEE_TICKETS, foreign_player=404, other_server=404),
    ),
    Row(
        "room-code",
        "POST",
        fixed("rooms/join"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
        body={"code": "x"},
    ),
    Row("room", "GET", room, scoped(*SEE_TICKETS, foreign_player=404, other_server=404)),
    *(
        Row(
            f"room-{verb}",
            "POST",
            on_room(verb),
            scoped(
                *USE_TICKETS,
                status=status,
                **{
                    **SERVERS_NAME,
                    "other_player": of_others,
                    "foreign_player": 404,
                    "other_server": 404,
                },
            ),
            body=body,
        )
        for verb, body, status, of_others in (
            ("join", {}, 409, 200),
            ("watch", {}, 200, 200),
            ("seat", {"seat": 1}, 409, 409),
            ("ready", {"ready": True}, 200, 409),
            ("vote", {"map": "x"}, 409, 409),
            ("pick", {"member": 10**9}, 409, 409),
            ("strike", {"map": "x"}, 409, 409),
            ("start", {}, 409, 409),
            ("settings", {"note": "hello"}, 200, 409),
            ("remove", {"member": 10**9}, 409, 409),
            ("host", {"member": 10**9}, 409, 409),
            ("close", {}, 200, 404),
            ("leave", {}, 200, 404),
            ("heartbeat", {}, 200, 200),
        )
    ),
]
