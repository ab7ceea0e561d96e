"""More requests than a web process can work on: some wait for their turn, the others are told at once."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import gevent
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from gevent.event import Event

from accounts.models import User
from config.web.turns import Crowd, Outcome, Turns


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a connection over TCP."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = socket.create_connection(listener.getsockname())
        ours, _ = listener.accept()
    return ours, theirs


class Callers:
    """Callers in line for the turns of a process; each is known by its place."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.order: list[int] = []
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        self.waits: list[Any] = []
        self.origins: list[str] = []
        self.given_back = 0

    def give_back(self) -> None:
        """Whoever has had a turn for the longest gives it back."""
        self.turns.give_back(self.origins[self.order[self.given_back]])
        self.given_back += 1

    def come(self, *, urgent: bool = False, origin: str = "") -> None:
        """Begin to wait."""
        self.pairs.append(pair())
        self.origins.append(origin)
        self.waits.append(gevent.spawn(self._take, len(self.pairs) - 1, urgent, origin))
        gevent.sleep(0)

    def leave(self, place: int) -> None:
        """Close the connection."""
        self.pairs[place][1].close()

    def outcomes(self) -> list[Outcome]:
        """What became of everybody."""
        gevent.joinall(self.waits)
        return [one.value for one in self.waits]

    def close(self) -> None:
        """End all connections."""
        for both in self.pairs:
            for one in both:
                one.close()

    def _take(self, place: int, urgent: bool, origin: str) -> Outcome:
        outcome = self.turns.take(self.pairs[place][0], urgent=urgent, origin=origin)
        if outcome is Outcome.TURN:
            self.order.append(place)
        return outcome


Queue = Callable[..., Callers]


@pytest.fixture
def line_for() -> Iterator[Queue]:
    """Makes a line for so many turns at once, with so much patience."""
    made: list[Callers] = []

    def make(at_once: int, seconds: float) -> Callers:
        made.append(Callers(Turns(at_once, seconds)))
        return made[-1]

    yield make
    for line in made:
        line.close()


def test_turns_in_the_order_of_coming_and_the_urgent_first(line_for: Queue) -> None:
    line = line_for(1, 60.0)
    for urgent in (False, False, True, False, True):
        line.come(urgent=urgent)
    for _ in range(5):
        line.give_back()
        gevent.sleep(0)
    assert line.outcomes() == [Outcome.TURN] * 5
    assert line.order == [0, 2, 4, 1, 3]


def test_who_sends_a_crowd_waits_behind_it(line_for: Queue) -> None:
    line = line_for(1, 60.0)
    for origin in ("a", "a", "a", "a", "b", "c", "b"):
        line.come(origin=origin)
    for _ in range(6):
        line.give_back()
        gevent.sleep(0)
    assert line.outcomes() == [Outcome.TURN] * 7
    assert line.order == [0, 1, 4, 5, 2, 6, 3]


def test_beside_others_one_address_has_a_quarter_of_the_turns(line_for: Queue) -> None:
    """Where all turns are one visitor's, each wait of another for the database lasts as long as all of them."""
    line = line_for(8, 60.0)
    for _ in range(14):
        line.come(origin="a")
    line.come(origin="b")
    told = []
    for _ in range(10):
        line.give_back()
        gevent.sleep(0)
        told.append(line.order[8:])
    assert told[1] == told[6] == [8, 14]  # until two are left to a
    assert told[7:9] == [[8, 14, 9], [8, 14, 9, 10]]
    assert told[9][4:] == [11, 12, 13]  # b has gone
    assert line.outcomes() == [Outcome.TURN] * 15


def test_what_looks_urgent_keeps_nobody_out(line_for: Queue) -> None:
    """Anybody may ask for an address that looks so."""
    line = line_for(1, 60.0)
    line.come()
    for _ in range(8):
        line.come(urgent=True, origin="a")
    line.come(origin="b")
    line.come(urgent=True, origin="b")
    for _ in range(10):
        line.give_back()
        gevent.sleep(0)
    assert line.outcomes() == [Outcome.TURN] * 11
    assert line.order[:6] == [0, 1, 10, 2, 9, 3]


def test_who_has_left_gets_no_turn(line_for: Queue) -> None:
    line = line_for(1, 60.0)
    for _ in range(4):
        line.come()
    line.leave(1)
    line.leave(2)
    line.give_back()
    assert line.outcomes() == [Outcome.TURN, Outcome.LEFT, Outcome.LEFT, Outcome.TURN]


def test_nobody_waits_for_long(line_for: Queue) -> None:
    line = line_for(1, 0.05)
    line.come()
    line.come()
    assert line.outcomes() == [Outcome.TURN, Outcome.TOO_MANY]
    line.give_back()
    line.come()
    assert line.outcomes()[2] is Outcome.TURN


def test_a_turn_that_comes_just_as_patience_ends_is_not_lost(line_for: Queue) -> None:
    line = line_for(1, 0.05)
    line.come()
    line.come()
    gevent.spawn_later(0.04, line.give_back)
    time.sleep(0.1)  # so the loop sees at once that both times have come
    assert line.outcomes() == [Outcome.TURN, Outcome.TURN]
    line.give_back()
    line.come()
    assert line.outcomes()[2] is Outcome.TURN


