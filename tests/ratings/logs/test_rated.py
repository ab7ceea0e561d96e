"""Events of servers rated through the ledger: golden values of the source, and the same as a stream rated at once."""

import pytest
from hypothesis import given as property_of
from hypothesis import settings
from hypothesis import strategies as st

from ratings.matches.decide import annul
from ratings.models import (
    LogEvent,
    LogStretch,
    MatchState,
    Participant,
    Player,
    Rating,
    RatingChange,
    RatingTrack,
    SanctionKind,
    SuspendedFrom,
)
from ratings.runs.replay import replay_track
from ratings.runs.run import rate_track
from ratings.sanctions import impose
from ratings.systems.frags import Deathmatch, Frag, FragsParameters, Side
from tests.ratings.logs.telling import (
    event,
    frag,
    make_server,
    match_of,
    rate,
    ratings,
    tallies,
    tell,
    track,
)

pytestmark = pytest.mark.django_db


def gained_by(change: RatingChange) -> float:
    """What the row says that the match was worth, where no floor kept any of it."""
    assert change.weight is not None
    assert change.actual is not None
    assert change.expected is not None
    return change.weight * (change.actual - change.expected)


def test_a_stream_of_frags_is_rated_while_the_match_goes_on() -> None:
    server = make_server()
    answer = tell(server, frag(1, "ann", "ben"), frag(2, "ann", "ben"), frag(3, "ben", "ann"))
    assert (answer.stored, answer.known, answer.refused) == (3, 0, {})
    rate()
    stream = Deathmatch()
    for killer, victim in (("ann", "ben"), ("ann", "ben"), ("ben", "ann")):
        stream.take(Frag(Side(killer), Side(victim)))
    expected = {row.competitor.name: row.rating for row in stream.standings()}
    assert ratings() == expected
    assert match_of().state == MatchState.PLAYING
    assert not RatingChange.objects.exists()
    tally = tallies()["ann"]
    assert (tally.frags, tally.deaths, tally.value_before) == (2, 1, 0)
    assert tally.value_after == expected["ann"]


def test_a_match_that_is_over_is_one_row_of_the_ledger_for_each_player() -> None:
    server = make_server(start=500)
    tell(server, frag(1, "ann", "ben"), frag(2, "ann", "ben"))
    rate()
    tell(server, frag(3, "ben", "ann"), event(4, "end"))
    rate()
    match = match_of()
    assert match.state == MatchState.CONFIRMED
    assert match.ladder_seq == 3  # behind two stretches
    changes = {it.player.external_id: it for it in RatingChange.objects.select_related("player")}
    now = ratings()
    for name, change in changes.items():
        assert change.match_id == match.pk
        assert change.value_before == 500
        assert change.value_after == now[name]
        gained = gained_by(change)
        assert gained == pytest.approx(change.value_after - change.value_before)
        assert change.weight == pytest.approx(120)
    assert changes["ann"].actual == pytest.approx(2 / 3)
    ann = Rating.objects.get(player__external_id="ann")
    assert (ann.games, ann.wins, ann.losses, ann.counted, ann.status) == (1, 1, 0, 1, 1)
    participant = Participant.objects.get(player__external_id="ann")
    assert (participant.rank, participant.score) == (0, 2)


def test_capture_and_team_kill_are_those_of_the_source() -> None:
    server = make_server(start=1000)
    tell(
        server,
        event(1, "join", player="ann", team="red"),
        event(2, "join", player="ben", team="blue"),
        event(3, "capture", player="ann"),
    )
    rate()
    assert ratings() == {"ann": pytest.approx(1140)}
    Rating.objects.filter(player__external_id="ann").update(value=1200)
    tell(
        server,
        event(4, "join", player="cat", team="red"),
        event(5, "team_kill", player="ann", victim="cat"),
    )
    rate()
    assert ratings() == {"ann": pytest.approx(1169.610123, abs=1e-6)}  # cat at 1000 is not touched


def test_on_two_servers_a_capture_is_made_against_those_of_its_own() -> None:
    first, second = make_server("one", start=1000), make_server("two")
    tell(second, event(1, "join", "m2", player="dan", team="blue"))
    Rating.objects.all()
    tell(
        first,
        event(1, "join", player="ann", team="red"),
        event(2, "capture", player="ann"),
        event(3, "join", player="ben", team="blue"),
        event(4, "capture", player="ann"),
    )
    rate()
    assert tallies()["ann"].goals == 1
    assert ratings() == {"ann": pytest.approx(1140)}


@pytest.mark.parametrize("how", ["itself", "merged into it"])
def test_of_whoever_is_suspended_from_results_nothing_is_rated(how: str) -> None:
    server = make_server(start=500)
    tell(server, frag(1, "ann", "ben"), frag(2, "old", "ben"), event(3, "end"))
    rate()
    before = ratings()
    ann, old = (Player.objects.get(external_id=name) for name in ("ann", "old"))
    impose(
        player=ann,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.RESULTS,
        reason="Aims by itself.",
        by=None,
    )
    if how == "merged into it":
        Player.objects.filter(pk=old.pk).update(merged_into=ann)
    name = "ann" if how == "itself" else "old"
    tell(server, frag(1, name, "ben", "m2"), event(2, "end", "m2"))
    rate()
    assert ratings() == before


