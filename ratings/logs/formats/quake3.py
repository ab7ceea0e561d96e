"""Logs of the Quake 3 family (ioquake3, OpenArena, Urban Terror and others that write `games.log`).

Each level is a match: from `InitGame` to `ShutdownGame`, or to the next `InitGame` where a server has crashed. Moments
are counted from its start. What is read:

    InitGame, ShutdownGame, Exit, score, red:8 blue:6     the match, its map, and what it ended with
    ClientUserinfo, ClientUserinfoChanged, ClientDisconnect  who is there, on which team; bots have a skill
    Kill: <killer> <victim> <means>: …                    frags, team kills, suicides, deaths by the world (1022)
    CTF: <client> <team> 1: …                             captures

Whatever else stands there is passed over. A line that cannot be read is counted, and those around it are read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Identity", "Quake3Log", "plain_name"]

Identity = Literal["name", "guid"]
# What happens at a moment of the match, in seconds since its start; without its number.
Happening = tuple[float, dict[str, Any]]

_LINE = re.compile(r"\s*(?:(\d{1,6}):)?(\d{1,6}):(\d\d)(?:\.\d)? (.*)")
_KILL = re.compile(r"Kill: (\d{1,6}) (\d{1,6}) (\d{1,6}):(?:.* by (\w+))?")
_INFO = re.compile(r"Client(?:Userinfo|UserinfoChanged): (\d{1,6}) (.*)")
_GONE = re.compile(r"ClientDisconnect: (\d{1,6})")
_CAPTURE = re.compile(r"CTF: (\d{1,6}) \d{1,6} 1:")
_SCORE = re.compile(r"score: (-?\d{1,9})\s+ping: \d{1,9}\s+client: (\d{1,6})")
_TEAM_SCORE = re.compile(r"red:\s*(-?\d{1,9})\s+blue:\s*(-?\d{1,9})")
_COLOUR = re.compile(r"\^(?:x[0-9a-fA-F]{3}|[^\^])")
_GUID = re.compile(r"[0-9A-Za-z]{1,64}")
_WORLD = 1022
_TEAMS = {"1": "red", "2": "blue"}
_SPECTATOR = "3"
_FIRST_OF_TEAMS = 3  # of the types of games: those with teams
_LONGEST = 100
_LONGEST_MATCH = 7 * 86_400.0  # seconds: what is beyond is no time of a match


def plain_name(text: str) -> str:
    """A name without its colours, and without signs that cannot be shown."""
    shown = "".join(sign for sign in _COLOUR.sub("", text) if sign.isprintable())
    return " ".join(shown.split())[:_LONGEST]


@dataclass(slots=True)
class Client:
    """Who has a slot of the server; `told`: who it was when it joined the match, as an event names it."""

    name: str = ""
    guid: str = ""
    team: str = "0"
    is_bot: bool = False
    told: tuple[str, str] | None = None
    told_team: str = ""


@dataclass(slots=True)
class Quake3Log:
    """Turns lines into what happened, match by match.

    identity  what tells players apart: their names, or the id that their game sends
    unread    lines that look like one of ours and cannot be read
    """

    identity: Identity = "name"
    unread: int = 0
    is_playing: bool = False
    _clients: dict[int, Client] = field(default_factory=dict)
    _has_teams: bool = False
    _scores: dict[str, float] = field(default_factory=dict)
    _at: float = 0.0

    @staticmethod
    def begins_match(line: str) -> bool:
        """Whether a match begins with this line."""
        found = _LINE.match(line)
        return found is not None and found[4].startswith("InitGame:")

    @staticmethod
    def moment(line: str) -> float:
        """Seconds of the match at a line; 0 where it says none."""
        found = _LINE.match(line)
        return 0.0 if found is None else _seconds(found)

    def read(self, line: str) -> Iterator[Happening]:
        """What a line tells. `begin` is the first of a match, `end` its last."""
        found = _LINE.match(line)
        if found is None:
            return
        words = found[4]
        # A clock that is set back, as by a map restart, does not take the match back.
        self._at = max(self._at, _seconds(found))
        if words.startswith("InitGame:"):
            yield from self.end()
            yield from self._begin(words)
        elif self.is_playing:
            yield from self._go_on(words)
        elif words.startswith("Kill:"):
            self.unread += 1  # of a match whose beginning was not read

    def end(self) -> Iterator[Happening]:
        """End the match that is being played, if there is one."""
        if self.is_playing:
            yield self._at, {"type": "end", **({"scores": self._scores} if self._scores else {})}
        self.is_playing, self._clients, self._scores, self._at = False, {}, {}, 0.0

    def _begin(self, words: str) -> Iterator[Happening]:
        settings = _settings(words.partition(":")[2])
        game_type = settings.get("g_gametype", "0")
        self._has_teams = (
            game_type.isascii()
            and game_type.isdigit()
            and len(game_type) < 4
            and int(game_type) >= _FIRST_OF_TEAMS
        )
        self.is_playing = True
        game_map = plain_name(settings.get("mapname", ""))[:60]
        yield self._at, {"type": "begin", **({"map": game_map} if game_map else {})}

    def _go_on(self, words: str) -> Iterator[Happening]:
        if words.startswith("Kill:"):
            yield from self._kill(words)
        elif words.startswith(("ClientUserinfo:", "ClientUserinfoChanged:")):
            yield from self._info(words)
        elif words.startswith("ClientDisconnect:"):
            found = _GONE.match(words)
            if found is None:
                self.unread += 1
            else:
                yield from self._leave(int(found[1]))
                self._clients.pop(int(found[1]), None)
        elif words.startswith("CTF:"):
            if (found := _CAPTURE.match(words)) and (who := self._named(int(found[1]))):
                yield self._at, {"type": "capture", who[0]: who[1]}
        elif (found := _SCORE.match(words)) is not None:
            who = self._named(int(found[2]))
            if who is not None and who[0] == "player" and not self._has_teams:
                self._scores[who[1]] = float(found[1])
        elif (found := _TEAM_SCORE.match(words)) is not None and self._has_teams:
            self._scores = {"red": float(found[1]), "blue": float(found[2])}
        elif words.startswith("ShutdownGame:"):
            yield from self.end()

    def _kill(self, words: str) -> Iterator[Happening]:
        found = _KILL.match(words)
        if found is None:
            self.unread += 1
            return
        killer, victim = int(found[1]), int(found[2])
        who, whom = self._named(killer), self._named(victim)
        if whom is None or (who is None and killer != _WORLD):
            self.unread += 1
            return
        weapon = {"weapon": found[4].removeprefix("MOD_").lower()[:60]} if found[4] else {}
        if killer == victim:
            yield self._at, {"type": "suicide", whom[0]: whom[1], **weapon}
            return
        fallen = {_AS_VICTIM[whom[0]]: whom[1]}
        if who is None:
            yield self._at, {"type": "frag", **fallen, **weapon}
            return
        mates = self._has_teams and self._clients[killer].team == self._clients[victim].team
        kind = "team_kill" if mates else "frag"
        yield self._at, {"type": kind, who[0]: who[1], **fallen, **weapon}

    def _info(self, words: str) -> Iterator[Happening]:
        found = _INFO.match(words)
        if found is None:
            self.unread += 1
            return
        client = self._clients.setdefault(int(found[1]), Client())
        given = _settings(found[2])
        client.name = plain_name(given.get("n", given.get("name", ""))) or client.name
        guid = given.get("cl_guid", given.get("guid", ""))
        client.guid = guid if _GUID.fullmatch(guid) else client.guid
        client.team = given.get("t", client.team)
        # What the server says of it; whatever clients send of themselves may be anything.
        is_told = words.startswith("ClientUserinfoChanged:")
        client.is_bot = client.is_bot or (is_told and "skill" in given)
        if words.startswith("ClientUserinfoChanged:"):
            yield from self._join(int(found[1]))

    def _join(self, slot: int) -> Iterator[Happening]:
        """Let whoever plays in a slot be there as it is now: under this name, on this team."""
        client = self._clients[slot]
        who = self._identity(slot)
        team = _TEAMS.get(client.team, "") if self._has_teams else ""
        if client.team == _SPECTATOR or who is None:
            yield from self._leave(slot)
        elif (client.told, client.told_team) != (who, team):
            if client.told is not None and client.told != who:
                yield from self._leave(slot)
            client.told, client.told_team = who, team
            yield self._at, {"type": "join", who[0]: who[1], **({"team": team} if team else {})}

    def _leave(self, slot: int) -> Iterator[Happening]:
        client = self._clients.get(slot)
        if client is not None and client.told is not None:
            yield self._at, {"type": "leave", client.told[0]: client.told[1]}
            client.told = None

    def _named(self, slot: int) -> tuple[str, str] | None:
        """Who plays in a slot, as it was told."""
        client = self._clients.get(slot)
        return None if client is None else client.told

    def _identity(self, slot: int) -> tuple[str, str] | None:
        """As an event names who plays in a slot: a player by its id, or a guest by its name."""
        client = self._clients[slot]
        own = client.name if self.identity == "name" else client.guid
        if client.is_bot or not own:
            return ("guest", client.name) if client.name else None
        others = (one for number, one in self._clients.items() if number != slot)
        if any(one.told == ("player", own) for one in others):
            return "guest", client.name or own  # nobody can be told from who has it already
        return "player", own


def _seconds(found: re.Match[str]) -> float:
    return min(int(found[1] or 0) * 3600.0 + int(found[2]) * 60.0 + int(found[3]), _LONGEST_MATCH)


_AS_VICTIM = {"player": "victim", "guest": "victim_guest"}


def _settings(text: str) -> dict[str, str]:
    r"""The pairs of `\name\value\name\value`; of clients they may begin without a stroke."""
    parts = text.strip().lstrip("\\").split("\\")
    return dict(zip(parts[::2], parts[1::2], strict=False))