def test_a_line_has_an_end(line_for: Queue) -> None:
    line = line_for(1, 60.0)
    for _ in range(52):
        line.come()
    assert line.waits[51].value is Outcome.TOO_MANY
    for _ in range(51):
        line.give_back()
        gevent.sleep(0)
    assert line.outcomes() == [Outcome.TURN] * 51 + [Outcome.TOO_MANY]


def test_who_waits_for_the_caller_lets_others_work(line_for: Queue) -> None:
    line = line_for(1, 60.0)
    line.come()
    with line.turns.between("", urgent=False):
        line.come()
        assert line.outcomes() == [Outcome.TURN, Outcome.TURN]
        line.give_back()
    line.come()
    assert not line.waits[2].ready()
    line.give_back()
    assert line.outcomes()[2] is Outcome.TURN


class Slow:
    """Callers in the line whose bodies come slowly; what they send comes for all of them at once."""

    def __init__(self, line: Callers) -> None:
        self.line = line
        self.come = Event()
        self.at_work: list[int] = []
        self.waits: list[Any] = []

    def begin(self, name: int, *, urgent: bool = False, origin: str = "") -> None:
        """Take a turn, and wait for the caller."""
        self.waits.append(gevent.spawn(self._work, name, urgent, origin))
        gevent.sleep(0)

    def _work(self, name: int, urgent: bool, origin: str) -> None:
        ours, theirs = pair()
        with ours, theirs:
            assert self.line.turns.take(ours, urgent=urgent, origin=origin) is Outcome.TURN
        try:
            with self.line.turns.between(origin, urgent=urgent):
                self.come.wait()
            self.at_work.append(name)
            gevent.sleep(0)
        finally:
            self.line.turns.give_back(origin)


def test_bodies_that_end_at_once_are_worked_on_in_turns(line_for: Queue) -> None:
    """Whoever keeps many bodies back and ends them together would be worked on beyond any limit."""
    line = line_for(2, 60.0)
    slow = Slow(line)
    for name in range(5):
        slow.begin(name)
    line.come()
    line.come()
    line.come(urgent=True)
    slow.come.set()
    gevent.sleep(0)
    gevent.sleep(0)
    assert slow.at_work == []  # both turns are others'
    assert line.order == [0, 1]
    line.give_back()
    gevent.sleep(0)
    assert (slow.at_work, line.order) == ([], [0, 1, 2])
    line.give_back()
    gevent.joinall(slow.waits)
    assert slow.at_work == [0, 1, 2, 3, 4]
    line.give_back()
    for _ in range(3):
        line.come()
    assert [wait.ready() for wait in line.waits[3:]] == [True, True, False]
    line.give_back()
    line.outcomes()


def test_a_body_that_has_come_goes_before_the_rest_of_its_crowd(line_for: Queue) -> None:
    line = line_for(1, 60.0)
    slow = Slow(line)
    slow.begin(0)
    for _ in range(3):
        line.come()
    slow.come.set()
    gevent.sleep(0)
    gevent.sleep(0)
    line.give_back()
    gevent.joinall(slow.waits)
    gevent.sleep(0)
    assert (slow.at_work, line.order) == ([0], [0, 1])
    line.give_back()
    gevent.sleep(0)
    line.give_back()
    line.outcomes()


def test_a_request_that_ends_while_it_waits_to_go_on_leaves_the_turns_as_they_were(
    line_for: Queue,
) -> None:
    line = line_for(1, 60.0)
    slow = Slow(line)
    slow.begin(0)
    line.come()
    slow.come.set()
    gevent.sleep(0)
    gevent.sleep(0)
    slow.waits[0].kill(TimeoutError("the time of the request is over"))
    assert slow.at_work == []
    line.come()
    assert not line.waits[1].ready()  # one is at work still
    line.give_back()
    assert line.outcomes() == [Outcome.TURN, Outcome.TURN]
    line.give_back()
    line.come()
    assert line.outcomes()[2] is Outcome.TURN


def test_so_many_connections_of_one_address() -> None:
    crowd = Crowd(2, ["10.0.0.1", "10.1.0.0/16"])
    with ExitStack() as opened:

        def comes(address: str) -> bool:
            return opened.enter_context(crowd.joined(address))

        assert [comes("192.0.2.1") for _ in range(3)] == [True, True, False]
        assert comes("192.0.2.2")
        assert [comes(f"2001:db8::{n}") for n in range(3)] == [True, True, False]
        assert all(comes(proxy) for _ in range(5) for proxy in ("10.0.0.1", "10.1.2.3"))
        # One that listens for both kinds of addresses calls those of IPv4 so; all of them are in one /64.
        assert [comes("::ffff:192.0.2.1"), comes("::ffff:192.0.2.9")] == [False, True]
    with crowd.joined("192.0.2.1") as again:
        assert again


@pytest.mark.django_db
def test_a_file_that_is_not_there_asks_no_database(client: Client) -> None:
    """Files need no turn: who asks for such as are none, signed in, would hold every connection there is."""
    client.force_login(User.objects.create_user("anna"))
    with CaptureQueriesContext(connection) as asked:
        answer = client.get("/static/nothing.css")
    assert (answer.status_code, len(asked)) == (404, 0)