def test_a_match_that_was_annulled_leaves_no_trace() -> None:
    server = make_server(start=500)
    tell(server, frag(1, "ann", "ben"), event(2, "end"))
    rate()
    before = ratings()
    tell(server, frag(1, "ann", "ben", "m2"), frag(2, "cat", "ann", "m2"), event(3, "end", "m2"))
    rate()
    annul(match_id=match_of("m2").pk, by=None, note="Cheats.")
    rate_track(RatingTrack.objects.get(state="replay").pk)
    assert ratings() == before


def test_who_scores_against_somebody_has_fragged_nobody() -> None:
    server = make_server(start=500)
    tell(server, event(1, "score", player="ann", victim="ben", weight=2.5), frag(2, "ann", "ben"))
    rate()
    found = tallies()
    assert (found["ann"].frags, found["ann"].goals) == (1, 1)
    assert (found["ben"].deaths, found["ben"].goals) == (1, 0)


def test_guests_and_falls() -> None:
    server = make_server(start=500)
    tell(
        server,
        event(1, "frag", guest="bot", victim="ann"),
        event(2, "frag", player="ann", victim_guest="bot"),
        event(3, "frag", victim="ann"),
        event(4, "suicide", player="ben"),
    )
    rate()
    assert ratings() == {"ann": 480, "ben": 480}
    assert LogEvent.objects.filter(counts=False).count() == 2


def test_of_two_matches_at_once_each_row_has_what_its_own_did() -> None:
    first, second = make_server("one", start=500), make_server("two")
    tell(first, frag(1, "ann", "ben"))
    rate()
    tell(second, frag(1, "ann", "cat", "m2"))
    rate()
    tell(first, frag(2, "ann", "ben"), event(3, "end"))
    rate()
    tell(second, frag(2, "cat", "ann", "m2"), event(3, "end", "m2"))
    rate()
    rows = list(RatingChange.objects.filter(player__external_id="ann").order_by("id"))
    assert [row.match_id for row in rows] == [match_of("m1").pk, match_of("m2").pk]
    assert rows[0].value_before == pytest.approx(500)
    assert rows[1].value_before == pytest.approx(rows[0].value_after)
    assert rows[1].value_after == pytest.approx(ratings()["ann"])
    for row in rows:
        assert gained_by(row) == pytest.approx(row.value_after - row.value_before)


def test_whoever_fell_alone_has_its_row_and_has_beaten_nobody() -> None:
    server = make_server(start=500)
    tell(server, event(1, "suicide", player="ann"), event(2, "end"))
    tell(server, event(1, "join", "m2", player="ben"), event(2, "end", "m2"))
    rate()
    assert (match_of().state, match_of("m2").state) == (MatchState.CONFIRMED, MatchState.ABANDONED)
    ann = Rating.objects.get(player__external_id="ann")
    assert (ann.value, ann.games, ann.draws) == (480, 1, 1)
    old = track()
    rate_track(replay_track(track=old).pk)
    assert track().pk != old.pk
    assert ratings() == {"ann": 480}


def test_whoever_was_there_and_did_nothing_has_no_row() -> None:
    server = make_server()
    tell(server, event(1, "join", player="cat"), frag(2, "ann", "ben"), event(3, "end"))
    rate()
    assert set(ratings()) == {"ann", "ben"}
    assert Participant.objects.get(player__external_id="cat").rank is not None
    assert not RatingChange.objects.filter(player__external_id="cat").exists()


@settings(max_examples=30, deadline=None)
@property_of(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40),
    st.lists(st.integers(1, 10), min_size=1, max_size=8),
)
def test_however_it_is_cut_it_comes_to_the_same(
    frags: list[tuple[int, int]], sizes: list[int]
) -> None:
    server = make_server(start=300)
    name = f"m{LogStretch.objects.count()}-{LogEvent.objects.count()}"
    start = ratings()
    stream = Deathmatch(FragsParameters(start=300))
    for player, value in start.items():
        stream.join(Side(player))
        stream.ratings[next(iter([it for it in stream.ratings if it.name == player]))] = value
    number, todo = 0, [(f"p{killer}", f"p{victim}") for killer, victim in frags]
    for killer, victim in todo:
        stream.take(Frag(Side(killer), Side(victim)))
    while todo:
        for size in sizes:
            part, todo = todo[:size], todo[size:]
            events = [frag(number + i + 1, *pair, match=name) for i, pair in enumerate(part)]
            number += len(part)
            if events:
                tell(server, *events)
                rate()
    expected = {row.competitor.name: row.rating for row in stream.standings()}
    now = ratings()
    assert {name: now[name] for name in expected if name in now} == {
        name: value for name, value in expected.items() if name in now
    }
    assert track().rated_seq == track().ladder.last_seq
