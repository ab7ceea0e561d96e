"""Log lines by UDP: who may send, what a network does to datagrams, and what happens while PostgreSQL is away."""

import random
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection

from foundation.metrics import DROPPED_SENDINGS
from ratings.logs.connectors import listener
from ratings.logs.connectors.connect import connect
from ratings.logs.connectors.datagrams import Datagram, read_datagram
from ratings.logs.connectors.lines import receive_lines
from ratings.logs.connectors.listener import Listener, open_socket
from ratings.logs.gaps import give_up_gaps
from ratings.models import ConnectorKind, LogEvent, MatchLog, MatchState, ServerConnector
from tests.forms import often
from tests.ratings.logs.connectors.samples import (
    ANN,
    BEN,
    CS2,
    HALF_LIFE,
    IN_HALF_LIFE,
    IN_TF2,
    TF2,
)
from tests.ratings.logs.connectors.sending import Connected, connected, counted
from tests.ratings.logs.telling import make_server, rate, ratings

pytestmark = pytest.mark.django_db
_HEAD = b"\xff\xff\xff\xff"
_HERE = "192.0.2.7"


class Clock:
    """The seconds of a test."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def source(slug: str = "dm1", **options: object) -> Connected:
    """A server that sends by UDP."""
    return connected(ConnectorKind.SOURCE, slug, **options)


def datagrams(text: str, secret: str) -> list[bytes]:
    """The lines of a log as a server with `sv_logsecret` sends them."""
    return [_HEAD + b"S" + secret.encode() + line.encode() + b"\n\0" for line in text.splitlines()]


def hear(*sent: bytes, address: str = _HERE, port: int = 27015) -> Listener:
    """Let a new listener take these, and tell them."""
    one = Listener()
    for data in sent:
        one.take(data, address, port)
    one.step(at_once=True)
    assert one.waiting == 0
    return one


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"RL 12/01/2026 - 20:00:00: x\n\0", Datagram(None, "L 12/01/2026 - 20:00:00: x")),
        (b"S123L 12/01/2026 - 20:00:00: x", Datagram("123", "L 12/01/2026 - 20:00:00: x")),
        (b"log L 12/01/2026 - 20:00:00: x\n", Datagram(None, "L 12/01/2026 - 20:00:00: x")),
        (
            b"S9T0123456789ABCDEF L 12/01/2026 - 20:00:00: x",
            Datagram("9", "L 12/01/2026 - 20:00:00: x"),
        ),
        (
            b"S12L 12/01/2026 - 20:00:00: a L 12/01/2026 - 20:00:01: b",
            Datagram("12", "L 12/01/2026 - 20:00:00: a L 12/01/2026 - 20:00:01: b"),
        ),
        (b"SL 12/01/2026 - 20:00:00: x", None),
        (b"R", None),
        (b"T", None),
        (b"S" + b"1" * 65 + b"L 12/01/2026 - 20:00:00: x", None),
    ],
)
def test_datagrams_are_read(data: bytes, expected: Datagram | None) -> None:
    assert read_datagram(_HEAD + data) == expected
    assert read_datagram(data) is None


def test_lines_reach_the_ladder() -> None:
    server = source()
    hear(*datagrams(TF2, server.secret))
    assert counted(server.server) == IN_TF2
    assert server.counts == {"received": 17, "told": sum(IN_TF2.values())}
    rate()
    assert {ANN, BEN} == set(ratings())
    assert MatchLog.objects.get().match.state == MatchState.CONFIRMED


@pytest.mark.parametrize("sign", [b"R", b"log "])
def test_without_a_secret_a_server_is_known_by_address_and_port(sign: bytes) -> None:
    server = source(address=_HERE, port=27015, is_secret=False, free_for_all=True)
    sent = [_HEAD + sign + line.encode() for line in HALF_LIFE.splitlines()]
    hear(*sent, port=27016)
    hear(*sent, address="192.0.2.8")
    assert not LogEvent.objects.exists()
    assert server.counts == {
        "dropped": 9
    }  # those of its own address; whose the others are nobody knows
    hear(*sent)
    assert counted(server.server) == IN_HALF_LIFE


def test_whoever_is_connected_is_known_by_something() -> None:
    server = make_server()
    for given in ({"address": None, "port": None}, {"address": _HERE, "port": None}):
        with pytest.raises(ValidationError):
            connect(server, ConnectorKind.SOURCE, is_secret=False, **given)
    connect(server, ConnectorKind.SOURCE, is_secret=False, address=_HERE, port=27015)
    with pytest.raises(ValidationError):
        connect(
            make_server("dm2"), ConnectorKind.SOURCE, is_secret=False, address=_HERE, port=27015
        )


def test_forged_datagrams_are_dropped_and_counted() -> None:
    server = source(address=_HERE)
    before = {
        why: DROPPED_SENDINGS.labels(why)._value.get() for why in ("form", "secret", "address")
    }
    lines = TF2.splitlines()
    hear(*datagrams(TF2, server.secret), address="198.51.100.1")  # a secret that was overheard
    hear(*datagrams(TF2, "1234567890"))  # a wrong one, from the right address
    hear(*[_HEAD + b"R" + line.encode() for line in lines])  # none at all
    hear(b"hello", _HEAD + b"getstatus")
    assert not LogEvent.objects.exists()
    assert server.counts == {"dropped": 3 * len(lines)}
    after = {why: DROPPED_SENDINGS.labels(why)._value.get() - before[why] for why in before}
    assert after == {"form": 2, "secret": len(lines), "address": 2 * len(lines)}


def test_another_secret_takes_the_place_of_the_first() -> None:
    server = source()
    secret = connect(server.server, ConnectorKind.SOURCE)
    assert secret != server.secret
    hear(*datagrams(TF2, server.secret))
    assert not LogEvent.objects.exists()
    hear(*datagrams(TF2, secret))
    assert counted(server.server) == IN_TF2


def test_two_servers_behind_one_address() -> None:
    """They are told apart by their secrets; those without, by their ports."""
    one, two = source("one"), source("two")
    old = source("old", address=_HERE, port=27020, is_secret=False, free_for_all=True)
    listening = Listener()
    for datagram in zip(datagrams(TF2, one.secret), datagrams(TF2, two.secret), strict=True):
        for data in datagram:
            listening.take(data, _HERE, 27015)
    for line in HALF_LIFE.splitlines():
        listening.take(_HEAD + b"R" + line.encode(), _HERE, 27020)
    listening.step(at_once=True)
    assert counted(one.server) == counted(two.server) == IN_TF2
    assert counted(old.server) == IN_HALF_LIFE


def test_doubled_and_reordered_datagrams() -> None:
    """What comes within a second is put in order by its time, and what is the same counts once."""
    luck = random.Random(3)
    for round_ in range(often(6, 60)):
        server, seconds = source(f"dm{round_}"), Clock()
        one = Listener(now=seconds)
        sent = [
            (index + luck.uniform(0, 0.9) * (index % 3), data)
            for index, data in enumerate(datagrams(TF2, server.secret))
        ]
        # The last three have the same second: those keep their order.
        sent[-3:] = [(100 + index, data) for index, (_at, data) in enumerate(sent[-3:])]
        again = [(at + luck.uniform(0, 3), data) for at, data in luck.sample(sent, 6)]
        for at, data in sorted([*sent, *again]):
            seconds.now = 1000 + at
            one.take(data, _HERE, 27015)
            one.step()
        one.step(at_once=True)
        assert counted(server.server) == IN_TF2


def test_lines_wait_for_those_before_them() -> None:
    server, seconds = source(), Clock()
    one = Listener(now=seconds)
    kill = (
        'L 12/01/2026 - 20:00:05: "Ann<3><[U:1:11]><Red>" killed "Ben<4><[U:1:12]><Blue>" with "x"'
    )
    began = 'L 12/01/2026 - 20:00:04: Started map "ctf_valley" (CRC "17")'
    for text in (kill, began):
        one.take(datagrams(text, server.secret)[0], _HERE, 27015)
        one.step()
    assert not LogEvent.objects.exists()
    seconds.now += 1.1
    one.step()
    assert MatchLog.objects.get().match.map == "ctf_valley"


def test_a_line_of_the_match_before_is_too_late() -> None:
    server = source()
    text = TF2 + TF2.replace("20:00:", "20:02:").replace("20:01:", "20:03:")
    hear(*datagrams(text, server.secret))
    late = 'L 12/01/2026 - 20:01:55: "Ann<3><[U:1:11]><Red>" killed "Ben<4><[U:1:12]><Blue>" with "late"'
    begun = TF2.replace("20:00:", "20:04:").splitlines()[:5]
    hear(*datagrams("\n".join(begun), server.secret))
    hear(*datagrams(late.replace("20:01", "20:04").replace(":55:", ":01:"), server.secret))
    assert server.counts["late"] == 1
    assert not LogEvent.objects.filter(detail="late").exists()


def test_a_clock_that_is_set_back_loses_nothing() -> None:
    server = source()
    hear(*datagrams(TF2, server.secret))
    hear(*datagrams(TF2.replace("- 20:", "- 19:"), server.secret))
    assert MatchLog.objects.count() == 2
    assert "late" not in server.counts


def test_a_listener_that_stops_anywhere_goes_on() -> None:
    server = source()
    for data in datagrams(TF2 + TF2.replace("12/01/2026", "12/02/2026"), server.secret):
        hear(data)
    assert counted(server.server) == {kind: 2 * count for kind, count in IN_TF2.items()}


def test_a_lost_datagram_of_a_round_is_named() -> None:
    server = source()
    lines = [f"L {line[:25]}: {line[28:]}" for line in CS2.splitlines()]
    hear(*datagrams("\n".join(it for it in lines if 'CT "1") (T "1")' not in it), server.secret))
    assert server.counts["lost"] == 1
    log = MatchLog.objects.get()
    assert log.highest - LogEvent.objects.filter(log=log).count() == 1


def test_nothing_is_lost_or_doubled_while_postgresql_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may go before anything was written, or after the commit: then nobody was told that it was written."""
    server, real = source(), receive_lines
    luck, failures = random.Random(9), 0

    def unsure(*given: object) -> object:
        nonlocal failures
        if luck.random() < 0.4:
            failures += 1
            raise OperationalError("before")
        answer = real(*given)  # type: ignore[arg-type]
        if luck.random() < 0.4:
            failures += 1
            raise OperationalError("after")
        return answer

    monkeypatch.setattr(listener, "receive_lines", unsure)
    monkeypatch.setattr(connection, "close", lambda: None)
    one = Listener()
    for data in datagrams(TF2, server.secret):
        one.take(data, _HERE, 27015)
        one.step(at_once=True)
    for _ in range(50):
        one.step(at_once=True)
    assert failures > 5
    assert one.waiting == 0
    assert counted(server.server) == IN_TF2
    assert server.counts == {"received": 17, "told": sum(IN_TF2.values())}


