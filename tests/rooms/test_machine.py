"""Anything happens in any order, in rooms and around them, and after each step every promise is looked at."""

from collections import Counter
from typing import Any, ClassVar

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from foundation.refusals import RefusedError
from matchmaking.tickets import lifecycle as tickets
from ratings.matches import report
from ratings.models import Participant
from rooms import coming, lifecycle, start, tend
from rooms.models import Room, RoomMember
from tests.forms import often
from tests.rooms.lounge import Lounge, check_rooms, make_lounge

pytestmark = pytest.mark.django_db
PLAYERS = 7
numbers = st.integers(0, PLAYERS - 1)
MAPS = {"maps": {"names": "River; Canyon; Lake"}}


class Rooms(RuleBasedStateMachine):
    """One run, in a transaction of its own that is taken back."""

    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.began = transaction.atomic()
        self.began.__enter__()
        self.lounge: Lounge = make_lounge(PLAYERS, size=2, settings=MAPS)
        self.removed: set[tuple[int, int]] = set()
        self.started: dict[int, int] = {}
        self.open(
            0, team_choice="seated", map_choice="game", start_rule="host"
        )  # or hardly anybody would meet

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.began.__exit__(None, None, None)

    def do(self, what: str, act: Any) -> None:
        with self.lounge.hall.at_now():
            try:
                with transaction.atomic():
                    act()
            except RefusedError as refusal:
                what = f"{what}: {refusal.code}"
        self.counts[what] += 1

    def player(self, number: int) -> Any:
        return self.lounge.hall.players[number]

    def room(self, which: int) -> int:
        live = list(Room.objects.order_by("-pk").values_list("pk", flat=True)[:3])
        return live[which % len(live)] if live else 0

    @rule(
        host=numbers,
        team_choice=st.sampled_from(["seated", "balanced", "draft"]),
        map_choice=st.sampled_from(["game", "vote", "veto"]),
        start_rule=st.sampled_from(["host", "full", "ready"]),
    )
    def somebody_opens(self, host: int, **asked: str) -> None:
        self.open(host, **asked)

    def open(self, host: int, **asked: str) -> None:
        wanted = {"name": "Room", **asked}
        self.do(
            "open",
            lambda: lifecycle.open_room(
                player=self.player(host), ladder=self.lounge.hall.ladder, settings=wanted
            ),
        )

    @rule(who=st.sets(numbers, min_size=1), which=st.integers(0, 2))
    def join(self, who: set[int], which: int) -> None:
        pk = self.room(which)
        for number in sorted(who):
            self.do("join", lambda n=number: coming.join(room_id=pk, player=self.player(n)))

    @rule(who=numbers, which=st.integers(0, 2))
    def watch(self, who: int, which: int) -> None:
        pk = self.room(which)
        self.do("watch", lambda: coming.watch(room_id=pk, player=self.player(who)))

    @rule(who=numbers, which=st.integers(0, 2))
    def leave(self, who: int, which: int) -> None:
        pk = self.room(which)
        self.do("leave", lambda: lifecycle.leave(room_id=pk, player=self.player(who)))

    @rule(by=numbers, who=numbers, which=st.integers(0, 2), is_host=st.booleans())
    def remove(self, by: int, who: int, which: int, is_host: bool) -> None:
        pk, other = self.room(which), self.player(who).pk
        room = Room.objects.select_related("host").filter(pk=pk).first()
        acting = room.host if is_host and room else self.player(by)

        def act() -> None:
            lifecycle.remove(room_id=pk, by=acting, player=other)
            self.removed.add((pk, other))

        self.do("remove", act)

    @rule(by=numbers, who=numbers, which=st.integers(0, 2))
    def hand_over(self, by: int, who: int, which: int) -> None:
        pk, to = self.room(which), self.player(who).pk
        self.do("hand over", lambda: lifecycle.hand_over(room_id=pk, by=self.player(by), to=to))

    @rule(who=numbers, which=st.integers(0, 2), seat=st.integers(0, 4))
    def sit(self, who: int, which: int, seat: int) -> None:
        pk = self.room(which)
        self.do("sit", lambda: lifecycle.sit_at(room_id=pk, player=self.player(who), seat=seat))

    @rule(which=st.integers(0, 2))
    def all_ready(self, which: int) -> None:
        pk = self.room(which)
        for number in range(PLAYERS):
            player = self.player(number)
            self.do(
                "ready",
                lambda p=player: lifecycle.set_ready(room_id=pk, player=p, is_ready=True),
            )

    @rule(which=st.integers(0, 2))
    def start(self, which: int) -> None:
        pk = self.room(which)
        room = Room.objects.select_related("host").filter(pk=pk).first()
        if room is not None:
            self.do("start", lambda: start.start(room_id=pk, by=room.host))

    @rule(by=numbers, who=numbers, which=st.integers(0, 2))
    def pick(self, by: int, who: int, which: int) -> None:
        pk, other = self.room(which), self.player(who).pk
        self.do("pick", lambda: start.pick(room_id=pk, by=self.player(by), player=other))

    @rule(by=numbers, name=st.sampled_from(["River", "Canyon", "Lake"]), which=st.integers(0, 2))
    def strike(self, by: int, name: str, which: int) -> None:
        pk = self.room(which)
        self.do("strike", lambda: start.strike(room_id=pk, by=self.player(by), map_name=name))

    @rule(who=numbers)
    def search(self, who: int) -> None:
        queue = self.lounge.hall.queue
        self.do("search", lambda: tickets.join(queue=queue, player=self.player(who)))

    @rule(who=st.sets(numbers, min_size=4, max_size=4))
    def play_elsewhere(self, who: set[int]) -> None:
        one, two, *others = sorted(who)
        self.do("elsewhere", lambda: self.lounge.hall.put_into_match(one, two, against=others))

    @rule(who=numbers)
    def report(self, who: int) -> None:
        playing = Participant.objects.filter(player=self.player(who), playing=True).first()
        if playing is not None:
            self.do(
                "report",
                lambda: report.leave(match_id=playing.match_id, player_id=self.player(who).pk),
            )

    @rule(seconds=st.sampled_from([5, 31, 121, 1900]))
    def time_passes(self, seconds: int) -> None:
        self.lounge.hall.wait(seconds)
        self.do("tend", tend.tend_rooms)

    @invariant()
    def promises(self) -> None:
        check_rooms()
        for room, player in self.removed:
            back = RoomMember.objects.filter(room=room, player=player, live=True)
            assert not back.exists(), "a removed player has slipped back"
        for pk, match in Room.objects.exclude(match=None).values_list("pk", "match"):
            assert self.started.setdefault(pk, match) == match, "started twice"
        connection.check_constraints()


@pytest.mark.full
def test_promises_hold_in_many_runs() -> None:
    Rooms.counts.clear()
    run_state_machine_as_test(
        Rooms,
        settings=settings(
            max_examples=often(10, 60),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    for what in ("open", "join", "remove", "leave", "tend", "search"):
        assert Rooms.counts[what], what
