"""Events of MatchZy and Get5, as they are posted to `matchzy_remote_log_url` or `get5_remote_log_url`.

One map of a series is a match. A message tells totals up to its round and has no number, and none is sent twice: one
that is lost shows in the next, by the score. What is read:

    going_live; map_picked, side_picked           a map begins; its name
    round_end                                     who has won a round, and what everybody has done in all rounds
    map_result, series_end                        what a map ended with

What somebody's total has grown by since the last message is told as one `score` of so many frags. So what is told adds
up to the totals, whichever messages came. A round that never came leaves a number free, and fills it when it comes
after all.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from ratings.logs.formats.source_lines import clean, player_id

__all__ = ["MatchzyLog", "MatchzyState"]

Happening = dict[str, Any]
_MOST_LOST = 60
_MOST_PLAYERS = 64
_MOST_ROUNDS = 999
_MOST_TOTAL = 100_000
_MOST_DONE = 20
_MOST_SUICIDES = 50
_NOT_THERE = "?/"  # no team is called so: it joins anew


class Player(msgspec.Struct):
    """What was told of a player in this match."""

    role: str
    name: str
    team: str = ""
    kills: int = 0
    suicides: int = 0


class _Sides(NamedTuple):
    """The two teams of a message, their names and points, and the name of the one that has won the round."""

    teams: list[dict[str, Any]]
    names: list[str]
    points: list[int]
    winner: str | None


class MatchzyState(msgspec.Struct):
    """All that must be known to read on.

    key    of the map that is being played: `matchid/map_number`; empty: none is
    done   those that are over, the newest last
    rounds of this map up to which was told; `free`: numbers left free, by round; `free_of_last`: of the map before
    maps   names of maps of the series, by number
    """

    key: str = ""
    done: list[str] = []
    rounds: int = 0
    free: dict[str, int] = {}
    free_of_last: dict[str, int] = {}
    number: int = 0
    scores: dict[str, float] = {}
    players: dict[str, Player] = {}
    maps: dict[str, str] = {}
    series: str = ""


class MatchzyLog:
    """Turns messages into what happened.

    known         messages that tell nothing new
    late          messages of a map that is over
    lost          rounds that never came, those that came after all taken off
    unreconciled  frags by which a map's last totals differ from what was told, where rounds were played again
    names         of players, by the ids under which they were told
    """

    def __init__(
        self, state: MatchzyState, *, by_name: bool = False, free_for_all: bool = False
    ) -> None:
        self.state, self.by_name, self.free_for_all = state, by_name, free_for_all
        self.known = self.late = self.lost = self.unreconciled = 0
        self.names: dict[str, str] = {}

    def read(self, message: Mapping[str, Any]) -> Iterator[Happening]:
        """What a message tells; those of other kinds nothing."""
        kind, state = message.get("event"), self.state
        series = clean(str(message.get("matchid", "")), 60)
        key = f"{series}/{_whole(message.get('map_number'))}"
        if kind in {"map_picked", "side_picked"}:
            self._picked(series, message)
        elif kind == "series_end":
            if state.key.rpartition("/")[0] == series:
                yield from self.end()
        elif kind in {"going_live", "round_end", "map_result"}:
            if key in state.done and kind == "going_live":
                state.done.remove(key)  # where no match has a number of its own, each is called so
            elif key in state.done:
                yield from self._after_its_end(message, key)
                return
            if state.key != key:
                yield from self.end()
                self._begin(series, key)
            if kind != "going_live":
                yield from self._count(message, is_last=kind == "map_result")

    def end(self) -> Iterator[Happening]:
        """End the map that is being played, with what was told last."""
        state = self.state
        if state.number:
            yield self._at({"type": "end", **({"scores": state.scores} if state.scores else {})})
        if state.key:
            state.done = [*state.done, state.key][-_MOST_DONE:]
            state.free_of_last = state.free
        state.key = ""
        self._clear()

    def forget_match(self) -> None:
        """The match was ended from outside: what comes of its map is another, of what totals grow by from here on."""
        self.state.number, self.state.free = 0, {}
        for known in self.state.players.values():
            known.team = _NOT_THERE

    def _after_its_end(self, message: Mapping[str, Any], key: str) -> Iterator[Happening]:
        """A message of a map that is over: the result may have overtaken a round, which is waited for then."""
        free = self.state.free_of_last if key == self.state.done[-1] else {}
        sides = _sides(message)
        number = (
            free.pop(str(sum(sides.points)), None)
            if sides and message.get("event") == "round_end"
            else None
        )
        if sides is None or number is None:
            self.late += 1
            return
        self.lost -= 1
        yield self._round(sides, number=number, of_last=True)

    def _clear(self) -> None:
        state = self.state
        state.rounds, state.number = 0, 0
        state.free, state.scores, state.players = {}, {}, {}

    def _picked(self, series: str, message: Mapping[str, Any]) -> None:
        state = self.state
        if state.series != series:
            state.series, state.maps = series, {}
        if len(state.maps) < _MOST_DONE:
            name = clean(str(message.get("map_name", "")), 60)
            state.maps[str(_whole(message.get("map_number")))] = name

    def _begin(self, series: str, key: str) -> None:
        self.state.key = key
        self._clear()
        if self.state.series != series:
            self.state.series, self.state.maps = series, {}

    def _count(self, message: Mapping[str, Any], *, is_last: bool) -> Iterator[Happening]:
        """Tell what has grown since the last message."""
        state, sides = self.state, _sides(message)
        if sides is None:
            self.known += not is_last
            yield from self.end() if is_last else ()
            return
        rounds = sum(sides.points)
        is_new = rounds > state.rounds and not is_last
        if rounds > state.rounds or is_last:
            state.scores = dict(zip(sides.names, map(float, sides.points), strict=True))
        grown = [*self._grown(sides)]
        missing = max(0, rounds - state.rounds - is_new)
        if (grown or is_new or missing or is_last) and not state.number:
            game_map = state.maps.get(state.key.rpartition("/")[2], "")
            yield self._at({"type": "begin", **({"map": game_map} if game_map else {})})
        yield from self._leave_free(rounds - is_new, missing)
        yield from (self._at(happened) for happened in grown)
        if is_new:
            yield self._at(self._round(sides))
        elif not is_last:
            yield from self._again(sides)
        state.rounds = max(state.rounds, rounds)
        if is_last:
            self._reconcile(sides)
            yield from self.end()

    def _again(self, sides: _Sides) -> Iterator[Happening]:
        """A round that was told, or one that was missing until now."""
        number = self.state.free.pop(str(sum(sides.points)), None)
        if number is None:
            self.known += 1
            return
        self.lost -= 1
        yield self._round(sides, number=number)

    def _round(self, sides: _Sides, **more: Any) -> Happening:
        is_won = sides.winner is not None and not self.free_for_all
        return {"type": "round", **({"team": sides.winner} if is_won else {}), **more}

    def _leave_free(self, last: int, missing: int) -> Iterator[Happening]:
        """Name the rounds that are missing up to the last of them."""
        for round_ in range(last - min(missing, _MOST_LOST) + 1, last + 1):
            self.lost += 1
            yield self._at({"type": "lost"})
            self.state.free[str(round_)] = self.state.number

    def _grown(self, sides: _Sides) -> Iterator[Happening]:
        for team, name in zip(sides.teams, sides.names, strict=True):
            for one in _players(team):
                key = self._key(one)
                if key is None:
                    continue
                known = self._known(key, one)
                own_team = "" if self.free_for_all else name
                if known.team != own_team or key not in self.state.players:
                    self.state.players[key] = known
                    known.team = own_team
                    joined = {"type": "join", known.role: known.name}
                    yield {**joined, **({"team": own_team} if own_team else {})}
                kills, suicides = _total(one, "kills"), _total(one, "suicides")
                if kills > known.kills:
                    yield from _scores(known, kills - known.kills)
                    known.kills = kills
                for _ in range(min(suicides - known.suicides, _MOST_SUICIDES)):
                    yield {"type": "suicide", known.role: known.name}
                known.suicides = max(known.suicides, suicides)

    def _key(self, one: Mapping[str, Any]) -> str | None:
        """Under which a player is remembered; None where there are too many, or it has no name at all."""
        steam = player_id(str(one.get("steamid", "")))
        name = clean(str(one.get("name", "")))
        key = name if steam is None else steam
        if not key or (key not in self.state.players and len(self.state.players) >= _MOST_PLAYERS):
            return None
        return key

    def _known(self, key: str, one: Mapping[str, Any]) -> Player:
        known = self.state.players.get(key)
        steam = player_id(str(one.get("steamid", "")))
        name = clean(str(one.get("name", "")))
        if steam is not None and name:
            self.names[steam] = name
        if known is not None:
            return known
        if steam is None:
            return Player("guest", name)
        own = (name or steam) if self.by_name else steam
        is_taken = any(it.role == "player" and it.name == own for it in self.state.players.values())
        return Player("guest" if is_taken else "player", own)

    def _reconcile(self, sides: _Sides) -> None:
        """See by how much a map's last totals differ from what was told."""
        last = {
            key: _total(one, "kills")
            for team in sides.teams
            for one in _players(team)
            if (key := self._key(one))
        }
        self.unreconciled += sum(
            abs(known.kills - last[key]) for key, known in self.state.players.items() if key in last
        )

    def _at(self, happened: Happening) -> Happening:
        """With the number that it gets: all happen in one match, in this order."""
        self.state.number += 1
        return happened


