"""Event logs of Xonotic: event for event as counted by hand, and whatever stands in names."""

import random
from collections import Counter
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.logs.follow import Follower
from ratings.logs.formats.xonotic import XonoticLog
from ratings.models import GameServer, LogEvent, MatchLog, MatchState
from tests.forms import often
from tests.ratings.logs.telling import make_server, rate, ratings

pytestmark = pytest.mark.django_db

DEATHMATCH = """\
:logversion:3
:time:2026-12-01 20:00:00
:gamestart:dm_canyon:0.1773
:gameinfo:mutators:LIST
:gameinfo:end
:time:2026-12-01 20:00:01
:join:1:1:192.0.2.7:^1Ann^7
:join:2:2:[2001:db8::7]:Ben:the^x0F0 rail
:join:3:3:bot:[BOT]Max
:team:1:0:1
:time:2026-12-01 20:00:20
:kill:frag:1:2:type=VORTEX:items=9:victimitems=2
:kill:frag:3:1:type=BLASTER:items=1:victimitems=9
:chat:2::kill:frag:2:1:type=VORTEX:items=9:victimitems=2
:kill:suicide:2:2:type=DEVASTATOR:items=9:victimitems=9
:kill:accident:1:1:type=DEATH_FALL:items=1:victimitems=1
:kill:frag:2:9:type=VORTEX:items=9:victimitems=2
:time:2026-12-01 20:01:00
:name:1:Annabel
:kill:frag:1:2:type=VORTEX:items=9:victimitems=2
:part:2
:time:2026-12-01 20:02:00
:scores:dm_canyon:120
:labels:player:score!!,kills
:player:see-labels:1,2:110:0:1:Annabel
:player:see-labels:-1,0:0:spectator:2:Ben
:end
:gameover
"""
# Of it: begin; Ann, Ben and the bot join by what they do, Ann once more under another name, which is leaving first;
# three frags, of which one by the bot; a suicide and an accident; Ben leaves; end.
IN_DEATHMATCH = {"begin": 1, "join": 4, "frag": 3, "suicide": 2, "leave": 2, "end": 1}

CAPTURE = """\
:gamestart:ctf_valley:0.9
:join:1:1:192.0.2.7:Ann
:join:2:2:192.0.2.8:Ben
:join:3:3:192.0.2.9:Cat
:team:1:5:1
:team:2:14:1
:team:3:5:1
:kill:frag:1:2:type=VORTEX:items=9:victimitems=2
:kill:tk:1:3:type=VORTEX:items=9:victimitems=2
:ctf:steal:14:1
:ctf:capture:14:1
:team:3:14:2
:kill:frag:1:3:type=VORTEX:items=9:victimitems=2
:team:2:-1:2
:scores:ctf_valley:300
:teamscores:see-labels:1,50:5
:teamscores:see-labels:0,3:14
:end
"""
IN_CAPTURE = {"begin": 1, "join": 4, "frag": 2, "team_kill": 1, "capture": 1, "leave": 1, "end": 1}


def events_of(text: str) -> list[dict[str, Any]]:
    """What a log tells."""
    log = XonoticLog()
    return [happened for line in text.splitlines() for _at, happened in log.read(line)]


@pytest.mark.parametrize(
    ("text", "counted"), [(DEATHMATCH, IN_DEATHMATCH), (CAPTURE, IN_CAPTURE)], ids=["dm", "ctf"]
)
def test_what_is_in_a_log_event_for_event(text: str, counted: dict[str, int]) -> None:
    assert Counter(event["type"] for event in events_of(text)) == counted


