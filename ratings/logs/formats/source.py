"""Logs of Half-Life, Source and Source 2 (Counter-Strike in all its versions, Team Fortress, Day of Defeat and others).

A match lasts as long as a map, or from one start of it to the next; it begins with the first who plays. What is read:

    Loading map, Started map, Log file started, Log file closed, server_message     where a match ends at the latest
    World triggered "Match_Start", "Restart_Round_…", "Game_Over"; Game Over: …     where one begins, and is over
    World triggered "Warmup_Start", "Warmup_End"                                    what is between counts nothing
    "A<2><[U:1:5]><CT>" killed "B<3><BOT><TERRORIST>" with "ak47"                   frags, team kills
    … committed suicide with "…"                                                    suicides
    … joined team, switched from team, changed name to, entered the game, disconnected   who is there, on which team
    … triggered "flagevent" (event "captured")                                      captures
    Team "CT" triggered "…" (CT "1") (T "0"); World triggered "Round_Win" (winner "Red")   rounds
    Team "Red" final score "3" …                                                    what a match ended with

Whatever else stands there is passed over. Rounds add up: where the score says that there were more of them than were
told, so many are lost, and named.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ratings.logs.formats.source_lines import (
    Reading,
    Someone,
    clean,
    player_id,
    read_player,
)

__all__ = ["SourceLog", "SourceState"]

Happening = dict[str, Any]

_WORLD = re.compile(r'World triggered "([^"\n]*)"(.*)', re.DOTALL)
_MAP = re.compile(r'(?:Loading|Started) map "([^"\n]*)"')
_CLOSED = re.compile(r'Log file (?:started|closed)|server_message: "(?:quit|restart)"')
_ROUND = re.compile(
    r'Team "([^"\n]{1,64})" triggered "[^"\n]*" \(CT "(\d{1,4})"\) \(T "(\d{1,4})"\)'
)
_WINNER = re.compile(r' \(winner "([^"\n]{1,64})"\)')
_FINAL = re.compile(r'Team "([^"\n]{1,64})" (current|final) score "(\d{1,4})"')
_GAME_OVER = re.compile(r"Game Over: .* score (\d{1,4}):(\d{1,4})\b")
_ON = re.compile(r' on "([^"\n]*)"')
_CAPTURED = re.compile(r'.*\(event "captured"\)', re.DOTALL)
_NO_TEAM = {"", "Unassigned"}
_WATCHING = {"Spectator", "SPECTATOR", "Spectators"}
_MOST_CLIENTS = 256
_MOST_LOST = 60


class Client(msgspec.Struct):
    """Who has a number on the server. `told`: how events of this match name it, where it is there; with which team."""

    id: str
    name: str
    team: str = ""
    told: tuple[str, str] | None = None
    told_team: str = ""


class SourceState(msgspec.Struct):
    """All that must be known to read on. `rounds`: of this match, by the score that was told last; None: not known."""

    map: str = ""
    is_playing: bool = False
    is_over: bool = False
    is_warm: bool = False
    rounds: int | None = None
    scores: dict[str, float] = {}
    finals: int = 0
    clients: dict[str, Client] = {}


class SourceLog:
    """Turns the words of lines into what happened. `is_whole`: whoever hands them in knows itself which are missing.

    unread  lines that look like one of ours and cannot be read, or in more than one way
    lost    rounds that never came
    names   of players, by the ids under which they were told
    """

    def __init__(
        self,
        state: SourceState,
        *,
        by_name: bool = False,
        free_for_all: bool = False,
        is_whole: bool = False,
    ) -> None:
        self.state, self.by_name, self.free_for_all = state, by_name, free_for_all
        self._is_whole = is_whole
        self.unread = self.lost = 0
        self.names: dict[str, str] = {}
        self._gone: list[tuple[str, str]] = []

    def read(self, words: str) -> Iterator[Happening]:
        """What a line tells. `begin` is the first of a match, `end` its last; `lost`: something is missing here."""
        if words.startswith('"'):
            yield from self._player(words)
        elif (world := _WORLD.match(words)) is not None:
            yield from self._world(world[1], world[2])
        elif (found := _MAP.match(words)) is not None:
            yield from self.end()
            self._anew(clean(found[1].rpartition("/")[2], 60))
        elif _CLOSED.match(words):
            yield from self.end()
            self._anew("")
            self.state.clients.clear()
        elif (found := _GAME_OVER.match(words)) is not None:
            self.state.scores = {"CT": float(found[1]), "TERRORIST": float(found[2])}
            yield from self.end()
            self.state.is_over = True
        else:
            yield from self._team(words)

    def end(self) -> Iterator[Happening]:
        """End the match that is being played, if there is one."""
        state = self.state
        if state.is_playing:
            is_scored = state.scores and not self.free_for_all
            yield {"type": "end", **({"scores": dict(state.scores)} if is_scored else {})}
        self.forget_match()

    def forget_match(self) -> None:
        """What is told from now on is another match."""
        self.state.is_playing, self.state.scores, self.state.finals = False, {}, 0
        self._gone.clear()
        for client in self.state.clients.values():
            client.told, client.told_team = None, ""

    def _anew(self, game_map: str) -> None:
        state = self.state
        state.map = game_map or state.map
        state.is_over = state.is_warm = False
        state.rounds = 0

    def _world(self, trigger: str, rest: str) -> Iterator[Happening]:
        state = self.state
        if trigger == "Match_Start" or trigger.startswith("Restart_Round_"):
            yield from self.end()
            found = _ON.match(rest)
            self._anew(clean(found[1].rpartition("/")[2], 60) if found else "")
        elif trigger == "Warmup_Start":
            state.is_warm = True
        elif trigger == "Warmup_End":
            state.is_warm = False
        elif trigger == "Game_Commencing":
            state.rounds = None  # what was scored before counts no more
        elif trigger == "Game_Over":
            state.is_over = True  # scores of teams come behind it
        elif trigger == "Round_Win" and (found := _WINNER.match(rest)) is not None:
            yield from self._round(found[1])

    def _team(self, words: str) -> Iterator[Happening]:
        state = self.state
        if (found := _ROUND.match(words)) is not None:
            total = int(found[2]) + int(found[3])
            state.scores = {"CT": float(found[2]), "TERRORIST": float(found[3])}
            before = None if state.is_warm or self._is_whole else state.rounds
            if before is not None and total > before + 1:
                missing = min(total - before - 1, _MOST_LOST)
                self.lost += missing
                if state.is_playing:
                    yield from ({"type": "lost"} for _ in range(missing))
            state.rounds = total
            yield from self._round(found[1])
        elif (found := _FINAL.match(words)) is not None:
            state.scores[clean(found[1], 30)] = float(found[3])
            state.finals += found[2] == "final"
            if state.is_over and state.finals >= 2:
                yield from self.end()

    def _round(self, winner: str) -> Iterator[Happening]:
        if self.state.is_playing and not self.state.is_warm:
            team = "" if self.free_for_all else clean(winner, 30)
            yield {"type": "round", **({"team": team} if team else {})}

    def _player(self, words: str) -> Iterator[Happening]:
        readings = read_player(words)
        reading = self._meant(readings)
        if reading is None:
            self.unread += bool(readings) or " killed " in words
            return
        act, who, whom, word, rest = reading
        client = self._client(who)
        if act == "killed" and whom is not None:
            yield from self._killed(client, who, self._client(whom), whom, word)
        elif act == "suicide":
            if not self._passes():
                yield from self._there(client)
                yield self._named({"type": "suicide"}, "player", client, word)
        elif act == "joined":
            client.team = clean(word, 30)
            yield from self._moved(client)
        elif act == "entered":
            yield from self._moved(client)
        elif act == "renamed":
            client.name = word
            yield from self._moved(client)
        elif act == "left":
            yield from self._leave(client)
            self.state.clients.pop(who.number, None)
        elif act == "triggered" and word == "flagevent" and _CAPTURED.match(rest):
            yield from self._captured(client)

    def _captured(self, client: Client) -> Iterator[Happening]:
        if not self._passes():
            yield from self._there(client)
            yield self._named({"type": "capture"}, "player", client, "")

    def _meant(self, readings: list[Reading]) -> Reading | None:
        """Of several ways to read a line the one whose players are known by number, id and name."""
        if len(readings) > 1:
            readings = [
                it
                for it in readings
                if self._is_known(it.who) and (it.whom is None or self._is_known(it.whom))
            ]
        return readings[0] if len(readings) == 1 else None

    def _is_known(self, one: Someone) -> bool:
        client = self.state.clients.get(one.number)
        return client is not None and (client.id, client.name) == (one.id, one.name)

    def _client(self, one: Someone) -> Client:
        """Who has this number, as the line says. Of whoever had it, or has come back by another, the line that said so
        is lost.
        """
        clients = self.state.clients
        client = clients.get(one.number)
        if client is None or client.id != one.id:
            before = clients.pop(one.number, None)
            if before is not None and before.told is not None:
                self._gone.append(before.told)
            client = self._same_elsewhere(one) or Client(one.id, one.name)
            if len(clients) >= _MOST_CLIENTS:
                del clients[next(iter(clients))]
            clients[one.number] = client
        client.name = one.name
        if one.team is not None:
            client.team = clean(one.team, 30)
        return client

    def _same_elsewhere(self, one: Someone) -> Client | None:
        """Whoever has this Steam id by another number, which is taken from it."""
        if player_id(one.id) is None:
            return None
        numbers = [number for number, it in self.state.clients.items() if it.id == one.id]
        return self.state.clients.pop(numbers[0]) if numbers else None

    def _killed(
        self, killer: Client, who: Someone, victim: Client, whom: Someone, weapon: str
    ) -> Iterator[Happening]:
        if self._passes():
            return
        yield from self._there(killer)
        yield from self._there(victim)
        if who.number == whom.number:
            yield self._named({"type": "suicide"}, "player", killer, weapon)
            return
        is_mate = bool(killer.told_team) and killer.told_team == victim.told_team
        event = self._named({"type": "team_kill" if is_mate else "frag"}, "player", killer, weapon)
        yield self._named(event, "victim", victim, "")

    def _passes(self) -> bool:
        """Whether what happens now counts nothing."""
        return self.state.is_warm or self.state.is_over

    def _moved(self, client: Client) -> Iterator[Happening]:
        """Somebody has joined, another team perhaps, or has another name now."""
        if client.team in _WATCHING:
            yield from self._leave(client)
        elif client.team not in _NO_TEAM and not self._passes():
            yield from self._there(client)

    def _there(self, client: Client) -> Iterator[Happening]:
        """Let somebody be there as it is now, in a match that goes on."""
        state = self.state
        if not state.is_playing:
            state.is_playing = True
            yield {"type": "begin", **({"map": state.map} if state.map else {})}
        yield from ({"type": "leave", kind: name} for kind, name in self._gone)
        self._gone.clear()
        who = self._identity(client)
        team = "" if self.free_for_all or client.team in _NO_TEAM | _WATCHING else client.team
        if (client.told, client.told_team) != (who, team):
            if client.told is not None and client.told != who:
                yield {"type": "leave", client.told[0]: client.told[1]}
            client.told, client.told_team = who, team
            yield {"type": "join", who[0]: who[1], **({"team": team} if team else {})}

    def _leave(self, client: Client) -> Iterator[Happening]:
        if client.told is not None:
            yield {"type": "leave", client.told[0]: client.told[1]}
            client.told, client.told_team = None, ""

    def _identity(self, client: Client) -> tuple[str, str]:
        """As an event names somebody: a player by its id, or a guest by its name."""
        name = clean(client.name) or "?"
        steam = player_id(client.id)
        own = (name if client.id != "BOT" else None) if self.by_name else steam
        if own is None or own == "?":
            return "guest", name
        others = (one for one in self.state.clients.values() if one is not client)
        if any(one.told == ("player", own) for one in others):
            return "guest", name  # nobody can be told from who has it already
        self.names[own] = name
        return "player", own

    def _named(self, event: Happening, role: str, client: Client, weapon: str) -> Happening:
        assert client.told is not None  # noqa: S101 - it is there
        kind, name = client.told
        key = kind if role == "player" else {"player": "victim", "guest": "victim_guest"}[kind]
        with_weapon = {"weapon": clean(weapon, 60)} if clean(weapon, 60) else {}
        return {**event, key: name, **with_weapon}
