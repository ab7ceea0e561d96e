"""The machine of matchmaking with everything else that brings players together."""

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from challenges.models import Challenge
from ratings.models import Match
from rooms.models import Room
from tests.matchmaking.machine.disturbing import after_statement, survives
from tests.matchmaking.machine.play import ENDS, Playing, moments, numbers
from tests.together.deeds import Act, acts
from tests.together.promises import Cooling, Places, got_in, places_and_cooling
from tests.together.scenes import FREED, SCENES

__all__ = ["Together"]

few = st.integers(0, 3)


class Together(Playing):
    """One run of everything."""

    before: tuple[Places, Cooling] | None = None

    def teardown(self) -> None:
        super().teardown()
        self.counts["rooms"] += Room.objects.count()
        self.counts["matches of rooms"] += Match.objects.filter(room__isnull=False).count()
        self.counts["challenges"] += Challenge.objects.count()
        self.counts["matches of challenges"] += Match.objects.filter(
            challenge__isnull=False
        ).count()

    @rule(
        scene=st.sampled_from(sorted(SCENES)),
        who=numbers,
        other=numbers,
        queue=few,
        taste=few,
        frees=st.booleans(),
    )
    def scene(self, scene: str, who: int, other: int, queue: int, taste: int, frees: bool) -> None:
        """What leads to something, as it mostly goes."""
        self._take([*(FREED if frees else ()), *SCENES[scene](who, other, queue, taste)])

    @rule(act=acts())
    def do_together(self, act: Act) -> None:
        """One thing, undisturbed."""
        self._do(act)

    @rule(act=acts(), after=moments, how=st.sampled_from(sorted(ENDS)))
    def killed_together(self, act: Act, after: int, how: str) -> None:
        """Whoever does it dies on the way."""
        with after_statement(after, ENDS[how]):
            self.counts["calls ended on their way"] += not survives(self._doing(act))

    @rule(act=acts(often=True), after=st.integers(1, 30), other=acts(often=True))
    def together_at_once(self, act: Act, after: int, other: Act) -> None:
        """While one thing is on its way another comes between."""
        with self.companion.comes_between(after, self._doing(other)):
            survives(self._doing(act))

    @rule(
        scene=st.sampled_from(sorted(SCENES)),
        who=numbers,
        other=numbers,
        queue=few,
        after=st.integers(1, 30),
        meanwhile=acts(often=True),
    )
    def scene_meets(
        self, scene: str, who: int, other: int, queue: int, after: int, meanwhile: Act
    ) -> None:
        """The last step of what leads to something meets what one of its players does elsewhere."""
        *steps, last = SCENES[scene](who, other, queue, 1)
        self._take([*FREED, *steps])
        if isinstance(last, Act):
            with self.companion.comes_between(after, self._doing(meanwhile)):
                survives(self._doing(last))

    def _take(self, steps: Sequence[Act | float]) -> None:
        for step in steps:
            if isinstance(step, Act):
                self._do(step)
            else:
                self.world.seconds += step

    @invariant()
    def nobody_who_cools_off_gets_in(self) -> None:
        now = places_and_cooling(self.world.now)
        if self.before is not None:
            found = got_in(self.before, now)
            self._hold(not found, f"cooling off, and yet in: {found}")
        self.before = now