def _scores(known: Player, count: int) -> Iterator[Happening]:
    """So many frags as `score`, each event worth what one may be."""
    while count > 0:
        weight = min(count, 1000)
        yield {"type": "score", known.role: known.name, "weight": float(weight)}
        count -= weight


def _sides(message: Mapping[str, Any]) -> _Sides | None:
    """The two teams of a message; None where it has none."""
    teams = [message.get("team1"), message.get("team2")]
    found = [it for it in teams if isinstance(it, dict)]
    if len(found) != 2:
        return None
    names = [clean(str(team.get("name", "")), 30) for team in found]
    if not all(names) or names[0] == names[1]:
        names = ["team1", "team2"]
    points = [min(_whole(team.get("score")), _MOST_ROUNDS) for team in found]
    winner = message.get("winner")
    won_by = winner.get("team") if isinstance(winner, dict) else None
    by_place = dict(zip(("team1", "team2"), names, strict=True))
    return _Sides(found, names, points, by_place.get(str(won_by)))


def _players(team: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    players = team.get("players")
    if isinstance(players, list):
        yield from (it for it in players if isinstance(it, dict))


def _total(one: Mapping[str, Any], name: str) -> int:
    stats = one.get("stats")
    return min(_whole(stats.get(name)), _MOST_TOTAL) if isinstance(stats, dict) else 0


def _whole(value: object) -> int:
    """A whole number that is not negative; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
