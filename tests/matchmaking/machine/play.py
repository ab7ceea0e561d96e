"""The machine: anything happens in any order, and after each step every promise is looked at."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import ClassVar
from unittest.mock import patch

from django.db import connection
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from foundation import wakeups
from matchmaking.models import Offer, OfferState, Ticket, TicketMember, TicketState
from matchmaking.sweep import run as sweep
from matchmaking.sweep.run import SweepReport
from tests.matchmaking.machine.deeds import PARTIES, Deed, deeds, ticket_of
from tests.matchmaking.machine.disturbing import (
    Companion,
    after_statement,
    kill,
    survives,
    terminate,
    until_the_dead_are_gone,
)
from tests.matchmaking.machine.fitting import left_together
from tests.matchmaking.machine.promises import BROKEN, Watcher
from tests.matchmaking.machine.world import PLAYERS, SHAPES, World, make_world

__all__ = ["ENDS", "BrokenPromiseError", "Machine", "Playing", "moments", "numbers", "run"]

_TICK = 0.001  # seconds of the world between two steps
ENDS = {"raised": kill, "terminated": terminate}
_CHANGES = ("leave", "leave", "leave the party", "search")
_TWICE = ("search", "search", "open a party", "enter a party", "accept", "leave")
_TIDY_EVERY = 100  # runs

numbers = st.integers(0, PLAYERS - 1)
places = st.integers(0, len(SHAPES) - 1)
moments, early = st.integers(1, 16), st.integers(1, 8)  # statements


class BrokenPromiseError(AssertionError):
    """Says which promise was broken."""


class Playing(RuleBasedStateMachine):
    """One run: an empty world, and what is done in it, one thing after the other."""

    world: ClassVar[World]
    watcher: ClassVar[Watcher]
    companion: ClassVar[Companion]
    told: ClassVar[Callable[[int], None]]
    runs: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.world.clean()
        Playing.runs += 1
        if Playing.runs % _TIDY_EVERY == 0:
            self.watcher.tidy()
            Playing.told(Playing.runs)

    def teardown(self) -> None:
        """Count what there was."""
        self.counts.update(self.watcher.counted())

    @rule(seconds=st.sampled_from([1, 9.5, 10, 25, 61]))
    def wait(self, seconds: float) -> None:
        """Time passes, and nobody gives a sign of life by it."""
        self.world.seconds += seconds

    @rule(queue=places, who=st.sets(numbers, min_size=2), taste=numbers)
    def many_search(self, queue: int, who: set[int], taste: int) -> None:
        for number in sorted(who):
            self._do(Deed("search", number, queue=queue, taste=(number * taste) % 3))

    @rule()
    def all_accept(self) -> None:
        offered = TicketMember.objects.filter(ticket__state=TicketState.OFFERED)
        for player in offered.order_by("pk").values_list("player", flat=True):
            self._do(Deed("accept", self.world.number(player)))

    @rule(queue=places)
    def all_play(self, queue: int) -> None:
        """As it mostly goes: whoever is free searches, and nobody declines."""
        self._fill(queue)
        self._do(Deed("sweep", queue=queue))
        self.all_accept()

    @rule(who=numbers, taste=numbers)
    def all_matches_end(self, who: int, taste: int) -> None:
        """One says how it was, and nobody else anything for hours; what is decided is rated."""
        self._do(Deed("report", who, taste=taste))
        self.world.seconds += 3 * 3600
        self._do(Deed("settle"))
        self._do(Deed("rate"))

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
            self._hold(Ticket.objects.get(pk=ticket).state in over, "neither cancelled nor matched")

    @rule(queue=places)
    def sweep(self, queue: int) -> None:
        """A sweep that comes to its end: nothing that is over stays open, and no two are left who could meet."""
        world, place = self.world, self.world.queues[queue]
        reports: list[SweepReport] = []
        with world.at_now():
            for _ in range(3000):
                until_the_dead_are_gone()  # a sweep leaves out whom they hold
                survives(lambda: reports.append(sweep.run_queue(place.pk)))
                if reports and reports[-1].leased:
                    break
                time.sleep(0.02)  # the server notices in a moment that a session has gone
        is_leased = bool(reports) and reports[-1].leased
        self._hold(is_leased, "nobody is at it, and yet it cannot be leased")
        pending = Offer.objects.filter(queue=place, state=OfferState.PENDING)
        self._hold(not pending.filter(expires_at__lte=world.now), "an offer has no end")
        if place.ladder.team_size == 1 and place.ladder.team_count == 2:
            left = left_together(world, place)
            self._hold(not left, f"players who accept each other wait on: {left}")

    @rule(deed=deeds(often=True), after=moments, how=st.sampled_from(sorted(ENDS)))
    def killed(self, deed: Deed, after: int, how: str) -> None:
        """Whoever does it dies on the way."""
        with after_statement(after, ENDS[how]):
            self.counts["calls ended on their way"] += not survives(self._doing(deed))

    @invariant()
    def keeps_what_is_promised(self) -> None:
        self.world.seconds += _TICK
        Playing.steps += 1
        broken = self.watcher.broken(self.world.told())
        self._hold(not broken, "; ".join(broken))
        self._hold(not self.world.cancelled & self.world.matched, "cancelled and matched")

    def _fill(self, queue: int) -> None:
        self.world.fill(self.world.queues[queue])

    def _hold(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            self.world.note(otherwise)
            raise BrokenPromiseError(otherwise)

    def _do(self, deed: Deed) -> str:
        """Do it undisturbed; `lost` where the server ended the session even so, as a very busy machine may make it."""
        codes: list[str] = []
        survives(lambda: codes.append(deed.do(self.world)))
        return codes[0] if codes else "lost"

    def _doing(self, deed: Deed) -> Callable[[], str]:
        return lambda: deed.do(self.world)


class Machine(Playing):
    """Searches, parties and sweeps: whatever meets in them."""

    @rule(one=numbers, other=numbers, queue=places)
    def two_search_together(self, one: int, other: int, queue: int) -> None:
        for deed in ("open a party", "enter a party", "search together"):
            self._do(Deed(deed, other if deed.startswith("enter") else one, one, queue, taste=1))

    @rule(what=st.sampled_from(PARTIES), who=numbers, other=numbers, together=st.booleans())
    def party_changes(self, what: str, who: int, other: int, together: bool) -> None:
        """In the middle of a search, perhaps."""
        if together:
            self.two_search_together(who, other, 2)
        self._do(Deed(what, who, other))

    @rule(deed=deeds(often=True), after=moments, other=deeds(often=True))
    def at_once(self, deed: Deed, after: int, other: Deed) -> None:
        """While one thing is on its way another comes between, from another process."""
        with self.companion.comes_between(after, self._doing(other)):
            survives(self._doing(deed))

    @rule(what=st.sampled_from(_TWICE), who=numbers, other=numbers, queue=places, after=early)
    def in_two_windows(self, what: str, who: int, other: int, queue: int, after: int) -> None:
        """A player does the same in two windows, perhaps in another queue or party."""
        deed = Deed(what, who, other, queue)
        again = Deed(what, who, (other + 1) % PLAYERS, queue + 1)
        with self.companion.comes_between(after, self._doing(again)):
            survives(self._doing(deed))

    @rule(queue=places, after=st.integers(6, 18), what=st.sampled_from(_CHANGES), who=numbers)
    def changed_while_swept(self, queue: int, after: int, what: str, who: int) -> None:
        """Between a sweep's reading and its writing somebody is not there any more."""
        others = [Deed(what, (who + step) % PLAYERS) for step in range(PLAYERS // 2)]

        def change() -> None:
            for other in others:
                self._do(other)

        self._fill(queue)
        with self.companion.comes_between(after, change):
            survives(self._doing(Deed("sweep", queue=queue)))

    @rule(queue=places, after=moments, how=st.sampled_from(["", *sorted(ENDS)]), late=moments)
    def two_sweeps(self, queue: int, after: int, how: str, late: int) -> None:
        """The second begins while the first is on its way, which perhaps dies a little later."""
        self._fill(queue)
        deed = Deed("sweep", queue=queue)
        with self.companion.comes_between(after, self._doing(deed)):
            if how:
                with after_statement(after + late, ENDS[how]):
                    survives(self._doing(deed))
            else:
                survives(self._doing(deed))


def run(
    machine: type[Playing] = Machine,
    make: Callable[[], World] = make_world,
    questions: Mapping[str, str] = BROKEN,
    *,
    runs: int,
    steps: int,
    number: int | None = None,
    shrinks: bool = True,
    told: Callable[[int], None] = lambda _runs: None,
) -> None:
    """Make a world and let a machine run in it, asking these questions; `told` hears how far it is.

    `number` chooses the same runs again. Raises BrokenPromiseError, with the shortest way there that was found if it
    `shrinks`, and if what was broken once is broken again: that is not sure of what happens at once.
    """
    Playing.world, Playing.watcher = make(), Watcher(connection.get_connection_params(), questions)
    Playing.runs, Playing.steps, Playing.counts, Playing.told = 0, 0, Counter(), told
    given = settings(
        max_examples=runs,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate, *([Phase.shrink] if shrinks else [])],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    fresh = type("Machine", (machine,), {})
    chosen = fresh if number is None else seed(number)(fresh)
    # Nobody hears a wake-up: it comes when the clock of the wall says so, and what workers do are deeds of the machine.
    with Companion() as companion, patch.object(wakeups, "_send"):
        Playing.companion = companion
        try:
            run_state_machine_as_test(chosen, settings=given)
        except Exception as error:
            if not Playing.world.wrong:
                raise
            words = [*Playing.world.wrong[:3], *getattr(error, "__notes__", ())]
            raise BrokenPromiseError("\n".join(words)) from error
        finally:
            Playing.watcher.close()
