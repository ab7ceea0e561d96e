"""Whom events name: players of the game, guests, and those who are not rated now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection

from foundation.refusals import RefusedError
from ratings.logs.given import GivenEvent
from ratings.logs.stored import EventRow
from ratings.matches.refusals import WrongPlayersError
from ratings.models import EventKind, Game, MatchLog, Participant, SuspendedFrom
from ratings.players.enrol import add_players
from ratings.players.new_ids import say_unfit, unfit_among
from ratings.players.site_ids import (
    DeletedPlayerError,
    ReservedIdError,
    deleted_among,
    say_reserved,
    unknown_reserved,
)
from ratings.sanctions import suspended

__all__ = ["KnownPlayers", "add_participants", "find_players"]

# What somebody who is merged into another does counts for that one from then on.
_PLAYERS = """
SELECT external_id, id, CASE WHEN merged_since IS NULL OR merged_since <= %(now)s THEN merged_into_id END
FROM ratings_player WHERE game_id = %(game)s AND external_id = ANY(%(ids)s)
"""


@dataclass(slots=True)
class KnownPlayers:
    """Players by their ids in the game, those of them who are not rated now, and the events that name nobody fit."""

    ids: dict[str, int] = field(default_factory=dict)
    unrated: set[int] = field(default_factory=set)
    refused: dict[int, RefusedError] = field(default_factory=dict)

    def row(self, event: GivenEvent, at: datetime) -> EventRow:
        """The event as it is stored."""
        player = None if event.player is None else self.ids[event.player]
        victim = None if event.victim is None else self.ids[event.victim]
        has_guest = event.guest is not None or event.victim_guest is not None
        return EventRow(
            event.kind,
            player,
            victim,
            at,
            event.weight,
            not has_guest and player not in self.unrated and victim not in self.unrated,
            event.detail,
            event.guest or "",
            event.victim_guest or "",
        )


def find_players(game: Game, events: Mapping[int, GivenEvent], now: datetime) -> KnownPlayers:
    """Find whom these events name, and add those whom the game has not named before."""
    known = KnownPlayers()
    named = {
        name
        for event in events.values()
        for name in (event.player, event.victim)
        if name is not None
    }
    wrong: dict[str, RefusedError] = {}
    for name in unknown_reserved(game, named):
        wrong[name] = ReservedIdError(say_reserved(name))
    for name in deleted_among(game, named):
        wrong[name] = DeletedPlayerError(name)
    for name in unfit_among(game, named):
        wrong[name] = WrongPlayersError(say_unfit(name))
    if wrong:
        for index, event in events.items():
            for given in (event.player, event.victim):
                if given is not None and given in wrong:
                    known.refused[index] = wrong[given]
        named -= wrong.keys()
    found = _read(game, named, now)
    if missing := named - found.keys():
        add_players(game.pk, missing)
        found |= _read(game, missing, now)
    known.ids = found
    # Of those for whom it counts: who was merged into somebody suspended is rated no more than that one.
    known.unrated = set(suspended(set(found.values()), SuspendedFrom.RESULTS))
    return known


def _read(game: Game, names: Iterable[str], now: datetime) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, {"game": game.pk, "ids": list(names), "now": now})
        return {name: into or player for name, player, into in cursor.fetchall()}


def add_participants(log: MatchLog, rows: Mapping[int, EventRow]) -> None:
    """Let whoever is named by these events take part in the match, on the team that was joined last.

    `log.sides` grows with them; it is not saved.
    """
    joined: dict[int, str] = {}
    for _number, row in sorted(rows.items()):
        for player in (row.player, row.victim):
            if player is not None:
                joined.setdefault(player, "")
        if row.kind == EventKind.JOIN and row.player is not None:
            joined[row.player] = row.detail
    if not joined:
        return
    of_match = Participant.objects.filter(match=log.match_id)
    present = dict(of_match.filter(player__in=joined).values_list("player_id", "team"))
    new: list[Participant] = []
    for player, team in sorted(joined.items()):
        if player in present and not team:
            continue
        name = f"={team}" if team else f"#{player}"
        if name not in log.sides:
            log.sides.append(name)
        place = log.sides.index(name)
        if player not in present:
            new.append(Participant(match_id=log.match_id, player_id=player, team=place))
        elif present[player] != place:
            of_match.filter(player=player).update(team=place)
    Participant.objects.bulk_create(new)
