"""Who may do what with challenges: see `tests.api.matrix`."""

from datetime import timedelta

from challenges.models import Challenge
from tests.api.matrix import (
    SEE_TICKETS,
    SERVERS_NAME,
    STRANGERS,
    USE_TICKETS,
    Path,
    Row,
    fixed,
    on_hidden,
    scoped,
)
from tests.api.world import World

__all__ = ["ROWS"]


def challenge(world: World) -> str:
    """A challenge of Anna's that waits for an answer."""
    made, _is_new = Challenge.objects.get_or_create(
        ladder=world.ladder,
        challenger=world.anna,
        challenged=world.site.arena.players[1],
        created_at=world.site.now,
        expires_at=world.site.now + timedelta(minutes=10),
        challenger_seen_at=world.site.now,
    )
    return f"challenges/{made.pk}"


def on_challenge(verb: str) -> Path:
    """An address below Anna's challenge."""
    return lambda world: f"{challenge(world)}/{verb}"


ROWS: list[Row] = [
    Row("challenges", "GET", fixed("challenges"), scoped(*SEE_TICKETS)),
    Row("challenges", "POST", fixed("challenges"), scoped(*USE_TICKETS, status=422), body={}),
    Row(
        "challenge-take",
        "POST",
        fixed("challenges/take"),
        scoped(*USE_TICKETS, status=404, **SERVERS_NAME),
        body={"code": "x"},
    ),
    Row("challenge", "GET", challenge, scoped(*SEE_TICKETS, **STRANGERS)),
    *(
        Row(
            f"challenge-{verb}",
            "POST",
            on_challenge(verb),
            scoped(*USE_TICKETS, status=status, **{**SERVERS_NAME, **STRANGERS}),
            body={},
        )
        # She has made it, and nobody has answered.
        for verb, status in (
            ("accept", 403),
            ("decline", 403),
            ("here", 409),
            ("cancel", 409),
            ("withdraw", 200),
        )
    ),
    Row(
        "match-rematch",
        "POST",
        on_hidden("rematch"),
        # It is not decided yet.
        scoped(*USE_TICKETS, status=409, **{**SERVERS_NAME, **STRANGERS}),
        body={},
    ),
]
