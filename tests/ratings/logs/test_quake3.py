"""The Quake 3 family: event for event as counted by hand, whoever stops, and whatever stands in the log."""

import random
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ratings.logs.follow import Follower
from ratings.logs.formats.quake3 import Quake3Log, plain_name
from ratings.models import (
    EventKind,
    GameServer,
    LogEvent,
    Match,
    MatchLog,
    MatchState,
    Participant,
    Player,
)
from tests.forms import often
from tests.ratings.logs.games_log import CAPTURE, DEATHMATCH, IN_CAPTURE, IN_DEATHMATCH
from tests.ratings.logs.telling import make_server, rate, ratings

pytestmark = pytest.mark.django_db


def events_of(text: str) -> list[dict[str, Any]]:
    """What a log tells."""
    log = Quake3Log()
    return [happened for line in text.splitlines() for _at, happened in log.read(line)]


def follower(tmp_path: Path, server: GameServer) -> Follower:
    """Of the file `games.log`, as one that starts now."""
    found = GameServer.objects.select_related("ladder__game", "game").get(pk=server.pk)
    return Follower(found, tmp_path / "games.log", Quake3Log(), tmp_path / "followed.json")


def read_whole(tmp_path: Path, server: GameServer) -> tuple[int, Follower]:
    """Read what is there; how many events are new, and who has read."""
    with closing(follower(tmp_path, server)) as one:
        return one.step(), one


@pytest.mark.parametrize(
    ("text", "counted"), [(DEATHMATCH, IN_DEATHMATCH), (CAPTURE, IN_CAPTURE)], ids=["dm", "ctf"]
)
def test_what_is_in_a_log_event_for_event(text: str, counted: dict[str, int]) -> None:
    assert Counter(event["type"] for event in events_of(text)) == counted


def test_who_did_what_to_whom() -> None:
    rated = [event for event in events_of(DEATHMATCH) if event["type"] in {"frag", "suicide"}]
    ben = 'Ben "the'  # a stroke ends a value there
    assert rated == [
        {"type": "frag", "player": "Ann", "victim": ben, "weapon": "rocket"},
        {"type": "frag", "player": ben, "victim": "Ann", "weapon": "railgun"},
        {"type": "frag", "guest": "Crash", "victim": "Ann", "weapon": "shotgun"},
        {"type": "frag", "victim": ben, "weapon": "falling"},
        {"type": "suicide", "player": "Ann", "weapon": "rocket_splash"},
        {"type": "frag", "player": "Ann", "victim_guest": "Crash", "weapon": "railgun"},
    ]
    kinds = [
        (event["type"], event.get("victim"), event.get("team")) for event in events_of(CAPTURE)
    ]
    assert ("team_kill", "Cat", None) in kinds
    assert ("join", None, "blue") in kinds
    assert events_of(CAPTURE)[-1] == {"type": "end", "scores": {"red": 1.0, "blue": 0.0}}


def test_a_log_is_rated(tmp_path: Path) -> None:
    server = make_server(start=500)
    (tmp_path / "games.log").write_text(DEATHMATCH + CAPTURE)
    assert read_whole(tmp_path, server)[0] == 12 + 10
    rate()
    assert {*MatchLog.objects.values_list("match__state", flat=True)} == {MatchState.CONFIRMED}
    assert {*Match.objects.values_list("map", flat=True)} == {"q3dm17", "q3ctf1"}
    assert ratings()["Ann"] > 500
    assert not Player.objects.filter(external_id__in=["Crash", "Dan"]).exists()
    ann = Participant.objects.get(player__external_id="Ann", match__map="q3dm17")
    assert ann.minutes == pytest.approx(150 / 60, abs=0.02)
    assert read_whole(tmp_path, server)[0] == 0


def test_whoever_stops_each_event_is_told_once(tmp_path: Path) -> None:
    """The file grows byte by byte, the follower is started anew at any place, and the file is changed for another."""
    server, path, luck = make_server(), tmp_path / "games.log", random.Random(2)
    whole = 0
    for round_ in range(often(4, 12)):
        text = (DEATHMATCH + CAPTURE).encode()
        if round_ % 2:
            path.unlink(missing_ok=True)  # moved away
        path.write_bytes(b"")  # or emptied
        one, at = follower(tmp_path, server), 0
        while at < len(text):
            size = luck.randint(1, 900)
            with path.open("ab") as file:
                file.write(text[at : at + size])
            at += size
            if luck.random() < 0.4:
                one.close()
                one = follower(tmp_path, server)
            one.step()
        one.close()
        whole += sum(IN_DEATHMATCH.values()) + sum(IN_CAPTURE.values())
        assert LogEvent.objects.count() == whole
    assert MatchLog.objects.count() == 2 * often(4, 12)


def test_a_file_that_is_emptied_in_the_middle_of_a_match_loses_nothing(tmp_path: Path) -> None:
    server, path = make_server(), tmp_path / "games.log"
    lines = DEATHMATCH.splitlines(keepends=True)
    with closing(follower(tmp_path, server)) as one:
        path.write_text("".join(lines[:12]))
        one.step()
        path.write_text("")
        one.step()
        path.write_text("".join(lines[12:]) + CAPTURE)
        one.step()
    assert MatchLog.objects.count() == 2
    whole = sum(IN_DEATHMATCH.values()) + sum(IN_CAPTURE.values())
    assert LogEvent.objects.count() == whole


def test_names_in_any_bytes_are_told_once_however_often_it_starts(tmp_path: Path) -> None:
    server = make_server()
    text = DEATHMATCH.replace("Duel Arena", "Kölner Arena").encode("latin-1")
    (tmp_path / "games.log").write_bytes(text + text)
    new = [read_whole(tmp_path, server)[0] for _ in range(3)]
    assert new == [24, 0, 0]
    assert MatchLog.objects.count() == 2


