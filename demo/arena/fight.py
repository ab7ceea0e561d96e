"""One match on a server, event by event, by true strengths. Pure."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from demo.arena.setting import WEAPONS, ServerPlan
from demo.strength import expected

__all__ = ["Event", "Fight"]

Event = dict[str, Any]
_FALLS, _BOTS, _MATES = 0.04, 0.03, 0.02
_BOT = "Straw Man (bot)"
_FEWEST = 2


@dataclass(slots=True)
class Fight:
    """A match that goes on: who is there, and the number of the event that was told last."""

    plan: ServerPlan
    name: str
    strength: Mapping[str, float]
    luck: random.Random
    frags: int = 0
    _number: int = 0
    _sides: dict[str, str] = field(default_factory=dict)

    @property
    def present(self) -> Sequence[str]:
        """Who is there, by ids in the game, in the order of their coming."""
        return list(self._sides)

    def begin(self, at: datetime | None = None) -> list[Event]:
        """The first event, and who is there from the start."""
        told = [self._event("begin", at, map=self.luck.choice(self.plan.maps))]
        count = self.luck.randint(_FEWEST + 1, self.plan.most)
        return told + [self._join(one, at) for one in self.luck.sample(self.plan.cast, count)]

    def go_on(self, at: datetime | None = None) -> list[Event]:
        """What happens next: mostly a frag; at times somebody comes or leaves."""
        roll = self.luck.random()
        if roll < 0.03 and len(self._sides) > _FEWEST + 1:
            gone = self.luck.choice(self.present)
            del self._sides[gone]
            return [self._event("leave", at, player=gone)]
        away = [one for one in self.plan.cast if one not in self._sides]
        if roll < 0.07 and away and len(self._sides) < self.plan.most:
            return [self._join(self.luck.choice(away), at)]
        return [self._fight(at)]

    def end(self, at: datetime | None = None) -> list[Event]:
        """The last event."""
        return [self._event("end", at)]

    def _join(self, player: str, at: datetime | None) -> Event:
        if not self.plan.teams:
            self._sides[player] = ""
            return self._event("join", at, player=player)
        sides = list(self._sides.values())
        self._sides[player] = min(self.plan.teams, key=sides.count)  # the smaller team
        return self._event("join", at, player=player, team=self._sides[player])

    def _fight(self, at: datetime | None) -> Event:
        one, other = self.luck.sample(self.present, 2)
        roll = self.luck.random()
        if roll < _FALLS:
            return self._event("frag", at, victim=one, weapon="fall")
        if roll < _FALLS + _BOTS:
            return self._event("frag", at, guest=_BOT, victim=one, weapon=WEAPONS[1])
        is_mate = bool(self._sides[one]) and self._sides[one] == self._sides[other]
        if is_mate and self.luck.random() > _MATES:
            others = [it for it in self.present if self._sides[it] != self._sides[one]]
            other = self.luck.choice(others) if others else other
        self.frags += 1
        is_first = self.luck.random() < expected(self.strength[one] - self.strength[other])
        player, victim = (one, other) if is_first else (other, one)
        return self._event("frag", at, player=player, victim=victim, weapon=self._weapon(player))

    def _weapon(self, player: str) -> str:
        """Everybody has one that is taken up most."""
        favourite = WEAPONS[sum(player.encode()) % len(WEAPONS)]
        return favourite if self.luck.random() < 0.5 else self.luck.choice(WEAPONS)

    def _event(self, kind: str, at: datetime | None, **more: Any) -> Event:
        self._number += 1
        told = {"match": self.name, "number": self._number, "type": kind, **more}
        return told if at is None else {**told, "at": at.isoformat()}
