"""A stream of frags: each a duel of 1:0, in the order of the log."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
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

__all__ = ["Deathmatch", "LadderRow", "Move", "Tally"]


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
    ratings  where ratings stand; given, it is shared with the streams of other matches, as on a ladder of several
             servers: a capture is made against whoever is in this one
    skipped  events that could not be rated: no opponent, and nobody known on another team
    """

    def __init__(
        self,
        parameters: FragsParameters | None = None,
        *,
        rated: Rated = by_player,
        weights: Mapping[str, float] = EVENT_WEIGHTS,
        ratings: MutableMapping[Competitor, float] | None = None,
    ) -> None:
        self.parameters = FragsParameters() if parameters is None else parameters
        self.rated = rated
        self.weights = dict(weights)
        self.ratings = {} if ratings is None else ratings
        self.skipped = 0
        self._tallies: dict[Competitor, Tally] = {}

    def __len__(self) -> int:
        return len(self._tallies)

    def rating(self, competitor: Competitor) -> float:
        """The rating now; KeyError for someone the stream has not named."""
        return self.ratings[competitor]

    def take_team_kill(self, killer: Side, victim: Side) -> tuple[Move, ...]:
        """Rate the kill of a team mate, whatever the teams are known to be."""
        who, other = self._seen(killer), self.ratings[self._seen(victim)]
        before = self.ratings[who]
        share = expect(self.parameters, before, other)
        after = self.ratings[who] = team_kill(self.parameters, before, other)
        self._tallies[who].team_kills += 1
        return (Move(who, "team kill", share, 0.0, self.parameters.k, before, after),)

    def join(self, side: Side) -> None:
        """Let a player be there, on a team where it has one: captures of other teams are made against it too."""
        self._tallies[self._seen(side)].team = side.team

    def team(self, side: Side) -> str | None:
        """On which team a player was seen last; None for nobody known, and whoever has left or has none."""
        tally = self._tallies.get(self.rated(side))
        return None if tally is None else tally.team

    def tallies(self) -> Mapping[Competitor, Tally]:
        """What everybody has done so far."""
        return self._tallies

    def play(self, frags: Iterable[Frag]) -> Iterator[Move]:
        """Rate events as they come, and tell what each moved."""
        for frag in frags:
            yield from self.take(frag)

    def take(self, frag: Frag) -> tuple[Move, ...]:
        """Rate one event. Raises ValueError when its name has no weight, and it none of its own."""
        x = self.weights.get(frag.event) if frag.weight is None else frag.weight
        if x is None:
            known = ", ".join(sorted(self.weights))
            raise ValueError(f"event {frag.event!r}: must be one of {known}")
        killer, victim = frag.killer, frag.victim
        if victim is None:
            return () if killer is None else self._take_goal(killer, frag.event, x)
        # Clans may be what is rated: a mate of the clan is the same then.
        if killer is None or killer.name == victim.name or self.rated(killer) == self.rated(victim):
            return self._take_suicide(victim)
        if frag.is_team_kill:
            return self.take_team_kill(killer, victim)
        winner, loser = self._seen(killer), self._seen(victim)
        own, other = self.ratings[winner], self.ratings[loser]
        share, weight = expect(self.parameters, own, other), x * self.parameters.k
        after, after_other = score_event(self.parameters, own, other, weight=x)
        self.ratings[winner], self.ratings[loser] = after, after_other
        if frag.event == "frag":
            self._tallies[winner].frags += 1
            self._tallies[loser].deaths += 1
        else:  # nobody was fragged
            self._tallies[winner].events += 1
        return (
            Move(winner, frag.event, share, 1.0, weight, own, after),
            Move(loser, frag.event, 1.0 - share, 0.0, weight, other, after_other),
        )

    def leave(self, side: Side) -> None:
        """Take the player off the team: captures are no longer made against this player."""
        if (tally := self._tallies.get(self.rated(side))) is not None:
            tally.team = None

    def decay(self, periods: float = 1.0) -> None:
        """Take from everybody what so many periods cost."""
        for who in self._tallies:
            self.ratings[who] = decay(self.parameters, self.ratings[who], periods)

    def standings(self) -> list[LadderRow]:
        """The ladder, best first; equals by name."""
        order = sorted(self._tallies.items(), key=lambda one: (-self.ratings[one[0]], one[0]))
        rows: list[LadderRow] = []
        for index, (who, tally) in enumerate(order):
            is_tied = bool(rows) and rows[-1].rating == self.ratings[who]
            place = rows[-1].place if is_tied else index + 1
            rows.append(
                LadderRow(
                    place,
                    who,
                    self.ratings[who],
                    tally.frags,
                    tally.deaths,
                    tally.suicides,
                    tally.team_kills,
                    tally.events,
                    tally.games,
                )
            )
        return rows

    def _seen(self, side: Side) -> Competitor:
        who = self.rated(side)
        tally = self._tallies.get(who)
        if tally is None:
            tally = self._tallies[who] = Tally()
            self.ratings.setdefault(who, self.parameters.start)
        tally.team = side.team or tally.team
        return who

    def _take_suicide(self, side: Side) -> tuple[Move, ...]:
        who = self._seen(side)
        before = self.ratings[who]
        after = self.ratings[who] = suicide(self.parameters, before)
        self._tallies[who].suicides += 1
        return (Move(who, "suicide", 0.5, 0.0, self.parameters.k, before, after),)

    def _take_goal(self, side: Side, event: str, x: float) -> tuple[Move, ...]:
        """An event without a clear opponent: against the mean of everyone on another team."""
        who = self._seen(side)
        own = self._tallies[who]
        others = [
            self.ratings[other]
            for other, tally in self._tallies.items()
            if own.team is not None and tally.team not in (None, own.team)
        ]
        if not others:
            self.skipped += 1
            return ()
        before, mean = self.ratings[who], sum(one / len(others) for one in others)
        after = score_against_team(self.parameters, before, others, weight=x)
        self.ratings[who] = after
        own.events += 1
        share, weight = expect(self.parameters, before, mean), x * self.parameters.k
        return (Move(who, event, share, 1.0, weight, before, after),)
