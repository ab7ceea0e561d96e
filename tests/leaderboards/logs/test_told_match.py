"""The page of a match that a server tells: what it counts, names and marks, and who may see it."""

import html
import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given as property_of
from hypothesis import settings
from hypothesis import strategies as st

from accounts.models import User
from foundation import clock
from foundation.kept_pages import forget_pages
from leaderboards.logs import event_pages, story
from leaderboards.logs.event_pages import EventLine, Hole, events_of
from leaderboards.logs.story import story_of
from ratings.logs.gaps import give_up_gaps
from ratings.models import EventKind, Ladder, MatchLog, Mode, Player
from tests.ratings.logs.telling import (
    event,
    frag,
    make_server,
    match_of,
    rate,
    tallies,
    tell,
)
from tests.shown import as_shown

pytestmark = pytest.mark.django_db


def page(name: str = "m1", client: Client | None = None, **given: Any) -> str:
    """The page of a match, as it is shown."""
    forget_pages()
    answer = (client or Client()).get(f"/matches/{match_of(name).pk}/", **given)
    assert answer.status_code == 200
    return as_shown(answer.content.decode())


def words(text: str) -> str:
    """Without markup."""
    plain = html.unescape(re.sub(r"<[^>]+>", " ", text))
    return re.sub(r"\s+([.,:;])", r"\1", re.sub(r"\s+", " ", plain))


def log_of(name: str = "m1") -> MatchLog:
    return MatchLog.objects.select_related("server", "match__ladder__game").get(name=name)


def pk(name: str) -> int:
    return Player.objects.get(external_id=name).pk


def test_frags_streaks_and_weapons_are_counted() -> None:
    server = make_server(start=500)
    tell(
        server,
        frag(1, "ann", "ben", weapon="rocket"),
        frag(2, "ann", "cat", weapon="rocket"),
        frag(3, "ben", "cat", weapon="railgun"),
        frag(4, "ann", "ben"),
        frag(5, "ben", "ann"),
        frag(6, "ann", "ben"),
        event(7, "suicide", player="ben"),
    )
    found = story_of(log_of())
    ann, ben, cat = pk("ann"), pk("ben"), pk("cat")
    assert found.frags == {ann: {ben: 3, cat: 1}, ben: {cat: 1, ann: 1}}
    assert [(it.player, it.frags) for it in found.streaks] == [(ann, 3), (ben, 1)]
    assert [(it.name, it.frags) for it in found.weapons] == [("rocket", 2), ("railgun", 1)]
    assert found.first is not None
    assert (found.first.player, found.first.victim, found.first.weapon) == (ann, ben, "rocket")
    text = words(page())
    assert "First frag: ann fragged ben with rocket." in text


def test_guests_are_marked_and_count_for_nothing() -> None:
    server = make_server(start=500)
    tell(
        server,
        frag(1, "ann", "ben"),
        event(2, "frag", guest="Bot <b>", victim="ann"),
        event(3, "frag", player="ann", victim_guest="Bot <b>"),
        frag(4, "ann", "ben"),
    )
    found = story_of(log_of())
    assert found.guests == ["Bot <b>"]
    assert found.frags == {pk("ann"): {pk("ben"): 2}}
    # Killed by a guest is dead all the same.
    assert [(it.player, it.frags) for it in found.streaks] == [(pk("ann"), 1)]
    text = page()
    assert "<bdi>Bot &lt;b&gt;</bdi>" in text
    assert words(text).count("doesn't count") == 2
    assert "guest" in words(text)


def test_of_teams_that_share_the_first_place_none_has_won() -> None:
    server = make_server(start=500)
    tell(
        server,
        event(1, "join", player="ann", team="red"),
        event(2, "join", player="ben", team="blue"),
        frag(3, "ann", "ben"),
        frag(4, "ben", "ann"),
        event(5, "end"),
    )
    rate()
    assert not re.search(r"(red|blue) 1 won", words(page()))


