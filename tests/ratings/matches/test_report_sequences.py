"""Whatever is said in whatever order: one result at most, nobody stuck, a fact a change, refusals change nothing."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from events.models import Event
from foundation import clock
from foundation.refusals import RefusedError
from ratings.matches.deadlines import settle_due
from ratings.matches.decide import abort, annul, confirm_by_server, resolve_dispute
from ratings.matches.report import leave, report
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import OPEN, Ladder, Match, MatchState, Outcome, Participant, Player
from ratings.runs.sequence import sequence_confirmed
from tests.forms import often
from tests.ratings.arena import START, Arena

pytestmark = pytest.mark.django_db

# Where a match may go from each state, in one step.
MAY_BECOME = {
    MatchState.PLAYING: {"reported", "confirmed", "disputed", "abandoned", "aborted"},
    # Abandoned: the only one of a team who spoke has left after all, and the others said nothing.
    MatchState.REPORTED: {"confirmed", "disputed", "aborted", "abandoned"},
    MatchState.DISPUTED: {"confirmed", "aborted"},
    MatchState.ABANDONED: {"confirmed"},
    MatchState.CONFIRMED: {"annulled"},
    MatchState.ABORTED: set(),
    MatchState.ANNULLED: set(),
}
RANKS = st.sampled_from([(0, 1), (1, 0), (0, 0)])
PLAYERS = st.integers(0, 3)
STEPS = st.one_of(
    st.tuples(st.just("report"), PLAYERS, st.sampled_from(Outcome), st.booleans()),
    st.tuples(st.just("report"), PLAYERS, st.sampled_from(Outcome), st.just(False)),
    st.tuples(st.just("leave"), PLAYERS),
    st.tuples(st.just("wait"), st.sampled_from([1, 10, 20, 200])),
    st.tuples(st.just("server"), RANKS),
    st.tuples(st.just("abort")),
    st.tuples(st.just("resolve"), st.one_of(RANKS, st.none())),
    st.tuples(st.just("sequence")),
    st.tuples(st.just("annul")),
)
NUMBERS = count()


class Story:
    """One match, and what was done to it so far."""

    def __init__(self, ladder: Ladder, operator: User) -> None:
        self.ladder, self.operator, self.now = ladder, operator, START
        size = ladder.team_size
        names = [f"p{next(NUMBERS)}" for _ in range(2 * size)]
        rows = (
            Player(game_id=ladder.game_id, external_id=name, name=name, skeleton=name)
            for name in names
        )
        self.players = [player.pk for player in Player.objects.bulk_create(rows)]
        with clock.at(self.now):
            teams = [self.players[:size], self.players[size:]]
            self.match = start_match(ladder=ladder, teams=teams)

    def do(self, name: str, *how: Any) -> None:
        """Take a step; a refusal is part of the story."""
        steps: dict[str, Callable[..., object]] = {
            "report": self._report,
            "leave": self._leave,
            "wait": self._wait,
            "server": self._server,
            "abort": lambda: abort(match_id=self.match.pk),
            "resolve": self._resolve,
            "sequence": lambda: sequence_confirmed(self.ladder.pk),
            "annul": lambda: annul(match_id=self.match.pk, by=self.operator, note="n"),
        }
        with clock.at(self.now):
            steps[name](*how)

    def seen(self) -> tuple[Any, ...]:
        """Everything the database knows of the match."""
        match = Match.objects.filter(pk=self.match.pk).values_list().get()
        seats = Participant.objects.filter(match=self.match).order_by("pk").values_list()
        reports = self.match.reports.order_by("pk").values_list()
        return match, list(seats), list(reports), self.facts()

    def facts(self) -> list[str]:
        """What was published of the match, in order."""
        events = Event.objects.filter(payload__match=self.match.pk).order_by("id")
        return [kind.removeprefix("match.") for kind in events.values_list("kind", flat=True)]

    def state(self) -> MatchState:
        return MatchState(Match.objects.values_list("state", flat=True).get(pk=self.match.pk))

    def _report(self, who: int, outcome: Outcome, left: bool) -> None:
        player = self.players[who % len(self.players)]
        report(match_id=self.match.pk, player_id=player, outcome=outcome, left_early=left)

    def _leave(self, who: int) -> None:
        leave(match_id=self.match.pk, player_id=self.players[who % len(self.players)])

    def _wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)
        with clock.at(self.now):
            settle_due()

    def _server(self, ranks: tuple[int, ...]) -> None:
        confirm_by_server(match_id=self.match.pk, result=Result(ranks=ranks))

    def _resolve(self, ranks: tuple[int, ...] | None) -> None:
        result = None if ranks is None else Result(ranks=ranks)
        resolve_dispute(match_id=self.match.pk, result=result, by=self.operator, note="n")


def check(story: Story, before: MatchState, ranks: dict[int, int | None]) -> dict[int, int | None]:
    """Hold what must be true after every step; returns the ranks by team."""
    state, match = story.state(), Match.objects.get(pk=story.match.pk)
    seats = list(Participant.objects.filter(match=match))
    now_ranks = {seat.team: seat.rank for seat in seats}
    assert state == before or state in MAY_BECOME[before]
    assert (match.due_at is not None) == (state in OPEN)
    if state not in OPEN:
        assert not any(seat.playing for seat in seats)
    if state in {MatchState.CONFIRMED, MatchState.ANNULLED}:
        assert None not in now_ranks.values()
    if before in {MatchState.CONFIRMED, MatchState.ANNULLED}:
        assert now_ranks == ranks
    if state in {MatchState.DISPUTED, MatchState.ABORTED, MatchState.ABANDONED, *OPEN}:
        assert set(now_ranks.values()) == {None}
    said = dict(match.reports.values_list("player_id", "left_early"))
    assert not any(seat.playing for seat in seats if seat.player_id in said)
    assert all(seat.left_early == said.get(seat.player_id, False) for seat in seats)
    return now_ranks


def play_out(story: Story, steps: list[tuple[Any, ...]]) -> None:
    states, ranks = [story.state()], dict[int, int | None]()
    for step in steps:
        before = story.seen()
        try:
            story.do(*step)
        except RefusedError:
            assert story.seen() == before
        ranks = check(story, states[-1], ranks)
        if story.state() != states[-1]:
            states.append(story.state())
    story.do("wait", 10_000)
    check(story, states[-1], ranks)
    if story.state() != states[-1]:
        states.append(story.state())
    assert states[-1] not in OPEN
    assert story.facts() == ["started", *(state.value for state in states[1:])]


@pytest.mark.full
@pytest.mark.parametrize("team_size", [1, 2])
def test_every_story_ends(team_size: int) -> None:
    ladder = Arena(0, team_size=team_size).ladder
    operator = User.objects.create(username="olga")

    @settings(max_examples=often(25, 60))
    @given(st.lists(STEPS, max_size=12))
    def tell(steps: list[tuple[Any, ...]]) -> None:
        play_out(Story(ladder, operator), steps)

    tell()
