"""Logs of Counter-Strike 2 by HTTP: doubled, overlapping, lost and sent again, each line counts once."""

import random
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test import Client, override_settings

from foundation import clock
from ratings.logs.ending import end_silent
from ratings.logs.gaps import give_up_gaps
from ratings.models import (
    ConnectorKind,
    LogEvent,
    LogGap,
    Match,
    MatchLog,
    MatchState,
    Player,
    ServerConnector,
)
from tests.forms import often
from tests.ratings.logs.connectors.samples import ANN, BEN, CS2, IN_CS2
from tests.ratings.logs.connectors.sending import Connected, connected, counted
from tests.ratings.logs.telling import rate, ratings

pytestmark = pytest.mark.django_db
_LINES = CS2.splitlines(keepends=True)


def cs2() -> Connected:
    """A server of Counter-Strike 2."""
    return connected(ConnectorKind.CS2)


def piece(server: Connected, first: int, last: int, shift: int = 0) -> int:
    """Send lines of the sample as the server does, with their place in its log."""
    text = "".join(_LINES[first:last])
    begin = len("".join(_LINES[:first]).encode()) + shift
    offsets = {
        "X-LogBytes-BeginOffset": str(begin),
        "X-LogBytes-EndOffset": str(begin + len(text.encode())),
        "X-Server-Instance-Token": "a1",
    }
    return server.post(text, **offsets)


def test_a_log_in_one_piece_or_line_by_line() -> None:
    for slug, size in (("one", len(_LINES)), ("two", 1)):
        server = connected(ConnectorKind.CS2, slug)
        for first in range(0, len(_LINES), size):
            assert server.post("".join(_LINES[first : first + size])) == 200
        assert counted(server.server) == IN_CS2
        assert server.counts == {"received": len(_LINES), "told": sum(IN_CS2.values())}


def test_lines_reach_the_ladder_and_players_have_names() -> None:
    server = cs2()
    server.post(CS2)
    rate()
    assert MatchLog.objects.get().match.state == MatchState.CONFIRMED
    # One frag of each on the other, and each did what costs.
    assert 0 < ratings()[ANN] < 1020
    assert {ANN, BEN} <= set(ratings())
    assert Player.objects.get(external_id=ANN).name == "Ann"


def test_a_name_that_was_given_stays() -> None:
    server = cs2()
    server.post(CS2)
    Player.objects.get(external_id=ANN).call("Anna")
    Player.objects.filter(external_id=ANN).update(name="Anna")
    server.post(CS2.replace("20:0", "21:0"))
    assert Player.objects.get(external_id=ANN).name == "Anna"


def test_a_log_in_any_pieces_doubled_and_overlapping() -> None:
    luck = random.Random(4)
    for round_ in range(often(6, 60)):
        server = connected(ConnectorKind.CS2, f"dm{round_}")
        at = 0
        while at < len(_LINES):
            first = max(0, at - luck.randint(0, 4)) if luck.random() < 0.5 else at
            last = min(len(_LINES), at + luck.randint(1, 9))
            for _ in range(luck.choice([1, 1, 2])):
                assert piece(server, first, last) == 200
            at = last
        assert counted(server.server) == IN_CS2


def test_doubled_without_offsets() -> None:
    server = cs2()
    for first in range(0, len(_LINES), 3):
        for _ in range(2):
            server.post("".join(_LINES[first : first + 3]))
    assert counted(server.server) == IN_CS2
    assert server.counts["known"] > 10


@override_settings(EVENT_GAP_SECONDS=0.0)
def test_a_piece_that_never_came_is_named() -> None:
    server = cs2()
    piece(server, 0, 11)
    piece(server, 16, len(_LINES))  # without a frag of the bot
    assert server.counts["lost"] == 1
    log = MatchLog.objects.get()
    assert log.match.state == MatchState.PLAYING  # the end waits
    give_up_gaps()
    log.refresh_from_db()
    assert log.match.state == MatchState.CONFIRMED
    gap = LogGap.objects.get()
    assert gap.first == gap.last
    assert counted(server.server)["frag"] == 2


def test_a_piece_that_comes_after_all_is_whole_again() -> None:
    server = cs2()
    piece(server, 0, 11)
    piece(server, 16, 20)
    for _ in range(2):
        piece(server, 13, 16)
        piece(server, 11, 13)
    piece(server, 20, len(_LINES))
    give_up_gaps()
    assert "lost" not in server.counts
    assert not LogGap.objects.exists()
    expected = {**IN_CS2, "round": IN_CS2["round"] + 1}  # one stands where the piece was waited for
    assert counted(server.server) == expected
    assert MatchLog.objects.get().match.state == MatchState.CONFIRMED


