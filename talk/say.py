"""Saying something: the line is written, and all who are in the place are told that there is one."""

import math
from collections.abc import Mapping
from datetime import timedelta

from events.kinds import Kind
from events.live import broadcast
from foundation import clock, timekeeping
from foundation.postgresql.locks import Lock, hold
from foundation.postgresql.transactions import briefly
from ratings.models import Player
from ratings.sanctions import check_may_write
from talk.models import Line, TalkRules
from talk.places import place_for
from talk.refusals import TalkOverError, TalksTooFastError
from talk.rules import rules_of
from talk.text import clean_line

__all__ = ["say"]

_MINUTE = timedelta(minutes=1)


def say(*, kind: str, pk: int, player: Player, text: str) -> Line:
    """Write a line into a place that the player is in.

    Raises TalkOffError, NoSuchPlaceError, TalkOverError, SuspendedError, EmptyLineError, LineTooLongError and
    TalksTooFastError.
    """
    line = clean_line(text)
    with briefly():
        hold(Lock.TALK, player.pk)  # two at once are counted one after the other
        rules = rules_of(player)
        now = clock.now()
        place = place_for(kind, pk, player, rules, now)
        if not place.is_open:
            raise TalkOverError
        check_may_write(player.pk)
        _check_pace(player, rules)
        said = Line.objects.create(
            game_id=place.game_id, author=player, text=line, said_at=now, **_ids(place.columns)
        )
        topics = [f"player:{member}" for member in place.members]
        broadcast(topics, Kind.TALK_SAID, **place.about)
    return said


def _ids(columns: Mapping[str, int | None]) -> dict[str, int | None]:
    return {name if name == "team" else f"{name}_id": value for name, value in columns.items()}


def _check_pace(player: Player, rules: TalkRules) -> None:
    now = clock.now()
    # Transactions that began later may have come first; what is farther ahead a clock that ran ahead has written.
    recent = Line.objects.filter(
        author=player, said_at__gt=now - _MINUTE, said_at__lte=now + timekeeping.AHEAD
    ).order_by("-said_at")
    times = list(recent.values_list("said_at", flat=True)[: rules.lines_a_minute])
    if len(times) == rules.lines_a_minute:
        raise TalksTooFastError(max(1, math.ceil((times[-1] + _MINUTE - now).total_seconds())))
