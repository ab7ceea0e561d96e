"""Events of MatchZy and Get5: totals by round, whichever messages come, come twice, or come in another order."""

import json
import random
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from django.db.models import Sum
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from ratings.logs.connectors.messages import NoMessageError, read_message
from ratings.logs.formats.matchzy import MatchzyLog, MatchzyState
from ratings.logs.gaps import give_up_gaps
from ratings.models import ConnectorKind, LogEvent, LogGap, MatchLog, MatchState, Player
from tests.forms import often
from tests.ratings.logs.connectors.samples import ANN, BEN, CAT
from tests.ratings.logs.connectors.sending import Connected, connected, counted
from tests.ratings.logs.telling import rate, ratings

# Kills of Ann, Cat and Ben in each of five rounds, and who won them.
ROUNDS = [
    ((2, 0, 1), "team1"),
    ((0, 1, 2), "team2"),
    ((1, 1, 0), "team1"),
    ((0, 0, 3), "team2"),
    ((3, 0, 0), "team1"),
]


def message(
    event: str, played: int, *, key: tuple[int, int] = (7, 0), **more: Any
) -> dict[str, Any]:
    """A message after so many rounds."""
    kills = [sum(row[0][index] for row in ROUNDS[:played]) for index in range(3)]
    won = Counter(winner for _kills, winner in ROUNDS[:played])

    def player(steam: str, name: str, count: int) -> dict[str, Any]:
        return {
            "steamid": steam,
            "name": name,
            "stats": {"kills": count, "deaths": 1, "suicides": 0},
        }

    teams = {
        "team1": {
            "id": "1",
            "name": "Reds",
            "score": won["team1"],
            "players": [player(ANN, "Ann", kills[0]), player(CAT, "Cat", kills[1])],
        },
        "team2": {
            "id": "2",
            "name": "Blues",
            "score": won["team2"],
            "players": [player(BEN, "Ben", kills[2])],
        },
    }
    winner = {"side": "3", "team": ROUNDS[played - 1][1]} if played else None
    return {
        "event": event,
        "matchid": key[0],
        "map_number": key[1],
        "round_number": played,
        **teams,
        "winner": winner,
        **more,
    }


def whole_map(key: tuple[int, int] = (7, 0)) -> list[dict[str, Any]]:
    """All messages of a map."""
    return [
        {"event": "going_live", "matchid": key[0], "map_number": key[1]},
        *(message("round_end", played, key=key) for played in range(1, 6)),
        message("map_result", 5, key=key),
    ]


# Of it: begin, three join, 8 times somebody has made frags in a round (12 of them), five rounds, the end.
IN_MAP = {"begin": 1, "join": 3, "score": 8, "round": 5, "end": 1}
PICKED = {
    "event": "map_picked",
    "matchid": 7,
    "map_number": 0,
    "map_name": "de_canyon",
    "team": "team1",
}


def read(log: MatchzyLog, *messages: Any) -> list[dict[str, Any]]:
    """What messages tell."""
    return [happened for one in messages for happened in log.read(one)]


def frags(events: list[dict[str, Any]]) -> dict[str, float]:
    """Frags by player."""
    found: Counter[str] = Counter()
    for event in events:
        if event["type"] == "score":
            found[event["player"]] += event["weight"]
    return dict(found)


def send(server: Connected, *messages: Any) -> None:
    """Post messages, all of which must be taken."""
    assert {server.post(json.dumps(one)) for one in messages} == {200}


def test_what_is_in_a_map_event_for_event() -> None:
    log = MatchzyLog(MatchzyState())
    events = read(log, PICKED, *whole_map())
    assert Counter(event["type"] for event in events) == IN_MAP
    assert events[0] == {"type": "begin", "map": "de_canyon"}
    assert frags(events) == {ANN: 6, CAT: 2, BEN: 6}
    assert [it["team"] for it in events if it["type"] == "round"] == [
        "Reds",
        "Blues",
        "Reds",
        "Blues",
        "Reds",
    ]
    assert events[-1] == {"type": "end", "scores": {"Reds": 3.0, "Blues": 2.0}}
    assert (log.lost, log.known, log.late, log.unreconciled) == (0, 0, 0, 0)


