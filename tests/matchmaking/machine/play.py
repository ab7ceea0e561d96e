"""The machine: anything happens in any order, and after each step every promise is looked at."""

import time
from collections.abc import Callable
from typing import ClassVar

from django.db import connection
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from matchmaking import sweep
from matchmaking.models import Offer, OfferState, Ticket
from tests.matchmaking.machine.deeds import Deed, deeds, ticket_of
from tests.matchmaking.machine.disturbing import (
    Companion,
    after_statement,
    kill,
    survives,
    terminate,
)
from tests.matchmaking.machine.fitting import left_together
from tests.matchmaking.machine.promises import Watcher
from tests.matchmaking.machine.world import PLAYERS, SHAPES, World, make_world

__all__ = ["Machine", "run"]

_TICK = 0.001  # seconds of the world between two steps
_ENDS = {"raised": kill, "terminated": terminate}
_TIDY_EVERY = 100  # runs

numbers = st.integers(0, PLAYERS - 1)
places = st.integers(0, len(SHAPES) - 1)
moments = st.integers(1, 16)  # statements


class Machine(RuleBasedStateMachine):
    """One run: an empty world, and whatever is done in it."""

    world: ClassVar[World]
    watcher: ClassVar[Watcher]
    companion: ClassVar[Companion]
    runs: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.world.clean()
        Machine.runs += 1
        if Machine.runs % _TIDY_EVERY == 0:
            self.watcher.tidy()

    @rule(seconds=st.sampled_from([1, 9.5, 10, 25, 61]))
    def wait(self, seconds: float) -> None:
        """Time passes, and nobody gives a sign of life by it."""
        self.world.seconds += seconds

    @rule(queue=places, who=st.sets(numbers, min_size=2), taste=numbers)
    def many_search(self, queue: int, who: set[int], taste: int) -> None:
        for number in sorted(who):
            self._do(Deed("search", number, queue=queue, taste=(number * taste) % 3))

    @rule(one=numbers, other=numbers, queue=places)
    def two_search_together(self, one: int, other: int, queue: int) -> None:
        for deed in ("open a party", "enter a party", "search together"):
            self._do(Deed(deed, other if deed.startswith("enter") else one, one, queue, taste=1))

    @rule(queue=places)
    def all_accept(self, queue: int) -> None:
        for number in range(PLAYERS):
            self._do(Deed("accept", number, queue=queue))

    @rule(deed=deeds())
    def do(self, deed: Deed) -> None:
        """One thing, undisturbed."""
        ticket = ticket_of(deed.player(self.world))
        code = self._do(deed)
        if (
            deed.what in {"leave", "decline"}
            and ticket is not None
            and code in {"", "already_matched"}
        ):
            over = {"already_matched": {"matched"}, "": {"cancelled", "expired"}}[code]
            assert Ticket.objects.get(pk=ticket).state in over, "neither cancelled nor matched"

    @rule(queue=places)
    def sweep(self, queue: int) -> None:
        """A sweep that comes to its end: nothing that is over stays open, and no two are left who could meet."""
        world, place = self.world, self.world.queues[queue]
        with world.at_now():
            report = sweep.run_queue(place.pk)
            for _ in range(100):
                if report.claimed:
                    break
                time.sleep(0.02)  # the server notices in a moment that a session has gone
                report = sweep.run_queue(place.pk)
        assert report.claimed, "nobody is at it, and yet it cannot be claimed"
        pending = Offer.objects.filter(queue=place, state=OfferState.PENDING)
        assert not pending.filter(expires_at__lte=world.now).exists(), "an offer has no end"
        if place.ladder.team_size == 1 and place.ladder.team_count == 2:
            assert left_together(world, place) == [], "two who accept each other wait on"

    @rule(deed=deeds(often=True), after=moments, how=st.sampled_from(sorted(_ENDS)))
    def killed(self, deed: Deed, after: int, how: str) -> None:
        """Whoever does it dies on the way."""
        with after_statement(after, _ENDS[how]):
            survives(self._doing(deed))

    @rule(deed=deeds(often=True), after=moments, other=deeds(often=True))
    def at_once(self, deed: Deed, after: int, other: Deed) -> None:
        """While one thing is on its way another comes between, from another process."""
        with after_statement(after, lambda: self.companion.begin(self._doing(other))):
            survives(self._doing(deed))
        self.companion.finish(self._doing(other))

    @rule(queue=places, after=moments, how=st.sampled_from(["", *sorted(_ENDS)]), late=moments)
    def two_sweeps(self, queue: int, after: int, how: str, late: int) -> None:
        """The second begins while the first is on its way, which perhaps dies a little later."""
        deed = Deed("sweep", queue=queue)
        with after_statement(after, lambda: self.companion.begin(self._doing(deed))):
            if how:
                with after_statement(after + late, _ENDS[how]):
                    survives(self._doing(deed))
            else:
                survives(self._doing(deed))
        self.companion.finish(self._doing(deed))

    @invariant()
    def keeps_what_is_promised(self) -> None:
        self.world.seconds += _TICK
        told = {
            "cancelled": list(self.world.cancelled),
            "matched": list(self.world.matched),
            "joined": list(self.world.began),
            "since": list(self.world.began.values()),
        }
        assert self.watcher.broken(told) == []
        assert not self.world.cancelled & self.world.matched, "cancelled and matched"

    def _do(self, deed: Deed) -> str:
        return deed.do(self.world)

    def _doing(self, deed: Deed) -> Callable[[], str]:
        return lambda: deed.do(self.world)


def run(*, runs: int, steps: int, number: int | None = None, shrinks: bool = True) -> None:
    """Make a world and let the machine run in it. Raises AssertionError where a promise is broken."""
    Machine.world, Machine.watcher = make_world(), Watcher(connection.get_connection_params())
    Machine.runs = 0
    given = settings(
        max_examples=runs,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate, *([Phase.shrink] if shrinks else [])],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    with Companion() as companion:
        Machine.companion = companion
        try:
            machine = type("Machine", (Machine,), {})
            run_state_machine_as_test(
                machine if number is None else seed(number)(machine), settings=given
            )
        finally:
            Machine.watcher.close()