def test_a_frag_between_two_of_one_team_is_a_team_kill() -> None:
    server = make_server(start=500)
    tell(
        server,
        event(1, "join", player="ann", team="red"),
        event(2, "join", player="ben", team="red"),
        event(3, "join", player="cat", team="blue"),
        frag(4, "ann", "ben"),
        event(5, "join", player="ben", team="blue"),
        frag(6, "ann", "ben"),
        event(7, "leave", player="cat"),
        frag(8, "cat", "ben"),
    )
    lines = [it for it in events_of(log_of()).lines if isinstance(it, EventLine)]
    kinds = {it.number: it.kind for it in lines}
    assert (kinds[4], kinds[6], kinds[8]) == (EventKind.TEAM_KILL, EventKind.FRAG, EventKind.FRAG)
    rate()
    assert {name: (it.frags, it.team_kills) for name, it in tallies().items()} == {
        "ann": (1, 1),
        "ben": (0, 0),
        "cat": (1, 0),
    }


PLAYERS = ("p0", "p1", "p2", "p3")
ACTS = st.one_of(
    st.tuples(st.just("frag"), st.sampled_from(PLAYERS), st.sampled_from(PLAYERS)),
    st.tuples(st.just("join"), st.sampled_from(PLAYERS), st.sampled_from(["", "red", "blue"])),
    st.tuples(st.just("leave"), st.sampled_from(PLAYERS), st.just("")),
    st.tuples(st.just("suicide"), st.sampled_from(PLAYERS), st.just("")),
)


def told_of(number: int, act: tuple[str, str, str], name: str) -> dict[str, Any]:
    kind, player, other = act
    more = {"frag": {"victim": other}, "join": {"team": other}}.get(kind, {})
    return event(number, kind, name, player=player, **{key: it for key, it in more.items() if it})


@settings(max_examples=40, deadline=None)
@property_of(st.lists(ACTS, min_size=1, max_size=40))
def test_what_is_counted_is_what_the_ratings_counted(acts: list[tuple[str, str, str]]) -> None:
    """Statements of their own, as two ways that must agree: frags and team kills, by the stream and by the log."""
    server = make_server(start=500)
    name = f"m{MatchLog.objects.count()}"
    tell(server, *(told_of(number, act, name) for number, act in enumerate(acts, 1)))
    rate()
    log = log_of(name)
    counted, names = story_of(log).frags, {it.pk: it.external_id for it in Player.objects.all()}
    kinds: Counter[tuple[str, EventKind]] = Counter()
    best: dict[str, int] = {}
    alive: Counter[str] = Counter()
    for line in reversed(events_of(log).lines):
        assert isinstance(line, EventLine)
        player, victim = (names.get(who or 0, "") for who in (line.player, line.victim))
        kinds[player, line.kind] += 1
        if line.kind == EventKind.FRAG:
            alive[player] += 1
            best[player] = max(best.get(player, 0), alive[player])
        if line.kind in {EventKind.FRAG, EventKind.TEAM_KILL, EventKind.SUICIDE}:
            alive[victim or player] = 0
    for who, tally in tallies(name).items():
        assert tally.frags == sum(counted.get(pk(who), {}).values())
        assert tally.deaths == sum(victims.get(pk(who), 0) for victims in counted.values())
        assert tally.team_kills == kinds[who, EventKind.TEAM_KILL]
        assert tally.suicides == kinds[who, EventKind.SUICIDE]
    assert {names[it.player]: it.frags for it in story_of(log).streaks} == best


def test_events_come_in_pages_and_holes_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_pages, "SIZE", 3)
    server = make_server(start=500)
    tell(server, *(frag(number, "ann", "ben") for number in (2, 3, 4, 7, 8, 9)))
    with clock.at(clock.now() + timedelta(hours=1)):
        give_up_gaps()
    log = log_of()
    seen: list[int] = []
    holes: list[tuple[int, int, bool]] = []
    before = None
    for _page in range(3):
        found = events_of(log, before)
        for line in found.lines:
            if isinstance(line, Hole):
                holes.append((line.first, line.last, line.is_given_up))
            else:
                seen.append(line.number)
        before = found.older
        if before is None:
            break
    assert seen == [9, 8, 7, 4, 3, 2]
    assert sorted(holes) == [(1, 1, log.complete_to >= 1), (5, 6, log.complete_to >= 6)]
    assert log.complete_to >= 1
    text = words(page())
    assert "2 events are missing" in text
    first = page()
    older = re.search(r'href="([^"]*before=\d+)', first)
    assert older is not None
    assert "1 event is missing: it never came." in words(
        as_shown(Client().get(older[1]).content.decode())
    )


