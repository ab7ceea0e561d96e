"""Anything players do, in any order, with a clock that only goes on: what is promised to them holds after each step."""

from collections.abc import Callable
from itertools import combinations

import pytest
from django.db import transaction
from django.db.models import QuerySet
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from foundation.refusals import RefusedError
from matchmaking.models import OfferState, OfferTicket, Ticket, TicketState
from matchmaking.playing import current_match
from ratings.matches import report as reporting
from ratings.matches.deadlines import settle_due
from ratings.models import Outcome, Participant
from tests.forms import often
from tests.matchmaking.hall import Hall, make_hall

PLAYERS = 7
RATINGS = {number: 1400.0 + 45 * number for number in range(PLAYERS)}
numbers = st.integers(0, PLAYERS - 1)
LIVE = {TicketState.WAITING, TicketState.OFFERED}


def code_of(call: Callable[[], object]) -> str:
    """Why this is refused; empty when it is not."""
    try:
        call()
    except RefusedError as refusal:
        return refusal.code
    return ""


class Play(RuleBasedStateMachine):
    """One queue with seven players, 45 points apart, who accept 50 points at first and 2 more every second."""

    hall: Hall

    def __init__(self) -> None:
        super().__init__()
        self._undone = transaction.atomic()
        self._undone.__enter__()
        self._cancelled: set[int] = set()
        self._since: dict[int, object] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._undone.__exit__(None, None, None)

    @initialize(by_itself=st.booleans())
    def open(self, by_itself: bool) -> None:
        self.hall = make_hall(
            PLAYERS,
            gap_start=50,
            gap_per_second=2,
            gap_cap=150,
            accept_seconds=10,
            heartbeat_seconds=30,
            accepts_by_itself=by_itself,
            settings={"rematch": {"use": "off"}},
        )
        self.hall.rate(RATINGS)

    @rule(seconds=st.sampled_from([0.5, 3, 9.5, 10, 31]))
    def wait(self, seconds: float) -> None:
        self.hall.wait(seconds)

    @rule(number=numbers)
    def join(self, number: int) -> None:
        before, plays = self._live_ticket(number), self._plays(number)
        code = code_of(lambda: self.hall.join(number))
        assert code == ("already_searching" if before else "already_playing" if plays else "")
        if not code:
            ticket = self.hall.ticket(number)
            self._since[ticket.pk] = ticket.waiting_since

    @rule(chosen=st.sets(numbers))
    def beat(self, chosen: set[int]) -> None:
        self.hall.beat(*chosen & set(self.hall.tickets))

    @rule(number=numbers)
    def leave(self, number: int) -> None:
        if number not in self.hall.tickets:
            return
        before = self.hall.ticket(number).state
        code = code_of(lambda: self.hall.cancel(number))
        assert code == ("already_matched" if before == "matched" else "")
        if not code:
            assert self.hall.ticket(number).state == ("cancelled" if before in LIVE else before)
            self._cancelled.add(self.hall.tickets[number])

    @rule(number=numbers)
    def accept(self, number: int) -> None:
        self._answer(number, is_yes=True)

    @rule()
    def accept_all(self) -> None:
        for number in self.hall.tickets:
            self._answer(number, is_yes=True)

    @rule(number=numbers)
    def decline(self, number: int) -> None:
        self._answer(number, is_yes=False)

    @rule(number=numbers, is_yes=st.booleans())
    def answer_too_late(self, number: int, is_yes: bool) -> None:
        self.hall.wait(10)
        self._answer(number, is_yes=is_yes)

    @rule()
    def sweep(self) -> None:
        unanswered = list(self._overdue().filter(accepted_at=None).values_list("ticket", flat=True))
        report = self.hall.sweep()
        assert report.leased
        assert not self._overdue().exists()
        assert set(Ticket.objects.filter(pk__in=unanswered).values_list("state", flat=True)) <= {
            "expired"
        }
        waiting = self._waiting()
        for one, other in combinations(waiting, 2):
            gap = abs(RATINGS[one] - RATINGS[other])
            assert gap > min(waiting[one], waiting[other]), "two who accept each other wait on"

    @precondition(lambda self: Participant.objects.filter(playing=True).exists())
    @rule(number=numbers, outcome=st.sampled_from(Outcome))
    def report(self, number: int, outcome: Outcome) -> None:
        """Somebody says how the match went, and is free."""
        player = self.hall.players[number].pk
        if (match := current_match(player)) is not None:
            with self.hall.at_now():
                reporting.report(match_id=match.pk, player_id=player, outcome=outcome)

    @rule()
    def run_out_of_time(self) -> None:
        """Nobody says anything for hours."""
        self.hall.wait(3 * 3600)
        with self.hall.at_now():
            settle_due()
        assert not Participant.objects.filter(playing=True).exists()

    @rule(number=numbers, other=numbers)
    def play_elsewhere(self, number: int, other: int) -> None:
        """The game lets two meet without asking the queue."""
        if number != other and not self._plays(number) and not self._plays(other):
            self.hall.put_into_match(number, against=other)

    @invariant()
    def keeps_what_is_promised(self) -> None:
        if not hasattr(self, "hall"):
            return
        self.hall.check()
        matched = OfferTicket.objects.filter(offer__state=OfferState.ACCEPTED)
        assert not matched.filter(ticket__in=self._cancelled).exists(), "a cancelled one is matched"
        tickets = list(matched.values_list("ticket", flat=True))
        assert len(tickets) == len(set(tickets)), "a ticket is in two matches"
        assert dict(Ticket.objects.values_list("pk", "waiting_since")) == self._since

    def _answer(self, number: int, *, is_yes: bool) -> None:
        if number not in self.hall.tickets:
            return
        before, plays = self.hall.ticket(number).state, self._plays(number)
        is_late = self._overdue().filter(ticket=self.hall.tickets[number]).exists()
        answer = self.hall.accept if is_yes else self.hall.decline
        code = code_of(lambda: answer(number))
        after = self.hall.ticket(number).state
        assert code in ({"offer_over"} if is_late else self._codes(before, is_yes=is_yes))
        if code:
            assert after in {before, "waiting", "expired", "cancelled"}
            assert after != "cancelled" or plays or before == "cancelled"
        elif is_yes:
            assert after in {"offered", "matched"}
        else:
            assert after == "cancelled"
            self._cancelled.add(self.hall.tickets[number])

    @staticmethod
    def _codes(before: str, *, is_yes: bool) -> set[str]:
        """What may be said to an answer of a ticket in this state; empty for nothing."""
        if before == "offered":
            return {"", "offer_over"} | ({"already_playing"} if is_yes else set())
        if before == "matched":
            return {""} if is_yes else {"already_matched"}
        return {"no_offer", "offer_over"} | (
            {""} if before == "cancelled" and not is_yes else set()
        )

    def _overdue(self) -> QuerySet[OfferTicket]:
        """Seats of offers whose time is over and that nobody has closed yet."""
        pending = OfferTicket.objects.filter(offer__state=OfferState.PENDING)
        return pending.filter(offer__expires_at__lte=self.hall.now)

    def _live_ticket(self, number: int) -> bool:
        return number in self.hall.tickets and self.hall.ticket(number).state in LIVE

    def _plays(self, number: int) -> bool:
        seats = Participant.objects.filter(player=self.hall.players[number], playing=True)
        return seats.exists()

    def _waiting(self) -> dict[int, float]:
        """Rating points that each accepts who may be offered a match."""
        accepted = {}
        for number in self.hall.tickets:
            ticket = self.hall.ticket(number)
            if ticket.state == TicketState.WAITING and not self._plays(number):
                waited = (self.hall.now - ticket.waiting_since).total_seconds()
                accepted[number] = min(50 + 2 * waited, 150)
        return accepted


@pytest.mark.django_db
def test_promises_hold_whatever_players_do() -> None:
    run_state_machine_as_test(
        Play,
        settings=settings(
            max_examples=often(6, 15),
            stateful_step_count=50,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
