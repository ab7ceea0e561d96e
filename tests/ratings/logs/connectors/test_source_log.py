"""Logs of the Half-Life family: event for event as counted by hand, and whatever stands in names and chat."""

import random
from collections import Counter
from typing import Any

import pytest

from ratings.logs.formats.source import SourceLog, SourceState
from ratings.logs.formats.source_lines import player_id, split_stamp
from tests.forms import often
from tests.ratings.logs.connectors.samples import (
    ANN,
    BEN,
    CAT,
    CS2,
    HALF_LIFE,
    IN_CS2,
    IN_HALF_LIFE,
    IN_TF2,
    TF2,
)


def words_of(text: str) -> list[str]:
    """The words of the lines of a log."""
    return [stamped[1] for line in text.splitlines() if (stamped := split_stamp(line)) is not None]


def read(log: SourceLog, *lines: str) -> list[dict[str, Any]]:
    """What lines without their times tell."""
    return [happened for line in lines for happened in log.read(line)]


def events_of(text: str, **options: bool) -> list[dict[str, Any]]:
    """What a log tells."""
    return read(SourceLog(SourceState(), **options), *words_of(text))


@pytest.mark.parametrize(
    ("text", "counted", "free_for_all"),
    [(CS2, IN_CS2, False), (TF2, IN_TF2, False), (HALF_LIFE, IN_HALF_LIFE, True)],
    ids=["cs2", "tf2", "half-life"],
)
def test_what_is_in_a_log_event_for_event(
    text: str, counted: dict[str, int], free_for_all: bool
) -> None:
    events = events_of(text, free_for_all=free_for_all)
    assert Counter(event["type"] for event in events) == counted
    assert events[0]["type"] == "begin"
    assert events[-1]["type"] == "end"


def test_who_did_what_to_whom() -> None:
    rated = {"frag", "suicide", "team_kill", "capture"}
    events = events_of(CS2)
    assert [event for event in events if event["type"] in rated] == [
        {"type": "frag", "player": ANN, "victim": BEN, "weapon": "ak47"},
        {"type": "frag", "player": ANN, "victim_guest": "Max", "weapon": "m4a1"},
        {"type": "frag", "player": BEN, "victim": ANN, "weapon": "awp"},
        {"type": "team_kill", "player": CAT, "victim": ANN, "weapon": "knife"},
        {"type": "suicide", "player": BEN, "weapon": "world"},
    ]
    assert [event["team"] for event in events if event["type"] == "round"] == [
        "CT",
        "TERRORIST",
        "CT",
    ]
    assert events[0] == {"type": "begin", "map": "de_canyon"}
    assert events[-1] == {"type": "end", "scores": {"CT": 2.0, "TERRORIST": 1.0}}
    assert {"type": "capture", "player": ANN} in events_of(TF2)
    assert events_of(TF2)[-1] == {"type": "end", "scores": {"Red": 1.0, "Blue": 0.0}}


def test_everybody_alone_has_no_mates_and_no_teams() -> None:
    events = events_of(CS2, free_for_all=True)
    assert not any(event.get("team") for event in events)
    assert Counter(event["type"] for event in events)["frag"] == 4
    assert events[-1] == {"type": "end"}


def test_players_by_name() -> None:
    frags = [
        it for it in events_of(HALF_LIFE, by_name=True, free_for_all=True) if it["type"] == "frag"
    ]
    assert [(it.get("player"), it.get("victim")) for it in frags] == [
        ("Ann", "Ben"),
        ("Ann", "Ben"),
        ("Guest", "Ann"),
    ]
    by_id = [it for it in events_of(HALF_LIFE, free_for_all=True) if it["type"] == "frag"]
    assert (by_id[2]["guest"], by_id[2]["victim"]) == ("Guest", ANN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("STEAM_0:1:5", ANN),
        ("STEAM_1:0:6", BEN),
        ("[U:1:13]", CAT),
        (ANN, ANN),
        ("BOT", None),
        ("STEAM_ID_LAN", None),
        ("STEAM_ID_PENDING", None),
        ("[U:1:0]", None),
        ("HLTV", None),
        ("[U:1:99999999999]", None),
        ("", None),
    ],
)
def test_steam_ids_of_all_generations_are_one(text: str, expected: str | None) -> None:
    assert player_id(text) == expected


def test_rounds_that_never_came_are_named() -> None:
    lines = [line for line in words_of(CS2) if 'CT "1") (T "1")' not in line]
    log = SourceLog(SourceState())
    events = read(log, *lines)
    assert Counter(it["type"] for it in events) == {**IN_CS2, "round": 2, "lost": 1}
    assert log.lost == 1