@given(st.sets(st.integers(1, 5)), st.booleans())
def test_totals_add_up_whichever_rounds_are_lost(lost: set[int], is_result_lost: bool) -> None:
    messages = [
        it for it in whole_map() if it["event"] != "round_end" or it["round_number"] not in lost
    ]
    if is_result_lost:
        messages[-1] = {"event": "series_end", "matchid": 7}
    log = MatchzyLog(MatchzyState())
    events = read(log, *messages)
    last = max({1, 2, 3, 4, 5} - lost, default=0) if is_result_lost else 5
    kills = {
        who: sum(row[0][index] for row in ROUNDS[:last])
        for index, who in enumerate((ANN, CAT, BEN))
    }
    assert frags(events) == {who: count for who, count in kills.items() if count}
    assert log.lost == len({it for it in lost if it <= last})
    assert Counter(it["type"] for it in events)["lost"] == log.lost
    assert log.unreconciled == 0
    if last:
        assert events[-1]["type"] == "end"


@given(st.permutations(range(1, 6)), st.lists(st.integers(1, 5)))
def test_rounds_in_any_order_and_doubled(order: list[int], again: list[int]) -> None:
    """What is told adds up; each round is told once, and those that were overtaken fill the numbers left for them."""
    log = MatchzyLog(MatchzyState())
    played = [*order, *again]
    events = read(
        log, whole_map()[0], *(message("round_end", it) for it in played), whole_map()[-1]
    )
    assert frags(events) == {ANN: 6, CAT: 2, BEN: 6}
    kinds = Counter(it["type"] for it in events)
    assert (kinds["round"], kinds["begin"], kinds["end"]) == (5, 1, 1)
    assert log.lost == 0
    free = [place for place, it in enumerate(_numbered(events), 1) if it["type"] == "lost"]
    assert sorted(it["number"] for it in events if "number" in it) == free
    assert log.known == len(again)


def _numbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [it for it in events if "number" not in it]


def test_a_round_that_its_result_has_overtaken() -> None:
    log = MatchzyLog(MatchzyState())
    messages = whole_map()
    events = read(log, *messages[:5], messages[6], messages[5], messages[5])
    assert events[-2]["type"] == "end"
    (free,) = (place for place, it in enumerate(_numbered(events), 1) if it["type"] == "lost")
    assert events[-1] == {"type": "round", "team": "Reds", "number": free, "of_last": True}
    assert (log.lost, log.late) == (0, 1)


def test_rounds_that_are_played_again_are_told_once() -> None:
    """A backup of round 2 is restored: what comes then counts as far as it goes beyond what was told."""
    log = MatchzyLog(MatchzyState())
    messages = whole_map()
    again = [message("round_end", played, note="again") for played in (3, 4, 5)]
    events = read(log, *messages[:5], *again, messages[-1])
    assert frags(events) == {ANN: 6, CAT: 2, BEN: 6}
    assert log.unreconciled == 0
    worse = message("map_result", 5)
    worse["team2"]["players"][0]["stats"]["kills"] = 4
    log = MatchzyLog(MatchzyState())
    assert frags(read(log, *messages[:-1], worse))[BEN] == 6
    assert log.unreconciled == 2


def test_maps_of_a_series_are_matches() -> None:
    log = MatchzyLog(MatchzyState())
    first, second = whole_map((7, 0)), whole_map((7, 1))
    events = read(log, *first[:-1], *second, {"event": "series_end", "matchid": 7})
    assert Counter(it["type"] for it in events) == {
        kind: 2 * count for kind, count in IN_MAP.items()
    }
    assert read(log, *first[1:]) == []
    assert log.late == 6


@pytest.mark.django_db
def test_messages_reach_the_ladder() -> None:
    server = connected(ConnectorKind.MATCHZY)
    send(server, PICKED, *whole_map(), {"event": "series_end", "matchid": 7})
    assert counted(server.server) == IN_MAP
    match = MatchLog.objects.get().match
    assert (match.state, match.map) == (MatchState.CONFIRMED, "de_canyon")
    rate()
    assert ratings()[BEN] > 1000
    assert ratings()[ANN] > ratings()[CAT] > 1000
    assert Player.objects.get(external_id=ANN).name == "Ann"
    scores = {it.player.external_id: it.score for it in match.participants.select_related("player")}
    assert scores == {ANN: 6, CAT: 2, BEN: 6}


