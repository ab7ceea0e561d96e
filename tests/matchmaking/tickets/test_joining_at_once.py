"""A search that begins while another one of the same player begins, and ends."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection

from matchmaking.models import Ticket, TicketState
from matchmaking.refusals import AlreadySearchingError
from matchmaking.tickets import lifecycle
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db(transaction=True)


def elsewhere(act: Callable[[], Any]) -> Any:
    """Do something in a session of its own, and wait for its end."""

    def act_and_close() -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act_and_close).result()


class Rival:
    """Joins just before the ticket of another search is written; `ends` once that was refused."""

    def __init__(self, hall: Hall, *, ends: bool) -> None:
        self.hall, self.ends = hall, ends
        self.ticket: Ticket | None = None

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.ticket is None and "INSERT INTO matchmaking_ticket " in sql:
            self.ticket = elsewhere(self._join)
        try:
            return execute(sql, params, many, context)
        except IntegrityError:
            if self.ends and self.ticket is not None:
                pk = self.ticket.pk
                elsewhere(lambda: lifecycle.cancel(ticket_id=pk))
            raise

    def _join(self) -> Ticket:
        return lifecycle.join(queue=self.hall.queue, player=self.hall.players[0])


def test_the_slower_of_two_searches_is_told_of_the_other() -> None:
    hall = make_hall(1)
    rival = Rival(hall, ends=False)
    with (
        connection.execute_wrapper(rival),
        pytest.raises(AlreadySearchingError) as refusal,
    ):
        lifecycle.join(queue=hall.queue, player=hall.players[0])
    assert rival.ticket is not None
    assert refusal.value.extra == {"ticket": rival.ticket.pk}


def test_a_search_begins_where_the_faster_one_has_ended_meanwhile() -> None:
    hall = make_hall(1)
    rival = Rival(hall, ends=True)
    with connection.execute_wrapper(rival):
        ticket = lifecycle.join(queue=hall.queue, player=hall.players[0])
    assert ticket.state == TicketState.WAITING
    assert list(Ticket.objects.filter(members__live=True)) == [ticket]
    hall.check()
