"""Streams of frags: each a duel of 1:0 in the order of the log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.frags import (
    Competitor,
    Deathmatch,
    Frag,
    FragsParameters,
    Side,
    by_clan,
    by_role,
    expect,
    overall,
)
from tests.ratings.systems.frags.reference_frags import duel

RULES = FragsParameters(start=1000)
ANN, BEN, CAT = Side("Ann", "red"), Side("Ben", "blue"), Side("Cat", "blue")
names = st.sampled_from("abcd")


def ratings(stream: Deathmatch) -> dict[str, float]:
    return {one.competitor.name: one.rating for one in stream.standings()}


@given(st.lists(st.tuples(names, names), max_size=60))
def test_each_frag_is_a_duel_in_the_order_of_the_log(log: list[tuple[str, str]]) -> None:
    wanted: dict[str, float] = {}
    for killer, victim in log:
        own, other = wanted.setdefault(killer, 0.0), wanted.setdefault(victim, 0.0)
        if killer == victim:
            wanted[killer] = max(0.0, own - 20)
        else:
            wanted[killer], wanted[victim] = duel(own, other, 1, 0)
    stream = Deathmatch()
    moves = list(stream.play(Frag(Side(killer), Side(victim)) for killer, victim in log))
    assert ratings(stream) == pytest.approx(wanted, abs=1e-9)
    gained = dict.fromkeys(wanted, 0.0)
    for move in moves:
        gained[move.competitor.name] += move.after - move.before
        sought = move.before + move.weight * (move.actual - move.expected)
        assert move.after == pytest.approx(max(0.0, sought), abs=1e-9)
    assert gained == pytest.approx(wanted, abs=1e-9)


def test_counts_and_places() -> None:
    stream, alone = Deathmatch(RULES), Side("Cat")
    log = ((ANN, BEN), (ANN, alone), (BEN, alone), (None, alone), (alone, alone))
    for killer, victim in log:
        stream.take(Frag(killer, victim))
    best, middle, last = stream.standings()
    assert [one.competitor.name for one in (best, middle, last)] == ["Ann", "Ben", "Cat"]
    assert [one.place for one in (best, middle, last)] == [1, 2, 3]
    assert (best.frags, best.deaths, best.games) == (2, 0, 2)
    assert (last.deaths, last.suicides, last.games) == (2, 2, 4)
    assert len(stream) == 3


def test_equals_share_a_place() -> None:
    stream = Deathmatch(RULES)
    stream.take(Frag(None, BEN))
    stream.take(Frag(None, ANN))
    stream.take(Frag(None, CAT))
    stream.take(Frag(CAT, CAT))
    assert [(one.place, one.competitor.name) for one in stream.standings()] == [
        (1, "Ann"),
        (1, "Ben"),
        (3, "Cat"),
    ]


class TestTeams:
    def test_a_capture_is_made_against_the_mean_of_the_other_team(self) -> None:
        stream = Deathmatch(RULES)
        stream.take(Frag(CAT, ANN))
        stream.take(Frag(BEN, ANN))
        before = ratings(stream)
        (move,) = stream.take(Frag(ANN, None, "capture"))
        mean = (before["Ben"] + before["Cat"]) / 2
        assert move.weight == 280
        assert move.expected == expect(RULES, before["Ann"], mean)
        assert move.after == pytest.approx(before["Ann"] + 280 * (1 - move.expected))
        assert ratings(stream) == before | {"Ann": move.after}
        assert stream.standings()[0].events == 1

    def test_the_team_seen_last_is_remembered(self) -> None:
        stream = Deathmatch(RULES)
        stream.take(Frag(BEN, ANN))
        stream.take(Frag(Side("Ann"), Side("Ben")))
        assert len(stream.take(Frag(Side("Ann"), None, "capture"))) == 1
        stream.take(Frag(Side("Ben", "red"), Side("Dan")))
        assert stream.take(Frag(Side("Ann"), None, "capture")) == ()

    def test_a_capture_from_a_clear_opponent_is_mirrored(self) -> None:
        stream = Deathmatch(RULES)
        first, second = stream.take(Frag(ANN, BEN, "capture"))
        assert first.after == 1140
        assert second.after == 860

    def test_who_left_is_no_opponent(self) -> None:
        stream = Deathmatch(RULES)
        stream.take(Frag(BEN, ANN))
        stream.take(Frag(CAT, ANN))
        stream.leave(BEN)
        stream.leave(Side("Nobody"))
        before = ratings(stream)
        (move,) = stream.take(Frag(ANN, None, "capture"))
        assert move.expected == expect(RULES, before["Ann"], before["Cat"])

    @pytest.mark.parametrize("who", [ANN, Side("Ann")])
    def test_without_an_opponent_nothing_is_won(self, who: Side) -> None:
        stream = Deathmatch(RULES)
        assert stream.take(Frag(who, None, "capture")) == ()
        assert (stream.skipped, ratings(stream)) == (1, {"Ann": 1000})

    def test_a_team_kill_costs_the_killer_alone(self) -> None:
        stream = Deathmatch(RULES)
        (move,) = stream.take(Frag(BEN, CAT))
        assert (move.event, move.after) == ("team kill", 980)
        assert ratings(stream) == {"Cat": 1000, "Ben": 980}
        assert stream.standings()[1].team_kills == 1


class TestWhoIsRated:
    def test_a_clan_is_one_player(self) -> None:
        stream = Deathmatch(RULES, rated=by_clan)
        x, y = Side("x", clan="Wolves"), Side("y", clan="Wolves")
        stream.take(Frag(x, Side("Wolves")))
        stream.take(Frag(y, Side("Wolves")))
        wolves, lone = stream.standings()
        assert wolves.competitor == Competitor("Wolves", is_clan=True)
        assert lone.competitor == Competitor("Wolves")
        assert wolves.frags == lone.deaths == 2

    def test_a_clan_mates_frag_is_the_clans_suicide(self) -> None:
        stream = Deathmatch(RULES, rated=by_clan)
        (move,) = stream.take(Frag(Side("x", clan="Wolves"), Side("y", clan="Wolves")))
        assert (move.event, move.after) == ("suicide", 980)

    def test_a_rating_for_each_role(self) -> None:
        stream = Deathmatch(RULES, rated=by_role)
        stream.take(Frag(Side("Ann", role="sniper"), Side("Ben", role="medic")))
        stream.take(Frag(Side("Ben", role="medic"), Side("Ann", role="medic")))
        stream.take(Frag(Side("Ben"), Side("Ben", role="scout")))
        own = [one for one in stream.standings() if one.competitor.name == "Ann"]
        assert {one.competitor.role for one in own} == {"sniper", "medic"}
        assert stream.rating(Competitor("Ann", "sniper")) == 1020
        assert stream.rating(Competitor("Ben", "scout")) == 980
        both = overall(RULES, [one.rating for one in own], [one.games for one in own])
        assert both.value == pytest.approx((1020 + stream.rating(Competitor("Ann", "medic"))) / 2)


def test_decay_takes_from_everybody() -> None:
    stream = Deathmatch(FragsParameters(decay=30))
    stream.take(Frag(ANN, BEN))
    stream.take(Frag(ANN, BEN))
    before = ratings(stream)["Ann"]
    stream.decay()
    assert ratings(stream) == {"Ann": before - 30, "Ben": 0}


def test_an_event_without_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="event 'dance': must be one of capture, frag"):
        Deathmatch().take(Frag(ANN, BEN, "dance"))
    stream = Deathmatch(RULES, weights={"dance": 0.5})
    assert stream.take(Frag(ANN, BEN, "dance"))[0].after == 1010


def test_a_name_the_stream_does_not_know() -> None:
    with pytest.raises(KeyError):
        Deathmatch().rating(Competitor("Ann"))