def test_what_there_is_no_room_for_is_counted_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_MOST_WAITING", 10)
    server = source()
    one = Listener()
    one.step()
    for data in datagrams(TF2, server.secret):
        one.take(data, _HERE, 27015)
    one.step(at_once=True)
    assert server.counts["received"] == 10
    assert server.counts["lost"] == 7


def test_a_line_that_breaks_something_loses_no_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    server, real = source(), receive_lines

    def broken(connector: int, lines: list[str], batch: str = "") -> object:
        if any("picked up" in line for line in lines):
            raise ValueError("broken")
        return real(connector, lines, batch)

    monkeypatch.setattr(listener, "receive_lines", broken)
    hear(*datagrams(TF2, server.secret))
    assert counted(server.server) == IN_TF2


def test_hostile_datagrams_lose_no_neighbour() -> None:
    server, luck = source(), random.Random(6)
    one = Listener()
    bad = [
        b'"',
        b"^1",
        b"<",
        b"\0",
        b"\n",
        b"\xff\xfe",
        b"\xe2\x80\xae",
        b"9999999999",
        b"L 12/01/2026 - 20:00:00: ",
    ]
    sent = datagrams(TF2 + HALF_LIFE, server.secret)
    number = often(1_000, 20_000)
    for index in range(number):
        raw = bytearray(luck.choice(sent))
        for _ in range(luck.randint(1, 6)):
            place = luck.randrange(len(raw))
            raw[place : place + luck.randint(0, 3)] = luck.choice(bad)
        one.take(bytes(raw), _HERE, 27015)
        if index % 50 == 0:
            stamp = (
                f"L 12/03/2026 - {index // 3600 % 24:02d}:{index // 60 % 60:02d}:{index % 60:02d}: "
            )
            good = (
                'World triggered "Match_Start" on "m"',
                '"Eve<901><[U:1:77]><E>" killed "Fay<902><[U:1:78]><F>" with "good"',
            )
            one.step(at_once=True)
            for data in datagrams("\n".join(stamp + line for line in good), server.secret):
                one.take(data, _HERE, 27015)
            one.step(at_once=True)
    one.step(at_once=True)
    assert LogEvent.objects.filter(detail="good").count() == len(range(0, number, 50))
    assert "refused" not in server.counts


@pytest.mark.django_db(transaction=True)
def test_a_real_socket_and_a_connection_that_is_cut() -> None:
    """Datagrams over the loopback to a listener in a thread, whose session PostgreSQL ends in the middle."""
    server = source()
    with (
        closing(open_socket("127.0.0.1", 0)) as own,
        socket.socket(type=socket.SOCK_DGRAM) as sender,
    ):
        port, is_over = own.getsockname()[1], threading.Event()

        def listen() -> None:
            try:
                Listener(hold=0.05).listen(own, is_over=is_over.is_set)
            finally:
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            for index, data in enumerate(datagrams(TF2, server.secret)):
                sender.sendto(data, ("127.0.0.1", port))
                if index == 8:
                    _until(LogEvent.objects.exists)
                    with connection.cursor() as cursor:
                        cursor.execute(
                            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                            " AND backend_type = 'client backend'"
                        )
                        assert cursor.fetchone()[0] >= 1
            _until(lambda: counted(server.server) == IN_TF2)
        finally:
            is_over.set()
            thread.join()
    give_up_gaps()
    assert counted(server.server) == IN_TF2
    assert ServerConnector.objects.get().received == 17


def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError("it does not come")
