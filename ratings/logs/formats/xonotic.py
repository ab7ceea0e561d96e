"""Event logs of Xonotic (`sv_eventlog 1` with `sv_eventlog_files 1`, or `sv_eventlog_console 1`).

Each `:gamestart:` begins a match, which lasts until `:end`, `:gameover`, or the next. What is read:

    :gamestart:ctf_canyon:0.17                           the match, its kind and its map
    :join:4:1:192.0.2.7:Ann, :join:5:2:bot:[BOT]Max      who comes; bots are guests
    :name:4:Anna, :team:4:5:1, :part:4                   another name, another team, whoever leaves
    :kill:frag:4:5:type=…, :kill:tk:…, :kill:suicide:…, :kill:accident:…   frags, team kills, suicides, accidents
    :ctf:capture:14:4                                    captures
    :teamscores:see-labels:3:5, :player:see-labels:7,…:120:5:4:Ann   what it ended with
    :time:2026-12-01 20:00:00                            when what follows happened

Players go by their names, for the log has no other sign of who they are. Whatever else stands there is passed over. A
line that cannot be read is counted, and those around it are read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ratings.logs.formats.quake3 import Identity, plain_name

__all__ = ["XonoticLog"]

Happening = tuple[float, dict[str, Any]]

_START = re.compile(r":gamestart:([a-z0-9]{1,20})_([^:]{1,100})(?::|\Z)")
_JOIN = re.compile(r":join:(\d{1,6}):\d{1,6}:(\[[0-9a-fA-F:.]{2,60}\]|[^:]{1,60}):(.*)", re.DOTALL)
_NAME = re.compile(r":name:(\d{1,6}):(.*)", re.DOTALL)
_TEAM = re.compile(r":team:(\d{1,6}):(-?\d{1,6})(?::|\Z)")
_PART = re.compile(r":part:(\d{1,6})\s*\Z")
_KILL = re.compile(
    r":kill:(frag|tk|suicide|accident):(\d{1,6}):(\d{1,6})(?::type=([\w.-]{1,60}))?(?::|\Z)"
)
_CAPTURE = re.compile(r":ctf:capture:\d{1,6}:(\d{1,6})\s*\Z")
_TEAM_SCORE = re.compile(r":teamscores:see-labels:(-?\d{1,9})[^:]*:(\d{1,6})\s*\Z")
_SCORE = re.compile(
    r":player:see-labels:(-?\d{1,9})[^:]*:[\d.]{1,12}:-?\w{1,12}:(\d{1,6}):", re.DOTALL
)
_TIME = re.compile(r":time:(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*\Z")
_ENDS = (":end", ":gameover")
_TEAMS = {"5": "red", "14": "blue", "13": "yellow", "10": "pink"}
_ALONE = {"dm", "duel", "lms", "race", "rc", "cts"}
_WITHOUT_END = (
    7 * 86_400.0
)  # seconds: later than now, which is what it means where the log has no times


@dataclass(slots=True)
class Client:
    """Who has a number; `told`: who it was when it joined the match, as an event names it."""

    name: str
    is_bot: bool
    team: str = ""
    is_watching: bool = False
    told: tuple[str, str] | None = None
    told_team: str = ""


@dataclass(slots=True)
class XonoticLog:
    """Turns lines into what happened, match by match, as `Quake3Log` does.

    identity  `name` alone; the log has no ids
    unread    lines that look like one of ours and cannot be read
    """

    identity: Identity = "name"
    unread: int = 0
    is_playing: bool = False
    _clients: dict[str, Client] = field(default_factory=dict)
    _has_teams: bool = False
    _scores: dict[str, float] = field(default_factory=dict)
    _began: datetime | None = None
    _now: datetime | None = None

    @staticmethod
    def begins_match(line: str) -> bool:
        """Whether a match begins with this line."""
        return _START.match(line) is not None

    @staticmethod
    def moment(line: str) -> float:
        """Seconds of the match at a line: 0, no single line says it."""
        return 0.0

    def read(self, line: str) -> Iterator[Happening]:
        """What a line tells. `begin` is the first of a match, `end` its last."""
        if not line.startswith(":"):
            return
        if (found := _TIME.match(line)) is not None:
            self._tick(found[1])
        elif (found := _START.match(line)) is not None:
            yield from self.end()
            self.is_playing, self._began = True, self._now
            self._has_teams = found[1] not in _ALONE
            game_map = plain_name(found[2])[:60]
            yield self._at, {"type": "begin", **({"map": game_map} if game_map else {})}
        elif line.startswith(":join:"):
            self._join(line)
        elif self.is_playing:
            yield from self._go_on(line)
        elif line.startswith(":kill:"):
            self.unread += 1  # of a match whose beginning was not read

    def end(self) -> Iterator[Happening]:
        """End the match that is being played, if there is one. Whoever is there stays for the next."""
        if self.is_playing:
            yield self._at, {"type": "end", **({"scores": self._scores} if self._scores else {})}
        self.is_playing, self._scores, self._began = False, {}, None
        for client in self._clients.values():
            client.told, client.told_team = None, ""

    @property
    def _at(self) -> float:
        if self._now is None or self._began is None:
            return 0.0 if self._began else _WITHOUT_END
        return max(0.0, (self._now - self._began).total_seconds())

    def _tick(self, text: str) -> None:
        try:
            self._now = datetime.strptime(text, "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007 - no zone
        except ValueError:
            self.unread += 1
            return
        if self.is_playing and self._began is None:
            self._began = self._now

    def _join(self, line: str) -> None:
        found = _JOIN.match(line)
        if found is None:
            self.unread += 1
            return
        if len(self._clients) < 1000:
            self._clients[found[1]] = Client(plain_name(found[3]), found[2] == "bot")

    def _go_on(self, line: str) -> Iterator[Happening]:
        if line.startswith(":kill:"):
            yield from self._kill(line)
        elif line.startswith((":team:", ":name:", ":part:")):
            yield from self._people(line)
        elif (found := _CAPTURE.match(line)) is not None:
            client = self._clients.get(found[1])
            if client is not None:
                yield from self._moved(client)
                yield from self._told({"type": "capture"}, client)
        elif line.rstrip() in _ENDS:
            yield from self.end()
        else:
            self._score(line)

    def _people(self, line: str) -> Iterator[Happening]:
        """Somebody has another team or name, or leaves."""
        found = _TEAM.match(line) or _NAME.match(line) or _PART.match(line)
        client = None if found is None else self._clients.get(found[1])
        if found is None:
            self.unread += 1
        elif client is None:
            pass  # came before this log began
        elif found.re is _PART:
            del self._clients[found[1]]
            yield from self._leave(client)
        elif found.re is _TEAM:
            client.team = _TEAMS.get(found[2], "")
            client.is_watching = found[2].startswith("-")
            yield from self._moved(client)
        else:
            client.name = plain_name(found[2]) or client.name
            if client.told is not None:
                yield from self._moved(client)

    def _score(self, line: str) -> None:
        if self._has_teams:
            found = _TEAM_SCORE.match(line)
            if found is not None and found[2] in _TEAMS:
                self._scores[_TEAMS[found[2]]] = float(found[1])
        elif (found := _SCORE.match(line)) is not None:
            client = self._clients.get(found[2])
            if client is not None and client.told is not None and client.told[0] == "player":
                self._scores[client.told[1]] = float(found[1])

    def _kill(self, line: str) -> Iterator[Happening]:
        found = _KILL.match(line)
        killer = None if found is None else self._clients.get(found[2])
        victim = None if found is None else self._clients.get(found[3])
        if found is None or killer is None or victim is None:
            self.unread += 1
            return
        weapon = {"weapon": found[4].lower()} if found[4] else {}
        yield from self._moved(killer)
        yield from self._moved(victim)
        if killer.told is None or victim.told is None:
            self.unread += 1
        elif killer is victim or found[1] in {"suicide", "accident"}:
            # Who falls by accident had nobody's help: as a suicide.
            yield from self._told({"type": "suicide", **weapon}, victim)
        else:
            role = {"player": "victim", "guest": "victim_guest"}[victim.told[0]]
            event = {"type": "team_kill" if found[1] == "tk" else "frag", role: victim.told[1]}
            yield from self._told({**event, **weapon}, killer)

    def _told(self, event: dict[str, Any], client: Client) -> Iterator[Happening]:
        if client.told is not None:
            yield self._at, {**event, client.told[0]: client.told[1]}

    def _moved(self, client: Client) -> Iterator[Happening]:
        """Let somebody be there as it is now: under this name, on this team."""
        who = self._identity(client)
        if client.is_watching or who is None:
            yield from self._leave(client)
            return
        team = client.team if self._has_teams else ""
        if (client.told, client.told_team) != (who, team):
            if client.told is not None and client.told != who:
                yield from self._leave(client)
            client.told, client.told_team = who, team
            yield self._at, {"type": "join", who[0]: who[1], **({"team": team} if team else {})}

    def _leave(self, client: Client) -> Iterator[Happening]:
        if client.told is not None:
            yield self._at, {"type": "leave", client.told[0]: client.told[1]}
            client.told, client.told_team = None, ""

    def _identity(self, client: Client) -> tuple[str, str] | None:
        """As an event names somebody: a player by its name, or a guest."""
        if not client.name:
            return None
        others = (one for one in self._clients.values() if one is not client)
        if client.is_bot or any(one.told == ("player", client.name) for one in others):
            return "guest", client.name
        return "player", client.name
