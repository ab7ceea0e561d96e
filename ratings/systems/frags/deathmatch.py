"""A stream of frags: each a duel of 1:0, in the order of the log."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ratings.systems.frags.competitors import Competitor, Rated, by_player
from ratings.systems.frags.events import (
    decay,
    expect,
    score_against_team,
    score_event,
    suicide,
    team_kill,
)
from ratings.systems.frags.frag import EVENT_WEIGHTS, Frag, Side
from ratings.systems.frags.parameters import FragsParameters

__all__ = ["Deathmatch", "LadderRow", "Move"]


@dataclass(frozen=True, slots=True)
class Move:
    """One rating moved by one event.

    event     the event's name, or "suicide" or "team kill"
    expected  0..1, the share expected against the opponent
    actual    0..1, the share reached
    weight    rating points a full surprise is worth: K times the weight of the event; where the
              floor kept some of a loss, after - before is less than weight · (actual - expected)
    """

    competitor: Competitor
    event: str
    expected: float
    actual: float
    weight: float
    before: float
    after: float


@dataclass(slots=True)
class Tally:
    """Running figures; `team` is the one seen last."""

    rating: float
    team: str | None = None
    frags: int = 0
    deaths: int = 0
    suicides: int = 0
    team_kills: int = 0
    events: int = 0

    @property
    def games(self) -> int:
        """How many rated events there were."""
        return self.frags + self.deaths + self.suicides + self.team_kills + self.events


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A competitor's row of the ladder; equal ratings share a place. Programs read it as JSON, by these names."""

    place: int
    competitor: Competitor
    rating: float
    frags: int
    deaths: int
    suicides: int
    team_kills: int
    events: int
    games: int


class Deathmatch:
    """The ladder of a stream so far. Memory: one small record for each competitor.

    rated    who has a rating: `by_player`, `by_clan` or `by_role`
    weights  how many frags each event is worth; `frag` and `capture` unless given
    skipped  events that could not be rated: no opponent, and nobody known on another team
    """

    def __init__(
        self,
        parameters: FragsParameters | None = None,
        *,
        rated: Rated = by_player,
        weights: Mapping[str, float] = EVENT_WEIGHTS,
    ) -> None:
        self.parameters = FragsParameters() if parameters is None else parameters
        self.rated = rated
        self.weights = dict(weights)
        self.skipped = 0
        self._tallies: dict[Competitor, Tally] = {}

    def __len__(self) -> int:
        return len(self._tallies)

    def rating(self, competitor: Competitor) -> float:
        """The rating now; KeyError for someone the stream has not named."""
        return self._tallies[competitor].rating

    def play(self, frags: Iterable[Frag]) -> Iterator[Move]:
        """Rate events as they come, and tell what each moved."""
        for frag in frags:
            yield from self.take(frag)

    def take(self, frag: Frag) -> tuple[Move, ...]:
        """Rate one event. Raises ValueError when its name has no weight."""
        if frag.event not in self.weights:
            known = ", ".join(sorted(self.weights))
            raise ValueError(f"event {frag.event!r}: must be one of {known}")
        killer, victim = frag.killer, frag.victim
        if victim is None:
            return () if killer is None else self._take_goal(killer, frag.event)
        # Clans may be what is rated: a mate of the clan is the same then.
        if killer is None or killer.name == victim.name or self.rated(killer) == self.rated(victim):
            return self._take_suicide(victim)
        if frag.is_team_kill:
            return self._take_team_kill(killer, victim)
        winner, loser = self._seen(killer), self._seen(victim)
        x, own, other = self.weights[frag.event], winner.rating, loser.rating
        share, weight = expect(self.parameters, own, other), x * self.parameters.k
        winner.rating, loser.rating = score_event(self.parameters, own, other, weight=x)
        winner.frags += 1
        loser.deaths += 1
        return (
            Move(self.rated(killer), frag.event, share, 1.0, weight, own, winner.rating),
            Move(self.rated(victim), frag.event, 1.0 - share, 0.0, weight, other, loser.rating),
        )

    def leave(self, side: Side) -> None:
        """Take the player off the team: captures are no longer made against this player."""
        if (tally := self._tallies.get(self.rated(side))) is not None:
            tally.team = None

    def decay(self, periods: float = 1.0) -> None:
        """Take from everybody what so many periods cost."""
        for tally in self._tallies.values():
            tally.rating = decay(self.parameters, tally.rating, periods)

    def standings(self) -> list[LadderRow]:
        """The ladder, best first; equals by name."""
        order = sorted(self._tallies.items(), key=lambda one: (-one[1].rating, one[0]))
        rows: list[LadderRow] = []
        for index, (who, tally) in enumerate(order):
            is_tied = bool(rows) and rows[-1].rating == tally.rating
            place = rows[-1].place if is_tied else index + 1
            rows.append(
                LadderRow(
                    place,
                    who,
                    tally.rating,
                    tally.frags,
                    tally.deaths,
                    tally.suicides,
                    tally.team_kills,
                    tally.events,
                    tally.games,
                )
            )
        return rows

    def _seen(self, side: Side) -> Tally:
        who = self.rated(side)
        tally = self._tallies.get(who)
        if tally is None:
            tally = self._tallies[who] = Tally(self.parameters.start)
        tally.team = side.team or tally.team
        return tally

    def _take_suicide(self, side: Side) -> tuple[Move, ...]:
        tally = self._seen(side)
        before, tally.rating = tally.rating, suicide(self.parameters, tally.rating)
        tally.suicides += 1
        k = self.parameters.k
        return (Move(self.rated(side), "suicide", 0.5, 0.0, k, before, tally.rating),)

    def _take_team_kill(self, killer: Side, victim: Side) -> tuple[Move, ...]:
        own, other = self._seen(killer), self._seen(victim).rating
        before, share = own.rating, expect(self.parameters, own.rating, other)
        own.rating = team_kill(self.parameters, before, other)
        own.team_kills += 1
        k = self.parameters.k
        return (Move(self.rated(killer), "team kill", share, 0.0, k, before, own.rating),)

    def _take_goal(self, side: Side, event: str) -> tuple[Move, ...]:
        """An event without a clear opponent: against the mean of everyone on another team."""
        own, x = self._seen(side), self.weights[event]
        others = [
            tally.rating
            for tally in self._tallies.values()
            if own.team is not None and tally.team not in (None, own.team)
        ]
        if not others:
            self.skipped += 1
            return ()
        before, mean = own.rating, sum(one / len(others) for one in others)
        own.rating = score_against_team(self.parameters, before, others, weight=x)
        own.events += 1
        share, weight = expect(self.parameters, before, mean), x * self.parameters.k
        return (Move(self.rated(side), event, share, 1.0, weight, before, own.rating),)