@pytest.mark.django_db
@override_settings(EVENT_GAP_SECONDS=0.0)
def test_a_lost_round_is_named_on_its_match() -> None:
    server = connected(ConnectorKind.MATCHZY)
    messages = whole_map()
    send(server, *messages[:3], *messages[4:])
    assert server.counts["lost"] == 1
    give_up_gaps()
    log = MatchLog.objects.get()
    assert log.match.state == MatchState.CONFIRMED
    assert LogGap.objects.get().log_id == log.pk
    total = LogEvent.objects.filter(log=log).aggregate(total=Sum("weight"))["total"]
    assert total == 14


@pytest.mark.django_db
def test_messages_in_any_order_are_whole_without_anything_given_up() -> None:
    luck = random.Random(8)
    for round_ in range(often(8, 80)):
        server = connected(ConnectorKind.MATCHZY, f"dm{round_}")
        messages = whole_map()
        rounds = [*messages[1:-1], *luck.sample(messages[1:-1], 2)]
        luck.shuffle(rounds)
        result = len(rounds) if luck.random() < 0.5 else rounds.index(messages[5])
        send(server, messages[0], *rounds[:result], messages[-1], *rounds[result:])
        log = MatchLog.objects.get(server=server.server)
        assert log.match.state == MatchState.CONFIRMED
        numbers = list(
            LogEvent.objects.filter(log=log).order_by("number").values_list("number", flat=True)
        )
        assert numbers == list(range(1, len(numbers) + 1))
        assert counted(server.server)["round"] == 5
        assert LogEvent.objects.filter(log=log).aggregate(total=Sum("weight"))["total"] == 14
        assert "lost" not in server.counts


@pytest.mark.django_db
def test_hostile_messages_lose_no_neighbour() -> None:
    luck, server = random.Random(12), connected(ConnectorKind.MATCHZY)
    good = [json.dumps(it).encode() for it in whole_map()]
    bad = [
        b'"',
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"\xff\xfe",
        b"\n",
        b"-1",
        b"1e999",
        b"null",
        b"[]",
        b"{}",
        b"9" * 400,
        b"[" * 3000,
    ]
    log = MatchzyLog(MatchzyState())
    for index in range(often(2_000, 20_000)):
        raw = bytearray(luck.choice(good))
        for _change in range(luck.randint(1, 5)):
            place = luck.randrange(len(raw))
            raw[place : place + luck.randint(0, 3)] = luck.choice(bad)
        if index % 50 == 0:
            assert server.post(bytes(raw)) in {200, 400}
        with suppress(NoMessageError):
            read(log, read_message(bytes(raw)))
            assert len(log.state.players) <= 64
    send(server, *whole_map((99, 1)))
    last = MatchLog.objects.latest("match_id")
    kinds = LogEvent.objects.filter(log=last).values_list("kind", flat=True)
    assert len(kinds) == sum(IN_MAP.values())
    for name in ("\u202e\u200b", "", "x\ny\0", "é" * 300, 5, None, ["a"]):
        changed = whole_map((luck.randrange(10**9), 0))
        for one in changed[1:]:
            one["team1"]["players"][0]["name"] = name
            one["team1"]["name"] = name
        send(server, *changed)
        assert MatchLog.objects.latest("match_id").match.state == MatchState.CONFIRMED


def test_states_survive_between_messages() -> None:
    """Whatever is kept is the same after it was written and read."""
    whole = read(MatchzyLog(MatchzyState()), *whole_map())
    state, parts = MatchzyState(), []
    for one in whole_map():
        parts += read(MatchzyLog(state), one)
        state = msgspec.convert(msgspec.json.decode(msgspec.json.encode(state)), MatchzyState)
    assert parts == whole
    assert all(a != b or a["type"] == "join" for a, b in pairwise(parts) if a["type"] == "begin")