def test_a_name_that_the_site_keeps_leaves_no_gap(tmp_path: Path) -> None:
    server = make_server()
    (tmp_path / "games.log").write_text(DEATHMATCH.replace("^1Ann^7", "evenmatch:troll"))
    _new, one = read_whole(tmp_path, server)
    assert {error.code for error in one.refused} == {"reserved_id"}
    log = MatchLog.objects.get()
    assert (log.complete_to, log.match.state) == (12, MatchState.CONFIRMED)


def test_numbers_without_end_are_no_numbers(tmp_path: Path) -> None:
    many = "9" * 5000
    lines = [
        DEATHMATCH.splitlines()[1],
        f"  0:01 Kill: {many} 1 2: x",
        f"  0:02 ClientDisconnect: {many}",
    ]
    lines += [f"  0:03 score: {many}  ping: 1  client: 0 x", f"  0:03 red:{many}  blue:0"]
    lines.append(f"  {many}:00 Kill: 1 2 3: x")
    log = Quake3Log()
    told = [happened for line in lines for _at, happened in log.read(line)]
    assert [event["type"] for event in told] == ["begin"]


def test_a_crash_of_the_server_ends_the_match(tmp_path: Path) -> None:
    server = make_server()
    cut = DEATHMATCH[: DEATHMATCH.index("  2:30 Exit")]
    (tmp_path / "games.log").write_text(cut + CAPTURE)
    read_whole(tmp_path, server)
    assert {*MatchLog.objects.values_list("match__state", flat=True)} == {MatchState.CONFIRMED}


def test_hostile_lines_lose_no_neighbour(tmp_path: Path) -> None:
    """Lines changed at random, with quotes, colours, strokes, NULs and broken UTF-8, between good ones."""
    luck = random.Random(7)
    lines = DEATHMATCH.splitlines()[2:-5] + CAPTURE.splitlines()[1:-4]
    log = Quake3Log()
    list(log.read(DEATHMATCH.splitlines()[1]))
    good = "  0:20 Kill: 60 61 6: Eve killed Fay by MOD_ROCKET"
    for slot, name in ((60, "Eve"), (61, "Fay")):
        list(log.read(f"  0:01 ClientUserinfoChanged: {slot} n\\{name}\\t\\0"))
    expected = {"type": "frag", "player": "Eve", "victim": "Fay", "weapon": "rocket"}
    for _ in range(often(2_000, 20_000)):
        raw = bytearray(luck.choice(lines).encode())
        for _change in range(luck.randint(1, 6)):
            place = luck.randrange(len(raw) + 1)
            bad = luck.choice(
                [b'"', b"^1", b"\\", b"\0", b"\xff\xfe", b"\xe2\x80\xae", b"9999999999", b":"]
            )
            raw[place : place + luck.randint(0, 3)] = bad
        line = raw.decode("utf-8", "replace")
        if "InitGame" in line or "ShutdownGame" in line or " 60" in line or " 61" in line:
            continue
        list(log.read(line))
        found = [happened for _at, happened in log.read(good)]
        assert found == [expected]


def test_hostile_names_reach_the_site_and_do_no_harm(tmp_path: Path) -> None:
    server = make_server()
    names = ['x" onload="', "^1^2^3", "<b>", "a\u202eb", "\u200b", "é" * 120, "'; DROP", "{{7*7}}"]
    lines = [DEATHMATCH.splitlines()[1]]
    for slot, name in enumerate(names):
        lines.append(f"  0:01 ClientUserinfoChanged: {slot} n\\{name}\\t\\0")
    lines += [f"  0:02 Kill: {slot} 0 6: x" for slot in range(1, len(names))]
    lines.append("  0:30 ShutdownGame:")
    (tmp_path / "games.log").write_bytes(("\n".join(lines) + "\n").encode() + b"\xff\xfe\n")
    _new, one = read_whole(tmp_path, server)
    assert one.refused == []
    assert LogEvent.objects.filter(kind=EventKind.FRAG).count() == 5  # two have no name at all


def test_what_clients_send_of_themselves_makes_no_guest_and_no_other_player() -> None:
    log = Quake3Log(identity="guid")
    lines = [
        DEATHMATCH.splitlines()[1],
        r"  0:01 ClientUserinfo: 0 \name\Ann\cl_guid\AAAA\skill\1",
        r"  0:01 ClientUserinfoChanged: 0 n\Ann\t\0",
        r"  0:01 ClientUserinfo: 1 \name\Thief\cl_guid\^1AAAA",
        r"  0:01 ClientUserinfoChanged: 1 n\Thief\t\0",
        "  0:02 Kill: 1 0 6: Thief killed Ann by MOD_ROCKET",
    ]
    told = [happened for line in lines for _at, happened in log.read(line)]
    assert told[1:] == [
        {"type": "join", "player": "AAAA"},
        {"type": "join", "guest": "Thief"},
        {"type": "frag", "guest": "Thief", "victim": "AAAA", "weapon": "rocket"},
    ]


def test_names_without_their_colours() -> None:
    assert plain_name("^1A^xF0Fnn^^7") == "Ann^"
    assert plain_name("  a \x00 b ") == "a b"


def test_the_command_reads_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_server()
    path = tmp_path / "games.log"
    path.write_text(DEATHMATCH)
    call_command("follow_log", path, "--game", "arena", "--server", "dm1", "--once")
    assert "12 events" in capsys.readouterr().out
