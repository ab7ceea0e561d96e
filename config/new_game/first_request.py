"""The first request of a game's server, as a line to paste into a terminal."""

import json
import shlex

from django.http import HttpRequest
from django.urls import reverse

from config.new_game.make import MadeGame
from foundation import clock
from ratings.models import Mode
from ratings.systems import declaration_of

__all__ = ["reading_line", "recording_line"]


def reading_line(request: HttpRequest, made: MadeGame) -> str:
    """Reads the leaderboard; where there is none to see, who calls."""
    is_public = made.ladder.mode == Mode.RANKED
    address = (
        reverse("api:leaderboard", args=[made.ladder.slug]) if is_public else reverse("api:me")
    )
    return _line(request, made, address)


def recording_line(request: HttpRequest, made: MadeGame) -> str:
    """Records a match between players that it makes known; "" where the system needs figures of a real one."""
    if not made.secret or declaration_of(made.track.system).needs:
        return ""
    ladder, names = made.ladder, iter(range(1, made.ladder.team_count * made.ladder.team_size + 1))
    teams = [
        [f"player-{next(names)}" for _ in range(ladder.team_size)] for _ in range(ladder.team_count)
    ]
    result = {
        "ladder": ladder.slug,
        "external_id": "first",
        "teams": teams,
        "ranks": list(range(ladder.team_count)),
        "played_at": f"{clock.now():%Y-%m-%dT%H:%M:%SZ}",
    }
    body = shlex.quote(json.dumps({"results": [result]}))
    kind = "-H 'Content-Type: application/json'"
    return _line(request, made, reverse("api:results"), f"{kind} -d {body}")


def _line(request: HttpRequest, made: MadeGame, address: str, more: str = "") -> str:
    who = f"-H 'Authorization: Bearer {made.secret}'" if made.secret else ""
    parts = ["curl", who, more, shlex.quote(request.build_absolute_uri(address))]
    return " ".join(part for part in parts if part)