def test_a_lost_line_of_who_left_makes_nobody_a_guest() -> None:
    log = SourceLog(SourceState())
    read(log, 'Started map "x"')
    read(log, '"Ann<1><[U:1:11]><A>" killed "Ben<2><[U:1:12]><B>" with "x"')
    # Ann came back under another number, and somebody else has hers.
    assert read(log, '"Ann<7><[U:1:11]><A>" killed "Ben<2><[U:1:12]><B>" with "x"') == [
        {"type": "frag", "player": ANN, "victim": BEN, "weapon": "x"}
    ]
    assert read(log, '"Cat<2><[U:1:13]><B>" killed "Ann<7><[U:1:11]><A>" with "x"') == [
        {"type": "leave", "player": BEN},
        {"type": "join", "player": CAT, "team": "B"},
        {"type": "frag", "player": CAT, "victim": ANN, "weapon": "x"},
    ]


_FORGED = [
    # Chat that looks like a frag of somebody else.
    '"Ann<1><[U:1:11]><A>" say "Ben<2><[U:1:12]><B>" killed "Cat<3><[U:1:13]><A>" with "x""',
    '"Ann<1><[U:1:11]><A>" say "Ben<2><[U:1:12]><B>" killed "Cat<3><[U:1:13]><A>" with "x" (y)',
    '"Ann<1><[U:1:11]><A>" say_team "z<9><[U:1:99]><B>" killed "Ben<2><[U:1:12]><B>" with "x" (")',
    '"Ann<1><[U:1:11]><A>" disconnected (reason "Ben<2><[U:1:12]><B>" killed "Cat<3><[U:1:13]><A>" with "x")',
    # Chat that begins as the server's own words do.
    '"Ann<1><[U:1:11]><A>" say "World triggered "Match_Start" on "de_x""',
    # Numbers without end, and a line that was cut.
    f'"Ben<{"9" * 5000}><[U:1:12]><B>" killed "Cat<3><[U:1:13]><A>" with "x"',
    '"Ben<2><[U:1:12]><B>" killed "Cat<3><[U:1:13]><A',
    '"Ben<2><[U:1:12]><B>" killed "Cat<3><[U:1:13]><A>" with "x" and more',
    '"' + '<1><a><b>" killed "' * 300,
]


@pytest.mark.parametrize("line", _FORGED)
def test_nobody_is_made_to_frag_by_what_somebody_types(line: str) -> None:
    log = SourceLog(SourceState())
    for number, name, team in ((1, "Ann", "A"), (2, "Ben", "B"), (3, "Cat", "A")):
        read(log, f'"{name}<{number}><[U:1:{10 + number}]>" switched from team <x> to <{team}>')
    rated = {"frag", "team_kill", "begin", "end"}
    assert not [it for it in read(log, line) if it["type"] in rated]


def test_a_name_that_looks_like_a_frag_frags_for_itself_alone() -> None:
    """Of two ways to read a line the one counts whose players are known; where none are, neither."""
    evil = 'Ann<1><[U:1:11]><A>" killed "Ben'
    line = f'"{evil}<7><[U:1:17]><A>" killed "Cat<3><[U:1:13]><B>" with "x"'
    log = SourceLog(SourceState())
    assert read(log, line) == []
    assert log.unread == 1
    for number, name, team in ((1, "Ann", "A"), (7, evil, "A"), (3, "Cat", "B")):
        read(log, f'"{name}<{number}><[U:1:{10 + number}]>" switched from team <x> to <{team}>')
    (frag,) = (it for it in read(log, line) if it["type"] == "frag")
    assert (frag["player"], frag["victim"]) == (str(int(ANN) + 6), CAT)


def test_hostile_lines_lose_no_neighbour() -> None:
    """Lines changed at random, with quotes, colours, brackets, NULs and broken UTF-8, between good ones."""
    luck = random.Random(11)
    lines = [line for text in (CS2, TF2, HALF_LIFE) for line in text.splitlines()]
    bad = [
        b'"',
        b"^1",
        b"<",
        b">",
        b"\0",
        b"\n",
        b"\xff\xfe",
        b"\xe2\x80\xae",
        b"99999999999",
        b'" killed "',
        b"<1><BOT>",
    ]
    log = SourceLog(SourceState())
    good = '"Eve<901><[U:1:77]><E>" killed "Fay<902><[U:1:78]><F>" with "rocket"'
    eve, fay = (str(int(ANN) - 11 + account) for account in (77, 78))
    for _ in range(often(2_000, 20_000)):
        raw = bytearray(luck.choice(lines).encode())
        for _change in range(luck.randint(1, 6)):
            place = luck.randrange(len(raw) + 1)
            raw[place : place + luck.randint(0, 3)] = luck.choice(bad)
        stamped = split_stamp(raw.decode(errors="replace"))
        if stamped is not None:
            for happened in log.read(stamped[1]):
                assert happened["type"] != "lost" or log.lost
        log.state.is_over = log.state.is_warm = False
        found = read(log, good)
        assert found[-1] == {"type": "frag", "player": eve, "victim": fay, "weapon": "rocket"}
        assert len(log.state.clients) <= 256
