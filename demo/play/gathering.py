"""Simulated players in a room, of one of them or of a person: they come, pick and strike out, and play the match."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from demo.play.client import RefusalError
from demo.play.player import SimulatedLife, World
from demo.play.sociable import IN_ROOM, write
from demo.play.truth import Persona

__all__ = ["NAMES", "Gathering"]

log = structlog.get_logger(__name__)

NAMES = (
    "Evening game",
    "Quick one",
    "No pressure",
    "Best maps only",
    "Newcomers welcome",
    "Rematch of last week",
    "One more before bed",
    "Friendly but serious",
)
# Seconds, from – to.
_COMES = (4.0, 18.0)  # from one to the next
_LOOKS = (2.0, 4.0)  # between two looks at the room
_STAYS = 150.0  # until they give a room up that does not fill
_FILTERED, _WRITES = 0.5, 0.12  # chances: of a filter, and to write a line at a look
# What hosts ask of those who come; of each room's only such as its ladder offers.
_FILTERS: tuple[tuple[str, object], ...] = (
    ("conduct", True),
    ("established", True),
    ("chance", 0.3),
    ("rating", {"low": 1300}),
    ("rating", {"high": 1700}),
)
_LIVE = {"open", "drafting", "starting"}
_NOT_NOW = {
    "already_in_room", "already_playing", "already_searching", "cannot_pick", "not_in_room", "not_your_turn",
    "party_joins_whole", "room_full", "room_not_open", "room_over", "room_refuses", "rooms_closed", "too_many_disputes",
    "too_many_rooms", "suspended", "cooling_off", "not_available", "unknown_ladder", "wrong_room", "not_found",
    "removed_from_room",
}  # fmt: skip


@dataclass(slots=True)
class Gathering:
    """A room and those of the simulated players who come to it; the first opens it where it is none of a person.

    room   number of a person's room; 0: one of their own
    lives  by the players' ids in the game, for the match
    """

    world: World
    ladder: str
    players: Sequence[Persona]
    luck: random.Random
    room: int = 0
    lives: dict[str, SimulatedLife] = field(default_factory=dict)

    async def spend(self) -> None:
        """Gather, and play what comes of it. Raises RefusalError for a bad key only."""
        for one in self.players:
            self.lives[one.id] = SimulatedLife(self.world, one, self.luck)
        room = self.room
        try:
            room = room or await self._open()
            match = await self._wait(room) if room else None
            if match is not None:
                await self._play(match)
        except RefusalError as refusal:
            if refusal.is_of_the_key:
                raise
            log.info("demo.room", room=room, why=refusal.code)
        finally:
            if room:
                await asyncio.shield(self._leave(room))

    async def _open(self) -> int:
        """The number of the new room; 0 where there is none to be had now."""
        choices = await self.world.api.get("rooms/choices", ladder=self.ladder)
        teams = ["seated", "draft"] if choices["team_size"] > 1 else ["seated"]
        if choices["team_size"] > 1 and "rating" in choices["filters"]:
            teams.append("balanced")
        maps = ["vote", "veto"] if len(choices["maps"]) > 1 else ["game"]
        body = {
            "player": self.players[0].id,
            "ladder": self.ladder,
            "name": self.luck.choice(NAMES),
            "category": self.luck.choice(choices["categories"]),
            "team_choice": self.luck.choice(teams),
            "map_choice": self.luck.choice(["game", *maps]),
            "start_rule": "full",
        }
        offered = [one for one in _FILTERS if one[0] in choices["filters"]]
        if offered and self.luck.random() < _FILTERED:
            body["filters"] = dict([self.luck.choice(offered)])
        room = await self._try("rooms", **body)
        return int(room["id"]) if room else 0

    async def _play(self, match: int) -> None:
        """Let those play who are in it: whom the room has refused is not."""
        teams = (await self.world.api.get(f"matches/{match}"))["teams"]
        names = {one["player"]["external_id"] for team in teams for one in team["members"]}
        lives = [life for name, life in self.lives.items() if name in names]
        await asyncio.gather(*(life.play_out(match) for life in lives))

    async def _wait(self, room: int) -> int | None:
        """Come one by one, and do what is to be done until the match begins; None when it does not."""
        coming = list(self.players if self.room else self.players[1:])
        until, next_comes = self.world.later(_STAYS), self.world.later(self.luck.uniform(*_COMES))
        seen = await self.world.api.get(f"rooms/{room}")
        while seen["state"] in _LIVE and not (
            seen["state"] == "open" and self.world.is_over(until)
        ):
            await self.world.pause(self.luck.uniform(*_LOOKS))
            if coming and seen["state"] == "open" and self.world.is_over(next_comes):
                await self._try(f"rooms/{room}/join", player=coming.pop(0).id)
                next_comes = self.world.later(self.luck.uniform(*_COMES))
            seen = await self.world.api.get(f"rooms/{room}")
            here = [one for one in seen["members"] if one["player"]["external_id"] in self.lives]
            for member in here:
                name = member["player"]["external_id"]
                await self._try(f"rooms/{room}/heartbeat", player=name)
                if seen["start_rule"] == "ready" and not member["ready"]:
                    await self._try(f"rooms/{room}/ready", player=name)
            if here and self.world.social and self.luck.random() < _WRITES:
                name = self.luck.choice(here)["player"]["external_id"]
                await write(self.world.api, "room", room, name, IN_ROOM, self.luck)
            if self.room and not here and not coming:
                return None  # removed, or not let in
            await self._take_turn(room, seen)
        return seen["match"] if seen["state"] == "started" else None

    async def _take_turn(self, room: int, seen: dict[str, Any]) -> None:
        """Pick or strike out, where it is the turn of one of these."""
        names = {one["player"]["id"]: one["player"]["external_id"] for one in seen["members"]}
        captain = names.get(seen["turn"])
        if captain not in self.lives:
            return
        if seen["state"] == "drafting":
            free = [
                one["player"]["id"]
                for one in seen["members"]
                if one["seat"] is not None and one["team"] is None
            ]
            if free:
                member = self.luck.choice(free)
                await self._try(f"rooms/{room}/pick", player=captain, member=member)
        elif seen["maps"]:
            chosen = self.luck.choice(seen["maps"])
            await self._try(f"rooms/{room}/strike", player=captain, map=chosen)

    async def _leave(self, room: int) -> None:
        """Whoever is in it still goes."""
        for one in self.players:
            await self._try(f"rooms/{room}/leave", player=one.id)

    async def _try(self, path: str, **body: object) -> dict[str, Any] | None:
        """Post; None where that is not to be had now."""
        try:
            return await self.world.api.post(path, **body)
        except RefusalError as refusal:
            if refusal.code not in _NOT_NOW:
                raise
        return None