def test_the_scoreboard_of_teams_has_names_scores_and_points() -> None:
    server = make_server(start=500)
    tell(
        server,
        event(1, "join", player="ann", team="red"),
        event(2, "join", player="ben", team="blue"),
        event(3, "join", player="cat", team="blue"),
        frag(4, "ann", "ben", at="2026-03-01T12:00:00Z"),
        frag(5, "ann", "cat", at="2026-03-01T12:01:00Z"),
        event(6, "end", scores={"red": 21, "blue": 13}),
    )
    rate()
    text = page()
    shown = words(text)
    assert re.search(r"red 21 won .*ann .* blue 13 ", shown)
    assert "▲ +38.8" in shown
    assert "was expected to score 0.51 of the frags and scored 1.00." in shown
    assert "with a weight of 80.0" in shown
    assert "K = 80" not in shown
    # In lists it is the score of the teams, not what one of their members made.
    assert "21: 13" in words(Client().get("/games/arena/").content.decode()).replace("\u202f", " ")


def test_while_it_is_played_the_page_follows() -> None:
    server = make_server(start=500)
    tell(server, frag(1, "ann", "ben"))
    rate()
    text = page()
    assert 'hx-trigger="live, every 10s"' in text
    again = re.search(r'hx-get="([^"]+seen=[^"]+)"', text)
    assert again is not None
    client, headers = Client(), {"HX-Request": "true"}
    assert client.get(again[1], headers=headers).status_code == 204
    tell(server, frag(2, "ben", "ann"))
    answer = client.get(again[1], headers=headers)
    assert answer.status_code == 200
    assert "ben" in answer.content.decode()
    tell(server, event(3, "end"))
    rate()
    assert 'hx-trigger="live, every 10s"' not in page()


@pytest.mark.parametrize("hides", ["normal mode", "no track is shown"])
def test_no_rating_where_it_may_not_be_seen(hides: str) -> None:
    server = make_server(start=97_500.0)
    tell(server, frag(1, "ann", "ben"), frag(2, "ann", "ben"), frag(3, "ben", "ann"))
    rate()
    user = User.objects.create_user("ann", password="an old door")
    Player.objects.filter(external_id="ann").update(user=user)
    client = Client()
    client.force_login(user)
    if hides == "normal mode":
        Ladder.objects.update(mode=Mode.NORMAL)
        forget_pages()
        assert Client().get(f"/matches/{match_of().pk}/").status_code == 404
    else:
        server.ladder.tracks.update(shown=False)
    for state in ("playing", "over"):
        if state == "over":
            tell(server, event(4, "end"))
            rate()
        text = page(client=client)
        shown = words(text)
        assert re.search(r"ann .*2", shown)
        assert "Who fragged whom" in shown
        plain = re.sub(r'(id|href|content|value|datetime|src|name)="[^"]*"', "", text)
        assert not re.search(r"97\D{0,6}[45]\d\d", plain)
        assert "delta" not in text
        assert "Why the ratings changed" not in shown


def test_the_number_of_queries_is_constant() -> None:
    server = make_server(start=500)
    tell(server, frag(1, "ann", "ben"), event(2, "end"))
    names = [f"p{number}" for number in range(12)]
    many = [
        frag(number, names[number % 12], names[(number * 5 + 1) % 12], "m2")
        for number in range(1, 200)
    ]
    tell(server, *many, event(200, "end", "m2"))
    rate()
    counts = []
    for name in ("m1", "m2"):
        forget_pages()
        with CaptureQueriesContext(connection) as queries:
            Client().get(f"/matches/{match_of(name).pk}/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 20


def test_of_a_match_that_goes_on_and_on_the_latest_events_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(story, "MOST_EVENTS", 3)
    server = make_server(start=500)
    tell(
        server,
        event(1, "join", player="ann", team="red"),
        event(2, "join", player="ben", team="red"),
        *(frag(number, "cat", "ann") for number in range(3, 8)),
        frag(8, "ann", "ben"),
    )
    found = story_of(log_of())
    assert found.is_cut
    assert found.first is None
    assert found.frags == {pk("cat"): {pk("ann"): 2}}  # and 8 is a team kill, known from 1 and 2
    assert "in the latest" in words(page())