def test_who_did_what_to_whom() -> None:
    rated = [it for it in events_of(DEATHMATCH) if it["type"] in {"frag", "suicide"}]
    assert rated == [
        {"type": "frag", "player": "Ann", "victim": "Ben:the rail", "weapon": "vortex"},
        {"type": "frag", "guest": "[BOT]Max", "victim": "Ann", "weapon": "blaster"},
        {"type": "suicide", "player": "Ben:the rail", "weapon": "devastator"},
        {"type": "suicide", "player": "Ann", "weapon": "death_fall"},
        {"type": "frag", "player": "Annabel", "victim": "Ben:the rail", "weapon": "vortex"},
    ]
    assert events_of(DEATHMATCH)[-1] == {"type": "end", "scores": {"Annabel": 1.0}}
    events = events_of(CAPTURE)
    assert events[0] == {"type": "begin", "map": "valley"}
    assert {"type": "team_kill", "player": "Ann", "victim": "Cat", "weapon": "vortex"} in events
    assert {"type": "capture", "player": "Ann"} in events
    assert {"type": "join", "player": "Cat", "team": "blue"} in events
    assert events[-1] == {"type": "end", "scores": {"red": 1.0, "blue": 0.0}}


def follow(tmp_path: Path, server: GameServer) -> int:
    """Read what is there with a new follower; how many events are new."""
    found = GameServer.objects.select_related("ladder__game", "game").get(pk=server.pk)
    path, state = tmp_path / "eventlog.log", tmp_path / "followed.json"
    with closing(Follower(found, path, XonoticLog(), state)) as one:
        return one.step()


def test_a_log_is_followed_and_rated(tmp_path: Path) -> None:
    """The file grows, and whoever follows is started anew each time."""
    server, luck = make_server(start=1000), random.Random(2)
    text, at = (DEATHMATCH + CAPTURE).encode(), 0
    path = tmp_path / "eventlog.log"
    path.write_bytes(b"")
    while at < len(text):
        size = luck.randint(1, 150)
        with path.open("ab") as file:
            file.write(text[at : at + size])
        at += size
        follow(tmp_path, server)
    assert LogEvent.objects.count() == sum(IN_DEATHMATCH.values()) + sum(IN_CAPTURE.values())
    assert {*MatchLog.objects.values_list("match__state", flat=True)} == {MatchState.CONFIRMED}
    rate()
    assert ratings()["Annabel"] > 1000


def test_times_of_a_log_that_has_them(tmp_path: Path) -> None:
    (tmp_path / "eventlog.log").write_text(DEATHMATCH)
    follow(tmp_path, make_server())
    at = dict(LogEvent.objects.values_list("number", "at"))
    first = LogEvent.objects.get(detail="vortex", player__external_id="Ann")
    assert first.at - at[1] <= timedelta(seconds=20)


def test_hostile_lines_lose_no_neighbour() -> None:
    luck, log = random.Random(7), XonoticLog()
    lines = [
        it for it in (DEATHMATCH + CAPTURE).splitlines() if not it.startswith((":end", ":gameo"))
    ]
    good = ":kill:frag:901:902:type=GOOD:items=9:victimitems=2"
    list(log.read(":gamestart:dm_canyon:0.17"))
    for number, name in ((901, "Eve"), (902, "Fay")):
        list(log.read(f":join:{number}:1:192.0.2.7:{name}"))
    expected = {"type": "frag", "player": "Eve", "victim": "Fay", "weapon": "good"}
    bad = [b'"', b"^1", b":", b"\0", b"\n", b"\xff\xfe", b"\xe2\x80\xae", b"9" * 5000, b"=", b"-"]
    for _ in range(often(2_000, 20_000)):
        raw = bytearray(luck.choice(lines).encode())
        for _change in range(luck.randint(1, 6)):
            place = luck.randrange(len(raw) + 1)
            raw[place : place + luck.randint(0, 3)] = luck.choice(bad)
        list(log.read(raw.decode(errors="replace")))
        found = [happened for _at, happened in log.read(good)]
        assert found[-1] == expected


def test_the_command_reads_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_server()
    path = tmp_path / "eventlog.log"
    path.write_text(DEATHMATCH)
    given = [path, "--game", "arena", "--server", "dm1", "--format", "xonotic", "--once"]
    call_command("follow_log", *given)
    assert f"{sum(IN_DEATHMATCH.values())} events" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("follow_log", *given, "--identity", "guid")
