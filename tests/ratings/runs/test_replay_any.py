"""Any history with any annuls, tunings and runs in between equals one in which the annulled was never played."""

from dataclasses import dataclass, field

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from foundation import clock
from ratings.models import Match
from ratings.runs.run import due_replays, due_tracks, rate_track
from ratings.tracks.parameters import change_parameters
from tests.forms import often
from tests.ratings.arena import DAY, START, Arena, Played, make_arena, random_history
from tests.ratings.replays import annul, live, rate_all, story_of

pytestmark = pytest.mark.django_db
PLAYERS = 5

Step = tuple[str, float]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(1, 12)),
        st.tuples(st.just("annul"), st.integers(0, 200)),
        st.tuples(st.just("wait"), st.floats(0.0, 9.0)),
        st.tuples(st.just("tune"), st.floats(10.0, 60.0)),
        st.tuples(st.just("rate"), st.just(0)),
        st.tuples(st.just("a little"), st.just(0)),
    ),
    min_size=3,
    max_size=16,
)


@dataclass
class Life:
    """A ladder living through steps. `never` holds the numbers of matches that are not played at all."""

    arena: Arena
    seed: int
    never: set[int] = field(default_factory=set)
    annulled: set[int] = field(default_factory=set)
    matches: dict[int, Match] = field(default_factory=dict)
    played: int = 0
    now: float = 0.0

    def live_through(self, steps: list[Step]) -> "Life":
        """All steps; then everything is rated."""
        self.arena.track("elo", shown=True)
        self.arena.track("glicko", days=5)
        for step, value in steps:
            getattr(self, step.replace(" ", "_"))(value)
        rate_all()
        return self

    def play(self, count: float) -> None:
        """So many matches within half a day."""
        drawn = random_history(int(count), PLAYERS, days=0.5, seed=self.seed + self.played)
        numbers = range(self.played, self.played + len(drawn))
        kept = [
            (number, Played(self.now + one.day, one.first, one.second, one.score))
            for number, one in zip(numbers, drawn, strict=True)
            if number not in self.never
        ]
        made = self.arena.play(*(one for _, one in kept))
        self.matches |= {number: match for (number, _), match in zip(kept, made, strict=True)}
        self.played += len(drawn)
        self.now += 0.5

    def annul(self, which: float) -> None:
        """One of those that count; where the others were never played, only the rating."""
        self.rate(0)
        left = sorted(self.matches.keys() - self.annulled)
        if left and not self.never:
            number = left[int(which) % len(left)]
            annul(self.matches[number])
            self.annulled.add(number)

    def wait(self, days: float) -> None:
        """Time passes."""
        self.now += days

    def tune(self, value: float) -> None:
        """Both tracks, from now on."""
        for system, name in (("elo", "k_new"), ("glicko", "deviation_min")):
            with clock.at(START + self.now * DAY):
                change_parameters(
                    track=live(self.arena, system), parameters={name: value}, actor=None, note=""
                )

    def rate(self, _: float) -> None:
        """All that is due."""
        rate_all(day=self.now)

    def a_little(self, _: float) -> None:
        """One transaction of a track, and one of a replay."""
        with clock.at(START + self.now * DAY):
            for pk in due_tracks()[:1] + due_replays()[:1]:
                rate_track(pk, at_most=1)


@settings(max_examples=often(10, 30))
@given(steps=STEPS, seed=st.integers(0, 10), minimum=st.integers(0, 3))
def test_any_history_equals_one_without_what_was_annulled(
    steps: list[Step], seed: int, minimum: int
) -> None:
    rules = {"pool_minimum": minimum, "established_after": 2}
    with transaction.atomic():
        life = Life(make_arena(PLAYERS, **rules), seed).live_through(steps)
        never = life.annulled or {-1}
        clean = Life(make_arena(PLAYERS, slug="clean", **rules), seed, never).live_through(steps)
        for system in ("elo", "glicko"):
            told = story_of(life.arena, live(life.arena, system))
            assert told == story_of(clean.arena, live(clean.arena, system))
        transaction.set_rollback(True)
