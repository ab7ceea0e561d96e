"""Events of game servers: what guests, teams, weapons and maps are called there, after a person who is taken out of the
site. Nothing else of an event ever changes.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from api.site.naming import Naming
from api.site.taken import Taken
from foundation.postgresql.transactions import after_commit, briefly
from ratings.logs.counting import uncount_logs
from ratings.logs.formats.source_lines import player_id
from ratings.models import (
    Facet,
    LogEvent,
    LogTally,
    LogWeapon,
    MapGames,
    Match,
    MatchLog,
    Player,
    RatedBy,
    ServerConnector,
)

__all__ = ["forget_in_events"]

_LONGEST = 39  # what is left of a name: as the name of a team it is the same wherever it stands


def forget_in_events(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """What the person is called in the events of the same games; within the transaction that takes the person out."""
    games = {one.game_id for one in players}
    events = LogEvent.objects.filter(log__match__game__in=games)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_in_events = 'on'")
    for column in ("guest", "guest_victim", "detail"):
        _cut_texts(events, column, naming, taken)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.forget_in_events = 'off'")
    _cut_texts(LogTally.objects.filter(match__game__in=games), "team", naming, taken)
    _cut_teams(MatchLog.objects.filter(match__game__in=games), naming, taken)
    # What was counted by weapon is counted anew, from the events as they are now.
    weapons = LogWeapon.objects.filter(log__match__game__in=games)
    names = weapons.order_by().values_list("weapon", flat=True).distinct()
    if named := [weapon for weapon in names.iterator() if naming.are_in(weapon)]:
        uncount_logs(weapons.filter(weapon__in=named).values_list("log", flat=True))
    # Where each map has ratings of its own, a match keeps the map by which it was rated.
    told = Match.objects.filter(game__in=games, log__isnull=False)
    _cut_texts(told.exclude(ladder__tracks__facet=Facet.MAP), "map", naming, taken)
    # How often it was played helps to choose maps, and no more: it is counted from the next match on.
    played = MapGames.objects.filter(ladder__game__in=games, ladder__rated_by=RatedBy.EVENTS)
    maps = played.order_by().values_list("map", flat=True).distinct()
    taken.delete(played.filter(map__in=[name for name in maps.iterator() if naming.are_in(name)]))
    # Whoever receives holds a connector first, and players after it; a deletion holds players by now.
    after_commit(_forget_in_connectors, games, {one.external_id for one in players}, naming)


def _cut_texts(rows: QuerySet[Any], column: str, naming: Naming, taken: Taken) -> None:
    """There may be millions of rows, with few different texts: each text is looked at once."""
    texts = rows.exclude(**{column: ""}).order_by().values_list(column, flat=True).distinct()
    for text in [text for text in texts.iterator() if naming.are_in(text)]:
        taken.replace(rows.filter(**{column: text}), **{column: _cut(text, naming)})


def _cut_teams(logs: QuerySet[MatchLog], naming: Naming, taken: Taken) -> None:
    """Teams are found by their names: a log of which one is cut calls it as its events do now."""
    logs = logs.exclude(sides=[])
    teams = set(chain.from_iterable(logs.values_list("sides", flat=True).distinct().iterator()))
    named = {
        team: f"={_cut(team[1:], naming)}"
        for team in teams
        if team.startswith("=") and naming.are_in(team[1:])
    }
    if named:
        for pk, sides in list(logs.filter(sides__overlap=list(named)).values_list("pk", "sides")):
            cut = [named.get(team, team) for team in sides]
            taken.replace(MatchLog.objects.filter(pk=pk), sides=cut)


def _cut(text: str, naming: Naming) -> str:
    return naming.cut_from(text)[:_LONGEST]


def _forget_in_connectors(games: Collection[int], ids: Collection[str], naming: Naming) -> None:
    """Whoever is there now stands in what connectors keep to read on: the person is taken out of it."""

    def is_named(one: Mapping[str, Any]) -> bool:
        texts = (one.get("name", ""), one.get("team", ""))
        return player_id(one.get("id", "")) in ids or any(map(naming.are_in, texts))

    of_games = ServerConnector.objects.filter(server__game__in=games)
    for pk in list(of_games.values_list("pk", flat=True)):
        with briefly():
            connector = of_games.select_for_update(no_key=True, of=("self",)).filter(pk=pk).first()
            reader = {} if connector is None else connector.state.get("reader", {})
            log = reader.get("log", {})
            kept = [log.get("clients", {}), log.get("scores", {}), reader.get("players", {})]
            kept += [reader.get("scores", {}), reader.get("maps", {})]
            named = [
                (rows, key)
                for rows in kept
                for key, it in rows.items()
                if key in ids or is_named(it if isinstance(it, dict) else {"name": f"{key} {it}"})
            ]
            for rows, key in named:
                del rows[key]
            if connector is not None and named:
                connector.save(update_fields=["state"])