def test_a_server_that_starts_again_counts_its_bytes_anew() -> None:
    server = cs2()
    piece(server, 0, 15, shift=5000)
    for token in ("b2", "b2"):  # crashed: the map begins again, and so does the log
        text = CS2.replace("12/01/2026 - 20:", "12/01/2026 - 21:")
        offsets = {
            "X-LogBytes-BeginOffset": "0",
            "X-LogBytes-EndOffset": str(len(text)),
            "X-Server-Instance-Token": token,
        }
        server.post(text, **offsets)
    first, second = MatchLog.objects.order_by("match_id")
    assert first.match.state == second.match.state == MatchState.CONFIRMED
    assert LogEvent.objects.filter(log=second).count() == sum(IN_CS2.values())
    assert "lost" not in server.counts


def test_bytes_counted_anew_without_another_token_lose_nothing() -> None:
    server = cs2()
    piece(server, 0, len(_LINES), shift=50_000)
    text = CS2.replace("12/01/2026 - 20:", "12/01/2026 - 21:")
    offsets = {
        "X-LogBytes-BeginOffset": "0",
        "X-LogBytes-EndOffset": str(len(text)),
        "X-Server-Instance-Token": "a1",
    }
    server.post(text, **offsets)
    assert MatchLog.objects.count() == 2


def test_a_match_that_was_ended_by_silence_goes_on_as_another() -> None:
    server = cs2()
    server.post("".join(_LINES[:12]))
    Match.objects.update(due_at=clock.now() - timedelta(seconds=1))
    assert end_silent() == 1
    server.post("".join(_LINES[12:]))
    assert MatchLog.objects.count() == 2
    second = LogEvent.objects.filter(log=MatchLog.objects.latest("match_id"))
    assert second.count() == second.latest("number").number


def test_whoever_has_not_the_secret_is_dropped_and_counted() -> None:
    server = cs2()
    assert server.post(CS2, secret="guess") == 403
    assert server.post(CS2, secret=server.secret + "x") == 403
    assert Client().post("/connect/arena/dm1", CS2, content_type="text/plain").status_code == 403
    assert server.counts == {"dropped": 3}
    assert not LogEvent.objects.exists()
    assert Client().post("/connect/arena/none/x", CS2, content_type="text/plain").status_code == 404
    assert Client().get(f"/connect/arena/dm1/{server.secret}").status_code == 405


def test_the_secret_in_a_header() -> None:
    server = cs2()
    headers = {"X-Evenmatch-Secret": server.secret}
    answer = Client().post("/connect/arena/dm1", CS2, content_type="text/plain", headers=headers)
    assert answer.status_code == 200
    assert counted(server.server) == IN_CS2


def test_an_address_that_is_another_is_dropped() -> None:
    server = connected(ConnectorKind.CS2, address="192.0.2.9")
    assert server.post(CS2) == 403
    assert server.counts == {"dropped": 1}


def test_what_is_archived_takes_nothing() -> None:
    server = cs2()
    server.server.archived_at = server.server.created_at
    server.server.save(update_fields=["archived_at"])
    assert server.post(CS2) == 410
    assert server.counts == {}


def test_what_could_not_be_written_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    server = cs2()

    def fail(*_given: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        raise OperationalError("away")

    with monkeypatch.context() as patched:
        patched.setattr("ratings.logs.connectors.receive.accept_events", fail)
        assert server.post(CS2) == 503
    assert server.counts == {}
    assert server.post(CS2) == 200
    assert counted(server.server) == IN_CS2


def test_any_bytes_are_answered_and_lose_no_neighbour() -> None:
    luck = random.Random(5)
    server = cs2()
    bad = [
        b"\0",
        b"\xff\xfe",
        b"\r",
        b"\x85",
        b"\xe2\x80\xa8",
        b'"',
        b"^1",
        b"<",
        b"{}",
        b"\x1b[0m",
    ]
    lines = [line.encode() for line in _LINES]
    for round_ in range(often(20, 400)):
        body = bytearray(b"".join(luck.choices(lines, k=9)))
        for _ in range(12):
            place = luck.randrange(len(body))
            body[place : place + luck.randint(0, 4)] = luck.choice(bad)
        stamp = f"12/02/2026 - {round_ // 60 % 24:02d}:{round_ % 60:02d}:00.000 - "
        good = (
            'World triggered "Match_Start" on "m"',
            '"Eve<901><[U:1:77]><E>" killed "Fay<902><[U:1:78]><F>" with "x"',
        )
        body += b"\n" + "\n".join(stamp + line for line in good).encode() + b"\n"
        before = LogEvent.objects.filter(player__external_id=str(int(ANN) + 66), kind=4).count()
        assert server.post(bytes(body)) == 200
        after = LogEvent.objects.filter(player__external_id=str(int(ANN) + 66), kind=4).count()
        assert after == before + 1
    assert not ServerConnector.objects.filter(refused__gt=0).exists()
