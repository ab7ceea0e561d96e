"""Names and texts as players of shooters have them: what can be shown is kept sign for sign, the rest is refused."""

import json
import math
from typing import Any

import pytest

from ratings.models import LogEvent, Player
from tests.api.views.servers.game_server import connect
from tests.ratings.logs.telling import event, frag

pytestmark = pytest.mark.django_db

KEPT = [
    "^1Red^7Baron",
    'Robert"); DROP TABLE ratings_logevent;--',
    "<script>alert('x')</script>",
    "back\\slash\\",
    "{\\N}",
    "%s %(name)s {0}",
    "🦊 fox",
    "قناص",
    "e\u0301te\u0301",
    "x" * 100,
]
REFUSED = [
    "two\nlines",
    "tab\there",
    "\x1b[31mred",
    "nul\0",
    "\u202egnp.exe",
    "zero\u200bwidth",
    "\ufeff",
    "\u2028",
    "",
    "x" * 101,
]


@pytest.mark.parametrize("name", KEPT)
def test_what_can_be_shown_is_kept_as_it_is(name: str) -> None:
    server = connect()
    weapon = name[:60]
    told = server.tell(
        event(1, "frag", guest=name, victim="ann", weapon=weapon),
        event(2, "join", player="ann", team=name[:30]),
        {"match": name[:50], "number": 1, "type": "begin", "map": weapon},
    )
    assert told["refused"] == []
    log = server.get(f"matches/{told['matches']['m1']['id']}/events")["results"]
    assert (log[0]["guest"], log[0]["weapon"], log[1]["team"]) == (name, weapon, name[:30])
    begun = server.get(f"matches/{told['matches'][name[:50]]['id']}/events")["results"]
    assert begun[0]["map"] == weapon
    known = server.tell(event(1, "frag", guest=name, victim="ann", weapon=weapon))
    assert (known["known"], known["refused"]) == (1, [])


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
@pytest.mark.parametrize("field", ["match", "guest", "victim", "weapon", "team", "map", "scores"])
def test_what_cannot_be_shown_is_refused(name: str, field: str) -> None:
    server = connect()
    wrong = {
        "match": {"match": name, "number": 2, "type": "round"},
        "guest": event(2, "frag", guest=name, victim="ann"),
        "victim": event(2, "frag", player="ann", victim=name),
        "weapon": event(2, "suicide", player="ann", weapon=name),
        "team": event(2, "join", player="ann", team=name),
        "map": event(2, "begin", map=name),
        "scores": event(2, "end", scores={name: 1}),
    }[field]
    told = server.tell(event(1, "begin"), wrong)
    if name == "" and field in ("weapon", "team", "map"):  # left out
        assert told["stored"] == 2
        return
    assert told["stored"] == 1
    assert [(one["code"], one["field"]) for one in told["refused"]] == [("wrong_event", field)]
    assert LogEvent.objects.count() == 1


@pytest.mark.parametrize(
    "raw",
    [
        b'"\xff\xfe"',
        b'"\xc3"',
        b'"\xed\xa0\x80"',  # half of a pair, as CESU-8 has it
        b'"\\ud800"',
        b'"\\udc00x"',
        b'"a\nb"',
    ],
    ids=ascii,
)
def test_bytes_that_are_no_text_refuse_their_event_alone(raw: bytes) -> None:
    server = connect()
    good = json.dumps(frag(1, "ann", "ben")).encode()
    bad = b'{"match": "m1", "number": 2, "type": "frag", "player": ' + raw + b', "victim": "ben"}'
    later = json.dumps(frag(3, "ben", "ann")).encode()
    answer = server.send(b'{"events": [' + b", ".join((good, bad, later)) + b"]}")
    told = answer.json()
    assert (told["stored"], [one["index"] for one in told["refused"]]) == (2, [1])
    assert told["matches"]["m1"]["missing"] == [[2, 2]]
    assert set(Player.objects.values_list("external_id", flat=True)) == {"ann", "ben"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", 0),
        ("number", -1),
        ("number", 2**31),
        ("number", 10**30),
        ("number", 1.5),
        ("number", "1"),
        ("number", True),
        ("weight", 0),
        ("weight", -1),
        ("weight", 1000.5),
        ("weight", math.inf),
        ("weight", "1"),
        ("at", "2026-12-01T20:15:00"),
        ("at", "yesterday"),
        ("at", 1_796_000_000),
        ("at", "1969-12-31T23:59:59Z"),
        ("at", "0001-01-01T00:00:00+14:00"),
        ("at", "9999-12-31T23:59:59-14:00"),
        ("victim_guest", "x"),
        ("guest", "x"),
        ("team", "red"),
        ("map", "Canyon"),
        ("scores", {"ann": 1}),
    ],
    ids=str,
)
def test_figures_and_members_that_cannot_be(field: str, value: Any) -> None:
    server = connect()
    told = server.tell({**frag(1, "ann", "ben"), field: value})
    assert told["stored"] == 0
    assert [(one["code"], one["field"]) for one in told["refused"]] == [("wrong_event", field)]


@pytest.mark.parametrize(
    "scores",
    [
        {"red": 1e301},
        {"red": -1e301},
        {"red": math.inf},
        {"red": math.nan},
        {f"p{n}": 1 for n in range(1001)},
    ],
)
def test_scores_that_no_sum_could_hold(scores: Any) -> None:
    told = connect().tell(event(1, "end", scores=scores))
    assert [(one["code"], one["field"]) for one in told["refused"]] == [("wrong_event", "scores")]


def test_the_highest_scores_and_oldest_times_are_stored_and_shown() -> None:
    server = connect()
    told = server.tell(
        event(1, "join", player="ann", team="red", at="1970-01-02T00:00:00Z"),
        event(2, "join", player="ben", team="red"),
        event(3, "frag", player="ann", victim="cat", weight=1000, at="8999-01-01T00:00:00Z"),
        event(4, "end", scores={"ann": 1e300, "ben": 1e300, "cat": -1e300}),
    )
    assert told["refused"] == []
    match = server.get(f"matches/{told['matches']['m1']['id']}")
    assert match["state"] == "confirmed"
    scores = [one["score"] for team in match["teams"] for one in team["members"]]
    assert sorted(scores) == [-1e300, 1e300, 1e300]
